// sinter check: the front end alone, and what there is to be said of `#[accelerate]`.
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  bool accelerates_all = false;
  LimitOptions limits;
};

int check_files(const CheckOptions& options) {
  int code = exit_success;
  for (const std::string& file : options.files) {
    repl::SessionOptions session_options = options.limits.session_options();
    session_options.accelerates_all = options.accelerates_all;
    repl::Session session(std::move(session_options));
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
  command_line.add_flag("--accelerate-all", options->accelerates_all,
                        "Check every entry point as if it were marked with `#[accelerate]`");
  options->limits.add_to(command_line);
  for (const char* of_running : {"--mode", "--threads", "--tier", "--seed"})
    command_line.remove(of_running);
  command_line.footer("Errors and warnings go to standard error; silence means that all is well.");
  return [options] { return check_files(*options); };
}

} // namespace sinter
