// Reductions of scalars in the order of lang/primitives/fold_order.h, and maps beside them.
//
//   rows    a block takes a tile of rows.  A tile that is a block of the order is folded by one
//           thread, and leaves its total; a smaller one, where there would not be enough of them,
//           leaves its rows'
//   fold    one block: its threads fold rows, if these were left, to blocks' totals, and its first
//           thread folds these in order
// Where there are many tiles, a block of `rows` does meanwhile what `fold` would do.
#include "gpu/skeletons/folds.h"
#include "gpu/skeletons/row_tiles.h"
#include "gpu/skeletons/running_totals.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <bit>

namespace sinter::gpu {

using llvm::Value;
using primitives::row_length;
using primitives::rows_in_block;

namespace {

constexpr const char *rows_entry = "rows", *fold_entry = "fold";
/// With fewer rows, threads of a block would have nothing to compute.
constexpr std::int64_t least_tile_rows = 4;
/// Nanoseconds on a CPU: less is done at once by one block.
constexpr double little_work = 50e3;

/// How a block is.  Where its threads have arrays that are more than registers may hold, these lie
/// in shared memory: blocks are small, and have few rows there at a time, so that a multiprocessor
/// has several of them.
class RowBlocks {
public:
  RowBlocks(const std::vector<ElementType>& types, std::int64_t array_bytes)
      : has_arrays_(array_bytes > most_register_bytes && array_bytes <= most_array_bytes),
        rows_(types, has_arrays_ ? most_bytes_beside_arrays : SharedRows::most_bytes_of_rows) {}

  const SharedRows& rows() const { return rows_; }
  std::uint32_t threads() const { return has_arrays_ ? threads_with_arrays : usual_threads; }
  EntryPoint with_arrays(EntryPoint point) const {
    if (!has_arrays_) return point;
    point.threads = threads();
    point.shared_bytes_of_arrays = static_cast<std::uint32_t>(
        std::max<std::int64_t>(usual_shared_bytes - rows_.bytes() - beside_rows, 0));
    return point;
  }

private:
  static constexpr std::uint32_t threads_with_arrays = 64;
  /// Half of a thread's registers; what all threads of such a block have room for.
  static constexpr std::int64_t most_register_bytes = 128, most_array_bytes = 640;
  /// That all devices give to a block that has not asked for more; what launches want beside rows.
  static constexpr std::int64_t usual_shared_bytes = 48 << 10, beside_rows = 64;
  static constexpr std::int64_t most_bytes_beside_arrays = 4 << 10;

  bool has_arrays_;
  SharedRows rows_;
};

enum class RowsNumber : unsigned {
  Count,
  TileRows,
  Tiles,
  LeavesRows,
  Totals,
  FoldsMeanwhile,
  All
};

class RowEntries {
public:
  RowEntries(jit::KernelModule& kernel, const ir::Function& function, const Folds& reductions,
             const RowBlocks& blocks)
      : kernel_(kernel), reductions_(reductions), folds_(reductions.folds), blocks_(blocks),
        layout_(blocks.rows()),
        counts_(word_counts(function, folds_.size() + RunningTotalsPlan::area_count,
                            static_cast<std::size_t>(RowsNumber::All))) {}

