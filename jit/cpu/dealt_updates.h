// Histograms of many bins whose order shows, on several threads.
//
// Where a bin's values have to be combined in the order of the elements, and bins are too many for
// each thread to have its own, threads share the bins.  In rounds: first chunks of the elements are
// computed, and their updates are dealt to lists, one for each share of the bins; then each share's
// updates are done by one thread, chunk after chunk.  So everything is computed once, the updates
// of a bin happen in their order, and a thread's bins are few enough for its cache.  (Beamer,
// Asanović and Patterson, "Reducing Pagerank Communication via Propagation Blocking", IPDPS 2017.)
#pragma once

#include "jit/cpu/chunk_runner.h"

#include <cstdint>

namespace sinter::jit {

class DealtUpdates {
public:
  /// Allocates the lists.  Throws RuntimeError{OutOfMemory}.
  DealtUpdates(const LaunchShape& shape, ChunkRunner& runner, MemoryBudget& budget,
               Workers& workers);
  /// Whether all went to their ends.
  bool run();

private:
  KernelFrame frame(unsigned thread);

  const LaunchShape& shape_;
  ChunkRunner& runner_;
  Workers& workers_;
  BufferRef lists_;
};

} // namespace sinter::jit
