// Settings, help, and the end.
#include "lang/check/help.h"
#include "repl/commands/command.h"
#include "repl/settings.h"

#include <algorithm>

namespace sinter::repl {

namespace {

std::string setting_line(const Console& console, const Setting& setting) {
  std::string line = std::string(setting.name);
  line.resize(std::max<std::size_t>(line.size(), 12), ' ');
  line += setting.get(console);
  line.resize(std::max<std::size_t>(line.size(), 22), ' ');
  return line + "  " + std::string(setting.summary) + " (" + std::string(setting.values) + ")\n";
}

void set(Console& console, const std::string& argument) {
  if (argument.empty()) {
    std::string answer;
    for (const Setting& setting : settings())
      answer += setting_line(console, setting);
    return console.presenter().text(answer + "`:set NAME VALUE` changes one, `:set --save` keeps "
                                             "them all for later sessions.\n");
  }
  if (argument == "--save") {
    const std::string path = configuration_path("settings");
    if (path.empty()) return console.fail("there is no home folder to keep settings in");
    if (auto wrong = save_settings(console, path, console.initial_settings()))
      return console.fail(*wrong);
    return console.presenter().message("settings are kept in " + path + "\n");
  }
  const std::size_t space = std::min(argument.find_first_of(" \t"), argument.size());
  const std::string name = argument.substr(0, space), value = trimmed(argument.substr(space));
  if (const Setting* setting = find_setting(name); setting && value.empty())
    return console.presenter().text(setting_line(console, *setting));
  if (auto wrong = change_setting(console, name, value)) console.fail(*wrong);
}

void help(Console& console, const std::string& argument) {
  if (!argument.empty()) {
    std::optional<std::string> page = sinter::help::show(argument);
    if (!page) return console.fail(sinter::help::no_such_id(argument));
    return console.presenter().text(*page);
  }
  std::string answer =
      "Type an expression to evaluate it, or a declaration (def, let, type, module, import, …).\n"
      "An unfinished input goes on in the next line; an empty line ends it.\n"
      "`it` is the last result, `it1`, `it2`, … are the first, the second, ….  Ctrl-C stops an "
      "evaluation.\n\n";
  for (const Command& command : commands()) {
    std::string left = ":" + std::string(command.name);
    if (!command.argument.empty()) left += " " + std::string(command.argument);
    left.resize(std::max<std::size_t>(left.size(), 18), ' ');
    answer += "  " + left + "  " + std::string(command.summary) + "\n";
  }
  answer += "\nA command may be shortened (`:l`).  At a `#[break]`: `:locals`, `:stack`, `:up`, "
            "`:down`, `:step`, `:next`, `:continue`, `:abort`.\n";
  console.presenter().text(answer);
}

void quit(Console& console, const std::string&) {
  console.quit();
}

constexpr Command table[] = {
    {"set", "[NAME [VALUE]]", "show or change settings; `:set --save` keeps them",
     Completes::Settings, set},
    {"help", "[ID]", "show this table, or explain the error whose id is given",
     Completes::DiagnosticIds, help},
    {"quit", "", "leave (so does Ctrl-D)", Completes::Nothing, quit},
};

} // namespace

std::span<const Command> general_commands() {
  return table;
}

} // namespace sinter::repl
