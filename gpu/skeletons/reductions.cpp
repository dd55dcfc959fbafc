#include "gpu/skeletons/reductions.h"

#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"

#include <algorithm>
#include <variant>

namespace sinter::gpu {

void Reductions::store_results(EntryBuilder& entry, const Components& values) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    entry.store_scalar_result(results[i], word_of(entry, values[i], folds.types()[i]));
}

Reductions reductions_of(const ir::Function& function, BodyFunctions& body) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  Reductions reductions;
  reductions.element = body.element(BodyFunctions::Maps::Stored);
  const std::vector<jit::GroupPosition> positions = jit::group_positions(soac);
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    const auto* const reduce = std::get_if<ir::ReduceGroup>(&soac.groups[g]);
    if (!reduce) continue;
    reductions.folds.add(body.fold(reduce->neutral, reduce->combine));
    for (std::size_t i = 0; i < reduce->neutral.size(); ++i)
      reductions.results.push_back(static_cast<unsigned>(positions[g].result + i));
  }
  return reductions;
}

bool reduces_scalars(const ir::Function& function, const ir::Soac& soac) {
  const auto is_taken = [&](const ir::Group& group) {
    const auto* const reduce = std::get_if<ir::ReduceGroup>(&group);
    return std::holds_alternative<ir::MapGroup>(group) ||
           (reduce && is_plain_operator(function, reduce->combine));
  };
  return !jit::has_only<ir::MapGroup>(soac) && jit::folds_scalars(function, soac) &&
         std::all_of(soac.groups.begin(), soac.groups.end(), is_taken);
}

} // namespace sinter::gpu
