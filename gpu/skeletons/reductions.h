// What skeletons of reductions have in common.
#pragma once

#include "gpu/skeletons/fold_set.h"

#include <vector>

namespace sinter::gpu {

/// The reductions of a kernel, and what becomes of its elements.
struct Reductions {
  ElementFunction element;       ///< stores what maps store
  FoldSet folds;                 ///< of all groups; components as the element's
  std::vector<unsigned> results; ///< by component: which result it is

  /// Scalar results, by one thread.
  void store_results(EntryBuilder& entry, const Components& values) const;
};
Reductions reductions_of(const ir::Function& function, BodyFunctions& body);

/// Whether all groups are maps, or reductions of scalars by operators that cannot fail, and there
/// is one of these.
bool reduces_scalars(const ir::Function& function, const ir::Soac& soac);

} // namespace sinter::gpu
