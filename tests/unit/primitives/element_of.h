// Element types of C++ types.
#pragma once

#include "lang/primitives/primitives.h"

#include <cstdint>

namespace sinter::test {

template <typename T>
constexpr ElementType element_of = ElementType::Bool;
template <>
inline constexpr ElementType element_of<std::int8_t> = ElementType::I8;
template <>
inline constexpr ElementType element_of<std::int16_t> = ElementType::I16;
template <>
inline constexpr ElementType element_of<std::int32_t> = ElementType::I32;
template <>
inline constexpr ElementType element_of<std::int64_t> = ElementType::I64;
template <>
inline constexpr ElementType element_of<std::uint8_t> = ElementType::U8;
template <>
inline constexpr ElementType element_of<std::uint16_t> = ElementType::U16;
template <>
inline constexpr ElementType element_of<std::uint32_t> = ElementType::U32;
template <>
inline constexpr ElementType element_of<std::uint64_t> = ElementType::U64;
template <>
inline constexpr ElementType element_of<Half> = ElementType::F16;
template <>
inline constexpr ElementType element_of<float> = ElementType::F32;
template <>
inline constexpr ElementType element_of<double> = ElementType::F64;

/// What the conversion's meaning gives.
template <typename To, typename From>
To convert(ElementType from, ElementType to, From value) {
  return primitives::conversion(from, to)->apply(Scalar::of(value), {}, {}).template as<To>();
}

} // namespace sinter::test
