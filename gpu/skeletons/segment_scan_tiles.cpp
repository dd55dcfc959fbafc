#include "gpu/skeletons/segment_scan_tiles.h"

#include "gpu/skeletons/row_tiles.h"
#include "gpu/skeletons/segment_tile_code.h"
#include "lang/primitives/fold_order.h"

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;
using primitives::rows_in_block;

namespace {

constexpr const char *carries_entry = "carries", *prefixes_entry = "prefixes";

class PrefixesEntry {
public:
  PrefixesEntry(jit::KernelModule& kernel, WordCounts counts, const SegmentFunctions& functions,
                std::size_t rank)
      : functions_(functions), folds_(functions.folds()), entry_(kernel, prefixes_entry, counts),
        b_(entry_.b), tile_(entry_, functions, rank, BodyFunctions::Maps::Stored) {}

  EntryPoint run() {
    const Components neutral = folds_.neutral(entry_);
    const RunningValues block = folds_.running(entry_, neutral);
    const RunningValues blocks = folds_.running(entry_, neutral);
    tile_.for_each_item([&](const SegmentTileCode::Item& item) {
      begin_item(item, blocks);
      tile_.for_each_piece(item, [&] {
        tile_.fold_rows(
            [&](const SegmentTileCode::Place& row, const RunningValues& sum) {
              tile_.set_total(row.line, folds_.get(entry_, sum));
            },
            [&](Value* place, const RunningValues& sum) {
              tile_.set_element(place, folds_.get(entry_, sum));
            });
        entry_.barrier();
        b_.if_then(item.owns, [&] { set_left_of_rows(block, blocks); });
        entry_.barrier();
        store_prefixes();
        entry_.barrier(); // before the next piece's elements
      });
    });
    return entry_.finish();
  }

private:
  /// What stands before a block of the order, where that is an item.
  void begin_item(const SegmentTileCode::Item& item, const RunningValues& blocks) {
    Value* const has_carry = b_.ir.CreateAnd(item.owns, b_.ir.CreateICmpSGT(item.chunk, b_.i64(0)));
    b_.if_then(has_carry, [&] {
      Value* const first =
          b_.ir.CreateMul(item.segment, segment_word(entry_, SegmentWord::TotalsOfSegment));
      folds_.set(entry_, blocks, folds_.load_areas(entry_, 0, b_.ir.CreateAdd(first, item.chunk)));
    });
  }

  /// By the thread of a segment: what stands before each of its rows in the tile takes the place of
  /// the row's total.  `blocks`: of the blocks of the order before, `block`: of the one at hand.
  void set_left_of_rows(const RunningValues& block, const RunningValues& blocks) {
    Value* const own = entry_.wide(AbstractFunction::thread_index);
    b_.loop(b_.i64(0), tile_.rows_of_tile(), 1, [&](Value* i) {
      Value* const row = b_.ir.CreateAdd(tile_.first_row(), i);
      Value* const line = tile_.line_of_row(own, i);
      const Components total = tile_.total(line);
      Value* const in_block = b_.ir.CreateAnd(row, b_.i64(rows_in_block - 1));
      Value* const has_blocks = b_.ir.CreateICmpSGE(row, b_.i64(rows_in_block));
      b_.if_then_else(
          b_.ir.CreateICmpEQ(in_block, b_.i64(0)),
          [&] {
            tile_.set_total(line,
                            folds_.get(entry_, blocks)); // (Of the first row nobody reads it.)
            folds_.set(entry_, block, total);
          },
          [&] {
            const RunningValues left = folds_.running(entry_, folds_.get(entry_, block));
            b_.if_then(has_blocks, [&] {
              folds_.set(
                  entry_, left,
                  folds_.combined(entry_, folds_.get(entry_, blocks), folds_.get(entry_, block)));
            });
            tile_.set_total(line, folds_.get(entry_, left));
            folds_.fold(entry_, block, total);
          });
      b_.if_then(b_.ir.CreateICmpEQ(in_block, b_.i64(rows_in_block - 1)), [&] {
        folds_.begin_or_fold(entry_, b_.ir.CreateNot(has_blocks), blocks,
                             folds_.get(entry_, block));
      });
    });
  }

  void store_prefixes() {
    tile_.for_each_element([&](const SegmentTileCode::Place& element, Value* place) {
      const RunningValues prefix = folds_.running(entry_, tile_.element_at(place));
      b_.if_then(b_.ir.CreateICmpSGT(element.row, b_.i64(0)), [&] {
        folds_.set(entry_, prefix,
                   folds_.combined(entry_, tile_.total(element.line), folds_.get(entry_, prefix)));
      });
      Value* const first = b_.ir.CreateMul(element.segment, tile_.number(SegmentNumber::Length));
      functions_.store_prefixes(entry_, b_.ir.CreateAdd(first, tile_.position_in_segment(element)),
                                folds_.get(entry_, prefix));
    });
  }

  const SegmentFunctions& functions_;
  const FoldSet& folds_;
  EntryBuilder entry_;
  LaneBuilder& b_;
  SegmentTileCode tile_;
};

EntryPoint carries_of_segments(jit::KernelModule& kernel, WordCounts counts, const FoldSet& folds) {
  EntryBuilder entry(kernel, carries_entry, counts);
  const SharedRows layout(folds.types());
  Value* const totals = segment_word(entry, SegmentWord::TotalsOfSegment);
  entry.for_each(entry.wide(AbstractFunction::block_index_x),
                 segment_word(entry, SegmentWord::Segments),
                 entry.wide(AbstractFunction::grid_size_x), [&](Value* segment) {
                   fold_totals(entry, folds, layout, totals, entry.b.i64(1), Carries::Left,
                               entry.b.ir.CreateMul(segment, totals));
                 });
  return entry.finish();
}

} // namespace

LaunchPlan plan_segment_scan(const SegmentTiles& tiles, const LaunchSizes& sizes,
                             const std::vector<ElementType>& types) {
  LaunchPlan plan;
  const LaunchStep totals = tiles.add_to(plan, sizes, types);
  if (tiles.totals == SegmentTotals::Blocks) {
    plan.steps.push_back(totals);
    LaunchStep carries{carries_entry, shape_of_totals(types, tiles.items_of_group())};
    carries.shape.blocks = shape_for_blocks(sizes, tiles.segments).blocks;
    plan.steps.push_back(std::move(carries));
  }
  plan.steps.push_back({prefixes_entry, totals.shape});
  return plan;
}

std::vector<EntryPoint> segment_scan_entries(jit::KernelModule& kernel,
                                             const ir::Function& function,
                                             const SegmentFunctions& functions, std::size_t rank) {
  const WordCounts counts = segment_tile_words(function, functions);
  std::vector<EntryPoint> result;
  result.push_back(segments_of_tiles(kernel, function, functions, rank, SegmentResults::Totals));
  result.push_back(carries_of_segments(kernel, counts, functions.folds()));
  result.push_back(PrefixesEntry(kernel, counts, functions, rank).run());
  return result;
}

} // namespace sinter::gpu
