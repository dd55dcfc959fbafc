// The reference semantics: runs resolved programs on concrete values.
#pragma once

#include "lang/base/interrupt.h"
#include "lang/base/runtime_error.h"
#include "lang/core/core.h"
#include "lang/eval/debugging.h"
#include "lang/values/concrete.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter {

class Accelerator;

/// Whether a value is or holds a function, and so refers to the program that made it.
bool has_function(const Value& value);

/// One of the calls that are running, for who looks around in it.
struct RunningCall {
  const core::Function* function = nullptr; ///< null: an expression or a constant
  const core::Expr* body = nullptr;         ///< that is evaluated; null: there is nothing to see
  const Value* slots = nullptr;
  const Value* captures = nullptr;
};

/// Where an evaluation stopped for somebody to look around.
struct BreakPlace {
  Span span;
  std::span<const StackFrame> frames;
  /// The variables in reach, as a record with a field for each.
  Value variables;
  const Representation* variables_type = nullptr;
  /// Of the innermost frames; they live while the evaluation stands still.
  std::span<const RunningCall> calls;
};

/// Goes through an evaluation step by step: the steps are the values of `let`s, what comes after
/// them, branches, the bodies of loops and of functions.
class StepObserver {
public:
  virtual ~StepObserver() = default;
  /// Whether the evaluation is to stop before this expression.
  virtual bool stops_at(const core::Expr& expr) = 0;
  /// May throw a RuntimeError to give the evaluation up.
  virtual void stop(const BreakPlace& place) = 0;
};

/// What an evaluation may use and whom it tells.
struct EvaluationContext {
  Representations* representations = nullptr;
  MemoryBudget* memory = nullptr;
  InterruptSource* interrupt = nullptr; ///< may be null
  const SourceMap* sources = nullptr;   ///< for `#[trace]` and error texts
  /// `#[trace]`: the text to show (stderr by default).
  std::function<void(const std::string&)> trace;
  /// `#[break]`: called with the place; returns when the user continues.  May be null.
  std::function<void(const BreakPlace&)> breakpoint;
  Accelerator* accelerator = nullptr; ///< may be null: then everything is interpreted
  StepObserver* steps = nullptr;      ///< may be null
  /// Whether assumptions are tested.  `#[unsafe]` has no effect then.
  Debugging debugging = Debugging::Off;
  /// Whether the loop with that mark (`#[parallel]`) was looked at before it runs: what it carries
  /// is known to be nothing then.  Null: all were.
  std::function<bool(Span mark)> was_examined;
  /// Of functions that may be computed in chunks; that they come to the same is tested then.
  Chunking chunking;
  /// Of `Debugging::Warn`: what an assumption that does not hold is as an error.  May be null.
  std::function<void(const RuntimeError&)> warn;
};

/// Runs functions and expressions of one program; keeps the values of its globals.  Evaluations run
/// on a stack of their own, large enough for deep recursion, whose exhaustion is a RuntimeError.
class Evaluator {
public:
  Evaluator(const core::Program& program, EvaluationContext context);
  ~Evaluator();

  /// Makes the arguments of a call.
  using Arguments = std::function<std::vector<Value>()>;

  /// Throws RuntimeError.  After one, the evaluator can be used again.  Where the accelerator
  /// cannot word an error, all is evaluated again, so that the evaluator does; what has been shown
  /// and where somebody has looked around is passed over then.
  Value evaluate(const core::Toplevel& toplevel);
  /// A global's value is kept: it is computed if it has not been before.
  Value evaluate(const core::Global& global);
  /// The same in the midst of an evaluation, which it is a part of: for accelerators.
  void compute(const core::Global& global);
  /// The arguments stay; what is consumed is copied.
  Value call(const core::Function& function, const std::vector<Value>& arguments);
  /// The arguments are consumed in place; `again` makes the same ones another time, to evaluate
  /// again as said above.  If it is empty, the accelerator's words stand.
  Value call(const core::Function& function, std::vector<Value>&& arguments,
             const Arguments& again = {});
  /// Applies a function value; more arguments than it takes go to its result.
  Value apply(const Value& function, std::vector<Value> arguments);
  /// Gives a global that nothing has used yet a value that comes from outside, of its type.
  void define(const core::Global& global, Value value);
  /// For the evaluations from now on; may be null.
  void set_accelerator(Accelerator* accelerator);
  /// From now on, also of the evaluation that runs; may be null.
  void set_steps(StepObserver* steps);
  /// For the evaluations from now on.  What has been computed (globals) is not tested any more.
  /// Where assumptions are tested nothing should be accelerated: nobody would look at that.
  void set_debugging(Debugging debugging);
  /// The value of a global, or null if it has not been computed.  On the evaluating thread; the
  /// value lives until it is forgotten.
  const Value* global(const core::Global& global) const;
  /// The same on any thread, whatever is forgotten meanwhile.
  std::optional<Value> shared_global(const core::Global& global) const;
  /// Forgets a value; it is computed anew if it is needed again.  Only for globals that no function
  /// which may still be called uses, as compiled code relies on them.
  void forget(const core::Global& global);
  /// Takes over what another evaluator has computed, but for functions: globals here have the
  /// values of those with the same type at the same place there, if `names` has their names' spans.
  /// Both programs must define the same there.  Before this one is used.
  void inherit(const Evaluator& former, std::span<const Span> names);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace sinter
