// A session for one program after the other, made anew now and then: what programs leave in it does
// not grow without end.
#pragma once

#include "repl/session/session.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

namespace sinter::differential {

class RecycledSession {
public:
  RecycledSession(std::size_t memory_limit, std::chrono::milliseconds time_limit,
                  unsigned programs_a_session)
      : memory_limit_(memory_limit), time_limit_(time_limit), most_programs_(programs_a_session) {}

  repl::Session& for_next_program() {
    if (!session_ || programs_ >= most_programs_) {
      session_.reset();
      repl::SessionOptions options;
      options.max_memory_bytes = memory_limit_;
      options.timeout = time_limit_;
      options.trace = [](const std::string&) {};
      session_ = std::make_unique<repl::Session>(std::move(options));
      programs_ = 0;
    }
    ++programs_;
    return *session_;
  }

private:
  std::size_t memory_limit_;
  std::chrono::milliseconds time_limit_;
  unsigned most_programs_;
  std::unique_ptr<repl::Session> session_;
  unsigned programs_ = 0;
};

} // namespace sinter::differential
