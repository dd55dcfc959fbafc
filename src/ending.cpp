// How commands end.
#include "src/command.h"

#include <iostream>
#include <utility>

#include <unistd.h>

namespace sinter {

int end_of(repl::Session& session, int code) {
  if (!session.is_compiling()) return code;
  std::cout.flush();
  std::cerr.flush();
  _exit(code);
}

int in_session(repl::SessionOptions options, const std::function<int(repl::Session&)>& action) {
  repl::Session session(std::move(options));
  return end_of(session, action(session));
}

} // namespace sinter
