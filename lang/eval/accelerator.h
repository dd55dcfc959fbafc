// How the evaluator offers hot work to whoever can do it faster.
//
// The evaluator stays the reference: an accelerator takes a piece of work and gives the value that
// the evaluator would have computed, or declines, and the evaluator goes on.  It also tells what
// runs for how long, so that the accelerator can decide what is worth its while.  This header knows
// nothing of how work is done.
#pragma once

#include "lang/core/core.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinter {

/// An application of an array operation, as an accelerator sees it.
struct OperationSite {
  primitives::ArrayOperation operation{};
  const Representation* result = nullptr;
  std::vector<const Representation*> arguments;
  Span span;
};

/// A running loop, as an accelerator sees it: between two iterations.
struct LoopState {
  const core::Expr* loop = nullptr; ///< a core::Loop
  std::span<const Value> slots;     ///< the frame of the running function
  const Value* captures = nullptr;  ///< of the running function
};

/// All members may throw RuntimeError (the work's own failure, or an interruption), and nothing
/// else.  Where a result comes back, the arguments have been moved from; where none does, they are
/// untouched.
class Accelerator {
public:
  virtual ~Accelerator() = default;

  /// Offers a call.
  virtual std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                                    std::span<Value> arguments) = 0;
  /// Offers an application; `extents` are the site's (see eval::Site::extents), asked for only when
  /// needed.
  virtual std::optional<Value> array_operation(const OperationSite& site,
                                               std::span<Value> arguments,
                                               std::vector<Scalar> (*extents)(void*),
                                               void* extents_of) = 0;
  /// Offers the rest of a loop, before an iteration: `next` is the index that comes next, `bound`
  /// the first that does not (as the form says: index and bound of a `for`, position and length of
  /// a for-in with `elements`, unused for a while).
  virtual std::optional<Value> loop(const LoopState& state, Value& loop_value, Scalar next,
                                    Scalar bound, const Value* elements) = 0;
};

} // namespace sinter
