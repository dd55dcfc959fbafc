// Evaluating one thing in every way that there is: interpreted, compiled, mixed, and with numbers
// of many digits.
#pragma once

#include "repl/comparing/comparison.h"
#include "repl/session/session.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinter::comparing {

/// What is evaluated, again and again.
struct Computation {
  std::function<std::vector<Value>()> evaluate; ///< on the session's evaluator, as it is set then
  std::function<std::vector<Value>(WideEvaluator&)> evaluate_wide;
  /// The types of the results, by one way's; called after the first.
  std::function<std::vector<ResultType>(const std::vector<Value>&)> types;
};

/// How comparing ended.
struct Compared {
  repl::Outcome outcome; ///< of all ways, as they end alike
  /// Why there is nothing to compare although `outcome` says nothing of it: lines of text.
  std::string problem;
  std::optional<Comparison> comparison; ///< if all is well
};

/// Evaluates interpreted, compiled and mixed, where the results differ once more with assumptions
/// tested (lang/eval/assumptions.h), which may be why, and with `wide_digits` digits unless that is
/// 0; the session's mode is afterwards what it was.  Values that have names (constants) are not
/// computed anew in the three ways, but in the wide one, except data that came from outside.
Compared compare(repl::Session& session, const Computation& computation, unsigned wide_digits);

/// The same of an expression.  A name of a value stands for the expression that it was defined by.
Compared compare(repl::Session& session, std::string expression, unsigned wide_digits);

} // namespace sinter::comparing
