#include "repl/session/introspection.h"

#include "lang/base/unknown_names.h"
#include "lang/primitives/primitives.h"
#include "lang/syntax/token.h"

#include <algorithm>
#include <utility>

namespace sinter::repl {

const check::Environment* members(const check::Environment& names, std::string_view module) {
  auto found = names.modules.find(module);
  return found == names.modules.end() ? nullptr : found->second->environment();
}

namespace {

/// The scope that a qualifier leads to (the whole scope for none), looked up as completion does:
/// what the prompt defined hides the prelude.
const check::Environment* scope_of(const check::Environment& outermost,
                                   std::string_view qualifier) {
  const check::Environment* scope = &outermost;
  while (scope && !qualifier.empty()) {
    std::size_t dot = qualifier.find('.');
    scope = members(*scope, qualifier.substr(0, dot));
    qualifier = dot == std::string_view::npos ? "" : qualifier.substr(dot + 1);
  }
  return scope;
}

std::string_view without_indentation(std::string_view line) {
  std::size_t begin = line.find_first_not_of(" \t");
  return begin == std::string_view::npos ? "" : line.substr(begin);
}

/// The `-- |` comment in front of a definition, attributes between them left out.
std::string documentation_before(const SourceMap& sources, Span span) {
  std::vector<std::string_view> lines;
  std::uint32_t line = sources.position(span.file, span.begin).line;
  while (line > 1) {
    std::string_view text = without_indentation(sources.line(span.file, --line));
    if (lines.empty() && text.starts_with("#[")) continue;
    if (!text.starts_with("--")) break;
    lines.push_back(text.substr(2));
    if (without_indentation(lines.back()).starts_with('|')) {
      lines.back() = without_indentation(lines.back()).substr(1);
      std::string result;
      for (auto it = lines.rbegin(); it != lines.rend(); ++it) {
        std::string_view words = *it;
        if (words.starts_with(' ')) words.remove_prefix(1);
        result += std::string(words) + "\n";
      }
      return result;
    }
  }
  return {};
}

/// The text of a declaration from its first line's keyword to the end of its body.
std::string definition_text(const SourceMap& sources, const syntax::ValueDeclaration& value) {
  Span whole = value.name_span;
  if (value.body) whole.end = value.body->span.end;
  std::string_view text = sources.text(whole.file);
  std::size_t line = text.rfind('\n', whole.begin);
  whole.begin = line == std::string_view::npos ? 0 : static_cast<std::uint32_t>(line + 1);
  return std::string(sources.text(whole));
}

/// What a module type in scope says of a member: the members of `f32` are documented in `float`.
std::string documented_specification(Session& session, std::string_view member) {
  const check::Environment& prelude = session.environment();
  std::vector<std::string_view> names; // in an order that does not depend on hashing
  for (const auto& [name, type] : prelude.module_types)
    names.push_back(name);
  std::sort(names.begin(), names.end());
  for (std::string_view name : names) {
    const check::Module* module = prelude.module_types.at(name)->module();
    const check::Environment* scope = module ? module->environment() : nullptr;
    if (!scope) continue;
    auto found = scope->values.find(member);
    if (found == scope->values.end() || !found->second->span.is_known()) continue;
    std::string text = documentation_before(session.sources(), found->second->span);
    if (!text.empty()) return text;
  }
  return {};
}

std::string type_of(const types::Variable& variable) {
  if (variable.kind == types::Variable::Kind::Overloaded) return "an operator of several types";
  return with_named_unknowns(types::print(variable.scheme));
}

std::string described(std::string_view name, const types::Variable& variable) {
  return std::string(name) + " : " + type_of(variable);
}

/// Where numbers count as such: `it2` comes before `it10`.
bool natural_less(std::string_view left, std::string_view right) {
  auto take_number = [](std::string_view& text) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string_view digits = text.substr(0, end);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    text.remove_prefix(end);
    return std::pair(digits.size(), digits);
  };
  auto is_digit = [](std::string_view text) { return text[0] >= '0' && text[0] <= '9'; };
  while (!left.empty() && !right.empty()) {
    if (is_digit(left) && is_digit(right)) {
      const auto first = take_number(left), second = take_number(right);
      if (first != second) return first < second;
    } else {
      if (left[0] != right[0]) return left[0] < right[0];
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  return left.size() < right.size();
}

/// The names of a scope that do not mean what they mean in `without` (which may be null).
std::vector<std::string> listing(const check::Environment& scope,
                                 const check::Environment* without) {
  std::vector<std::string> lines;
  auto is_listed = [](std::string_view name, const auto& meaning, const auto* others) {
    if (!syntax::is_writable_name(name)) return false;
    if (!others) return true;
    auto found = others->find(name);
    return found == others->end() || found->second != meaning;
  };
  for (const auto& [name, variable] : scope.values)
    if (is_listed(name, variable, without ? &without->values : nullptr))
      lines.push_back(described(name, *variable));
  for (const auto& [name, type] : scope.types)
    if (syntax::is_writable_name(name) &&
        !(without && without->types.contains(name) && without->types.at(name).body == type.body))
      lines.push_back("type " + std::string(name));
  for (const auto& [name, module] : scope.modules)
    if (is_listed(name, module, without ? &without->modules : nullptr))
      lines.push_back("module " + std::string(name));
  for (const auto& [name, type] : scope.module_types)
    if (is_listed(name, type, without ? &without->module_types : nullptr))
      lines.push_back("module type " + std::string(name));
  std::sort(lines.begin(), lines.end(), natural_less);
  return lines;
}

} // namespace

std::optional<ValueDescription> describe_value(Session& session, std::string_view name) {
  std::size_t dot = name.rfind('.');
  std::string_view qualifier = dot == std::string_view::npos ? "" : name.substr(0, dot);
  std::string_view last = dot == std::string_view::npos ? name : name.substr(dot + 1);
  for (const check::Environment* outermost :
       {&session.environment(), &session.checker().prelude().scope}) {
    const check::Environment* scope = scope_of(*outermost, qualifier);
    if (!scope) continue;
    auto found = scope->values.find(last);
    if (found == scope->values.end()) continue;
    const types::Variable& variable = *found->second;
    ValueDescription answer;
    answer.name = name;
    answer.type = type_of(variable);
    if (variable.intrinsic) answer.documentation = variable.intrinsic->documentation;
    for (const primitives::OverloadedOperator& row : primitives::all_operators())
      if (variable.kind == types::Variable::Kind::Overloaded && row.symbol == last)
        answer.documentation = row.documentation;
    if (variable.span.is_known()) {
      answer.place = session.sources().describe(variable.span);
      answer.documentation = documentation_before(session.sources(), variable.span);
    }
    if (answer.documentation.empty() && !qualifier.empty())
      answer.documentation = documented_specification(session, last);
    if (variable.declaration)
      answer.source = definition_text(session.sources(), *variable.declaration);
    return answer;
  }
  return std::nullopt;
}

std::string example_in(std::string_view documentation) {
  // Quoted texts come in turns with the words between them; lines are no matter.
  std::size_t open = documentation.find('`');
  while (open != std::string_view::npos) {
    const std::size_t close = documentation.find('`', open + 1);
    if (close == std::string_view::npos) break;
    std::size_t next = documentation.find('`', close + 1);
    if (next == std::string_view::npos) break;
    std::string between;
    for (char c : documentation.substr(close + 1, next - close - 1))
      if (c != ' ' && c != '\n') between += c;
    if (between == "is") return std::string(documentation.substr(open + 1, close - open - 1));
    open = next;
  }
  return {};
}

std::optional<std::vector<std::string>> browse(Session& session, std::string_view module) {
  if (module.empty()) {
    auto untouched = session.checker().new_prompt_scope();
    return listing(session.environment(), &session.checker().environment(*untouched));
  }
  for (const check::Environment* outermost :
       {&session.environment(), &session.checker().prelude().scope})
    if (const check::Environment* scope = scope_of(*outermost, module))
      return listing(*scope, nullptr);
  return std::nullopt;
}

} // namespace sinter::repl
