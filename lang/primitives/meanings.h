// What each scalar operation means: a struct for each row of `primitives.def`, whose `apply` is a
// template over the operand's C++ type.  The types that it accepts are the types at which the
// operation can exist.
//
// No meaning has undefined behaviour for any operand: integers are computed in unsigned arithmetic,
// and where an operation is undefined in the language (`is_defined` is false, `failure` says how
// the error reads) the result is 0.
#pragma once

#include "lang/primitives/elementary.h"
#include "lang/values/scalar.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace sinter::meanings {

template <typename T>
concept Bool = std::same_as<T, bool>;
template <typename T>
concept Integer = std::integral<T> && !Bool<T>;
template <typename T>
concept Float = std::same_as<T, Half> || std::floating_point<T>;
template <typename T>
concept Number = Integer<T> || Float<T>;
template <typename T>
concept Primitive = Number<T> || Bool<T>;

template <Integer T>
using Unsigned = std::make_unsigned_t<T>;
/// Unsigned type in which the arithmetic of `T` wraps around without promotion to int.
template <Integer T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, Unsigned<T>>;
template <Integer T>
constexpr int width = 8 * sizeof(T);

/// The unsigned type as wide as a float, and back.
template <typename T>
struct BitsOf;
template <>
struct BitsOf<Half> {
  using type = std::uint16_t;
};
template <>
struct BitsOf<float> {
  using type = std::uint32_t;
};
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
};
template <typename T>
struct FloatOf;
template <>
struct FloatOf<std::uint16_t> {
  using type = Half;
};
template <>
struct FloatOf<std::uint32_t> {
  using type = float;
};
template <>
struct FloatOf<std::uint64_t> {
  using type = double;
};

// ---- arithmetic
// ----------------------------------------------------------------------------------

struct Add {
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Integer<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    else
      return static_cast<T>(a + b);
  }
};
struct Subtract {
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Integer<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    else
      return static_cast<T>(a - b);
  }
};
struct Multiply {
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Integer<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    else
      return static_cast<T>(a * b);
  }
};
struct Negate {
  template <Number T>
  static T apply(T a) {
    if constexpr (Integer<T>)
      return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
    else
      return static_cast<T>(-a);
  }
};

/// Base of the divisions.
struct Division {
  static constexpr std::string_view failure = "division by zero";
  static constexpr std::string_view failure_id = "division-by-zero";
  template <Integer T>
  static bool is_defined(T, T divisor) {
    return divisor != 0;
  }
};
struct Quotient : Division {
  template <Integer T>
  static T apply(T a, T b) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return Negate::apply(a);
    return static_cast<T>(a / b);
  }
};
struct Remainder : Division {
  template <Integer T>
  static T apply(T a, T b) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};
struct Divide : Division {
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Float<T>) {
      return static_cast<T>(a / b);
    } else {
      const T quotient = Quotient::apply(a, b);
      if constexpr (std::is_signed_v<T>)
        if ((a < 0) != (b < 0) && Remainder::apply(a, b) != 0) return Add::apply(quotient, T{-1});
      return quotient;
    }
  }
};
struct Modulo : Division {
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Float<T>) {
      return elementary::fmod(a, b);
    } else {
      const T remainder = Remainder::apply(a, b);
      if constexpr (std::is_signed_v<T>)
        if (remainder != 0 && (remainder < 0) != (b < 0)) return Add::apply(remainder, b);
      return remainder;
    }
  }
};
struct Power {
  static constexpr std::string_view failure = "negative exponent";
  static constexpr std::string_view failure_id = "negative-exponent";
  template <Integer T>
  static bool is_defined(T, T exponent) {
    if constexpr (std::is_signed_v<T>) return exponent >= 0;
    return true;
  }
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Float<T>) {
      return elementary::pow(a, b);
    } else {
      if (!is_defined(a, b)) return 0;
      T result = 1;
      for (auto exponent = static_cast<Unsigned<T>>(b); exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = Multiply::apply(result, a);
        a = Multiply::apply(a, a);
      }
      return result;
    }
  }
};
struct Absolute {
  template <Number T>
  static T apply(T a) {
    if constexpr (Integer<T>)
      return a < T{0} ? Negate::apply(a) : a;
    else
      return std::bit_cast<T>(static_cast<typename BitsOf<T>::type>(
          std::bit_cast<typename BitsOf<T>::type>(a) &
          (std::numeric_limits<typename BitsOf<T>::type>::max() >> 1)));
  }
};
/// NaN and both zeros are their own sign.
struct Sign {
  template <Number T>
  static T apply(T a) {
    if (a > T(0)) return T(1);
    if (a < T(0)) return T(-1);
    return a;
  }
};
/// A NaN loses against a number; -0 is less than 0.
struct Minimum {
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Float<T>) {
      if (a != a) return b;
      if (b != b) return a;
      if (a == b) return std::signbit(static_cast<double>(a)) ? a : b;
    }
    return b < a ? b : a;
  }
};
struct Maximum {
  template <Number T>
  static T apply(T a, T b) {
    if constexpr (Float<T>) {
      if (a != a) return b;
      if (b != b) return a;
      if (a == b) return std::signbit(static_cast<double>(a)) ? b : a;
    }
    return a < b ? b : a;
  }
};

