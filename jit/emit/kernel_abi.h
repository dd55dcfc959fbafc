// The contract between generated code of every target and what launches it.
//
// A kernel's index space [0, extent) is cut into chunks by the launcher.
// Each kernel is up to six functions:
//   run(frame, begin, end, chunk)   the SOAC's body for [begin, end), and per chunk:
//                                   maps: written to the result at the index; reduce: the chunk's
//                                   value to partial[chunk]; scan: the chunk's total to
//                                   partial[chunk] (values come in `finish`, unless the kernel is a
//                                   single chunk: then `run` writes them); scatter: written to the
//                                   destination; histogram: combined into partial[chunk] (private
//                                   bins, filled with the neutral element by the launcher), or into
//                                   the destination if there is a single chunk; filter: kept values
//                                   to the result's staging at begin, begin+1, …, their number to
//                                   partial[chunk] (one i64); partition: how many elements are of
//                                   each kind to partial[chunk] (an i64 for each).
//   combine(frame, chunks)          sequential: reduce: folds partial[0 …] from left to right into
//                                   the results; scan: replaces partial[c] by the carry into chunk
//                                   c; histogram: folds private bins into the destination;
//                                   partition: replaces partial[c] by where the chunk's elements of
//                                   each kind begin, and writes the result's numbers.
//   finish(frame, begin, end, chunk) scan: recomputes the body for [begin, end) and writes the
//                                   prefixes, beginning with the carry (partial[chunk]).  With a
//                                   post it runs that instead: its maps are written, its
//                                   reductions leave the chunk's value in partial[chunk].
//                                   Partition: recomputes the body and writes the values.
//   conclude(frame, chunks)         sequential, at the end: as `combine`, of what posts have left
//                                   (in one chunk alone, `run` has).
//   deal(frame, begin, end, slot)   histograms of which the order of a bin's updates alone shows:
//                                   instead of `run`: the updates (bin, values) of [begin, end) go
//                                   to the slot's lists, to the list of the share that has the bin
//   accumulate(frame, begin, end, share) a share's updates in the slots [begin, end), in order,
//                                   are combined into the destination
// Reductions and scans whose order shows (lang/primitives/fold_order.h) have partial values of
// their own: one for each unit of `fold_unit` elements, which is 1 (the elements themselves;
// reductions of scalars only), a row or a block (scans: always).  Element i is in unit (i -
// fold_begin) / fold_unit. `combine` then folds `fold_units` of them in that order; of scans it
// leaves the carry into unit u in partial[u], for u from 1 on, and `finish` begins with that of its
// first unit.  Chunks begin at units; their numbers mean nothing here. A sequential kernel (no SOAC
// at the top) has `run` alone, called once as run(frame, 0, 1, 0).
//
// All return 0, or 1 where a check failed (noted in the frame) or the epoch word changed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sinter::jit {

struct FailureNote; ///< what a place keeps of checks that failed

/// Bins are in shares, in turns of so many bins (2 to this power): a share's lie all over the
/// destination, as often updated bins may lie together.
inline constexpr unsigned bins_of_turn_log2 = 8;
/// A list of updates: their number (i64), from this byte on the bins (i32), then a destination's
/// values after the other, of each as many as there is room for.
inline constexpr std::int64_t update_list_header = 64;
/// Updates that there is more room for than a chunk has; room is a multiple of it.
inline constexpr std::int64_t update_list_slack = 64;

/// What generated code sees.  Words: a scalar parameter is one word (its bits, zero- or
/// sign-extended as Scalar has them); an array parameter is a data pointer (of its first element),
/// then its strides in elements, one word each.  Extents are scalar parameters of the function.
/// Array results: a data pointer, row-major, allocated by the launcher (for a result that is a
/// consumed destination: the destination's own pointer and strides).  Scalar results: one word that
/// the code fills in.
struct KernelFrame {
  const std::uint64_t* arguments = nullptr;
  std::uint64_t* results = nullptr;
  /// For each body result that belongs to a reduce, scan, histogram, filter or partition group
  /// (of the last two: one, the counts), in order: where chunk 0's storage begins, and the bytes
  /// between chunks.
  std::byte* const* partials = nullptr;
  const std::int64_t* partial_strides = nullptr;
  std::int64_t chunks = 1;
  /// Whether (1, or 0) the results are larger than the caches and their old contents are in none:
  /// whole vectors of them are then stored past the caches, which saves reading the old contents.
  /// Such stores are in no order with others: the caller sees to that.
  std::int64_t streams_results = 0;
  /// See above.
  std::int64_t fold_unit = 1, fold_begin = 0, fold_units = 0;
  /// Lists of updates, slot after slot, of each share after share: a power of two of those.
  std::byte* update_lists = nullptr;
  std::int64_t shares = 1, update_list_room = 0;
  const std::atomic<std::uint32_t>* epoch = nullptr; ///< never null
  std::uint64_t start_epoch = 0;
  FailureNote* failure = nullptr;
  /// Scratch memory of the running thread for arrays inside bodies.
  void* arena = nullptr;
  /// Whether (1, or 0) unit 0 is the first of all; else it is what has been carried in.
  std::int64_t begins_fold = 1;
};

using RunFunction = std::int64_t (*)(KernelFrame*, std::int64_t begin, std::int64_t end,
                                     std::int64_t chunk);
using CombineFunction = std::int64_t (*)(KernelFrame*, std::int64_t chunks);

} // namespace sinter::jit
