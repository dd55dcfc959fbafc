// Launches of one kernel that follow each other, each on what the one before has made.
//
// The index space is cut into slabs along its first dimension, and the launches into blocks of a
// few.  As an index needs only what lies near it from the launch before (reach.h), a slab may be
// taken through all launches of a block while it is in the cache, by one thread that waits for
// nobody: each launch leaves out a few more indices at the slab's ends.  What is left out between
// two slabs, a seam, is made up for when both are done.
//
//   launch 3     /slab\ seam /slab\          each thread has slabs of its own, and the seams after
//   launch 2    / s l  \    / s l  \         them, through all blocks: of what may begin, that of
//   launch 1   /  a b   \  /  a b   \        the first block
//
// Arrays lie in two buffers by turns: launch s overwrites what launch s-2 made, which nobody needs
// any more: what still needed it lay as near.  (Frigo and Strumpen, "Cache oblivious stencil
// computations", 2005; Grosser et al., "Split tiling for GPUs", 2013.)
#pragma once

#include "jit/cpu/launch.h"
#include "jit/cpu/reach.h"
#include "jit/emit/kernel_layout.h"
#include "jit/runtime/work_meter.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sinter::jit {

/// How the launches are cut up.
struct SlabPlan {
  std::int64_t rows = 0;  ///< places along the first dimension
  std::int64_t slabs = 1; ///< of `slab_rows` each but the last, which takes the rest
  std::int64_t slab_rows = 0;
  std::int64_t skew = 0;  ///< how many rows a launch leaves out at each end
  std::int64_t block = 1; ///< launches

  std::int64_t begin(std::int64_t slab) const { return slab * slab_rows; }
  std::int64_t end(std::int64_t slab) const {
    return slab + 1 == slabs ? rows : (slab + 1) * slab_rows;
  }
};

struct SlabQuestion {
  std::int64_t rows = 0;
  std::int64_t row_bytes = 0; ///< read and written
  std::int64_t reach = 0;     ///< in rows
  std::int64_t multiple = 1;  ///< slabs begin at multiples of so many rows
  unsigned threads = 1;
  /// Each launch reads other memory, of which there is more than caches hold.
  bool reads_anew = false;
};

/// A single slab where there is nothing to be gained.
SlabPlan plan_slabs(const SlabQuestion& question);

/// Runs the launches that `repetition` tells of, if they are better run together; takes the
/// arguments only then.  May throw as `launch_kernel` does.
std::optional<Outcome> repeat_kernel(const KernelLayout& layout,
                                     std::span<const std::optional<Reach>> reaches,
                                     const CurrentCode& code, Repetition& repetition,
                                     const RunContext& context, Workers& workers, WorkMeter& meter);

} // namespace sinter::jit
