// Pieces of a map of reductions or scans as functions of its module: an element of a segment, and
// what becomes of the segment's values.
#pragma once

#include "gpu/skeletons/fold_set.h"
#include "gpu/skeletons/segment_nest.h"

#include <vector>

namespace sinter::gpu {

/// A segment: its indices, outermost map first, all i64.
using SegmentIndices = std::vector<llvm::Value*>;

class SegmentFunctions {
public:
  SegmentFunctions(jit::KernelModule& kernel, const ir::Function& function, const SegmentNest& nest,
                   const SkeletonOptions& options);

  const FoldSet& folds() const { return folds_; } ///< of all groups that fold
  /// What a segment's rows begin with; where that is its own, the folds' own does not count.
  Components neutral(EntryBuilder& entry, const SegmentIndices& segment) const;

  /// So many elements of a thread may be on their way from memory: their code is written down for
  /// each of them, and where it is long, memory does not matter.
  std::int64_t elements_at_once() const;
  /// The element at a position (i64); where the condition (i1) does not hold, zeros.
  Components element(EntryBuilder& entry, const SegmentIndices& segment, llvm::Value* position,
                     llvm::Value* condition, BodyFunctions::Maps maps) const;
  /// So many elements may be computed at once, where `are_aligned` says so of the nest's rows; 1:
  /// only one.
  unsigned lanes() const { return element_.wide.lanes; }
  /// So many such accesses of a thread may be on their way.
  std::int64_t accesses_at_once() const;
  /// The elements from a position on, a multiple of that; maps are left.
  std::vector<Components> elements(EntryBuilder& entry, const SegmentIndices& segment,
                                   llvm::Value* position, llvm::Value* condition) const;
  /// Of reductions: stores the results of a segment with such values.
  void finish(EntryBuilder& entry, const SegmentIndices& segment, const Components& values) const;
  /// Of scans: stores prefixes; `place` (i64) counts the elements of all segments.
  void store_prefixes(EntryBuilder& entry, llvm::Value* place, const Components& values) const;

private:
  /// Calls `body` where a segment's element is bound, for each of the maps, and what stands before
  /// the reduction has been done.
  void at_segment(EnteredFunction& entered, const std::function<void()>& body) const;
  std::vector<std::size_t> component_results() const; ///< of the fold's body
  ElementFunction make_neutral(const KernelAround& around) const;
  WideElements make_wide(const KernelAround& around) const;
  ElementFunction make_element(const KernelAround& around, BodyFunctions::Maps maps) const;
  llvm::Function* make_finish(const KernelAround& around) const;
  jit::ArrayView result_array(EnteredFunction& entered, std::size_t result) const;

  const ir::Function& function_;
  const SegmentNest& nest_;
  FoldSet folds_;
  ElementFunction element_, element_with_maps_; ///< the latter where there are maps
  ElementFunction neutral_;                     ///< where it is the segment's own
  llvm::Function* finish_ = nullptr;            ///< of reductions
};

/// What entry points over segments are told first.
enum class SegmentWord : unsigned {
  Segments, ///< of all, below 2^31
  Inner,    ///< extent of the innermost map
  Reciprocal,
  TotalsOfSegment, ///< that the first step leaves, if a second one folds them
  TotalsInOne,     ///< so many of these come to one by themselves
  Count
};
llvm::Value* segment_word(EntryBuilder& entry, SegmentWord which);
/// Values of these.
std::vector<std::uint64_t> segment_words(std::int64_t segments, std::int64_t inner,
                                         std::int64_t totals_of_segment,
                                         std::int64_t totals_in_one);
/// Of a segment by its number, in as many maps.
SegmentIndices segment_indices(EntryBuilder& entry, std::size_t rank, llvm::Value* segment);
/// What quotients of numbers below 2^32 by a divisor from 2 on are made with.
std::uint64_t reciprocal_of(std::int64_t divisor);
llvm::Value* quotient_by_reciprocal(EntryBuilder& entry, llvm::Value* number,
                                    llvm::Value* reciprocal);
/// Of i64 numbers below 2^31.
llvm::Value* quotient_below_2_31(EntryBuilder& entry, llvm::Value* number, llvm::Value* divisor);

/// The second step: a block takes a segment's totals, and stores its results.
EntryPoint fold_segments_entry(jit::KernelModule& kernel, WordCounts counts,
                               const SegmentFunctions& functions, std::size_t rank);
/// Where `values` remain for a segment, when so many totals have come to one.
LaunchStep fold_segments_step(const LaunchSizes& sizes, const std::vector<ElementType>& types,
                              std::int64_t segments, std::int64_t values);

} // namespace sinter::gpu
