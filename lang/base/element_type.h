// The primitive types of the language, as elements of arrays and as scalars.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter {

enum class ElementType : std::uint8_t { I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, Bool };

inline constexpr std::array<ElementType, 12> all_element_types = {
    ElementType::I8,  ElementType::I16, ElementType::I32, ElementType::I64,
    ElementType::U8,  ElementType::U16, ElementType::U32, ElementType::U64,
    ElementType::F16, ElementType::F32, ElementType::F64, ElementType::Bool};

constexpr bool is_signed(ElementType t) {
  return t <= ElementType::I64;
}
constexpr bool is_unsigned(ElementType t) {
  return t >= ElementType::U8 && t <= ElementType::U64;
}
constexpr bool is_integer(ElementType t) {
  return t <= ElementType::U64;
}
constexpr bool is_float(ElementType t) {
  return t >= ElementType::F16 && t <= ElementType::F64;
}
constexpr bool is_number(ElementType t) {
  return t != ElementType::Bool;
}

/// Bytes of one element in a buffer; a bool takes one byte, 0 or 1.
constexpr std::size_t byte_size(ElementType t) {
  constexpr std::array<std::uint8_t, 12> sizes = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};
  return sizes[static_cast<std::size_t>(t)];
}

/// The name as programs write it ("i32").
constexpr std::string_view name(ElementType t) {
  constexpr std::array<std::string_view, 12> names = {"i8",  "i16", "i32", "i64", "u8",  "u16",
                                                      "u32", "u64", "f16", "f32", "f64", "bool"};
  return names[static_cast<std::size_t>(t)];
}

constexpr std::optional<ElementType> element_type_named(std::string_view text) {
  for (ElementType t : all_element_types)
    if (name(t) == text) return t;
  return std::nullopt;
}

} // namespace sinter
