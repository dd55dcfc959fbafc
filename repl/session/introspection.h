// Answers to questions about names: what one is, where it comes from, what a module has.
#pragma once

#include "repl/session/session.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// What is known about a value in scope.
struct ValueDescription {
  std::string name;          ///< as asked for: "f32.sqrt"
  std::string type;          ///< "(x: t) -> t"
  std::string place;         ///< "file.fut:3:5"; empty for what is built in
  std::string documentation; ///< without the comment's dashes; may be empty
  std::string source;        ///< the text of the definition; empty for what is built in
};

/// A value by its name, qualified or not.  Nothing if no value has it.
std::optional<ValueDescription> describe_value(Session& session, std::string_view name);

/// The first example of a documentation: E of "`E` is `V`"; empty if there is none.
std::string example_in(std::string_view documentation);

/// What is in a module that these names have; null if there is none, or if it is parametric.
const check::Environment* members(const check::Environment& names, std::string_view module);

/// The members of a module in scope, one a line, with their types, sorted; of an empty name, what
/// the file that is loaded and the prompt have defined.  Nothing if there is no such module, or if
/// it is parametric.
std::optional<std::vector<std::string>> browse(Session& session, std::string_view module);

} // namespace sinter::repl
