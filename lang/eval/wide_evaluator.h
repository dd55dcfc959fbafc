// Runs programs with numbers of many digits in the place of floats.
#pragma once

#include "lang/core/core.h"
#include "lang/eval/evaluator.h"
#include "lang/eval/wide_numbers.h"

#include <memory>
#include <vector>

namespace sinter::eval {
class Globals;
}

namespace sinter {

class WideEvaluator {
public:
  /// `digits`: at most eval::most_wide_digits.  `context` as for Evaluator; it never accelerates.
  WideEvaluator(EvaluationContext context, unsigned digits = 50);
  ~WideEvaluator();

  /// Calls a function on ordinary arguments of the given representations.  The result's floats are
  /// wide numbers.  Throws RuntimeError.
  Value call(const core::Function& function, std::vector<Value> arguments,
             const std::vector<const Representation*>& types);
  /// Evaluates an expression; its floats are wide numbers.  Throws RuntimeError.
  Value evaluate(const core::Toplevel& toplevel);
  /// Applies a function value to arguments, all of wide numbers (`widen`).  Throws RuntimeError.
  Value apply(const Value& function, std::vector<Value> arguments);
  /// Gives a global that nothing has used yet an ordinary value that comes from outside.
  void define(const core::Global& global, Value value);
  /// Globals have the ordinary values of `known` instead of being computed, where it has any.
  /// It must outlive the evaluator.
  void take_from(const eval::Globals& known);
  /// A value, functions too, with its floats as wide numbers.
  Value widen(const Value& value, const Representation* type);
  /// A result with its numbers rounded to floats.
  Value narrow(const Value& value, const Representation* type) const;
  const eval::WideNumbers& numbers() const;
  eval::WideNumbers& numbers();

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace sinter
