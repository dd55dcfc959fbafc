// Questions about finished types that several rules ask: may a value of the type be a function,
// which sizes can be read off it.
#pragma once

#include "lang/types/type.h"

#include <set>

namespace sinter::check {

/// Whether a value of the type may be or hold a function: the type does, or it mentions a fully
/// lifted type parameter or abstract type.
bool may_be_functional(const types::Type* type);

/// Whether a type is unknown in part, because of an error.
bool contains_error(const types::Type* type);

/// Whether a type is made of primitive types alone: it mentions no type by name.
bool is_structural(const types::Type* type);

/// The sizes that a type mentions.
struct SizeUses {
  std::set<const types::Variable*> constructive; ///< somewhere the size of an array (or an argument
                                                 ///< of a type name), outside of functions
  std::set<const types::Variable*> all;
};
/// What a type's value tells about the sizes in its type.  Sizes inside of the type arguments of an
/// abstract type do not count as constructive, as nothing says that the value holds such arrays.
SizeUses size_uses(const types::Type* type);

} // namespace sinter::check
