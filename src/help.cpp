// sinter help: what the diagnostics mean.
#include "lang/check/help.h"
#include "src/command.h"

#include <CLI/CLI.hpp>

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

std::function<int()> define_help(CLI::App& app) {
  auto id = std::make_shared<std::string>();
  app.add_option("ID", *id, "What stands in brackets at the end of a message");
  app.footer("Without an ID all are listed.  Example:\n"
             "  sinter help type-mismatch");
  return [id] { return show_help(*id); };
}

} // namespace sinter
