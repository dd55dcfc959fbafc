// Scans of scalars in the order of lang/primitives/fold_order.h, and maps beside them.
//
//   totals     a block takes a block of the order, and leaves its total
//   carries    one block: what stands before a block takes the place of its total
//   prefixes   a block computes its elements again; its threads turn rows into prefixes, its first
//              one combines the rows before each, and prefixes go to the results, beside each other
// Where there is but one block of the order, its prefixes are all that is wanted.
#include "gpu/skeletons/folds.h"
#include "gpu/skeletons/row_tiles.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

namespace sinter::gpu {

using llvm::Value;
using primitives::row_length;
using primitives::rows_in_block;

namespace {

constexpr const char *totals_entry = "totals", *carries_entry = "carries",
                     *prefixes_entry = "prefixes";

enum class ScanRowsNumber : unsigned { Count, Blocks, All };

class ScanRowsEntries {
public:
  /// `totals`: of an element function that stores no maps.
  ScanRowsEntries(jit::KernelModule& kernel, const ir::Function& function, const Folds& scans,
                  const ElementFunction& element_alone)
      : kernel_(kernel), scans_(scans), element_alone_(element_alone), folds_(scans.folds),
        counts_(
            word_counts(function, folds_.size(), static_cast<std::size_t>(ScanRowsNumber::All))),
        layout_(folds_.types()) {}

