#include "repl/script.h"

#include "repl/blanks.h"
#include "repl/futhark_script.h"
#include "repl/literate/directives.h"

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
  std::size_t semicolon = text.find(';');
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
  std::size_t semicolon = text.find(';');
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

std::vector<Directive> find_directives(std::string_view text) {
  std::vector<Directive> found;
  std::uint32_t number = 0;
  bool open = false; // the last directive's comment goes on
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (!line.starts_with("--")) {
      open = false;
      continue;
    }
    std::string_view content = line.substr(2);
    if (!content.empty() && content.back() == '\r') content.remove_suffix(1);
    if (content.starts_with(" >")) {
      Directive directive;
      directive.line = number;
      std::string_view rest = without_blanks(content.substr(2));
      directive.command = take_command(rest);
      while (directive.command == "brief" || directive.command == "covert") {
        (directive.command == "brief" ? directive.brief : directive.covert) = true;
        directive.command = take_command(rest);
      }
      directive.text = rest;
      directive.column =
          rest.empty() ? 1 : static_cast<std::uint32_t>(rest.data() - line.data()) + 1;
      found.push_back(std::move(directive));
      open = true;
    } else if (open)
      found.back().following.emplace_back(content);
  }
  return found;
}

Outcome run_script(Session& session, const std::string& path,
                   const std::function<void(const Directive&, const Performed&)>& show,
                   const std::function<void(const std::string&)>& complain) {
  Outcome result = session.load(path);
  if (!result.messages.empty()) complain(result.messages);
  result.messages.clear();
  if (!result.ok()) return result;
  std::string_view text = session.sources().text(session.loaded()->syntax.id);
  for (const Directive& directive : find_directives(text)) {
    Performed performed = perform(session, path, directive);
    Outcome& outcome = performed.outcome;
    if (!outcome.messages.empty()) complain(outcome.messages);
    if (outcome.ok())
      show(directive, performed);
    else if (result.ok()) {
      result.kind = outcome.kind;
      result.failure = outcome.failure;
    }
    if (outcome.failure == FailureKind::Interrupted) break;
  }
  return result;
}

} // namespace sinter::repl
