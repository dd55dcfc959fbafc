// What the stars of types say: whose parts may be consumed, and who owns its result.
#pragma once

#include "lang/types/rewrite.h"

namespace sinter::types {

/// A `*` on a type also holds for the components of records and sums: walks carry it along.
struct Ownership {
  const Type* type = nullptr;
  bool is_unique = false;
};
/// The type below its stars, and whether there were any.
Ownership below_stars(const Type* type, bool is_unique);
/// Nodes that a walk has seen below stars, and elsewhere.
class OwnedVisited {
public:
  bool is_new(const Type* type, bool is_unique) {
    return (is_unique ? unique_ : other_).is_new(type);
  }

private:
  Visited unique_, other_;
};
/// Whether some part of a value may be consumed under the stars of its type.
bool may_consume(const Type* type, bool is_unique);
/// Whether a value of the type is or holds a function.
bool holds_function(const Type* type);
/// Whether a parameter of this type consumes its argument: a `*` stands anywhere in it.
bool is_consuming(const Type* parameter);
/// Whether a result of this type is free of aliases, at least in part.
bool is_unique(const Type* result);

} // namespace sinter::types
