// The memory of one launch: its results, and what its chunks leave for each other.
#pragma once

#include "jit/cpu/launch_notes.h"
#include "jit/cpu/launch_shape.h"
#include "jit/cpu/parallel.h"
#include "jit/emit/kernel_layout.h"
#include "jit/runtime/backend.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinter::jit {

class LaunchMemory {
public:
  /// Allocates all of it, and keeps account in the launch's notes.  Results may take the memory of
  /// arguments that nobody else has and that are read where the result is written.  Throws
  /// RuntimeError{OutOfMemory}.
  LaunchMemory(const KernelLayout& layout, const LaunchShape& shape, LaunchNotes& notes,
               std::span<Datum> arguments, MemoryBudget& memory, Workers& workers);
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;

  /// Allocates results anew, for the same launch with other contents of its arguments, once those
  /// before have been taken; if possible from `spare`, which may be null.  (What chunks leave for
  /// each other has room already.)
  void renew_results(SpareBuffers* spare);

  /// As code sees them (kernel_abi.h).
  std::span<std::uint64_t> result_words() { return notes_.result_words; }
  std::span<std::byte* const> partials() const { return notes_.partials; }
  std::span<const std::int64_t> partial_strides() const { return notes_.partial_strides; }
  /// What chunks leave for each other takes so much of the memory there is.
  std::size_t partial_bytes() const { return large_partials_ ? large_partials_->bytes() : 0; }
  /// Arrays that were made here, by result; else empty.
  std::span<const Leaf> leaves() const { return notes_.leaves; }
  /// Of filters, by partial: how many elements were kept so far.
  std::span<std::int64_t> kept() { return notes_.kept; }
  /// Whether the results go out of the caches before anybody reads them, and are not what was read.
  bool streams_results() const;

  /// Histograms' bins of a chunk, or of a thread, begin as nothing.  (Those of chunks have been
  /// filled; a thread fills its own.)
  void fill_bins(std::int64_t slot);

  /// Moves what chunks of filters have kept, each at its own beginning, together.
  void pack(const Partition& partition);
  /// After the launch, once; in the list of its arguments, which nobody needs any more.
  std::vector<Datum> take_results(std::vector<Datum> arguments);

private:
  void allocate_results(SpareBuffers* spare = nullptr);
  BufferRef reused_buffer(const KernelLayout::Result& result, std::size_t bytes);
  void allocate_partials();
  void fill(std::byte* bins, std::int64_t elements, const KernelLayout::Partial& partial) const;
  /// A filter's array; copied if it would hold on to much more memory than it needs.  (Halves and
  /// quarters of an array, as partitions make them, are not worth a copy.)
  Leaf fitted(Leaf leaf, std::int64_t kept) const;

  const KernelLayout& layout_;
  const LaunchShape& shape_;
  LaunchNotes& notes_;
  std::span<Datum> arguments_;
  MemoryBudget& memory_;

  alignas(64) std::array<std::byte, 1024> small_partials_;
  BufferRef large_partials_;
};

/// The bytes of an element of a filter's result, which may be a row.
inline std::int64_t row_bytes(const Leaf& leaf) {
  return leaf.strides[0] * static_cast<std::int64_t>(byte_size(leaf.element));
}

} // namespace sinter::jit
