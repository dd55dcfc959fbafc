// Rows of elements in shared memory, by which folds whose order shows go
// (lang/primitives/fold_order.h): computed by threads beside each other, folded by threads that
// each own a row.
#pragma once

#include "gpu/skeletons/fold_set.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::gpu {

/// How values lie in a block's shared memory.  An element more lies between rows, as threads that
/// each read a row would all ask the same bank for its elements.
struct SharedRows {
  /// `most_bytes`: of the elements.
  explicit SharedRows(const std::vector<ElementType>& types,
                      std::int64_t most_bytes = most_bytes_of_rows);
  /// Several blocks share a multiprocessor's.
  static constexpr std::int64_t most_bytes_of_rows = 36 << 10;
  std::int64_t at_once = 0;  ///< rows
  ComponentArrays elements;  ///< of these rows
  ComponentArrays totals;    ///< behind them, one for each row of a block of the order
  ComponentArrays of_blocks; ///< instead of all that, where one block folds others' totals

  std::int64_t bytes() const { return elements.bytes + totals.bytes; }
};

/// Rows as one entry point computes them.  Indices and numbers of rows are i64.
class RowTiles {
public:
  /// `element` has the components of `folds`.
  RowTiles(EntryBuilder& entry, const FoldSet& folds, const ElementFunction& element,
           const SharedRows& layout, llvm::Value* count);

  llvm::Value* rows() const { return rows_; } ///< of all elements
  /// A look whether the thread is to go on; it computes no more if not, or where a check failed.
  void look();
  /// Rows [begin, end), one after the other, some at a time: their elements are in shared memory
  /// when `body` is called for rows [first, last) of these.  Barriers stand around it.
  void for_some_rows(llvm::Value* begin, llvm::Value* end,
                     const std::function<void(llvm::Value* first, llvm::Value* last)>& body);
  /// Within that, each thread a row, from the neutral element on; `after`: after each element,
  /// whose place in shared memory it is given.
  void
  fold_rows(llvm::Value* first, llvm::Value* last,
            const std::function<void(llvm::Value* row, const RunningValues& sum)>& done,
            const std::function<void(llvm::Value* place, const RunningValues& sum)>& after = {});
  /// Within that: each index and its place, by threads beside each other.
  void for_each_index(llvm::Value* first, llvm::Value* last,
                      const std::function<void(llvm::Value* index, llvm::Value* place)>& body);
  Components element_at(llvm::Value* place) const;
  void set_element(llvm::Value* place, const Components& values) const;
  Components total(llvm::Value* number) const; ///< of a row, by its number in the tile
  void set_total(llvm::Value* number, const Components& values) const;
  /// All of so many totals, from the left, by one thread.
  RunningValues fold_block(llvm::Value* rows) const;

private:
  void calm_if(llvm::Value* condition);
  /// Leaves `count` elements, a multiple of the lanes, from the index `begin` of a row on.
  void compute_wide(llvm::Value* begin, llvm::Value* count);
  llvm::Value* place_of(llvm::Value* number) const; ///< by an element's number in these rows
  llvm::Value* begin_of(llvm::Value* row) const;
  llvm::Value* end_of(llvm::Value* row) const; ///< of the row before
  llvm::Value* totals() const;

  EntryBuilder& entry_;
  const FoldSet& folds_;
  const ElementFunction& element_;
  const SharedRows& layout_;
  llvm::Value *count_, *rows_, *shared_, *may_be_wide_;
  jit::Variable is_calm_;
};

/// Folds `totals` values (i64) of areas from the left, in one block, whose first thread has the
/// result.  `in_one`: so many (i64) come to one by themselves first.  `Left`: what stands before a
/// value takes its place, and anything that of the first; `in_one` is 1.  `first` (i64): where they
/// begin; null: with the first one there.
enum class Carries : bool { None, Left };
RunningValues fold_totals(EntryBuilder& entry, const FoldSet& folds, const SharedRows& layout,
                          llvm::Value* totals, llvm::Value* in_one, Carries carries,
                          llvm::Value* first = nullptr);
/// The shape of that.
LaunchShape shape_of_totals(const std::vector<ElementType>& types, std::int64_t totals);

} // namespace sinter::gpu
