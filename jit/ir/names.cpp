#include "jit/ir/names.h"

#include "jit/ir/walk.h"

#include <algorithm>
#include <array>

namespace sinter::ir {
namespace {

/// The hint as an identifier: other characters become `_`; empty if nothing is left.
std::string identifier(std::string_view hint) {
  std::string text;
  for (char c : hint)
    text += is_name_character(c) ? c : '_';
  if (text.empty() || text.find_first_not_of("_'") == std::string::npos) return {};
  if ((text[0] >= '0' && text[0] <= '9') || text[0] == '\'' || is_reserved(text))
    text.insert(0, 1, '_');
  return text;
}

} // namespace

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 10> words = {
      "true", "false", "yield", "ret", "check", "if", "else", "soac", "for", "while"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

Names::Names(const Function& function) : function_(function), names_(function.values.size()) {
  name(function.body);
  // Values that nothing defines can only stand in a message of the verifier.
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i].empty()) name(ValueId{static_cast<std::uint32_t>(i)});
}

void Names::name(ValueId value) {
  if (value.index >= names_.size() || !names_[value.index].empty()) return;
  std::string hint = identifier(function_.values[value.index].name);
  std::string text = hint;
  const bool has_hint = !hint.empty();
  if (!has_hint) hint = "v";
  if (has_hint ? taken_.contains(text) : true) {
    // A digit at the hint's end is set off, so that `x1` and a number do not run together.
    const bool ends_in_digit = has_hint && hint.back() >= '0' && hint.back() <= '9';
    const std::string stem = ends_in_digit ? hint + "_" : hint;
    std::size_t& number = next_[stem];
    do
      text = stem + std::to_string(has_hint ? ++number : number++);
    while (taken_.contains(text));
  }
  taken_.insert(text);
  names_[value.index] = std::move(text);
}

void Names::name(const Body& body) {
  for (ValueId parameter : body.parameters)
    name(parameter);
  for (const Statement& statement : body.statements) {
    for_each_body(statement.operation, [&](const Body& inner) { name(inner); });
    for (ValueId result : statement.results)
      name(result);
  }
}

} // namespace sinter::ir
