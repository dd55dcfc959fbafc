// Pieces of a map of reductions as functions of its module: an element of a segment, and what
// becomes of the segment's values.
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

  const FoldSet& folds() const { return folds_; } ///< of the reduction, all of its groups

  /// The element at a position (i64); where the condition (i1) does not hold, zeros.
  Components element(EntryBuilder& entry, const SegmentIndices& segment, llvm::Value* position,
                     llvm::Value* condition) const;
  /// Stores the results of a segment with such reduced values.
  void finish(EntryBuilder& entry, const SegmentIndices& segment, const Components& values) const;

private:
  /// Calls `body` where a segment's element is bound, for each of the maps, and what stands before
  /// the reduction has been done.
  void at_segment(EnteredFunction& entered, const std::function<void()>& body) const;
  ElementFunction make_element(const KernelAround& around) const;
  llvm::Function* make_finish(const KernelAround& around) const;

  const ir::Function& function_;
  const SegmentNest& nest_;
  FoldSet folds_;
  ElementFunction element_;
  llvm::Function* finish_ = nullptr;
};

} // namespace sinter::gpu
