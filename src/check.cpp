// sinter check: the front end alone.
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
};

int check_files(const CheckOptions& options) {
  int code = exit_success;
  for (const std::string& file : options.files) {
    repl::Session session(LimitOptions{}.session_options());
    repl::Outcome outcome = session.load(file);
    std::cerr << outcome.messages;
    if (!outcome.ok()) code = exit_rejected;
  }
  return code;
}

} // namespace

std::function<int()> define_check(Options& command_line) {
  auto options = std::make_shared<CheckOptions>();
  command_line.add_option("FILE", options->files, "Programs").required();
  command_line.footer("Errors and warnings go to standard error; silence means that all is well.");
  return [options] { return check_files(*options); };
}

} // namespace sinter
