// Totals of tiles that one block folds, in order, while the others still compute them: a fold whose
// order shows is one thread's, and takes as long as what it waits for.
//
// Blocks take tiles by tickets, so that tiles are done about in order whichever blocks run at once.
// Nobody waits for the block that folds; and it is the second one that begins, so that what it
// waits for is taken by blocks that run or have ended.  (A block that is to stop computes nothing,
// and comes to the end of its tiles all the same.)
#pragma once

#include "gpu/skeletons/fold_set.h"
#include "gpu/skeletons/row_tiles.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::gpu {

/// How it is planned.
struct RunningTotalsPlan {
  /// Whether there are so many tiles that a block is worth it.  `layout`: of the entry point that
  /// leaves the totals.
  static bool is_worth_it(const LaunchSizes& sizes, const std::vector<ElementType>& types,
                          const SharedRows& layout, std::int64_t tiles);
  /// Adds the area of the words; of a plan without them it is empty.
  static void add_area(LaunchPlan& plan, std::int64_t tiles, bool is_on);
  static constexpr std::size_t area_count = 1;
  /// The shape for `tiles` tiles, from that without a block for their totals.
  static LaunchShape shape(const LaunchSizes& sizes, LaunchShape shape, std::int64_t tiles);
};

/// Of an entry point in which blocks take tiles.
class RunningTotals {
public:
  /// `is_on` (i1): whether a block folds totals, so that the others publish theirs; else blocks go
  /// through tiles as far apart as there are blocks.  Totals are in areas from the first one on,
  /// the words in the area behind them; `layout`: of the shared memory of blocks that take tiles.
  RunningTotals(EntryBuilder& entry, const FoldSet& folds, const SharedRows& layout,
                llvm::Value* is_on);

  /// What a block does: `body` for each of its tiles, or `done` with the fold of all `tiles` totals
  /// in its first thread's `sum`.  `body` calls `take_next`, between two of its barriers.  `Left`:
  /// what stands before a total takes its place, and anything that of the first.
  void for_each_tile(llvm::Value* tiles, Carries carries,
                     const std::function<void(llvm::Value* tile)>& body,
                     const std::function<void(const RunningValues& sum)>& done);
  /// The block takes its next tile while it does something else, if (i1) it has not yet: asking
  /// takes a while.
  void take_next(llvm::Value* is_due, const std::function<void()>& meanwhile);
  /// By the thread that has left a tile's total.
  void publish(llvm::Value* tile);

private:
  RunningValues fold(llvm::Value* tiles, Carries carries);
  void wait_for(llvm::Value* tile);
  llvm::Value* word(llvm::Value* number) const;
  llvm::Value* taken_ticket(std::int64_t counter) const;
  /// Where (i32) a block's threads find its next tile; -1: the block folds.
  llvm::Value* slot() const;
  void set_slot(llvm::Value* tile) const;

  EntryBuilder& entry_;
  const FoldSet& folds_;
  const SharedRows& layout_;
  llvm::Value *is_on_, *shared_;
  jit::Variable tile_; ///< at hand
};

} // namespace sinter::gpu
