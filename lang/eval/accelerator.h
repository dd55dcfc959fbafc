// How the evaluator offers hot work to whoever can do it faster.
//
// The evaluator stays the reference: an accelerator takes a piece of work and gives the value that
// the evaluator would have computed, or declines, and the evaluator goes on.  It also hears how
// long declined work took, so that it can decide what is worth its while.  This header knows
// nothing of how work is done.
#pragma once

#include "lang/core/core.h"
#include "lang/eval/domain.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter {

/// A running loop, as an accelerator sees it: between two iterations.
struct LoopState {
  const core::Expr* loop = nullptr; ///< a core::Loop
  std::span<const Value> slots;     ///< the frame of the running function
  const Value* captures = nullptr;  ///< of the running function
};

/// `call`, `array_operation` and `loop` may throw RuntimeError (the work's own failure, or an
/// interruption), and nothing else.  Where a result comes back, the arguments have been moved from;
/// where none does, they are untouched.
class Accelerator {
public:
  /// Filled in where offered work is declined; if `site` is not null, `interpreted` wants to hear
  /// when the evaluator has done the work (not if it failed).
  struct Watch {
    void* site = nullptr;
    std::int64_t began = 0; ///< the accelerator's clock
    std::int64_t work = 0;  ///< elements
  };

  virtual ~Accelerator() = default;

  /// An evaluation begins.  `globals` are the values of the program's globals by index, as far as
  /// they have been computed; they stay where they are until it ends.
  virtual void begin(const std::vector<std::optional<Value>>& globals) = 0;
  /// Offers a call of a function that has array operations or loops inside.
  virtual std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                                    std::span<Value> arguments, Watch& watch) = 0;
  /// Offers an application of an array operation.
  virtual std::optional<Value> array_operation(primitives::ArrayOperation operation,
                                               std::span<Value> arguments,
                                               eval::Site<Concrete>& site, Watch& watch) = 0;
  /// Offers the rest of a loop, before an iteration: `next` is the index that comes next, `bound`
  /// the first that does not (as the form says: index and bound of a `for`, position and length of
  /// a for-in with `elements`, unused for a while).  Called before the first iteration, and then
  /// now and again.
  virtual std::optional<Value> loop(const LoopState& state, Value& loop_value, Scalar next,
                                    Scalar bound, const Value* elements) = 0;
  /// In the middle of an operation that was declined, after `done` of `count` elements: whether it
  /// should be offered again with the rest of its elements.
  virtual bool wants_rest(primitives::ArrayOperation operation, std::span<const Value> arguments,
                          eval::Site<Concrete>& site, std::int64_t done, std::int64_t count) = 0;
  /// The evaluator has done work that was declined.
  virtual void interpreted(const Watch& watch) noexcept = 0;
};

} // namespace sinter
