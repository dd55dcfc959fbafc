// How the generic skeleton cuts up a launch, and what its entry points share.
#pragma once

#include "gpu/skeletons/entry_words.h"
#include "gpu/skeletons/launch_plan.h"

#include <cstdint>

namespace sinter::gpu {

struct Chunks {
  std::int64_t size = 1; ///< of all chunks but the last
  std::int64_t chunks = 1;
  std::int64_t fold_unit = 1, fold_units = 0; ///< as KernelFrame has them
};
/// Storage between chunks takes up to `sizes.most_bytes`, if it can.
Chunks choose_chunks(const LaunchSizes& sizes);
/// Whether chunks are elements, whatever the sizes.
bool has_chunks_of_one(const ir::Soac& soac);

/// The generic entry points' own numbers, in front of the partial values' strides.
enum class GenericNumber : unsigned {
  Count,
  ChunkSize,
  ChunkCount,
  FoldUnit,
  FoldUnits,
  FirstStride
};
/// An area for each partial value.
WordCounts generic_words(const ir::Function& function, const ir::Soac& soac);
/// `has_combine`, `has_finish`: whether there are those entry points.
LaunchPlan plan_chunks(const LaunchSizes& sizes, bool has_combine, bool has_finish);

inline constexpr const char *run_entry = "run", *combine_entry = "combine",
                            *finish_entry = "finish";

} // namespace sinter::gpu
