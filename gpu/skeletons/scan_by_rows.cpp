// Scans of scalars in the order of lang/primitives/fold_order.h, and maps beside them.
//
//   totals     a block takes a block of the order, and leaves its total
//   carries    one block: what stands before a block takes the place of its total.  (Where there
//              are many, a block of `totals` does that meanwhile.)
//   prefixes   a block computes its elements again; its threads turn rows into prefixes, its first
//              one combines the rows before each, and prefixes go to the results, beside each other
// Where there is but one block of the order, its prefixes are all that is wanted.
#include "gpu/skeletons/folds.h"
#include "gpu/skeletons/row_tiles.h"
#include "gpu/skeletons/running_totals.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

namespace sinter::gpu {

using llvm::Value;
using primitives::row_length;
using primitives::rows_in_block;

namespace {

constexpr const char *scan_totals = "totals", *scan_carries = "carries",
                     *scan_prefixes = "prefixes";

enum class ScanRowsNumber : unsigned { Count, Blocks, CarriesMeanwhile, All };

class ScanRowsEntries {
public:
  /// `totals`: of an element function that stores no maps.
  ScanRowsEntries(jit::KernelModule& kernel, const ir::Function& function, const Folds& scans,
                  const ElementFunction& element_alone)
      : kernel_(kernel), scans_(scans), element_alone_(element_alone), folds_(scans.folds),
        counts_(word_counts(function, folds_.size() + RunningTotalsPlan::area_count,
                            static_cast<std::size_t>(ScanRowsNumber::All))),
        layout_(folds_.types()) {}

  EntryPoint totals() {
    EntryBuilder entry(kernel_, scan_totals, counts_);
    jit::LaneBuilder& b = entry.b;
    RowTiles tiles(entry, folds_, element_alone_, layout_, number(entry, ScanRowsNumber::Count));
    RunningTotals running(
        entry, folds_, layout_,
        b.ir.CreateICmpNE(number(entry, ScanRowsNumber::CarriesMeanwhile), b.i64(0)));
    running.for_each_tile(
        number(entry, ScanRowsNumber::Blocks), Carries::Left,
        [&](Value* block) {
          tiles.look();
          const auto [begin, end] = rows_of(entry, tiles, block);
          tiles.for_some_rows(begin, end, [&, begin = begin, end = end](Value* first, Value* last) {
            running.take_next(b.ir.CreateICmpEQ(last, end), [&] {
              tiles.fold_rows(first, last, [&](Value* row, const RunningValues& sum) {
                tiles.set_total(b.ir.CreateSub(row, begin), folds_.get(entry, sum));
              });
            });
          });
          entry.by_first_thread([&, begin = begin, end = end] {
            const RunningValues sum = tiles.fold_block(b.ir.CreateSub(end, begin));
            folds_.store_areas(entry, 0, block, folds_.get(entry, sum));
            running.publish(block);
          });
        },
        [](const RunningValues&) {});
    return entry.finish();
  }

  EntryPoint carries() {
    EntryBuilder entry(kernel_, scan_carries, counts_);
    fold_totals(entry, folds_, layout_, number(entry, ScanRowsNumber::Blocks), entry.b.i64(1),
                Carries::Left);
    return entry.finish();
  }

  EntryPoint prefixes() {
    EntryBuilder entry(kernel_, scan_prefixes, counts_);
    jit::LaneBuilder& b = entry.b;
    RowTiles tiles(entry, folds_, scans_.element, layout_, number(entry, ScanRowsNumber::Count));
    // Of the rows of the block at hand so far, by the first thread; what stands before the block.
    const Components neutral = folds_.neutral(entry);
    const RunningValues rows = folds_.running(entry, neutral);
    const RunningValues carry = folds_.running(entry, neutral);
    const auto for_each_block = [&](const std::function<void(Value*, Value*, Value*)>& body) {
      entry.for_each(entry.wide(AbstractFunction::block_index_x),
                     number(entry, ScanRowsNumber::Blocks),
                     entry.wide(AbstractFunction::grid_size_x), [&](Value* block) {
                       tiles.look();
                       const Rows rows_of_block = rows_of(entry, tiles, block);
                       body(block, rows_of_block.begin, rows_of_block.end);
                     });
    };
    for_each_block([&](Value* block, Value* begin, Value* end) {
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
          set_left(entry, tiles, b.ir.CreateSub(first, begin), b.ir.CreateSub(last, begin),
                   has_carry, carry, rows);
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
  struct Rows {
    Value *begin, *end;
  };
  static Rows rows_of(EntryBuilder& entry, const RowTiles& tiles, Value* block) {
    jit::LaneBuilder& b = entry.b;
    Value* const begin = b.ir.CreateMul(block, b.i64(rows_in_block));
    return {begin, b.lesser_of(b.ir.CreateAdd(begin, b.i64(rows_in_block)), tiles.rows())};
  }
  /// What stands before rows [first, last) of a block takes the place of their totals; of the
  /// block's first row that is the carry alone.
  void set_left(EntryBuilder& entry, const RowTiles& tiles, Value* first, Value* last,
                Value* has_carry, const RunningValues& carry, const RunningValues& rows) const {
    jit::LaneBuilder& b = entry.b;
    const Components before_block = folds_.get(entry, carry);
    Value* const is_first = b.ir.CreateICmpEQ(first, b.i64(0));
    folds_.fold_in_order(
        entry, rows, first, last, [&](Value* i) { return tiles.total(i); },
        {.before =
             [&](Value* i) {
               const Components before = folds_.get(entry, rows);
               const Components left =
                   selected(entry, has_carry, folds_.combined(entry, before_block, before), before);
               tiles.set_total(i,
                               selected(entry, b.ir.CreateICmpEQ(i, b.i64(0)), before_block, left));
             },
         .takes_first = is_first,
         .words_at_once = words_beside_prefixes,
         .rests_are_rare = true});
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
  const SharedRows layout(types);
  const bool carries_meanwhile = RunningTotalsPlan::is_worth_it(sizes, types, layout, blocks);
  LaunchPlan plan;
  plan.numbers = {static_cast<std::uint64_t>(sizes.count), static_cast<std::uint64_t>(blocks),
                  std::uint64_t{carries_meanwhile}};
  for (const ElementType type : types)
    plan.areas.push_back({blocks * static_cast<std::int64_t>(byte_size(type)), {}});
  RunningTotalsPlan::add_area(plan, blocks, carries_meanwhile);
  if (blocks == 0) return plan;
  LaunchShape shape =
      shape_for_blocks(sizes, blocks, shape_for_threads(sizes, sizes.count).threads);
  shape.shared_bytes = static_cast<std::uint32_t>(layout.bytes());
  if (carries_meanwhile) {
    plan.steps.push_back({scan_totals, RunningTotalsPlan::shape(sizes, shape, blocks)});
  } else if (blocks > 1) {
    plan.steps.push_back({scan_totals, shape});
    plan.steps.push_back({scan_carries, shape_of_totals(types, blocks)});
  }
  plan.steps.push_back({scan_prefixes, shape});
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
