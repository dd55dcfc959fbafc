// Which SOACs run in lanes: along which index of nested operations the W lanes go.
#pragma once

#include "jit/ir/ir.h"

#include <unordered_set>

namespace sinter::jit {

/// The SOACs (by address, in the function that was planned) whose elements lanes run along.  None
/// of them is inside another.  Around them is scalar code, inside of them each lane works for
/// itself.
class LanePlan {
public:
  LanePlan(const ir::Function& function, unsigned width);
  bool runs_in_lanes(const ir::Soac& soac) const { return chosen_.contains(&soac); }
  const std::unordered_set<const ir::Soac*>& chosen() const { return chosen_; }

private:
  std::unordered_set<const ir::Soac*> chosen_;
};

/// Whether the SOAC can run with lanes along its own elements: operators of scalars that cannot
/// fail.
bool can_run_in_lanes(const ir::Function& function, const ir::Soac& soac);
/// Whether the operator may be applied in any order: flagged, or of a kind known to be commutative.
bool is_commutative(const ir::ReduceGroup& group);

} // namespace sinter::jit
