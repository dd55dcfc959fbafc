#include "repl/scripts/script.h"

#include "lang/syntax/parser.h"
#include "repl/commands/command.h"
#include "repl/scripts/futhark_script.h"
#include "repl/text/lines.h"

#include <algorithm>

namespace sinter::repl {

namespace {

Outcome rejected(std::string message) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::CheckFailed;
  outcome.messages = std::move(message);
  return outcome;
}

Outcome run_builtin(Session& session, const Directive& directive, const std::string& place) {
  if (!session.loaded())
    return rejected(place + ": error: `$` built-ins take entry points of a program that is loaded "
                            "as a whole; here `:read` reads a file\n");
  const Representation* representation = nullptr;
  try {
    Outcome outcome = session.guarded([&] {
      ScriptValue value =
          evaluate_futhark_script(session, *session.loaded(), directive.expression());
      representation = value.representation;
      return value.value;
    });
    outcome.representation = representation;
    if (representation) outcome.type_text = print(representation);
    return outcome;
  } catch (const FormatError& error) {
    return rejected(place + ": error: " + error.message + "\n");
  }
}

/// Where the `;` is that ends an expression, outside of string literals.
std::size_t end_of_expression(std::string_view text) {
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (text[i] == ';' && !in_string) return i;
  }
  return std::string_view::npos;
}

/// Takes a `:name` off the front; empty if there is none.
std::string take_command(std::string_view& rest) {
  if (!rest.starts_with(':')) return {};
  std::size_t stop = std::min(rest.find_first_of(" \t;"), rest.size());
  std::string command(rest.substr(1, stop - 1));
  rest = without_blanks(rest.substr(stop));
  return command;
}

} // namespace

std::string Directive::expression() const {
  std::size_t semicolon = end_of_expression(text);
  // Only a directive with parameters has an end other than that of the comment.
  if (command.empty()) semicolon = std::string::npos;
  std::string all = text.substr(0, semicolon);
  if (semicolon != std::string::npos) return all;
  for (const std::string& line : following) {
    std::string_view trimmed = without_blanks(line);
    bool last = !command.empty() && trimmed.ends_with(';');
    all += "\n  " + line; // as far right as behind the dashes
    if (!last) continue;
    all.resize(all.rfind(';'));
    break;
  }
  return all;
}

std::vector<std::string> Directive::parameters() const {
  std::vector<std::string> lines;
  if (command.empty()) return lines;
  std::size_t semicolon = end_of_expression(text);
  bool open = semicolon != std::string::npos;
  if (open)
    if (std::string_view rest = without_blanks(std::string_view(text).substr(semicolon + 1));
        !rest.empty())
      lines.emplace_back(rest);
  for (const std::string& line : following)
    if (open)
      lines.emplace_back(without_blanks(line));
    else
      open = without_blanks(line).ends_with(';');
  return lines;
}

Outcome evaluate_directive(Session& session, const std::string& path, const Directive& directive) {
  std::string expression = directive.expression();
  if (uses_builtins(expression))
    return run_builtin(session, directive, path + ":" + std::to_string(directive.line));
  // At its place in the file, so that messages name file, line and column.
  return session.submit(std::string(directive.line - 1, '\n') +
                            std::string(directive.column - 1, ' ') + expression,
                        path);
}

Directive directive_of(const Entry& entry) {
  Directive directive;
  directive.line = static_cast<std::uint32_t>(entry.line) + 1;
  bool is_first = true;
  for_each_line(entry.text, [&](std::string_view line) {
    std::string_view content = line.substr(2);
    if (!is_first) {
      directive.following.emplace_back(content);
      return;
    }
    is_first = false;
    std::string_view rest = without_blanks(content.substr(2));
    directive.command = take_command(rest);
    while (directive.command == "brief" || directive.command == "covert") {
      (directive.command == "brief" ? directive.brief : directive.covert) = true;
      directive.command = take_command(rest);
    }
    directive.text = rest;
    directive.column = rest.empty() ? 1 : static_cast<std::uint32_t>(rest.data() - line.data()) + 1;
  });
  return directive;
}

std::vector<Directive> find_directives(std::string_view text) {
  std::vector<Directive> found;
  for (const Entry& entry : entries_of(text))
    if (entry.kind == Entry::Kind::Directive) found.push_back(directive_of(entry));
  return found;
}

bool is_program(const std::vector<Entry>& entries) {
  // Those after which names mean something else, or which show what there is at that place.
  constexpr std::string_view ordered[] = {"read",   "load", "reload", "restore", "undo",
                                          "forget", "edit", "who",    "value",   "results"};
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::Command) return false;
    if (entry.kind == Entry::Kind::Directive) {
      const std::string command = directive_of(entry).command;
      const Command* known = command.empty() ? nullptr : find_command(command);
      if (known && std::ranges::find(ordered, known->name) != std::end(ordered)) return false;
      continue;
    }
    SourceMap sources;
    syntax::Ast ast;
    Diagnostics diagnostics;
    const FileId file = sources.add("<entry>", entry.text);
    const syntax::PromptInput input = syntax::parse_prompt(sources, file, ast, diagnostics);
    if (input.expression || (input.declarations.empty() && diagnostics.has_errors())) return false;
  }
  return true;
}

std::string read_script(const std::string& path) {
  return read_file_bytes(path);
}

Outcome run_script(Console& console, const std::string& path,
                   const std::function<void(const Entry&)>& before) {
  std::vector<Entry> entries;
  try {
    entries = entries_of(read_script(path));
  } catch (const FormatError&) {
    // Loading says it in its own words.
  }
  Outcome result;
  if (is_program(entries)) {
    if (!console.load(path)) return console.failure();
    std::erase_if(entries, [](const Entry& entry) { return entry.kind == Entry::Kind::Code; });
  }
  console.begin_text();
  for (const Entry& entry : entries) {
    if (before) before(entry);
    const Console::Progress progress = console.submit(entry, path);
    if (progress == Console::Progress::Quit) break;
    if (progress == Console::Progress::Done) continue;
    if (result.ok()) result = console.failure();
    if (console.failure().failure == FailureKind::Interrupted) break;
  }
  return result;
}

} // namespace sinter::repl
