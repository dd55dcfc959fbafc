#include "gpu/skeletons/segment_tiles.h"

#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <bit>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;
using primitives::row_length;
using primitives::rows_in_block;

namespace {

constexpr const char* segments_entry = "segments";
constexpr std::int64_t most_elements_of_tile = 4096;
/// Of shared memory; several blocks share a multiprocessor's.
constexpr std::int64_t most_bytes_of_tile = 36 << 10;
constexpr std::int64_t row_bits_of_order = std::countr_zero(std::uint64_t{row_length});

/// Behind a SegmentWord each.
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
  All
};

/// Elements in shared memory, one more for each row (SharedRows says why), and totals behind them.
struct TileMemory {
  explicit TileMemory(const std::vector<ElementType>& types) {
    const std::int64_t count = elements_of_segment_tile(types);
    elements = component_arrays(types, count + (count >> least_position_bits));
    totals = component_arrays(types, count >> least_position_bits);
  }
  ComponentArrays elements, totals;
};

class SegmentEntries {
public:
  SegmentEntries(jit::KernelModule& kernel, const ir::Function& function,
                 const SegmentFunctions& functions, std::size_t rank)
      : kernel_(kernel), functions_(functions), folds_(functions.folds()), rank_(rank),
        counts_(word_counts(function, folds_.size(), static_cast<std::size_t>(SegmentNumber::All))),
        memory_(folds_.types()) {}

  EntryPoint segments();
  EntryPoint fold_segments() { return fold_segments_entry(kernel_, counts_, functions_, rank_); }

private:
  /// An item, and a piece of it; the thread's own values.
  struct Tile {
    Value *first_segment = nullptr, *first_row = nullptr, *shared = nullptr;
  };
  /// Where an element, or a row, of a tile belongs.
  struct Place {
    Value *segment = nullptr, *row = nullptr; ///< of all
    Value* line = nullptr;                    ///< of the tile
    Value* position = nullptr;                ///< in the row
  };

  static Value* number(EntryBuilder& entry, SegmentNumber which) {
    return entry.number(static_cast<unsigned>(which));
  }
  static Value* power(EntryBuilder& entry, SegmentNumber bits) {
    return entry.b.ir.CreateShl(entry.b.i64(1), number(entry, bits));
  }
  static Value* leaves(EntryBuilder& entry, SegmentTotals totals) {
    return entry.b.ir.CreateICmpEQ(number(entry, SegmentNumber::Totals),
                                   entry.b.i64(static_cast<std::int64_t>(totals)));
  }
  Value* total_place(EntryBuilder& entry, const Tile& tile) const {
    return entry.b.ir.CreateConstGEP1_64(entry.b.ir.getInt8Ty(), tile.shared,
                                         static_cast<std::uint64_t>(memory_.elements.bytes));
  }
  SegmentIndices indices_of(EntryBuilder& entry, Value* segment) const {
    return segment_indices(entry, rank_, segment);
  }
  Place place_of(EntryBuilder& entry, const Tile& tile, Value* number_in_tile) const;
  Place line_of(EntryBuilder& entry, const Tile& tile, Value* line) const;
  void compute_elements(EntryBuilder& entry, const Tile& tile, Value* is_calm) const;
  void fold_rows(EntryBuilder& entry, const Tile& tile) const;
  void fold_totals_of_rows(EntryBuilder& entry, const Tile& tile, const RunningValues& block,
                           const RunningValues& blocks) const;
  void end_item(EntryBuilder& entry, Value* segment, Value* chunk, const RunningValues& block,
                const RunningValues& blocks) const;

  jit::KernelModule& kernel_;
  const SegmentFunctions& functions_;
  const FoldSet& folds_;
  std::size_t rank_;
  WordCounts counts_;
  TileMemory memory_;
};

SegmentEntries::Place SegmentEntries::line_of(EntryBuilder& entry, const Tile& tile,
                                              Value* line) const {
  LaneBuilder& b = entry.b;
  Value* const in_group =
      b.ir.CreateAnd(line, b.ir.CreateSub(power(entry, SegmentNumber::SegmentBits), b.i64(1)));
  Value* const row = b.ir.CreateLShr(line, number(entry, SegmentNumber::SegmentBits));
  return {b.ir.CreateAdd(tile.first_segment, in_group), b.ir.CreateAdd(tile.first_row, row), line,
          nullptr};
}