  EntryPoint rows() {
    EntryBuilder entry(kernel_, rows_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    RowTiles tiles(entry, folds_, reductions_.element, layout_, number(entry, RowsNumber::Count));
    Value* const tile_rows = number(entry, RowsNumber::TileRows);
    RunningTotals totals(entry, folds_, layout_,
                         b.ir.CreateICmpNE(number(entry, RowsNumber::FoldsMeanwhile), b.i64(0)));
    totals.for_each_tile(
        number(entry, RowsNumber::Tiles), Carries::None,
        [&](Value* tile) {
          tiles.look();
          Value* const begin = b.ir.CreateMul(tile, tile_rows);
          Value* const end = b.lesser_of(b.ir.CreateAdd(begin, tile_rows), tiles.rows());
          tiles.for_some_rows(begin, end, [&](Value* first, Value* last) {
            totals.take_next(b.ir.CreateICmpEQ(last, end), [&] {
              tiles.fold_rows(first, last, [&](Value* row, const RunningValues& sum) {
                b.if_then_else(
                    leaves_blocks(entry),
                    [&] { tiles.set_total(b.ir.CreateSub(row, begin), folds_.get(entry, sum)); },
                    [&] { folds_.store_areas(entry, 0, row, folds_.get(entry, sum)); });
              });
            });
          });
          b.if_then(leaves_blocks(entry), [&] {
            entry.by_first_thread([&] {
              fold_block(entry, tiles, tile, b.ir.CreateSub(end, begin));
              totals.publish(tile);
            });
          });
        },
        [&](const RunningValues& sum) {
          reductions_.store_results(entry, folds_.get(entry, sum));
        });
    return blocks_.with_arrays(entry.finish());
  }

  EntryPoint fold() {
    EntryBuilder entry(kernel_, fold_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    Value* const in_block = b.ir.CreateSelect(leaves_blocks(entry), b.i64(1), b.i64(rows_in_block));
    const RunningValues all = fold_totals(entry, folds_, layout_, number(entry, RowsNumber::Totals),
                                          in_block, Carries::None);
    entry.by_first_thread([&] { reductions_.store_results(entry, folds_.get(entry, all)); });
    return entry.finish();
  }

private:
  static Value* number(EntryBuilder& entry, RowsNumber which) {
    return entry.number(static_cast<unsigned>(which));
  }
  static Value* leaves_blocks(EntryBuilder& entry) {
    return entry.b.ir.CreateICmpEQ(number(entry, RowsNumber::LeavesRows), entry.b.i64(0));
  }

  /// The rows of a tile that is a block of the order.
  void fold_block(EntryBuilder& entry, const RowTiles& tiles, Value* tile, Value* rows) const {
    jit::LaneBuilder& b = entry.b;
    const RunningValues sum = tiles.fold_block(rows);
    b.if_then_else(
        b.ir.CreateICmpEQ(number(entry, RowsNumber::Tiles), b.i64(1)),
        [&] { reductions_.store_results(entry, folds_.get(entry, sum)); },
        [&] { folds_.store_areas(entry, 0, tile, folds_.get(entry, sum)); });
  }

  jit::KernelModule& kernel_;
  const Folds& reductions_;
  const FoldSet& folds_;
  const RowBlocks& blocks_;
  const SharedRows& layout_;
  WordCounts counts_;
};

/// Rows that a block takes at a time: a block of the order, or so few that all multiprocessors have
/// work.
std::int64_t tile_rows(const LaunchSizes& sizes, std::int64_t rows) {
  const std::int64_t wanted = 2 * std::int64_t{sizes.multiprocessors}; // tiles
  if (divided_up(rows, rows_in_block) >= wanted) return rows_in_block;
  const double work =
      jit::value_of(sizes.layout.element_cost, sizes.scalars) * static_cast<double>(sizes.count);
  if (rows <= rows_in_block && work <= little_work) return rows_in_block;
  return std::clamp(static_cast<std::int64_t>(std::bit_floor(
                        static_cast<std::uint64_t>(std::max<std::int64_t>(rows / wanted, 1)))),
                    least_tile_rows, rows_in_block / 2);
}

LaunchPlan plan_rows(const LaunchSizes& sizes, const std::vector<ElementType>& types,
                     const RowBlocks& blocks) {
  const std::int64_t rows = divided_up(sizes.count, row_length);
  const std::int64_t in_tile = tile_rows(sizes, rows);
  const std::int64_t tiles = divided_up(rows, in_tile);
  const bool leaves_rows = in_tile < rows_in_block;
  const std::int64_t totals = leaves_rows ? rows : tiles;
  const SharedRows& layout = blocks.rows();
  const bool folds_meanwhile =
      !leaves_rows && RunningTotalsPlan::is_worth_it(sizes, types, layout, tiles);
  LaunchPlan plan;
  for (const std::int64_t number : {sizes.count, in_tile, tiles, std::int64_t{leaves_rows}, totals,
                                    std::int64_t{folds_meanwhile}})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  for (const ElementType type : types)
    plan.areas.push_back(
        {saturating_product(totals, static_cast<std::int64_t>(byte_size(type))), {}});
  RunningTotalsPlan::add_area(plan, tiles, folds_meanwhile);
  if (tiles > 0) {
    LaunchShape shape = shape_for_blocks(
        sizes, tiles, shape_for_threads(sizes, sizes.count, blocks.threads()).threads);
    shape.shared_bytes = static_cast<std::uint32_t>(layout.bytes());
    if (folds_meanwhile) shape = RunningTotalsPlan::shape(sizes, shape, tiles);
    plan.steps.push_back({rows_entry, shape});
  }
  if (!folds_meanwhile && (tiles != 1 || leaves_rows))
    plan.steps.push_back({fold_entry, shape_of_totals(types, divided_up(rows, rows_in_block))});
  return plan;
}

} // namespace

std::optional<KernelEntries> make_reduce_by_rows(const ir::Function& function,
                                                 const SkeletonOptions& options) {
  if (!has_plain_folds<ir::ReduceGroup>(function, *jit::parallel_soac(function)))
    return std::nullopt;
  return make_around_body(
      function, options,
      [&](jit::KernelModule& kernel, BodyFunctions& body, KernelEntries& result) {
        const Folds reductions =
            folds_of<ir::ReduceGroup>(function, body, BodyFunctions::Maps::Stored);
        const RowBlocks blocks(reductions.folds.types(), reductions.element.array_bytes);
        RowEntries entries(kernel, function, reductions, blocks);
        result.module.entries = {entries.rows(), entries.fold()};
        result.plan = [types = reductions.folds.types(), blocks](const LaunchSizes& sizes) {
          return plan_rows(sizes, types, blocks);
        };
      });
}

} // namespace sinter::gpu
