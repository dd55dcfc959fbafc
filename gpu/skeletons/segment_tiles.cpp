#include "gpu/skeletons/segment_tiles.h"

#include "gpu/skeletons/segment_tile_code.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>

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

class SegmentsEntry {
public:
  SegmentsEntry(jit::KernelModule& kernel, WordCounts counts, const SegmentFunctions& functions,
                std::size_t rank, SegmentResults results)
      : functions_(functions), folds_(functions.folds()), results_(results),
        entry_(kernel, segments_entry, counts), b_(entry_.b),
        tile_(entry_, functions, rank, BodyFunctions::Maps::Left) {}

  EntryPoint run() {
    const Components neutral = folds_.neutral(entry_);
    const RunningValues block = folds_.running(entry_, neutral);
    const RunningValues blocks = folds_.running(entry_, neutral);
    tile_.for_each_item([&](const SegmentTileCode::Item& item) {
      tile_.for_each_piece(item, [&] {
        fold_rows();
        entry_.barrier();
        b_.if_then(item.owns, [&] { fold_totals_of_rows(block, blocks); });
      });
      b_.if_then(item.owns, [&] { end_item(item, block, blocks); });
    });
    return entry_.finish();
  }

private:
  void fold_rows() {
    tile_.fold_rows([&](const SegmentTileCode::Place& row, const RunningValues& sum) {
      b_.if_then_else(
          tile_.leaves(SegmentTotals::Rows),
          [&] {
            Value* const first = b_.ir.CreateMul(row.segment, tile_.number(SegmentNumber::Rows));
            folds_.store_areas(entry_, 0, b_.ir.CreateAdd(first, row.row), folds_.get(entry_, sum));
          },
          [&] { tile_.set_total(row.line, folds_.get(entry_, sum)); });
    });
  }

  /// By the thread of its segment; a tile has no rows of two blocks of the order.
  void fold_totals_of_rows(const RunningValues& block, const RunningValues& blocks) {
    Value* const own = entry_.wide(AbstractFunction::thread_index);
    const auto total = [&](Value* row) { return tile_.total(tile_.line_of_row(own, row)); };
    Value* const first_row = tile_.first_row();
    Value* const begins_block =
        b_.ir.CreateICmpEQ(b_.ir.CreateAnd(first_row, b_.i64(rows_in_block - 1)), b_.i64(0));
    b_.if_then(b_.ir.CreateAnd(begins_block, b_.ir.CreateICmpSGT(first_row, b_.i64(0))), [&] {
      folds_.begin_or_fold(entry_, b_.ir.CreateICmpEQ(first_row, b_.i64(rows_in_block)), blocks,
                           folds_.get(entry_, block));
    });
    folds_.begin_or_fold(entry_, begins_block, block, total(b_.i64(0)));
    folds_.fold_in_order(entry_, block, b_.i64(1), tile_.rows_of_tile(), total);
  }

  void end_item(const SegmentTileCode::Item& item, const RunningValues& block,
                const RunningValues& blocks) {
    const auto leave_total = [&] {
      Value* const first =
          b_.ir.CreateMul(item.segment, segment_word(entry_, SegmentWord::TotalsOfSegment));
      folds_.store_areas(entry_, 0, b_.ir.CreateAdd(first, item.chunk), folds_.get(entry_, block));
    };
    if (results_ == SegmentResults::Totals) return leave_total();
    b_.if_then_else(tile_.leaves(SegmentTotals::Blocks), leave_total, [&] {
      Value* const has_blocks =
          b_.ir.CreateICmpSGT(tile_.number(SegmentNumber::Rows), b_.i64(rows_in_block));
      b_.if_then(has_blocks, [&] {
        folds_.fold(entry_, blocks, folds_.get(entry_, block));
        folds_.set(entry_, block, folds_.get(entry_, blocks));
      });
      functions_.finish(entry_, tile_.indices_of(item.segment), folds_.get(entry_, block));
    });
  }

  const SegmentFunctions& functions_;
  const FoldSet& folds_;
  SegmentResults results_;
  EntryBuilder entry_;
  LaneBuilder& b_;
  SegmentTileCode tile_;
};

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

LaunchStep SegmentTiles::add_to(LaunchPlan& plan, const LaunchSizes& sizes,
                                const std::vector<ElementType>& types) const {
  const unsigned segment_shift = is_by_columns ? 0 : position_bits + row_bits;
  const unsigned position_shift = is_by_columns ? segment_bits : 0;
  const unsigned row_shift = position_bits + (is_by_columns ? segment_bits : 0);
  plan.numbers = segment_words(segments, inner, totals_of_segment(),
                               totals == SegmentTotals::Rows ? rows_in_block : 1);
  for (const std::int64_t number :
       {length, rows(), std::int64_t{segment_bits}, std::int64_t{row_bits},
        std::int64_t{position_bits}, std::int64_t{segment_shift}, std::int64_t{row_shift},
        std::int64_t{position_shift}, pieces(), pieces_of_item, items_of_group(), items(),
        static_cast<std::int64_t>(totals), std::int64_t{is_wide}})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  const std::int64_t left =
      totals == SegmentTotals::None ? 0 : saturating_product(segments, totals_of_segment());
  for (const ElementType type : types)
    plan.areas.push_back(
        {saturating_product(left, static_cast<std::int64_t>(byte_size(type))), {}});
  const std::int64_t elements = std::int64_t{1} << (segment_bits + row_bits + position_bits);
  LaunchStep step{segments_entry, {}};
  step.shape = shape_for_blocks(
      sizes, items(),
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(elements, warp_size, usual_threads)));
  step.shape.shared_bytes = static_cast<std::uint32_t>(SegmentTileMemory(types).bytes());
  return step;
}

LaunchPlan SegmentTiles::plan(const LaunchSizes& sizes,
                              const std::vector<ElementType>& types) const {
  LaunchPlan plan;
  plan.steps.push_back(add_to(plan, sizes, types));
  if (totals == SegmentTotals::None) return plan;
  const std::int64_t values =
      totals == SegmentTotals::Blocks ? pieces() : divided_up(rows(), rows_in_block);
  plan.steps.push_back(fold_segments_step(sizes, types, segments, values));
  return plan;
}

WordCounts segment_tile_words(const ir::Function& function, const SegmentFunctions& functions) {
  return word_counts(function, functions.folds().size(),
                     static_cast<std::size_t>(SegmentNumber::All));
}

EntryPoint segments_of_tiles(jit::KernelModule& kernel, const ir::Function& function,
                             const SegmentFunctions& functions, std::size_t rank,
                             SegmentResults results) {
  return SegmentsEntry(kernel, segment_tile_words(function, functions), functions, rank, results)
      .run();
}

std::vector<EntryPoint> segment_tile_entries(jit::KernelModule& kernel,
                                             const ir::Function& function,
                                             const SegmentFunctions& functions, std::size_t rank) {
  std::vector<EntryPoint> result;
  result.push_back(segments_of_tiles(kernel, function, functions, rank, SegmentResults::Finished));
  result.push_back(
      fold_segments_entry(kernel, segment_tile_words(function, functions), functions, rank));
  return result;
}

} // namespace sinter::gpu
