// A readable, unique name for each value of a function, for its text form.
#pragma once

#include "jit/ir/ir.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sinter::ir {

/// Words that cannot be names of values: those that begin a line, and the truth values.
bool is_reserved(std::string_view word);
/// Whether a character may stand in a name.
constexpr bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '\'';
}

/// The names: a value's hint, made into an identifier, with a number where another value has it
/// already; "v" and a number without hint.  In order of definition, so that names that are unique
/// already stay as they are.
class Names {
public:
  explicit Names(const Function& function);
  const std::string& operator[](ValueId value) const { return names_[value.index]; }

private:
  void name(ValueId value);
  void name(const Body& body);

  const Function& function_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> next_;
};

} // namespace sinter::ir
