// The one table of primitives: everything that is built in rather than written in the prelude.
//
// Two kinds of row.  A *scalar primitive* is an operation on one to three scalars at one element
// type; `primitives.def` lists operations once with the types that they exist at, and the table
// expands them.  An *array operation* takes functions and arrays; its meaning is in the domains.
// Each row says its name in the `intrinsics` module, its type (in the language's own syntax), its
// meaning, its cost and its documentation.  The parser of documentation, the checker, the walker,
// the domains and the tests read this table; nothing else switches on names.
//
// Meaning of the scalar operations, where types alone leave a choice:
// - integers wrap around; `/` and `%` round to negative infinity, `//` and `%%` to zero;
// - dividing an integer by zero, and an integer to a negative power, are undefined: the row's
//   `failure` says how the error is worded, and `is_defined` decides;
// - a shift by the width or more gives 0 (or the sign, for arithmetic shifts to the right);
// - integer to wider integer: by the sign from signed to signed types, else by zeros (so -1 as an
//   i8 is 255 as a u16);
// - float to integer: truncation towards zero; what fits into 64 bits wraps around, what does not
//   (and NaN) gives 0; float to bool is `x != 0` (so NaN is true);
// - f16 rounds to half after each operation (elementary functions: computed in f32, then rounded);
// - `%` on floats has the dividend's sign;
// - of a number and a NaN, `min` and `max` give the number; -0 is less than 0.
//
// How to add a row is told in lang/README.md.
#pragma once

#include "lang/base/element_type.h"
#include "lang/types/type.h"
#include "lang/values/scalar.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace sinter::primitives {

/// Scalar operations, one for all element types ("Add", "Divide", "SquareRoot", "Convert", …).
enum class Operation : std::uint8_t {
#define SINTER_OPERATION(id, ...) id,
#include "lang/primitives/primitives.def"
#undef SINTER_OPERATION
};

/// A scalar operation at one element type.
struct Primitive {
  Operation operation{};
  ElementType operand{}; ///< type of the operands (the first one's where they differ)
  ElementType result{};
  std::uint8_t arity = 1; ///< 1 to 3
  std::string_view name;  ///< of the operation: "add"
  std::string_view documentation;
  std::uint16_t cost = 1; ///< in additions
  /// The meaning; arguments beyond `arity` are ignored.  Total: where the operation is undefined it
  /// gives any value and never traps.
  Scalar (*apply)(Scalar, Scalar, Scalar) = nullptr;
  /// Null if the operation is defined everywhere; else whether it is for these operands.
  bool (*is_defined)(Scalar, Scalar) = nullptr;
  std::string_view failure;    ///< the error's sentence where it is not: "division by zero"
  std::string_view failure_id; ///< the error's id: "division-by-zero"
};

/// Operations on functions and arrays.  Arguments are as in Futhark's functions of that name.
enum class ArrayOperation : std::uint8_t {
#define SINTER_ARRAY_OPERATION(id, ...) id,
#include "lang/primitives/array_operations.def"
};

/// A function in the module `intrinsics`, beside the overloaded operators, the primitive types and
/// the type of accumulators, `acc`.  Scalar operations take their operands one at a time.
struct Intrinsic {
  std::string name; ///< "add32", "map", "btoi_bool_i64"
  std::string type; ///< "i32 -> i32 -> i32"; type and size parameters first: "'a 'x [n]. (a -> x)
                    ///< -> [n]a -> *[n]x"
  std::variant<const Primitive*, ArrayOperation> meaning;
  std::string_view documentation;
};

/// A built-in overloaded operator: which operation it is at each element type.
struct OverloadedOperator {
  std::string_view symbol;        ///< "+", "<=", …; "neg" and "not" for the prefix operators
  types::Constraint constraint{}; ///< on the operands' type; where no constraint fits exactly
                                  ///< ("not": integers and bool) a wider one, and
                                  ///< `find_operator` says which types do
  bool compares = false;          ///< the result is a bool
  std::string_view documentation;
};

std::span<const Primitive> all_primitives();
std::span<const Intrinsic> all_intrinsics();
std::span<const OverloadedOperator> all_operators();

/// Null where the operation does not exist at the type.
const Primitive* find(Operation operation, ElementType operand);
/// Conversion between element types (`Convert`), signed and unsigned by their own types.
const Primitive* conversion(ElementType from, ElementType to);
/// The primitive behind an overloaded operator at a type; null for `==` and `!=` on other than
/// primitive types (those are ArrayOperation::Equal) and where the operator does not exist.
const Primitive* find_operator(std::string_view symbol, ElementType operand);
const Intrinsic* find_intrinsic(std::string_view name);

} // namespace sinter::primitives
