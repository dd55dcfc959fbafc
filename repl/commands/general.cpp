// Settings, help, and the end.
#include "lang/check/help.h"
#include "repl/commands/command.h"

#include <algorithm>
#include <charconv>

namespace sinter::repl {

namespace {

/// "6", or "auto" for what the display thinks best; false if the text is neither.
bool set_digits(Console& console, const std::string& text) {
  std::optional<int>& digits = console.options().display.digits;
  if (text == "auto") return digits.reset(), true;
  constexpr int most = 17; // what distinguishes any two floats
  int count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool good =
      error == std::errc{} && end == text.data() + text.size() && count >= 1 && count <= most;
  if (good) digits = count;
  return good;
}

void set(Console& console, const std::string& argument) {
  if (argument.starts_with("digits ")) {
    if (!set_digits(console, trimmed(argument.substr(7))))
      console.fail("usage: `:set digits auto` (or the significant digits of floats, 1 to 17)");
    return;
  }
  jit::SwapOptions options = console.session().options().acceleration;
  if (argument.empty()) {
    console.presenter().text("mode " + std::string(jit::name(options.mode)) + "\n");
    return;
  }
  std::string value;
  if (argument.starts_with("mode")) value = trimmed(argument.substr(4));
  std::optional<jit::Mode> mode = jit::mode_of(value);
  if (!mode) return console.fail("usage: `:set mode auto` (or `interp`, `jit`, `mixed`)");
  options.mode = *mode;
  console.options().session.acceleration = options;
  console.session().accelerate(options);
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
      "`it` is the last result.  Ctrl-C stops an evaluation.\n\n";
  for (const Command& command : commands()) {
    std::string left = ":" + std::string(command.name);
    if (!command.argument.empty()) left += " " + std::string(command.argument);
    left.resize(std::max<std::size_t>(left.size(), 18), ' ');
    answer += "  " + left + "  " + std::string(command.summary) + "\n";
  }
  answer += "\nA command may be shortened (`:l`).  At a `#[break]`: `:continue`, `:stack`, "
            "`:abort`.\n";
  console.presenter().text(answer);
}

void quit(Console& console, const std::string&) {
  console.quit();
}

constexpr Command table[] = {
    {"set", "[mode M]", "how to evaluate: auto, interp, jit or mixed", Completes::Nothing, set},
    {"help", "[ID]", "show this table, or explain the error whose id is given",
     Completes::DiagnosticIds, help},
    {"quit", "", "leave (so does Ctrl-D)", Completes::Nothing, quit},
};

} // namespace

std::span<const Command> general_commands() {
  return table;
}

} // namespace sinter::repl