SegmentEntries::Place SegmentEntries::place_of(EntryBuilder& entry, const Tile& tile,
                                               Value* number_in_tile) const {
  LaneBuilder& b = entry.b;
  const auto field = [&](SegmentNumber shift, SegmentNumber bits) {
    return b.ir.CreateAnd(b.ir.CreateLShr(number_in_tile, number(entry, shift)),
                          b.ir.CreateSub(power(entry, bits), b.i64(1)));
  };
  Value* const segment = field(SegmentNumber::SegmentShift, SegmentNumber::SegmentBits);
  Value* const row = field(SegmentNumber::RowShift, SegmentNumber::RowBits);
  Value* const line =
      b.ir.CreateAdd(b.ir.CreateShl(row, number(entry, SegmentNumber::SegmentBits)), segment);
  return {b.ir.CreateAdd(tile.first_segment, segment), b.ir.CreateAdd(tile.first_row, row), line,
          field(SegmentNumber::PositionShift, SegmentNumber::PositionBits)};
}

void SegmentEntries::compute_elements(EntryBuilder& entry, const Tile& tile, Value* is_calm) const {
  LaneBuilder& b = entry.b;
  Value* const threads = entry.wide(AbstractFunction::block_size);
  Value* const end = b.ir.CreateShl(power(entry, SegmentNumber::SegmentBits),
                                    b.ir.CreateAdd(number(entry, SegmentNumber::RowBits),
                                                   number(entry, SegmentNumber::PositionBits)));
  struct Computed {
    Value *is_there, *place;
    Components values;
  };
  entry.for_each(
      entry.wide(AbstractFunction::thread_index), end,
      b.ir.CreateMul(threads, b.i64(functions_.elements_at_once())), [&](Value* first) {
        std::vector<Computed> computed;
        for (std::int64_t i = 0; i < functions_.elements_at_once(); ++i) {
          Value* const in_tile = b.ir.CreateAdd(first, b.ir.CreateMul(threads, b.i64(i)));
          const Place place = place_of(entry, tile, in_tile);
          Value* const position =
              b.ir.CreateAdd(b.ir.CreateShl(place.row, row_bits_of_order), place.position);
          Value* const is_there = b.ir.CreateAnd(
              {is_calm, b.ir.CreateICmpSLT(in_tile, end),
               b.ir.CreateICmpSLT(position, number(entry, SegmentNumber::Length)),
               b.ir.CreateICmpSLT(place.segment, segment_word(entry, SegmentWord::Segments))});
          Value* const in_memory = b.ir.CreateAdd(
              b.ir.CreateAdd(b.ir.CreateShl(place.line, number(entry, SegmentNumber::PositionBits)),
                             place.line),
              place.position);
          computed.push_back(
              {is_there, in_memory,
               functions_.element(entry, indices_of(entry, place.segment), position, is_there)});
        }
        for (const Computed& one : computed)
          b.if_then(one.is_there, [&] {
            folds_.store(entry, tile.shared, memory_.elements, one.place, one.values);
          });
      });
}

void SegmentEntries::fold_rows(EntryBuilder& entry, const Tile& tile) const {
  LaneBuilder& b = entry.b;
  Value* const lines = b.ir.CreateShl(power(entry, SegmentNumber::SegmentBits),
                                      number(entry, SegmentNumber::RowBits));
  entry.for_each_of_block(b.i64(0), lines, [&](Value* line) {
    const Place place = line_of(entry, tile, line);
    Value* const is_there = b.ir.CreateAnd(
        b.ir.CreateICmpSLT(place.row, number(entry, SegmentNumber::Rows)),
        b.ir.CreateICmpSLT(place.segment, segment_word(entry, SegmentWord::Segments)));
    b.if_then(is_there, [&] {
      Value* const begin =
          b.ir.CreateAdd(b.ir.CreateShl(line, number(entry, SegmentNumber::PositionBits)), line);
      Value* const length = b.lesser_of(
          b.i64(row_length), b.ir.CreateSub(number(entry, SegmentNumber::Length),
                                            b.ir.CreateShl(place.row, row_bits_of_order)));
      const RunningValues sum = folds_.running(entry, folds_.neutral(entry));
      folds_.fold_in_order(entry, sum, begin, b.ir.CreateAdd(begin, length), [&](Value* i) {
        return folds_.load(entry, tile.shared, memory_.elements, i);
      });
      b.if_then_else(
          leaves(entry, SegmentTotals::Rows),
          [&] {
            Value* const first = b.ir.CreateMul(place.segment, number(entry, SegmentNumber::Rows));
            folds_.store_areas(entry, 0, b.ir.CreateAdd(first, place.row), folds_.get(entry, sum));
          },
          [&] {
            folds_.store(entry, total_place(entry, tile), memory_.totals, line,
                         folds_.get(entry, sum));
          });
    });
  });
}

