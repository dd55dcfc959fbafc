// Questions about finished types that several rules ask: may a value of the type be a function,
// which sizes stand where in it, which can be read off a value.
#pragma once

#include "lang/types/type.h"

#include <functional>
#include <set>
#include <vector>

namespace sinter::types {

/// Whether a value of the type may be or hold a function: the type does, or it mentions a fully
/// lifted type parameter or abstract type.
bool may_be_functional(const Type* type);

/// Whether a type is unknown in part, because of an error.
bool contains_error(const Type* type);

/// Whether a type is made of primitive types alone: it mentions no type by name.
bool is_structural(const Type* type);

/// The sizes that a type mentions.
struct SizeUses {
  std::set<const Variable*> constructive; ///< somewhere the size of an array (or an argument
                                          ///< of a type name), outside of functions
  std::set<const Variable*> all;
};
/// What a type's value tells about the sizes in its type.  Sizes inside of the type arguments of an
/// abstract type do not count as constructive, as nothing says that the value holds such arrays.
SizeUses size_uses(const Type* type);

/// The variable that a size is; null if it is another size.
const Variable* as_variable(const Size* size);

/// Where in a type a size stands.
enum class SizePlace { Immediate, Parameter, Return };
/// Calls `visit(bound, place, size)` for each size in a type; `bound` are the names that function
/// types around it bind.
void for_each_size(
    const Type* type,
    const std::function<void(const std::vector<const Variable*>&, SizePlace, const Size*)>& visit);
/// Whether a variable occurs in a type, bound or free.
bool occurs(const Variable* variable, const Type* type);
/// The variables that occur in a type and that no function type in it binds.
std::set<const Variable*> free_variables(const Type* type);
/// The variables that are the size of an array in a value of the type.
std::set<const Variable*> witnessed_sizes(const Type* type);

} // namespace sinter::types
