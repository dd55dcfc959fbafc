#include "jit/gate/opening.h"

namespace sinter::jit {

Opening decide_opening(const eval::Forecast& ahead, std::int64_t interpreted) {
  if (ahead.nanoseconds >= worth_opening || ahead.bytes >= much_memory) return Opening::AtOnce;
  return interpreted >= opening_cost ? Opening::InBackground : Opening::NotYet;
}

} // namespace sinter::jit
