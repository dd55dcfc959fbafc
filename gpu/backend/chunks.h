// How one launch is cut up for a device's threads.  Sizes decide alone; results do not depend on
// it: the order of folding is lang/primitives/fold_order.h's, whatever the chunks are.
#pragma once

#include "jit/emit/kernel_layout.h"
#include "jit/runtime/datum.h"

#include <cstdint>
#include <span>

namespace sinter::gpu {

struct Chunks {
  std::int64_t count = 0; ///< of indices
  std::int64_t size = 1;  ///< of all chunks but the last
  std::int64_t chunks = 1;
  std::int64_t fold_unit = 1, fold_units = 0; ///< as KernelFrame has them

  std::int64_t begin(std::int64_t chunk) const { return chunk * size; }
};

/// `scalars[p]` is the value of scalar parameter p.  Storage between chunks takes up to
/// `most_bytes`, if it can.
Chunks choose_chunks(const jit::KernelLayout& layout, std::span<const jit::Datum> arguments,
                     std::span<const std::uint64_t> scalars, std::int64_t most_bytes);

/// Elements of one value of a partial.
std::int64_t elements_of(const jit::KernelLayout::Partial& partial,
                         std::span<const jit::Datum> arguments,
                         std::span<const std::uint64_t> scalars);

/// Whether there is a value for each unit of folding, and not for each chunk.
bool has_units(const jit::KernelLayout& layout, const jit::KernelLayout::Partial& partial);

} // namespace sinter::gpu
