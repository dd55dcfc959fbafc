// What entry points over tiles of segments' rows (segment_tiles.h) do alike: which elements and
// rows a tile has, its elements in shared memory, its rows folded by threads that each own one.
#pragma once

#include "gpu/skeletons/segment_functions.h"
#include "gpu/skeletons/segment_tiles.h"

#include <functional>

namespace sinter::gpu {

/// What they are told, behind a SegmentWord each.
enum class SegmentNumber : unsigned {
  Length = static_cast<unsigned>(SegmentWord::Count),
  Rows,
  SegmentBits,
  RowBits,
  PositionBits,
  SegmentShift,
  RowShift,
  PositionShift,
  Pieces,
  PiecesOfItem,
  ItemsOfGroup,
  Items,
  Totals,
  IsWide,
  All
};

/// Elements in shared memory, one more for each row (SharedRows says why), and totals behind them.
struct SegmentTileMemory {
  explicit SegmentTileMemory(const std::vector<ElementType>& types);
  ComponentArrays elements, totals;
  std::int64_t bytes() const { return elements.bytes + totals.bytes; }
};

class SegmentTileCode {
public:
  SegmentTileCode(EntryBuilder& entry, const SegmentFunctions& functions, std::size_t rank,
                  BodyFunctions::Maps maps);

  /// Where an element, or a row, of a tile belongs.
  struct Place {
    llvm::Value *segment = nullptr, *row = nullptr; ///< of all
    llvm::Value* line = nullptr;                    ///< of the tile
    llvm::Value* position = nullptr;                ///< in the row
  };
  /// What a block does at once: `chunk` (i64) of a group of segments; the segment that the thread
  /// has of it, if `owns` (i1).
  struct Item {
    llvm::Value *chunk = nullptr, *segment = nullptr, *owns = nullptr;
  };

  llvm::Value* number(SegmentNumber which) const;
  llvm::Value* power(SegmentNumber bits) const;
  llvm::Value* leaves(SegmentTotals totals) const; ///< i1
  SegmentIndices indices_of(llvm::Value* segment) const;

  void for_each_item(const std::function<void(const Item&)>& body);
  /// The item's tiles: their elements are in shared memory when `body` is called.
  void for_each_piece(const Item& item, const std::function<void()>& body);

  /// Within that: each row in the order of its elements; `after`: after each of them, whose place
  /// in shared memory it is given.
  void fold_rows(
      const std::function<void(const Place& row, const RunningValues& sum)>& done,
      const std::function<void(llvm::Value* place, const RunningValues& sum)>& after = {}) const;
  /// Each element, by threads that have neighbours in a row.
  void
  for_each_element(const std::function<void(const Place& element, llvm::Value* place)>& body) const;
  llvm::Value* first_row() const { return first_row_; } ///< of the tile, in its segments
  llvm::Value* rows_of_tile() const;                    ///< at most so many
  llvm::Value* line_of_row(llvm::Value* segment_in_tile, llvm::Value* row_in_tile) const;
  llvm::Value* position_in_segment(const Place& element) const;
  Components element_at(llvm::Value* place) const;
  void set_element(llvm::Value* place, const Components& values) const;
  Components total(llvm::Value* line) const;
  void set_total(llvm::Value* line, const Components& values) const;

private:
  Place line_of(llvm::Value* line) const;
  Place place_of(llvm::Value* number_in_tile) const; ///< in the order of reading
  Place place_by_rows(llvm::Value* number_in_tile) const;
  llvm::Value* is_there(const Place& element) const;
  llvm::Value* begin_of(llvm::Value* line) const; ///< its place in shared memory
  llvm::Value* elements_of_tile() const;
  llvm::Value* totals() const;
  void compute_elements();
  void compute_each();
  void compute_wide();
  template <typename Elements>
  void compute_by(std::int64_t width, std::int64_t at_once, Elements&& elements);

  EntryBuilder& entry_;
  const SegmentFunctions& functions_;
  const FoldSet& folds_;
  std::size_t rank_;
  BodyFunctions::Maps maps_;
  SegmentTileMemory memory_;
  llvm::Value *shared_, *first_segment_ = nullptr, *first_row_ = nullptr;
  jit::Variable is_calm_;
};

} // namespace sinter::gpu
