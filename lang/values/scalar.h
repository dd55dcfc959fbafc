// One unboxed scalar of any primitive type.
#pragma once

#include "lang/base/element_type.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace sinter {

/// The half-precision type; arithmetic on it rounds to half after each operation.
using Half = _Float16;

/// Eight bytes whose type the program knows.  Signed integers are kept sign-extended, unsigned ones
/// zero-extended, a bool is 0 or 1, floats are their bits in the low bytes with zeros above: so two
/// scalars of one type are the same value (for floats: the same bits) if their bits are equal.
struct Scalar {
  std::uint64_t bits = 0;

  template <typename T>
  static Scalar of(T value) {
    if constexpr (std::is_same_v<T, bool>)
      return {value ? 1u : 0u};
    else if constexpr (std::is_same_v<T, Half>)
      return {std::bit_cast<std::uint16_t>(value)};
    else if constexpr (std::is_same_v<T, float>)
      return {std::bit_cast<std::uint32_t>(value)};
    else if constexpr (std::is_same_v<T, double>)
      return {std::bit_cast<std::uint64_t>(value)};
    else {
      static_assert(std::is_integral_v<T>);
      return {static_cast<std::uint64_t>(
          static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(
              value))};
    }
  }
  template <typename T>
  T as() const {
    if constexpr (std::is_same_v<T, bool>)
      return bits != 0;
    else if constexpr (std::is_same_v<T, Half>)
      return std::bit_cast<Half>(static_cast<std::uint16_t>(bits));
    else if constexpr (std::is_same_v<T, float>)
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    else if constexpr (std::is_same_v<T, double>)
      return std::bit_cast<double>(bits);
    else
      return static_cast<T>(bits);
  }
  friend bool operator==(Scalar, Scalar) = default;
};

/// The element type that a C++ type stands for.
template <typename T>
inline constexpr ElementType element_type_of = [] {
  if constexpr (std::is_same_v<T, bool>)
    return ElementType::Bool;
  else if constexpr (std::is_same_v<T, Half>)
    return ElementType::F16;
  else if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? ElementType::F32 : ElementType::F64;
  else
    return static_cast<ElementType>((std::is_signed_v<T> ? 0 : 4) + std::bit_width(sizeof(T)) - 1);
}();

/// Calls `f.template operator()<T>()` with the C++ type of `element`.
template <typename F>
decltype(auto) with_cpp_type(ElementType element, F&& f) {
  switch (element) {
  case ElementType::I8:
    return f.template operator()<std::int8_t>();
  case ElementType::I16:
    return f.template operator()<std::int16_t>();
  case ElementType::I32:
    return f.template operator()<std::int32_t>();
  case ElementType::I64:
    return f.template operator()<std::int64_t>();
  case ElementType::U8:
    return f.template operator()<std::uint8_t>();
  case ElementType::U16:
    return f.template operator()<std::uint16_t>();
  case ElementType::U32:
    return f.template operator()<std::uint32_t>();
  case ElementType::U64:
    return f.template operator()<std::uint64_t>();
  case ElementType::F16:
    return f.template operator()<Half>();
  case ElementType::F32:
    return f.template operator()<float>();
  case ElementType::F64:
    return f.template operator()<double>();
  case ElementType::Bool:
    return f.template operator()<bool>();
  }
  __builtin_unreachable();
}

/// Reads or writes element `index` of a buffer of `element`s.
inline Scalar load_scalar(ElementType element, const void* data, std::int64_t index) {
  return with_cpp_type(element, [&]<typename T>() {
    T value;
    std::memcpy(&value,
                static_cast<const char*>(data) + index * static_cast<std::int64_t>(sizeof(T)),
                sizeof(T));
    return Scalar::of(value);
  });
}
inline void store_scalar(ElementType element, void* data, std::int64_t index, Scalar scalar) {
  with_cpp_type(element, [&]<typename T>() {
    T value = scalar.as<T>();
    std::memcpy(static_cast<char*>(data) + index * static_cast<std::int64_t>(sizeof(T)), &value,
                sizeof(T));
  });
}

/// The shortest text that reads back to the same bits, with the type's suffix if asked: "1.5f32",
/// "-3i8", "f32.nan", "f64.inf", "true".
std::string print(ElementType element, Scalar scalar, bool with_suffix = true);

} // namespace sinter
