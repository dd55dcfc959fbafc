// Globals that regions need and that the evaluator has not computed.
//
// The evaluator computes a global when it is first used, and keeps its value; a region that traced
// the definition would compute it in each run.  So the evaluator is asked to compute it, and the
// region has the value among its inputs.  That must neither raise errors nor cost anything that the
// program would be spared:
// - Where a region evaluates the global in any case, it is stalled (region.h), and traced again
//   with the value.  "In any case" leaves out errors that come before, and operations on no
//   elements.
// - Where only some paths do, these have a check that fails (AwaitedGlobal).  When one does, the
//   program does need the global: then it is computed, and the region is made and run again.
// - An error is forgotten, and such a global is traced in place: code that meets the error fails
//   there, and the evaluator raises it in its turn.
//
// Must not know: how a region is made again.
#pragma once

#include "jit/swap/region.h"
#include "jit/swap/situation.h"

namespace sinter::jit {

class WantedGlobals {
public:
  explicit WantedGlobals(Situation& situation) : situation_(situation) {}

  /// Lets the evaluator compute a global, and tells whether it has a value.  Throws RuntimeError if
  /// the evaluation is interrupted.
  bool compute(const core::Global& global);
  /// The same for what a failing check of the region waits for.
  bool compute_awaited(const CompiledRegion& region, const ir::FailureSite& failure);
  /// Whether a global that the region waits for has been computed.
  bool has_come_for(const Region& region) const;
  /// Those whose computation failed.
  const Region::Globals& uncomputable() const { return uncomputable_; }

private:
  bool is_there(const core::Global& global) const {
    return situation_.session.global(global).has_value();
  }

  Situation& situation_;
  Region::Globals uncomputable_;
};

} // namespace sinter::jit
