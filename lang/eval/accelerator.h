// How the evaluator offers hot work to whoever can do it faster.
//
// The evaluator stays the reference: an accelerator takes a piece of work and gives the value that
// the evaluator would have computed, or declines, and the evaluator goes on.  It also tells what
// runs for how long, so that the accelerator can decide what is worth its while.  This header knows
// nothing of how work is done.
//
// The language is pure, so what a call or an expression has done so far can be thrown away: while
// the evaluator is at such a *candidate*, the accelerator may find that it had better take it as a
// whole.  Then it throws `Restart`: the evaluator is unwound to where the candidate was offered,
// and offers it again (`begin_again`).
#pragma once

#include "lang/core/core.h"
#include "lang/eval/domain.h"
#include "lang/eval/forecast.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter {

/// All members may throw RuntimeError (the work's own failure, or an interruption); the evaluator
/// adds the span and the stack of calls where they are missing.  Those that get a watch or a
/// forecast may throw Restart, and nothing else is thrown.  Where a result comes back, the
/// arguments have been moved from; where none does, they are untouched, and the evaluator does the
/// work itself.  Values of a call, a loop or an operation may be shared.
class Accelerator {
public:
  struct Candidate;
  /// What an accelerator wants to hear of work that it declines.
  struct Watch {
    static constexpr std::int64_t never = INT64_MAX;
    Candidate* around = nullptr; ///< the innermost candidate that the work is a part of
    void* site = nullptr;        ///< if not null: `interpreted` is called once the work is done
    std::int64_t began = 0;      ///< in nanoseconds of `now`, if it was noted
    std::uint64_t work = 0;      ///< the accelerator's own
    /// The accelerator's own, but 0 and false for work that began when there was none.
    std::int64_t ran = 0, waited = 0;
    bool is_unsafe = false;
    /// Of a call or an expression: it may be begun again, so it is to be a candidate while it runs.
    bool may_begin_again = false;
    /// Of an operation: `rest_from` is called before this element.
    std::int64_t ask_at = never;
    /// Of an operation that was tried and failed: the first element at which a function that it
    /// applies to each element fails.
    std::int64_t fails_at = never;
  };
  /// A call or an expression that the evaluator is doing itself.
  struct Candidate : Watch {
    /// The call, its captures and its arguments, which are kept for another time; null: an
    /// expression.
    const core::Function* function = nullptr;
    std::span<const Value> captures;
    std::vector<Value> arguments;
    /// The expression.
    const eval::ExpressionPlace<Concrete>* place = nullptr;
    /// It is a constant's: what becomes of it does not matter to what is around it, nor does the
    /// time that it takes.
    bool is_constant = false;
  };
  /// Unwinds the evaluator to a candidate, `watch.around` or one further out.
  struct Restart {
    const Candidate* candidate = nullptr;
  };

  /// Monotonic, in nanoseconds.
  static std::int64_t now();

  virtual ~Accelerator() = default;

  /// An evaluation begins; all offers until the next one belong to it.
  virtual void begin_evaluation() {}
  /// The evaluation that a provisional error has ended begins again, for the evaluator's words: it
  /// is to be left what it needs to evaluate what fails.
  virtual void repeat_evaluation() {}
  /// An attributed expression begins to be evaluated; `leave` tells its end, however it ends.
  virtual void enter(const core::Attributed& attributed) = 0;
  virtual void leave(const core::Attributed& attributed) noexcept = 0;
  /// A restart has come to its candidate: its value, with the arguments moved from; or none, and
  /// the evaluator begins it again, from the arguments.
  virtual std::optional<Value> begin_again(Candidate& candidate) = 0;
  /// Work that is not offered is about to be done.
  virtual void ahead(const eval::Forecast& forecast, Candidate* around) = 0;
  /// Offers an expression in its frame.
  virtual std::optional<Value> expression(const eval::ExpressionPlace<Concrete>& place,
                                          Watch& watch) = 0;
  /// Whether code stands ready that will most likely take a call of this function, one that nothing
  /// is around: it is then offered before the evaluator goes to a stack of its own, and again there
  /// if it is declined.
  virtual bool stands_ready_for(const core::Function&) const { return false; }
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
                                 std::int64_t count, Watch& watch) = 0;
  /// The evaluator has done work that was declined (not if it failed).
  virtual void interpreted(const Watch& watch) noexcept = 0;
  /// Offers the rest of a loop, before an iteration: `next` is the index that comes next, `bound`
  /// the first that does not (as the form says: index and bound of a `for`, position and length of
  /// a for-in with `elements`, unused for a while); `iterations` of this run of the loop are done.
  /// `state` is moved from if a result comes back.  `watch` is the same one in all iterations.
  virtual std::optional<Value> loop(const eval::LoopPlace<Concrete>& place, Value& state,
                                    Scalar next, Scalar bound, const Value* elements,
                                    std::int64_t iterations, Watch& watch) = 0;
};

} // namespace sinter
