// Where inference variables are solved, and looked through: what unification's parts share.
#pragma once

#include "lang/types/type.h"

#include <cstdint>
#include <string>
#include <string_view>
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

/// A name as messages show it.
inline std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

/// Sets of element types, a bit for each.
inline constexpr std::uint16_t integer_elements = 0x00FF, float_elements = 0x0700,
                               bool_element = 0x0800,
                               number_elements = integer_elements | float_elements;
/// The set that an operator's constraint allows; 0 for any type.
std::uint16_t allowed_elements(types::Constraint constraint);
inline constexpr std::uint16_t element_bit(ElementType element) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(element));
}

} // namespace sinter::check