// ---- bits
// ----------------------------------------------------------------------------------------

struct Complement {
  template <typename T>
  requires(Integer<T> || Bool<T>) static T apply(T a) {
    if constexpr (Bool<T>)
      return !a;
    else
      return static_cast<T>(~a);
  }
};
struct And {
  template <typename T>
  requires(Integer<T> || Bool<T>) static T apply(T a, T b) { return static_cast<T>(a & b); }
};
struct Or {
  template <typename T>
  requires(Integer<T> || Bool<T>) static T apply(T a, T b) { return static_cast<T>(a | b); }
};
struct Xor {
  template <typename T>
  requires(Integer<T> || Bool<T>) static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
/// Shift counts are read as unsigned, so a negative one is beyond the width.
struct ShiftLeft {
  template <Integer T>
  static T apply(T a, T count) {
    if (static_cast<Unsigned<T>>(count) >= width<T>) return 0;
    return static_cast<T>(static_cast<Wrapping<T>>(a) << count);
  }
};
/// Copies the sign of signed types.
struct ShiftRight {
  template <Integer T>
  static T apply(T a, T count) {
    if (static_cast<Unsigned<T>>(count) >= width<T>) return a < T{0} ? static_cast<T>(-1) : T{0};
    return static_cast<T>(a >> count);
  }
};
struct ShiftRightLogical {
  template <Integer T>
  static T apply(T a, T count) {
    if (static_cast<Unsigned<T>>(count) >= width<T>) return 0;
    return static_cast<T>(static_cast<Unsigned<T>>(a) >> count);
  }
};
struct CountLeadingZeros {
  template <Integer T>
  static std::int32_t apply(T a) {
    return std::countl_zero(static_cast<Unsigned<T>>(a));
  }
};
struct CountTrailingZeros {
  template <Integer T>
  static std::int32_t apply(T a) {
    return std::countr_zero(static_cast<Unsigned<T>>(a));
  }
};
struct CountOnes {
  template <Integer T>
  static std::int32_t apply(T a) {
    return std::popcount(static_cast<Unsigned<T>>(a));
  }
};
struct MultiplyHigh {
  template <Integer T>
  static T apply(T a, T b) {
    if constexpr (sizeof(T) == 8) {
      __extension__ using Wide =
          std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
      return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
    } else {
      using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> width<T>);
    }
  }
};
struct MultiplyAddHigh {
  template <Integer T>
  static T apply(T a, T b, T c) {
    return Add::apply(MultiplyHigh::apply(a, b), c);
  }
};

// ---- comparison
// ----------------------------------------------------------------------------------

