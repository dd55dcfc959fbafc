// Whether an operator keeps its laws on the values that it is given: associativity, commutativity,
// its neutral element.
//
// A law is tested on operands that may really meet.  For associativity of x0, x1, …, these are
// triples of neighbours; and, for each k, what the elements before k come to from the left, the
// element k, and what those after k come to from the right:
//
//   (before op xk) op after        before op (xk op after)
//
// Where all of these agree the fold from the left and that from the right do: the one becomes the
// other by changing one pair of brackets after the other.  So if the two folds differ, a witness is
// found.  Of more than `most_elements` elements, runs of random lengths are combined first, and
// take the elements' place; then this is chance.
//
// An application that fails (a division by zero between values that never meet) says nothing.
#pragma once

#include "lang/base/chance.h"
#include "lang/eval/real_difference.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinter::eval {

/// The values that an operator combines, in order.
struct Sequence {
  std::int64_t count = 0;
  std::function<Value(std::int64_t)> at;
};

/// How many elements a test looks at, at most.
inline constexpr std::int64_t most_elements = 512;
/// Applications of the operator for each of them.
inline constexpr std::int64_t applications_an_element = 12;

/// Whether a law's sides differ by more than rounding on some operands.
using JudgeDifference = std::function<bool(const Law&, std::span<const Value>, const Sides&)>;

/// A broken law and its smallest witness.
struct BrokenLaw {
  std::string_view id; ///< of the diagnostic
  std::string text;    ///< "the operator is not associative: (0 - 1) - 2 = -3, 0 - (1 - 2) = 1"
};

class OperatorLaws {
public:
  /// `combine` applies `function`, which takes two values of `type`, as the program would.
  /// `real_difference` is called where floats differ, and decides.
  OperatorLaws(Value function, const Representation* type, Combine combine,
               JudgeDifference real_difference, std::uint64_t seed);

  /// Each looks at no more than `most` elements; the first law that is broken, by its shortest
  /// witness among some.
  std::optional<BrokenLaw> associative(const Sequence& values, std::int64_t most);
  std::optional<BrokenLaw> commutative(const Sequence& values, std::int64_t most);
  std::optional<BrokenLaw> neutral(const Value& neutral, const Sequence& values, std::int64_t most);

  /// How often the operator has been applied.
  std::int64_t applications() const { return applications_; }

private:
  Value applied(const Value& left, const Value& right);
  void test(const Law& law, std::vector<Value> operands);
  void judge(const Law& law, std::vector<Value> operands, Sides sides);
  void test_partial_results(const std::vector<Value>& elements);
  std::vector<Value> runs_of(const Sequence& values, std::int64_t count);
  bool has_enough() const { return found_ >= enough; }
  std::string words(const Law& law, std::span<const Value> operands, const Sides& sides) const;
  std::optional<BrokenLaw> found();

  static constexpr int enough = 8; ///< violations, among which the shortest is chosen
  Value function_;
  const Representation* type_;
  Combine combine_;
  JudgeDifference real_difference_;
  RepeatableChance chance_;
  std::int64_t applications_ = 0;
  int found_ = 0;
  std::optional<BrokenLaw> shortest_;
};

} // namespace sinter::eval
