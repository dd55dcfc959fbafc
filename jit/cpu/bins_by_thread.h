// Histograms whose order does not show: a thread has bins of its own, not a chunk.
//
// So chunks may be many, and be taken by whoever has time, which is what threads need that have
// other work beside this one.  The launch's own thread updates the destination itself; every other
// one that takes part fills bins as it begins, and they are joined with the destination at the end.
#pragma once

#include "jit/cpu/chunk_runner.h"

#include <cstdint>
#include <vector>

namespace sinter::jit {

class BinsByThread {
public:
  BinsByThread(const LaunchShape& shape, LaunchMemory& memory, ChunkRunner& runner,
               Workers& workers);
  /// Whether all went to their ends.
  bool run();

private:
  bool run_chunk(std::int64_t chunk, unsigned thread);
  bool join(std::int64_t slot);

  const LaunchShape& shape_;
  LaunchMemory& memory_;
  ChunkRunner& runner_;
  Workers& workers_;
  std::vector<unsigned char> is_filled_; ///< by slot, which are those of all threads but the first
};

} // namespace sinter::jit
