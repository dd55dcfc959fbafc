// sinter help: what the diagnostics mean.
#include "lang/check/help.h"
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

int show_help(const std::string& id) {
  if (id.empty()) {
    std::cout << help::show_all();
    return exit_success;
  }
  std::optional<std::string> page = help::show(id);
  if (!page) throw UsageError(help::no_such_id(id) + "  (`sinter help` lists them all)");
  std::cout << *page;
  return exit_success;
}

} // namespace

std::function<int()> define_help(Options& command_line) {
  auto id = std::make_shared<std::string>();
  command_line.add_option("ID", *id, "What stands in brackets at the end of a message");
  command_line.footer("Without an ID all are listed.  Example:\n"
                      "  sinter help type-mismatch");
  return [id] { return show_help(*id); };
}

} // namespace sinter
