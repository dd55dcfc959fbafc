// How the evaluator offers hot work to whoever can do it faster.
//
// The evaluator stays the reference: an accelerator takes a piece of work and gives the value that
// the evaluator would have computed, or declines, and the evaluator goes on.  It also tells what
// runs for how long, so that the accelerator can decide what is worth its while.  This header knows
// nothing of how work is done.
#pragma once

#include "lang/core/core.h"
#include "lang/eval/domain.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sinter {

/// All members may throw RuntimeError (the work's own failure, or an interruption), and nothing
/// else; the evaluator adds the span and the stack of calls where they are missing.  Where a result
/// comes back, the arguments have been moved from; where none does, they are untouched, and the
/// evaluator does the work itself.  Values of a call, a loop or an operation may be shared.
class Accelerator {
public:
  virtual ~Accelerator() = default;

  /// An evaluation begins; all offers until the next one belong to it.
  virtual void begin_evaluation() {}
  /// Offers a call: as many arguments as the function has parameters.
  virtual std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                                    std::span<Value> arguments) = 0;
  /// Offers an application of an array operation.  The site tells the place, the representations
  /// and, if they are asked for, the extents.
  virtual std::optional<Value> array_operation(primitives::ArrayOperation operation,
                                               eval::Site<Concrete>& site,
                                               std::span<Value> arguments) = 0;
  /// Offers the rest of a loop, before an iteration: `next` is the index that comes next, `bound`
  /// the first that does not (as the form says: index and bound of a `for`, position and length of
  /// a for-in with `elements`, unused for a while).  `state` is moved from if a result comes back.
  virtual std::optional<Value> loop(const eval::LoopPlace<Concrete>& place, Value& state,
                                    Scalar next, Scalar bound, const Value* elements) = 0;
};

} // namespace sinter