/// By the thread of its segment; a tile has no rows of two blocks of the order.
void SegmentEntries::fold_totals_of_rows(EntryBuilder& entry, const Tile& tile,
                                         const RunningValues& block,
                                         const RunningValues& blocks) const {
  LaneBuilder& b = entry.b;
  Value* const own = entry.wide(AbstractFunction::thread_index);
  const auto total = [&](Value* row) {
    Value* const line =
        b.ir.CreateAdd(b.ir.CreateShl(row, number(entry, SegmentNumber::SegmentBits)), own);
    return folds_.load(entry, total_place(entry, tile), memory_.totals, line);
  };
  Value* const begins_block =
      b.ir.CreateICmpEQ(b.ir.CreateAnd(tile.first_row, b.i64(rows_in_block - 1)), b.i64(0));
  b.if_then(b.ir.CreateAnd(begins_block, b.ir.CreateICmpSGT(tile.first_row, b.i64(0))), [&] {
    folds_.begin_or_fold(entry, b.ir.CreateICmpEQ(tile.first_row, b.i64(rows_in_block)), blocks,
                         folds_.get(entry, block));
  });
  folds_.begin_or_fold(entry, begins_block, block, total(b.i64(0)));
  Value* const count =
      b.lesser_of(power(entry, SegmentNumber::RowBits),
                  b.ir.CreateSub(number(entry, SegmentNumber::Rows), tile.first_row));
  folds_.fold_in_order(entry, block, b.i64(1), count, total);
}

void SegmentEntries::end_item(EntryBuilder& entry, Value* segment, Value* chunk,
                              const RunningValues& block, const RunningValues& blocks) const {
  LaneBuilder& b = entry.b;
  b.if_then_else(
      leaves(entry, SegmentTotals::Blocks),
      [&] {
        Value* const first =
            b.ir.CreateMul(segment, segment_word(entry, SegmentWord::TotalsOfSegment));
        folds_.store_areas(entry, 0, b.ir.CreateAdd(first, chunk), folds_.get(entry, block));
      },
      [&] {
        Value* const has_blocks =
            b.ir.CreateICmpSGT(number(entry, SegmentNumber::Rows), b.i64(rows_in_block));
        b.if_then(has_blocks, [&] {
          folds_.fold(entry, blocks, folds_.get(entry, block));
          folds_.set(entry, block, folds_.get(entry, blocks));
        });
        functions_.finish(entry, indices_of(entry, segment), folds_.get(entry, block));
      });
}

