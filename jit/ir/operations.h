// What is true of each operation whatever its operands are, and what its parts are: the table
// operations.def, to be asked.  Passes and emitters ask here instead of listing operations.
#pragma once

#include "jit/ir/ir.h"

#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace sinter::ir {

namespace laws {
/// Laws of an operation; a set of bits.
enum Law : unsigned {
  None = 0,
  /// A scalar of scalars, without branches: it can be had at any place, in any lane.
  Scalar = 1,
  /// It gives a value for all operands of its types: it may run before a check that it stood
  /// behind.
  Total = 2,
  /// It is total where all that its bodies hold is.
  TotalIfBodiesAre = 4,
  /// Its result, if an array, is a way to look at its first operand's memory.
  View = 8,
  /// A view that strides alone can give: nothing is moved.
  Strided = 16,
  /// Its results, if arrays, have memory of their own (destinations of groups aside).
  Fresh = 32,
  /// It consumes its first operand, whose memory is its result's.
  Overwrites = 64,
};

/// The laws of an operation's type.
template <typename OperationType>
inline constexpr unsigned of = None;
#define SINTER_IR_OPERATION(Type, text, cost, laws, ...)                                           \
  template <>                                                                                      \
  inline constexpr unsigned of<Type> = laws;
#include "jit/ir/operations.def"
#undef SINTER_IR_OPERATION
} // namespace laws

/// A cost, in additions, that no bound is known of; sums stay below overflow.
inline constexpr unsigned much = 1'000'000;

/// A row of operations.def.
struct OperationRow {
  std::string_view name; ///< the struct's
  std::string_view text; ///< as in operations.def
  unsigned cost = 1;
  unsigned bits = laws::None; ///< of Law
  bool has(laws::Law law) const { return (bits & law) != 0; }
};
const OperationRow& row_of(const Operation& operation);

/// Laws that take one question.
inline bool is_scalar_operation(const Operation& operation) {
  return row_of(operation).has(laws::Scalar);
}
inline bool is_view(const Operation& operation) {
  return row_of(operation).has(laws::View);
}
inline bool is_strided_view(const Operation& operation) {
  return row_of(operation).has(laws::Strided);
}
/// The array that a view looks at or an update overwrites: the operation's first operand.
/// The operation is a view or an update.
ValueId source_array(const Operation& operation);

namespace parts {

/// `T` or `const T`.
template <typename Candidate, typename T>
concept Is = std::same_as<std::remove_const_t<Candidate>, T>;

/// The parts of an operation, a group, what is before it, a post or a slice's dimension, tied, in
/// the order of its text.
#define SINTER_IR_OPERATION(Type, text, cost, laws, ...)                                           \
  auto of(Is<Type> auto& o) {                                                                      \
    return std::tie(__VA_ARGS__);                                                                  \
  }
#include "jit/ir/operations.def"
#undef SINTER_IR_OPERATION
#define SINTER_IR_GROUP(Kind, text, body_results, results, ...)                                    \
  auto of([[maybe_unused]] Is<Kind##Group> auto& o) {                                              \
    return std::tie(__VA_ARGS__);                                                                  \
  }
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
auto of(Is<Slice::Dimension> auto& d) {
  return std::tie(d.begin, d.stride);
}
auto of(Is<Before> auto& b) {
  return std::tie(b.are_there, b.values);
}
auto of(Is<Post> auto& p) {
  return std::tie(p.value_count, p.body, p.groups);
}

template <typename T>
inline constexpr bool is_variant = false;
template <typename... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <typename T>
inline constexpr bool is_vector = false;
template <typename T>
inline constexpr bool is_vector<std::vector<T>> = true;
/// What is neither operand nor code: a number, a flag, a row of a table.
template <typename T>
inline constexpr bool is_number =
    std::is_arithmetic_v<T> || std::is_pointer_v<T> || std::same_as<T, FailureId>;

} // namespace parts
} // namespace sinter::ir
