// Where inference variables are solved, and looked through: what unification's parts share.
#pragma once

#include "lang/types/type.h"

#include <variant>

namespace sinter::check {

/// Inference variables are the only part of a type that ever changes; this is where they may.
inline types::MetaType& meta(const types::Type* type) {
  return std::get<types::MetaType>(const_cast<types::Type*>(type)->node);
}

/// The type without the stars in front of it.
inline const types::Type* look_through(const types::Type* type) {
  type = types::resolve(type);
  while (const auto* unique = std::get_if<types::UniqueType>(&type->node))
    type = types::resolve(unique->inner);
  return type;
}

} // namespace sinter::check
