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
  /// What an accelerator wants to hear of work that it declines.
  struct Watch {
    static constexpr std::int64_t never = INT64_MAX;
    void* site = nullptr;   ///< if not null: `interpreted` is called once the work is done
    std::int64_t began = 0; ///< the accelerator's own
    std::uint64_t work = 0; ///< the accelerator's own
    /// Of an operation: `rest_from` is called before this element.
    std::int64_t ask_at = never;
    /// Of an operation that was tried and failed: the first element at which a function that it
    /// applies to each element fails.
    std::int64_t fails_at = never;
  };

  virtual ~Accelerator() = default;

  /// An evaluation begins; all offers until the next one belong to it.
  virtual void begin_evaluation() {}
  /// The evaluation that a provisional error has ended begins again, for the evaluator's words: it
  /// is to be left what it needs to evaluate what fails.
  virtual void repeat_evaluation() {}
  /// An attributed expression begins to be evaluated; `leave` tells its end, however it ends.
  /// Attributes that accelerators know: `interpret` (what runs inside is not to be taken),
  /// `accelerate` (it is to be taken, or an error to tell why not), `unsafe` (checks of sizes and
  /// assertions do not count inside).
  virtual void enter(const syntax::Attribute& attribute) = 0;
  virtual void leave(const syntax::Attribute& attribute) noexcept = 0;
  /// Offers an expression in its frame.
  virtual std::optional<Value> expression(const eval::ExpressionPlace<Concrete>& place,
                                          Watch& watch) = 0;
  /// Offers a call: as many arguments as the function has parameters.
  virtual std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                                    std::span<Value> arguments, Watch& watch) = 0;
  /// Offers an application of an array operation.  The site tells the place, the representations
  /// and, if they are asked for, the extents.
  virtual std::optional<Value> array_operation(primitives::ArrayOperation operation,
                                               eval::Site<Concrete>& site,
                                               std::span<Value> arguments, Watch& watch) = 0;
  /// In the middle of an operation that was declined, after `done` of `count` elements, `done`
  /// being what was asked for: from which element on it wants to be offered the rest, `done`
  /// meaning now; a later one means to be asked again there.  Where the order in which elements are
  /// combined is one of all of them (reductions, scans, histograms in segments), it is offered the
  /// whole again instead.
  virtual std::int64_t rest_from(primitives::ArrayOperation operation, eval::Site<Concrete>& site,
                                 std::span<const Value> arguments, std::int64_t done,
                                 std::int64_t count) = 0;
  /// The evaluator has done work that was declined (not if it failed).
  virtual void interpreted(const Watch& watch) noexcept = 0;
  /// Offers the rest of a loop, before an iteration: `next` is the index that comes next, `bound`
  /// the first that does not (as the form says: index and bound of a `for`, position and length of
  /// a for-in with `elements`, unused for a while); `iterations` of this run of the loop are done.
  /// `state` is moved from if a result comes back.
  virtual std::optional<Value> loop(const eval::LoopPlace<Concrete>& place, Value& state,
                                    Scalar next, Scalar bound, const Value* elements,
                                    std::int64_t iterations) = 0;
};

} // namespace sinter