struct Equal {
  template <Primitive T>
  static bool apply(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <Primitive T>
  static bool apply(T a, T b) {
    return a != b;
  }
};
struct Less {
  template <Primitive T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <Primitive T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <Primitive T>
  static bool apply(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <Primitive T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};

// ---- conversion
// ----------------------------------------------------------------------------------

struct Convert {
  template <Primitive To, Primitive From>
  static To convert(From a) {
    if constexpr (std::same_as<To, From>) {
      return a;
    } else if constexpr (Bool<To>) {
      return a != From(0);
    } else if constexpr (Bool<From>) {
      return a ? To(1) : To(0);
    } else if constexpr (Float<From> && Integer<To>) {
      // Within 64 bits exactly, then wrapped around; beyond them, and NaN, 0.
      const double x = static_cast<double>(a);
      if (x >= -0x1p63 && x < 0x1p63) return static_cast<To>(static_cast<std::int64_t>(x));
      if (x >= 0x1p63 && x < 0x1p64) return static_cast<To>(static_cast<std::uint64_t>(x));
      return 0;
    } else if constexpr (std::same_as<To, Half> && Integer<From>) {
      // Through f64, which holds every integer that does not overflow f16: rounded once.
      return static_cast<Half>(static_cast<double>(a));
    } else if constexpr (Integer<From> && std::unsigned_integral<To>) {
      return static_cast<To>(static_cast<Unsigned<From>>(a)); // never copies the sign
    } else {
      return static_cast<To>(a);
    }
  }
};
struct ToBits {
  template <Float T>
  static typename BitsOf<T>::type apply(T a) {
    return std::bit_cast<typename BitsOf<T>::type>(a);
  }
};
struct FromBits {
  template <typename T>
  requires(std::unsigned_integral<T> && !Bool<T> && sizeof(T) >= 2) static typename FloatOf<T>::type
      apply(T a) {
    return std::bit_cast<typename FloatOf<T>::type>(a);
  }
};

// ---- floats
// --------------------------------------------------------------------------------------

struct Round {
  template <Float T>
  static T apply(T a) {
    return static_cast<T>(std::nearbyint(static_cast<elementary::working_t<T>>(a)));
  }
};
struct Ceiling {
  template <Float T>
  static T apply(T a) {
    return static_cast<T>(std::ceil(static_cast<elementary::working_t<T>>(a)));
  }
};
struct Floor {
  template <Float T>
  static T apply(T a) {
    return static_cast<T>(std::floor(static_cast<elementary::working_t<T>>(a)));
  }
};
struct Truncate {
  template <Float T>
  static T apply(T a) {
    return static_cast<T>(std::trunc(static_cast<elementary::working_t<T>>(a)));
  }
};
struct IsNan {
  template <Float T>
  static bool apply(T a) {
    return a != a;
  }
};
struct IsInfinite {
  template <Float T>
  static bool apply(T a) {
    return std::isinf(static_cast<elementary::working_t<T>>(a));
  }
};
struct CopySign {
  template <Float T>
  static T apply(T a, T b) {
    using Bits = typename BitsOf<T>::type;
    constexpr auto magnitude = static_cast<Bits>(std::numeric_limits<Bits>::max() >> 1);
    return std::bit_cast<T>(static_cast<Bits>((std::bit_cast<Bits>(a) & magnitude) |
                                              (std::bit_cast<Bits>(b) & Bits(~magnitude))));
  }
};
struct NextAfter {
  template <Float T>
  static T apply(T a, T b) {
    if constexpr (std::same_as<T, Half>)
      return std::bit_cast<Half>(elementary::scalar::next_half(std::bit_cast<std::uint16_t>(a),
                                                               std::bit_cast<std::uint16_t>(b)));
    else
      return elementary::scalar::nextafter(a, b);
  }
};
struct LoadExponent {
  template <Float T>
  static T apply(T a, std::int32_t exponent) {
    // (Of f16, in f32: exact, or beyond what f16 holds.)
    return static_cast<T>(
        elementary::scalar::ldexp(static_cast<elementary::working_t<T>>(a), exponent));
  }
};
/// `a * b + c`, rounded once.
struct FusedMultiplyAdd {
  template <Float T>
  static T apply(T a, T b, T c) {
    if constexpr (std::same_as<T, Half>) {
      return static_cast<Half>(elementary::scalar::fused_multiply_add_for_half(
          static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
    } else {
      return std::fma(a, b, c);
    }
  }
};
/// `a * b + c`, rounded twice.
struct MultiplyAdd {
  template <Float T>
  static T apply(T a, T b, T c) {
    return Add::apply(Multiply::apply(a, b), c);
  }
};
struct Interpolate {
  template <Float T>
  static T apply(T from, T to, T at) {
    return Add::apply(from, Multiply::apply(Subtract::apply(to, from), at));
  }
};

// The elementary functions.  Those that are meant at other types too (powers, remainders) have a
// struct above, which hides the one here.
namespace elementary_functions {
#define SINTER_ELEMENTARY_UNARY(id, function, ...)                                                 \
  struct id {                                                                                      \
    template <Float T>                                                                             \
    static T apply(T a) {                                                                          \
      return elementary::function(a);                                                              \
    }                                                                                              \
  };
#define SINTER_ELEMENTARY_BINARY(id, function, ...)                                                \
  struct id {                                                                                      \
    template <Float T>                                                                             \
    static T apply(T a, T b) {                                                                     \
      return elementary::function(a, b);                                                           \
    }                                                                                              \
  };
#define SINTER_UNARY SINTER_ELEMENTARY_UNARY
#define SINTER_BINARY SINTER_ELEMENTARY_BINARY
#include "lang/primitives/elementary/functions.def"
#undef SINTER_ELEMENTARY_UNARY
#undef SINTER_ELEMENTARY_BINARY
} // namespace elementary_functions
using namespace elementary_functions;

} // namespace sinter::meanings
