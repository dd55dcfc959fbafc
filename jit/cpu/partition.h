// How index spaces are cut into chunks.  (What is folded does not show it: the order of that is
// lang/primitives/fold_order.h's.)
#pragma once

#include <cstdint>

namespace sinter::jit {

struct Partition {
  std::int64_t count = 0;      ///< of indices
  std::int64_t chunk_size = 1; ///< of all chunks but the last
  std::int64_t chunks = 0;     ///< at least 1, even of nothing

  std::int64_t begin(std::int64_t chunk) const { return chunk * chunk_size; }
  std::int64_t end(std::int64_t chunk) const {
    return chunk + 1 == chunks ? count : (chunk + 1) * chunk_size;
  }
};

struct PartitionQuestion {
  std::int64_t count = 0;
  std::int64_t row = 1;           ///< indices along the last dimensions that are best kept together
  double element_nanoseconds = 1; ///< computing
  double element_bytes = 0;       ///< read and written
  std::int64_t chunk_limit = INT64_MAX;
  unsigned threads = 1; ///< that there are
  /// Elements that take as long as one of them.
  std::int64_t lanes = 1;
  /// Of the whole work: less is not cut up.
  double least_nanoseconds = 25'000;
  bool reads_twice = false; ///< chunks should stay in the second-level cache
};

/// What the work takes one thread, roughly.
double nanoseconds(const PartitionQuestion& question);
Partition partition(const PartitionQuestion& question);

/// How many indices are run in one call, which can be interrupted between calls only.
std::int64_t slice_size(double element_nanoseconds);

} // namespace sinter::jit
