// Reductions and scans of a kernel: all of their operators together.
#pragma once

#include "gpu/skeletons/fold_set.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace sinter::gpu {

/// What the groups of one kind combine, and what becomes of a kernel's elements.
struct Folds {
  ElementFunction element;
  FoldSet folds;                 ///< of all groups; components as the element's
  std::vector<unsigned> results; ///< by component: which result it is

  /// Of reductions: scalar results, by one thread.
  void store_results(EntryBuilder& entry, const Components& values) const;
  /// Of scans: the elements of the results at an index.
  void store_prefixes(EntryBuilder& entry, llvm::Value* index, const Components& values) const;
};

/// `GroupType`: ReduceGroup or ScanGroup.
template <typename GroupType>
Folds folds_of(const ir::Function& function, BodyFunctions& body, BodyFunctions::Maps maps) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  Folds result;
  result.element = body.element_and_lanes(maps);
  const std::vector<jit::GroupPosition> positions = jit::group_positions(soac);
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    const auto* const group = std::get_if<GroupType>(&soac.groups[g]);
    if (!group) continue;
    result.folds.add(body.fold(group->neutral, group->combine));
    for (std::size_t i = 0; i < group->neutral.size(); ++i)
      result.results.push_back(static_cast<unsigned>(positions[g].result + i));
  }
  return result;
}

/// Whether all groups are maps, or of that kind with scalars and operators that cannot fail, and
/// there is one of these.
template <typename GroupType>
bool has_plain_folds(const ir::Function& function, const ir::Soac& soac) {
  return !jit::has_only<ir::MapGroup>(soac) && jit::folds_scalars(function, soac) &&
         std::all_of(soac.groups.begin(), soac.groups.end(), [&](const ir::Group& group) {
           const auto* const fold = std::get_if<GroupType>(&group);
           return std::holds_alternative<ir::MapGroup>(group) ||
                  (fold && is_plain_operator(function, fold->combine));
         });
}

} // namespace sinter::gpu
