#include "jit/gate/opening.h"

namespace sinter::jit {

Opening decide_opening(const eval::Forecast& ahead, std::int64_t interpreted,
                       const std::optional<Precedent>& precedent) {
  if (ahead.nanoseconds >= worth_opening || ahead.bytes >= much_memory) return Opening::AtOnce;
  if (precedent && precedent->nanoseconds >= opening_cost) return Opening::AtOnce;
  return precedent || interpreted >= opening_cost ? Opening::InBackground : Opening::NotYet;
}

} // namespace sinter::jit