EntryPoint SegmentEntries::segments() {
  EntryBuilder entry(kernel_, segments_entry, counts_);
  LaneBuilder& b = entry.b;
  Tile tile;
  tile.shared = entry.call(AbstractFunction::shared_memory);
  const Components neutral = folds_.neutral(entry);
  const RunningValues block = folds_.running(entry, neutral);
  const RunningValues blocks = folds_.running(entry, neutral);
  const jit::Variable is_calm = b.variable(ElementType::Bool, jit::Shape::Uniform);
  b.set(is_calm, b.uniform(b.ir.getTrue(), ElementType::Bool));
  Value* const own = entry.wide(AbstractFunction::thread_index);
  entry.for_each(
      entry.wide(AbstractFunction::block_index_x), number(entry, SegmentNumber::Items),
      entry.wide(AbstractFunction::grid_size_x), [&](Value* item) {
        Value* const items = number(entry, SegmentNumber::ItemsOfGroup);
        Value* const group = quotient_below_2_31(entry, item, items);
        Value* const chunk = b.ir.CreateSub(item, b.ir.CreateMul(group, items));
        tile.first_segment = b.ir.CreateShl(group, number(entry, SegmentNumber::SegmentBits));
        Value* const segment = b.ir.CreateAdd(tile.first_segment, own);
        Value* const owns = b.ir.CreateAnd(
            {b.ir.CreateNot(leaves(entry, SegmentTotals::Rows)),
             b.ir.CreateICmpSLT(own, power(entry, SegmentNumber::SegmentBits)),
             b.ir.CreateICmpSLT(segment, segment_word(entry, SegmentWord::Segments))});
        Value* const pieces = number(entry, SegmentNumber::PiecesOfItem);
        Value* const first_piece = b.ir.CreateMul(chunk, pieces);
        b.loop(
            first_piece,
            b.lesser_of(b.ir.CreateAdd(first_piece, pieces), number(entry, SegmentNumber::Pieces)),
            1, [&](Value* piece) {
              b.set(is_calm, b.uniform(b.ir.CreateAnd(b.get(is_calm).value, entry.may_go_on()),
                                       ElementType::Bool));
              tile.first_row = b.ir.CreateShl(piece, number(entry, SegmentNumber::RowBits));
              compute_elements(entry, tile, b.get(is_calm).value);
              entry.barrier();
              fold_rows(entry, tile);
              entry.barrier();
              b.if_then(owns, [&] { fold_totals_of_rows(entry, tile, block, blocks); });
            });
        b.if_then(owns, [&] { end_item(entry, segment, chunk, block, blocks); });
      });
  return entry.finish();
}

} // namespace

std::int64_t elements_of_segment_tile(const std::vector<ElementType>& types) {
  std::int64_t count = most_elements_of_tile;
  while (count > row_length && component_arrays(types, count).bytes > most_bytes_of_tile)
    count /= 2;
  return count;
}

std::int64_t SegmentTiles::rows() const {
  return divided_up(length, row_length);
}

LaunchPlan SegmentTiles::plan(const LaunchSizes& sizes,
                              const std::vector<ElementType>& types) const {
  LaunchPlan plan;
  const unsigned segment_shift = is_by_columns ? 0 : position_bits + row_bits;
  const unsigned position_shift = is_by_columns ? segment_bits : 0;
  const unsigned row_shift = position_bits + (is_by_columns ? segment_bits : 0);
  plan.numbers = segment_words(segments, inner, totals_of_segment(),
                               totals == SegmentTotals::Blocks ? 1 : rows_in_block);
  for (const std::int64_t number :
       {length, rows(), std::int64_t{segment_bits}, std::int64_t{row_bits},
        std::int64_t{position_bits}, std::int64_t{segment_shift}, std::int64_t{row_shift},
        std::int64_t{position_shift}, pieces(), pieces_of_item, items_of_group(), items(),
        static_cast<std::int64_t>(totals)})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  const std::int64_t left =
      totals == SegmentTotals::None ? 0 : saturating_product(segments, totals_of_segment());
  for (const ElementType type : types)
    plan.areas.push_back(
        {saturating_product(left, static_cast<std::int64_t>(byte_size(type))), {}});
  const std::int64_t elements = std::int64_t{1} << (segment_bits + row_bits + position_bits);
  const TileMemory memory(types);
  LaunchShape shape = shape_for_blocks(
      sizes, items(),
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(elements, warp_size, usual_threads)));
  shape.shared_bytes = static_cast<std::uint32_t>(memory.elements.bytes + memory.totals.bytes);
  plan.steps.push_back({segments_entry, shape});
  if (totals == SegmentTotals::None) return plan;
  const std::int64_t values =
      totals == SegmentTotals::Blocks ? pieces() : divided_up(rows(), rows_in_block);
  plan.steps.push_back(fold_segments_step(sizes, types, segments, values));
  return plan;
}

std::vector<EntryPoint> segment_tile_entries(jit::KernelModule& kernel,
                                             const ir::Function& function,
                                             const SegmentFunctions& functions, std::size_t rank) {
  SegmentEntries entries(kernel, function, functions, rank);
  std::vector<EntryPoint> result;
  result.push_back(entries.segments());
  result.push_back(entries.fold_segments());
  return result;
}

} // namespace sinter::gpu
