#include "jit/swap/wanted_globals.h"

#include "lang/base/anew.h"

#include <algorithm>

namespace sinter::jit {

bool WantedGlobals::compute(const core::Global& global) {
  if (is_there(global)) return true;
  if (uncomputable_.contains(&global)) return false;
  const SwapContext& session = situation_.session;
  try {
    // What is around this use of the global does not matter to its definition.
    Anew attributes(situation_.attributes);
    session.compute_global(global);
  } catch (const RuntimeError&) {
    if (session.interrupt && session.interrupt->epoch() != situation_.evaluation.epoch)
      throw interruption(session.interrupt->reason());
  }
  if (is_there(global)) return true;
  uncomputable_.insert(&global);
  return false;
}

bool WantedGlobals::compute_awaited(const CompiledRegion& region, const ir::FailureSite& failure) {
  // Equal names have equal messages; if another one was meant, it is that one's turn the next time.
  const auto meant = std::ranges::find_if(region.awaited, [&](const AwaitedGlobal& awaited) {
    return awaited.message == failure.message && !is_there(*awaited.global);
  });
  return meant != region.awaited.end() && compute(*meant->global);
}

bool WantedGlobals::has_come_for(const Region& region) const {
  return region.state() == Region::State::Compiled &&
         std::ranges::any_of(region.compiled().awaited, [&](const AwaitedGlobal& awaited) {
           return is_there(*awaited.global);
         });
}

} // namespace sinter::jit
