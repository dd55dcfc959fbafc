// Commands that ask what names and expressions are.
#include "repl/commands/command.h"
#include "repl/session/introspection.h"
#include "repl/text/wrapping.h"

namespace sinter::repl {

namespace {

void type(Console& console, const std::string& argument) {
  Outcome outcome = console.session().type_of(argument);
  console.show(outcome);
  if (outcome.ok()) console.presenter().text(argument + " : " + outcome.type_text + "\n");
}

std::optional<ValueDescription> find(Console& console, const std::string& name) {
  std::optional<ValueDescription> found = describe_value(console.session(), name);
  if (!found) console.fail("no value `" + name + "` is in scope");
  return found;
}

/// A text whose paragraphs fill the lines; what is indented or a list stays as it is.
std::string refilled(const std::string& text, std::size_t columns) {
  std::string joined = text;
  for (std::size_t end = joined.find('\n'); end != std::string::npos && end + 1 < joined.size();
       end = joined.find('\n', end + 1))
    if (end > 0 && joined[end - 1] != '\n' &&
        std::string_view(" \t\n-*").find(joined[end + 1]) == std::string_view::npos)
      joined[end] = ' ';
  return wrapped(joined, columns, 0);
}

void doc(Console& console, const std::string& argument) {
  std::optional<ValueDescription> found = find(console, argument);
  if (!found) return;
  std::string answer = found->name + " : " + found->type + "\n";
  answer += found->documentation.empty()
                ? "(without documentation)"
                : refilled(found->documentation, console.options().display.width);
  if (!answer.ends_with('\n')) answer += '\n';
  console.presenter().text(answer);
  const std::string example = example_in(found->documentation);
  if (example.empty()) return;
  // Evaluated aside: it leaves no result behind.  One that does not stand alone is not shown again.
  console.session().begin_inspection({});
  const Outcome outcome = console.evaluate(example);
  console.session().end_inspection();
  if (outcome.kind != Outcome::Kind::Value) return;
  console.presenter().text("example: " + example + "\n");
  Outcome shown = outcome;
  shown.name.clear();
  console.show(shown);
}

void source(Console& console, const std::string& argument) {
  std::optional<ValueDescription> found = find(console, argument);
  if (!found) return;
  if (found->source.empty()) return console.fail("`" + argument + "` is built in");
  console.presenter().text("-- " + found->place + "\n" + found->source + "\n");
}

void browse_module(Console& console, const std::string& argument) {
  std::optional<std::vector<std::string>> lines = browse(console.session(), argument);
  if (!lines) return console.fail("no module `" + argument + "` with members is in scope");
  std::string answer;
  for (const std::string& line : *lines)
    answer += line + "\n";
  console.presenter().text(answer);
}

constexpr Command table[] = {
    {"type", "EXPRESSION", "show an expression's type without evaluating it", Completes::Names,
     type},
    {"doc", "NAME", "what a value is, from its documentation", Completes::Names, doc},
    {"source", "NAME", "the definition of a value", Completes::Names, source},
    {"browse", "[MODULE]", "the members of a module, or all that you have defined",
     Completes::Names, browse_module},
};

} // namespace

std::span<const Command> asking_commands() {
  return table;
}

} // namespace sinter::repl
