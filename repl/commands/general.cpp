// Settings, help, and the end.
#include "lang/check/help.h"
#include "repl/commands/command.h"
#include "repl/commands/guide.h"
#include "repl/console/settings.h"
#include "repl/editor/key_help.h"
#include "repl/text/lines.h"
#include "repl/text/wrapping.h"

#include <algorithm>

namespace sinter::repl {

namespace {

std::string setting_line(const Console& console, const Setting& setting) {
  constexpr std::size_t value_column = 12, summary_column = 25, small_indentation = 4;
  constexpr std::size_t least_width = 60; // for the summary to stand in a column of its own
  const std::size_t width = console.options().display.width;
  std::string line = std::string(setting.name);
  line.resize(std::max(line.size() + 2, value_column), ' ');
  line += setting.get(console);
  if (width < least_width)
    line += "\n" + std::string(small_indentation, ' ');
  else
    line.resize(std::max(line.size() + 2, summary_column), ' ');
  line += std::string(setting.summary) + " (" + std::string(setting.values) + ")\n";
  return wrapped(line, width, width < least_width ? small_indentation : summary_column);
}

void set(Console& console, const std::string& argument) {
  if (argument.empty()) {
    std::string answer;
    for (const Setting& setting : settings())
      answer += setting_line(console, setting);
    return console.presenter().text(
        answer + wrapped("`:set NAME VALUE` changes one, `:set --save` keeps them all for later "
                         "sessions.\n",
                         console.options().display.width, 0));
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

/// ":type EXPRESSION".
std::string usage(const Command& command) {
  std::string text = ":" + std::string(command.name);
  if (!command.argument.empty()) text += " " + std::string(command.argument);
  return text;
}

std::string indented(std::string_view text) {
  std::string lines;
  for_each_line(text,
                [&](std::string_view line) { (lines += "    ") += std::string(line) + "\n"; });
  return lines;
}

/// What there is to know of a command; nothing if there is none of that name.
std::optional<std::string> command_help(const Console& console, std::string_view name) {
  if (name.starts_with(':')) name.remove_prefix(1);
  const Command* command = find_command(name);
  if (!command) return std::nullopt;
  const std::size_t width = console.options().display.width;
  std::string text =
      wrapped(usage(*command) + "\n    " + std::string(command->summary) + "\n", width, 4);
  if (!command->details.empty()) text += "\n" + wrapped(command->details, width, 0);
  if (const Guide* guide = find_guide(command->name)) {
    const std::string details =
        std::string(guide->details) + (guide->options ? guide->options() : "");
    if (!details.empty()) text += "\n" + wrapped(details, width, 20);
    if (!guide->example.empty()) text += "\nexample:\n" + indented(guide->example);
  }
  return text;
}

void help(Console& console, const std::string& argument) {
  if (argument == "keys")
    return console.presenter().text(
        wrapped(key_help(), console.options().display.width, key_help_indentation));
  if (!argument.empty()) {
    std::optional<std::string> page = sinter::help::show(argument);
    if (!page) page = command_help(console, argument);
    if (!page && argument.starts_with(':'))
      return console.fail("there is no command `" + argument + "`; `:help` lists them");
    if (!page && argument.find_first_of("[-") == std::string::npos)
      return console.fail("`" + argument + "` is no command (`:help` lists them), and " +
                          sinter::help::no_such_id(argument));
    if (!page) return console.fail(sinter::help::no_such_id(argument));
    return console.presenter().text(*page);
  }
  const std::size_t width = console.options().display.width;
  std::string answer = wrapped(
      "Type an expression to evaluate it, or a declaration (def, let, type, module, import, …).\n"
      "An unfinished input goes on in the next line; an empty line ends it.\n"
      "`it` is the last result, `it1`, `it2`, … are the first, the second, ….  Ctrl-C stops an "
      "evaluation.\n\n",
      width, 0);
  for (const Command& command : commands()) {
    constexpr std::size_t indentation = 22;
    std::string line = "  " + usage(command);
    if (line.size() + 2 > indentation)
      line += "\n" + std::string(indentation, ' ');
    else
      line.resize(indentation, ' ');
    answer += wrapped(line + std::string(command.summary), width, indentation) + "\n";
  }
  answer +=
      wrapped("\nA command may be shortened (`:l`).  `:help COMMAND` tells more of it, `:help "
              "keys` what the keys do.  At a `#[break]`: `:locals`, `:stack`, `:up`, "
              "`:down`, `:step`, `:next`, `:continue`, `:abort`.\n",
              width, 0);
  console.presenter().text(answer);
}

void quit(Console& console, const std::string&) {
  console.quit();
}

constexpr Command table[] = {
    {"set", "[NAME [VALUE]]", "show or change settings; `:set --save` keeps them",
     Completes::Settings, set},
    {"help", "[TOPIC]", "show this table, or explain a command, the keys, or an error by its id",
     Completes::HelpTopics, help},
    {"quit", "", "leave (so does Ctrl-D)", Completes::Nothing, quit},
};

} // namespace

std::span<const Command> general_commands() {
  return table;
}

} // namespace sinter::repl
