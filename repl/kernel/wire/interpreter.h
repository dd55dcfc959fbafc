// Jupyter's requests, as xeus hands them over, answered by a kernel.
#pragma once

#include "repl/kernel/kernel.h"

#include <xeus/xinterpreter.hpp>

#include <string>

namespace sinter::repl {

class Interpreter : public xeus::xinterpreter {
public:
  explicit Interpreter(Kernel& kernel) : kernel_(kernel) {}

private:
  using Json = nlohmann::json;

  void configure_impl() override {}
  Json execute_request_impl(int number, const std::string& cell, bool silent, bool store_history,
                            Json user_expressions, bool allow_stdin) override;
  Json complete_request_impl(const std::string& cell, int cursor) override;
  Json inspect_request_impl(const std::string& cell, int cursor, int detail_level) override;
  Json is_complete_request_impl(const std::string& cell) override;
  Json kernel_info_request_impl() override;
  /// The server calls exit() next, in this thread: no other one may be compiling then.
  void shutdown_request_impl() override { kernel_.end(); }

  Kernel& kernel_;
};

} // namespace sinter::repl
