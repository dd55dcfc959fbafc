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
#include "jit/swap/swapper.h"

#include "lang/base/anew.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

bool Swapper::compute(const core::Global& global) {
  if (session_.global(global)) return true;
  if (uncomputable_.contains(&global)) return false;
  try {
    // What is around this use of the global does not matter to its definition.
    Anew interpret(interpret_depth_), accelerate(accelerate_depth_), unsafe(unsafe_depth_);
    session_.compute_global(global);
  } catch (const RuntimeError&) {
    if (session_.interrupt && session_.interrupt->epoch() != epoch_)
      throw interruption(session_.interrupt->reason());
  }
  if (session_.global(global)) return true;
  uncomputable_.insert(&global);
  return false;
}

bool Swapper::compute_awaited(const CompiledRegion& region, const ir::FailureSite& failure) {
  // Equal names have equal messages; if another one was meant, it is that one's turn the next time.
  const auto meant = std::ranges::find_if(region.awaited, [&](const AwaitedGlobal& awaited) {
    return awaited.message == failure.message && !session_.global(*awaited.global);
  });
  return meant != region.awaited.end() && compute(*meant->global);
}

bool Swapper::is_outdated(const Region& region) const {
  return region.state() == Region::State::Compiled &&
         std::ranges::any_of(region.compiled().awaited, [&](const AwaitedGlobal& awaited) {
           return session_.global(*awaited.global).has_value();
         });
}

std::shared_ptr<Region> Swapper::renewed(Site& site, const std::shared_ptr<Region>& old) {
  std::string why = old->why;
  if (old->state() == Region::State::Compiled)
    why = "again, since a constant has been computed; " + why;
  auto region =
      std::make_shared<Region>(old->key, old->name, old->span, std::move(why), uncomputable_);
  region->occasion = old->occasion;
  const auto place = std::ranges::find(site.regions, old);
  if (place != site.regions.end()) {
    *place = region;
  } else { // it had to make room meanwhile
    site.regions.push_back(region);
    ++region_count_;
  }
  return region;
}

} // namespace sinter::jit
