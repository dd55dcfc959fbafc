// Real numbers of many digits behind scalars that fit into a word.
//
// The wide evaluation runs a program with these in the place of floats, to tell how far the
// ordinary results are from the true ones.  A wide number is known by its position in a list that
// only grows: such a position fits where an f32 or an f64 lies, so arrays of them are ordinary
// arrays.  Position 0 is the number 0, which is what zeroed memory holds.
#pragma once

#include "lang/primitives/primitives.h"
#include "lang/values/array.h"
#include "lang/values/scalar.h"

#include <memory>
#include <string>

namespace sinter::eval {

class WideNumbers {
public:
  /// How far a float is from the true number.
  struct Error {
    double ulps = 0;   ///< in units in the last place of the nearest float; NaN if only one is NaN
    double digits = 0; ///< decimal digits that hold: -log10 of the relative error, at least 0;
                       ///< infinite if there is none
  };

  virtual ~WideNumbers() = default;
  /// Decimal digits that results are good for.
  virtual unsigned digits() const = 0;
  /// The float as a wide number, exactly.
  virtual Scalar widen(ElementType element, Scalar scalar) = 0;
  /// The nearest float.
  virtual Scalar narrow(ElementType element, Scalar wide) const = 0;
  /// A primitive whose operands or result are floats; those are wide, all other scalars ordinary.
  /// Floats are never rounded to their type, except where an operation is about its format:
  /// `to_bits` and `nextafter` round first.  Throws RuntimeError{Unsupported} at f16 (whose
  /// elements have no room for a position) and {OutOfMemory}.
  virtual Scalar apply(const primitives::Primitive& primitive, Scalar a, Scalar b, Scalar c) = 0;
  /// `==` of two wide numbers.
  virtual bool are_equal(Scalar a, Scalar b) const = 0;
  virtual Error error(ElementType element, Scalar wide, Scalar approximation) const = 0;
  /// In decimal, to so many significant digits.
  virtual std::string text(Scalar wide, unsigned digits) const = 0;
};

/// Numbers of at least `digits` digits; there are two kinds, of 50 and of 100.  Counts its memory
/// in the budget.  They are a library of their own (lang/base/plugin.h): throws std::runtime_error if
/// it cannot be opened.
std::unique_ptr<WideNumbers> make_wide_numbers(unsigned digits, MemoryBudget& memory);
inline constexpr unsigned most_wide_digits = 100;

} // namespace sinter::eval
