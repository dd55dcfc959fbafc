// Replacing names in types, and applying type abbreviations to arguments.
#pragma once

#include "lang/check/names/context.h"

#include <functional>
#include <unordered_map>
#include <vector>

namespace sinter::check {

/// Replaces type names, size variables and members of modules by what they stand for.  Arguments of
/// a replaced TypeName are applied to the binding's parameters.
struct Substitution {
  std::unordered_map<const types::TypeName*, TypeBinding> types;
  std::unordered_map<const types::Variable*, const types::Size*> sizes;
  std::unordered_map<const types::Variable*, types::Variable*> members;
  /// Is asked for what a size mentions and nothing above has; gives null for what stays as it is.
  std::function<types::Variable*(const types::Variable&)> other_member = {};
};
const types::Type* substitute(Context& context, const types::Type* type,
                              const Substitution& substitution);
types::Scheme substitute(Context& context, const types::Scheme& scheme,
                         const Substitution& substitution);

/// What an abbreviation stands for with these arguments.  Its existential sizes are made anew and
/// appended to `made`, unless a function type inside binds them.
const types::Type* expand(Context& context, const TypeBinding& binding,
                          const std::vector<types::TypeArgument>& arguments,
                          std::vector<types::Variable*>& made);

} // namespace sinter::check