  EntryPoint totals() {
    EntryBuilder entry(kernel_, totals_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    RowTiles tiles(entry, folds_, element_alone_, layout_, number(entry, ScanRowsNumber::Count));
    for_each_block(entry, tiles, [&](Value* block, Value* begin, Value* end) {
      tiles.for_some_rows(begin, end, [&](Value* first, Value* last) {
        tiles.fold_rows(first, last, [&](Value* row, const RunningValues& sum) {
          tiles.set_total(b.ir.CreateSub(row, begin), folds_.get(entry, sum));
        });
      });
      entry.by_first_thread([&] {
        const RunningValues sum = folds_.running(entry, tiles.total(b.i64(0)));
        folds_.fold_in_order(entry, sum, b.i64(1), b.ir.CreateSub(end, begin),
                             [&](Value* i) { return tiles.total(i); });
        folds_.store_areas(entry, 0, block, folds_.get(entry, sum));
      });
    });
    return entry.finish();
  }

  EntryPoint carries() {
    EntryBuilder entry(kernel_, carries_entry, counts_);
    fold_totals(entry, folds_, layout_, number(entry, ScanRowsNumber::Blocks), entry.b.i64(1),
                Carries::Left);
    return entry.finish();
  }

  EntryPoint prefixes() {
    EntryBuilder entry(kernel_, prefixes_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    RowTiles tiles(entry, folds_, scans_.element, layout_, number(entry, ScanRowsNumber::Count));
    // Of the rows of the block at hand so far, by the first thread; what stands before the block.
    const Components neutral = folds_.neutral(entry);
    const RunningValues rows = folds_.running(entry, neutral);
    const RunningValues carry = folds_.running(entry, neutral);
    for_each_block(entry, tiles, [&](Value* block, Value* begin, Value* end) {
      Value* const has_carry = b.ir.CreateICmpSGT(block, b.i64(0));
      b.if_then(has_carry, [&] { folds_.set(entry, carry, folds_.load_areas(entry, 0, block)); });
      tiles.for_some_rows(begin, end, [&](Value* first, Value* last) {
        tiles.fold_rows(
            first, last,
            [&](Value* row, const RunningValues& sum) {
              tiles.set_total(b.ir.CreateSub(row, begin), folds_.get(entry, sum));
            },
            [&](Value* place, const RunningValues& sum) {
              tiles.set_element(place, folds_.get(entry, sum));
            });
        entry.barrier();
        entry.by_first_thread([&] {
          b.loop(b.ir.CreateSub(first, begin), b.ir.CreateSub(last, begin), 1,
                 [&](Value* i) { set_left(entry, tiles, i, has_carry, carry, rows); });
        });
        entry.barrier();
        tiles.for_each_index(first, last, [&](Value* index, Value* place) {
          Value* const row = b.ir.CreateSub(b.ir.CreateUDiv(index, b.i64(row_length)), begin);
          const RunningValues prefix = folds_.running(entry, tiles.element_at(place));
          b.if_then(b.ir.CreateOr(has_carry, b.ir.CreateICmpSGT(row, b.i64(0))), [&] {
            folds_.set(entry, prefix,
                       folds_.combined(entry, tiles.total(row), folds_.get(entry, prefix)));
          });
          scans_.store_prefixes(entry, index, folds_.get(entry, prefix));
        });
      });
    });
    return entry.finish();
  }

private:
  static Value* number(EntryBuilder& entry, ScanRowsNumber which) {
    return entry.number(static_cast<unsigned>(which));
  }
  /// Blocks of the order, which are as many apart as there are blocks of threads.
  void for_each_block(EntryBuilder& entry, RowTiles& tiles,
                      const std::function<void(Value* block, Value* begin, Value* end)>& body) {
    jit::LaneBuilder& b = entry.b;
    entry.for_each(entry.wide(AbstractFunction::block_index_x),
                   number(entry, ScanRowsNumber::Blocks), entry.wide(AbstractFunction::grid_size_x),
                   [&](Value* block) {
                     tiles.look();
                     Value* const begin = b.ir.CreateMul(block, b.i64(rows_in_block));
                     body(block, begin,
                          b.lesser_of(b.ir.CreateAdd(begin, b.i64(rows_in_block)), tiles.rows()));
                   });
  }
  /// What stands before row `i` of a block takes the place of its total.
  void set_left(EntryBuilder& entry, const RowTiles& tiles, Value* i, Value* has_carry,
                const RunningValues& carry, const RunningValues& rows) const {
    jit::LaneBuilder& b = entry.b;
    const Components total = tiles.total(i);
    Value* const is_first = b.ir.CreateICmpEQ(i, b.i64(0));
    b.if_then_else(
        is_first, [&] { tiles.set_total(i, folds_.get(entry, carry)); },
        [&] {
          const RunningValues left = folds_.running(entry, folds_.get(entry, rows));
          b.if_then(has_carry, [&] {
            folds_.set(entry, left,
                       folds_.combined(entry, folds_.get(entry, carry), folds_.get(entry, rows)));
          });
          tiles.set_total(i, folds_.get(entry, left));
        });
    folds_.begin_or_fold(entry, is_first, rows, total);
  }

  jit::KernelModule& kernel_;
  const Folds& scans_;
  const ElementFunction& element_alone_;
  const FoldSet& folds_;
  WordCounts counts_;
  SharedRows layout_;
};

LaunchPlan plan_scan_rows(const LaunchSizes& sizes, const std::vector<ElementType>& types) {
  const std::int64_t blocks = divided_up(sizes.count, primitives::block_length);
  LaunchPlan plan;
  plan.numbers = {static_cast<std::uint64_t>(sizes.count), static_cast<std::uint64_t>(blocks)};
  for (const ElementType type : types)
    plan.areas.push_back({blocks * static_cast<std::int64_t>(byte_size(type)), {}});
  if (blocks == 0) return plan;
  LaunchShape shape =
      shape_for_blocks(sizes, blocks, shape_for_threads(sizes, sizes.count).threads);
  shape.shared_bytes = static_cast<std::uint32_t>(SharedRows(types).bytes());
  if (blocks > 1) {
    plan.steps.push_back({totals_entry, shape});
    plan.steps.push_back({carries_entry, shape_of_totals(types, blocks)});
  }
  plan.steps.push_back({prefixes_entry, shape});
  return plan;
}

} // namespace

std::optional<KernelEntries> make_scan_by_rows(const ir::Function& function,
                                               const SkeletonOptions& options) {
  if (!has_plain_folds<ir::ScanGroup>(function, *jit::parallel_soac(function))) return std::nullopt;
  return make_around_body(
      function, options,
      [&](jit::KernelModule& kernel, BodyFunctions& body, KernelEntries& result) {
        const Folds scans = folds_of<ir::ScanGroup>(function, body, BodyFunctions::Maps::Stored);
        const ElementFunction element_alone = body.element_and_lanes(BodyFunctions::Maps::Left);
        ScanRowsEntries entries(kernel, function, scans, element_alone);
        result.module.entries = {entries.totals(), entries.carries(), entries.prefixes()};
        result.plan = [types = scans.folds.types()](const LaunchSizes& sizes) {
          return plan_scan_rows(sizes, types);
        };
      });
}

} // namespace sinter::gpu
