// Whether two results differ by more than the rounding of floats.
//
// A law such as associativity holds of numbers; floats round.  So where the results of a law's two
// sides differ in floats it takes three steps to tell a broken law from rounding:
//
// 1. A difference of at most `few_roundings` units in the last place of the largest number that
//    takes part at its place in a tuple (operands, what comes between, results) is rounding.
// 2. Otherwise both sides are evaluated again with numbers of 50 digits, from the very same
//    operands.  There rounding is 10^-50; what is left of the difference is the operator's own, or
//    else comes of operands that are rounded themselves: rotations that are not quite rotations.
// 3. So both sides are evaluated on operands that are moved a little, by `moved_by` units in their
//    last place, twice.  A broken law does not mind; what comes of the operands' rounding changes
//    by as much as it is.  Only what stays is called a difference.
//
// A NaN on either side says nothing: the sum of an overflow is no law's fault.  Where there are no
// numbers of many digits (f16, or the library is not there) only what is far beyond rounding, more
// than a sixteenth of the largest number that takes part, is called a difference, and an infinity
// says nothing.
#pragma once

#include "lang/eval/evaluator.h"
#include "lang/eval/globals.h"
#include "lang/values/concrete.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace sinter::eval {

/// Applies the operator: to ordinary values, or to wide ones.
using Combine = std::function<Value(const Value&, const Value&)>;

/// Applies a function to arguments: to ordinary values, or to wide ones.
using ApplyFunction = std::function<Value(const Value& function, std::vector<Value> arguments)>;

/// Two computations that must give the same.  Each gets what is `fixed`, functions among it, and
/// the operands.
struct Computations {
  using Compute = std::function<Value(const ApplyFunction&, std::span<const Value> fixed,
                                      std::span<const Value> operands)>;
  Compute left, right;
};

/// A law, for operands in order: two ways of combining them that must give the same.
struct Law {
  std::string_view id; ///< of the diagnostic
  std::size_t operands = 2;
  Value (*left)(const Combine&, std::span<const Value>);
  Value (*right)(const Combine&, std::span<const Value>);
};

/// A law's two sides on some operands, and what came between.
struct Sides {
  Value left, right;
  std::vector<Value> between;
};

/// How two results compare, by floats alone.
enum class Likeness { Same, Rounded, Unlike };

/// How many scalars a value has, constructors counted as such.
std::int64_t scalar_count(const Value& value);

/// Whether values of the type hold floats.
bool holds_floats(const Representation* type);

/// Compares as said in step 1: numbers that are no floats exactly, shapes and constructors too.
/// -0 and 0 are the same.
Likeness likeness(std::span<const Value> operands, const Sides& sides, const Representation* type);
/// The same of operands of other types than the results'.
Likeness likeness(std::span<const Value> operands,
                  std::span<const Representation* const> operand_types, const Sides& sides,
                  const Representation* type);

/// Whether they differ by more than a sixteenth of the largest number that takes part.
bool differs_grossly(std::span<const Value> operands,
                     std::span<const Representation* const> operand_types, const Sides& sides,
                     const Representation* type);

/// Whether two values are the same but for the sign of a zero and what a NaN carries.
bool is_same(const Value& a, const Value& b, const Representation* type);

/// Steps 2 and 3, for one operator, or for one pair of computations.
class RealDifference {
public:
  /// A value that is always the same, and its type.
  struct Fixed {
    Value value;
    const Representation* type;
  };

  /// `function` takes two values of `type`.  `globals`: their values; all must outlive this.
  RealDifference(const EvaluationContext& context, const Globals& globals, const Value& function,
                 const Representation* type);
  /// For computations of operands of the given types; all that they apply functions to comes to
  /// values of `type`.
  RealDifference(const EvaluationContext& context, const Globals& globals,
                 std::span<const Fixed> fixed, std::vector<const Representation*> operand_types,
                 const Representation* type);
  ~RealDifference();
  RealDifference(const RealDifference&) = delete;
  RealDifference& operator=(const RealDifference&) = delete;

  /// Whether the law's sides, which they are by floats, differ on the operands by more than
  /// rounding.  Throws RuntimeError where the evaluation is asked to stop.
  bool is_there(const Law& law, std::span<const Value> operands, const Sides& sides);
  bool is_there(const Computations& computations, std::span<const Value> operands,
                const Sides& sides);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace sinter::eval
