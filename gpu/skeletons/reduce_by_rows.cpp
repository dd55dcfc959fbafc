// Reductions of scalars in the order of lang/primitives/fold_order.h, and maps beside them.
//
//   rows    a block takes a tile of rows: its threads compute elements beside each other, which go
//           to shared memory, row by row; there each thread folds a row.  A tile that is a block of
//           the order is folded by one thread, and leaves its total; a smaller one, where there
//           would not be enough of them, leaves its rows'
//   fold    one block: its threads fold rows, if these were left, to blocks' totals, which its
//   first
//           thread folds in order
//
// An element more lies between rows in shared memory, as threads that each read a row would all ask
// the same bank for its elements.
#include "gpu/skeletons/reductions.h"
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
constexpr std::int64_t row_stride = row_length + 1; ///< elements
/// Of a tile's elements in shared memory; several blocks share a multiprocessor's.
constexpr std::int64_t most_tile_bytes = 36 << 10;
/// With fewer rows, threads of a block would have nothing to compute.
constexpr std::int64_t least_tile_rows = 4;
/// Nanoseconds on a CPU: less is done at once by one block.
constexpr double little_work = 50e3;

enum class RowsNumber : unsigned { Count, TileRows, Tiles, LeavesRows, Totals, All };

/// How a kernel's values lie in shared memory.
struct SharedRows {
  explicit SharedRows(const std::vector<ElementType>& types) {
    for (at_once = rows_in_block; at_once > 1; at_once /= 2) {
      elements = component_arrays(types, at_once * row_stride);
      if (elements.bytes <= most_tile_bytes) break;
    }
    elements = component_arrays(types, at_once * row_stride);
    totals = component_arrays(types, std::max<std::int64_t>(rows_in_block, usual_threads));
  }
  std::int64_t at_once = 0; ///< rows
  ComponentArrays elements;
  ComponentArrays totals; ///< of rows, behind the elements; in the last step of blocks, alone
};

class RowEntries {
public:
  RowEntries(jit::KernelModule& kernel, const ir::Function& function, const Reductions& reductions)
      : kernel_(kernel), reductions_(reductions), folds_(reductions.folds),
        counts_(word_counts(function, folds_.size(), static_cast<std::size_t>(RowsNumber::All))),
        shared_(folds_.types()) {}

  EntryPoint rows() {
    EntryBuilder entry(kernel_, rows_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    const jit::Variable is_calm = b.variable(ElementType::Bool, jit::Shape::Uniform);
    b.set(is_calm, b.uniform(b.ir.getTrue(), ElementType::Bool));
    Value* const tile_rows = number(entry, RowsNumber::TileRows);
    Value* const all_rows = b.ir.CreateLShr(
        b.ir.CreateAdd(number(entry, RowsNumber::Count), b.i64(row_length - 1)), b.i64(row_bits));
    entry.for_each(
        entry.wide(AbstractFunction::block_index_x), number(entry, RowsNumber::Tiles),
        entry.wide(AbstractFunction::grid_size_x), [&](Value* tile) {
          b.set(is_calm, b.uniform(b.ir.CreateAnd(b.get(is_calm).value, entry.may_go_on()),
                                   ElementType::Bool));
          Value* const begin = b.ir.CreateMul(tile, tile_rows);
          Value* const end = b.lesser_of(b.ir.CreateAdd(begin, tile_rows), all_rows);
          b.loop(begin, end, shared_.at_once, [&](Value* first) {
            some_rows(entry, is_calm, begin, first,
                      b.lesser_of(b.ir.CreateAdd(first, b.i64(shared_.at_once)), end));
          });
          b.if_then(leaves_blocks(entry), [&] {
            entry.by_first_thread([&] { fold_block(entry, tile, b.ir.CreateSub(end, begin)); });
          });
        });
    return entry.finish();
  }

  EntryPoint fold() {
    EntryBuilder entry(kernel_, fold_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    entry.end_if_stopped();
    Value* const totals = number(entry, RowsNumber::Totals);
    const RunningValues all = folds_.running(entry, folds_.neutral(entry));
    Value* const threads = entry.wide(AbstractFunction::block_size);
    Value* const thread = entry.wide(AbstractFunction::thread_index);
    Value* const in_block = b.ir.CreateSelect(leaves_blocks(entry), b.i64(1), b.i64(rows_in_block));
    Value* const blocks =
        b.ir.CreateUDiv(b.ir.CreateAdd(totals, b.ir.CreateSub(in_block, b.i64(1))), in_block);
    Value* const shared = entry.call(AbstractFunction::shared_memory);
    const auto load = [&](Value* i) { return folds_.load(entry, shared, shared_.totals, i); };
    entry.for_each(b.i64(0), blocks, threads, [&](Value* first) {
      Value* const block = b.ir.CreateAdd(first, thread);
      b.if_then(b.ir.CreateICmpSLT(block, blocks), [&] {
        Value* const begin = b.ir.CreateMul(block, in_block);
        const RunningValues sum = folds_.running(entry, folds_.load_areas(entry, 0, begin));
        folds_.fold_in_order(entry, sum, b.ir.CreateAdd(begin, b.i64(1)),
                             b.lesser_of(b.ir.CreateAdd(begin, in_block), totals),
                             [&](Value* i) { return folds_.load_areas(entry, 0, i); });
        folds_.store(entry, shared, shared_.totals, thread, folds_.get(entry, sum));
      });
      entry.barrier();
      entry.by_first_thread([&] {
        Value* const is_first = b.ir.CreateICmpEQ(first, b.i64(0));
        b.if_then(is_first, [&] { folds_.set(entry, all, load(b.i64(0))); });
        folds_.fold_in_order(entry, all, b.ir.CreateSelect(is_first, b.i64(1), b.i64(0)),
                             b.lesser_of(threads, b.ir.CreateSub(blocks, first)), load);
      });
      entry.barrier();
    });
    entry.by_first_thread([&] { reductions_.store_results(entry, folds_.get(entry, all)); });
    return entry.finish();
  }

private:
  static constexpr std::int64_t row_bits = std::countr_zero(std::uint64_t{row_length});

  static Value* number(EntryBuilder& entry, RowsNumber which) {
    return entry.number(static_cast<unsigned>(which));
  }
  static Value* leaves_blocks(EntryBuilder& entry) {
    return entry.b.ir.CreateICmpEQ(number(entry, RowsNumber::LeavesRows), entry.b.i64(0));
  }
  Value* totals_of_rows(EntryBuilder& entry) const {
    return entry.b.ir.CreateConstGEP1_64(entry.b.ir.getInt8Ty(),
                                         entry.call(AbstractFunction::shared_memory),
                                         static_cast<std::uint64_t>(shared_.elements.bytes));
  }

  /// Rows [first, end) of a tile.
  void some_rows(EntryBuilder& entry, const jit::Variable& is_calm, Value* tile, Value* first,
                 Value* end) const {
    jit::LaneBuilder& b = entry.b;
    Value* const shared = entry.call(AbstractFunction::shared_memory);
    Value* const begin = b.ir.CreateMul(first, b.i64(row_length));
    Value* const last =
        b.lesser_of(b.ir.CreateMul(end, b.i64(row_length)), number(entry, RowsNumber::Count));
    entry.for_each_of_block(begin, last, [&](Value* index) {
      const ComputedElement element =
          compute_element(entry, reductions_.element, index, b.get(is_calm).value);
      b.set(is_calm,
            b.uniform(b.ir.CreateAnd(b.get(is_calm).value, element.is_right), ElementType::Bool));
      Value* const number = b.ir.CreateSub(index, begin);
      Value* const place = b.ir.CreateAdd(number, b.ir.CreateLShr(number, b.i64(row_bits)));
      folds_.store(entry, shared, shared_.elements, place, element.values);
    });
    entry.barrier();
    entry.for_each_of_block(first, end, [&](Value* row) {
      Value* const number = b.ir.CreateSub(row, first);
      Value* const row_begin = b.ir.CreateMul(number, b.i64(row_stride));
      Value* const length = b.lesser_of(
          b.i64(row_length), b.ir.CreateSub(last, b.ir.CreateMul(row, b.i64(row_length))));
      const RunningValues sum = folds_.running(entry, folds_.neutral(entry));
      folds_.fold_in_order(entry, sum, row_begin, b.ir.CreateAdd(row_begin, length), [&](Value* i) {
        return folds_.load(entry, shared, shared_.elements, i);
      });
      b.if_then_else(
          leaves_blocks(entry),
          [&] {
            folds_.store(entry, totals_of_rows(entry), shared_.totals, b.ir.CreateSub(row, tile),
                         folds_.get(entry, sum));
          },
          [&] { folds_.store_areas(entry, 0, row, folds_.get(entry, sum)); });
    });
    entry.barrier();
  }

  /// The rows of a tile that is a block of the order.
  void fold_block(EntryBuilder& entry, Value* tile, Value* rows) const {
    jit::LaneBuilder& b = entry.b;
    Value* const totals = totals_of_rows(entry);
    const auto load = [&](Value* i) { return folds_.load(entry, totals, shared_.totals, i); };
    const RunningValues sum = folds_.running(entry, load(b.i64(0)));
    folds_.fold_in_order(entry, sum, b.i64(1), rows, load);
    b.if_then_else(
        b.ir.CreateICmpEQ(number(entry, RowsNumber::Tiles), b.i64(1)),
        [&] { reductions_.store_results(entry, folds_.get(entry, sum)); },
        [&] { folds_.store_areas(entry, 0, tile, folds_.get(entry, sum)); });
  }

  jit::KernelModule& kernel_;
  const Reductions& reductions_;
  const FoldSet& folds_;
  WordCounts counts_;
  SharedRows shared_;
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

LaunchPlan plan_rows(const LaunchSizes& sizes, const std::vector<ElementType>& types) {
  const SharedRows shared(types);
  const std::int64_t rows = divided_up(sizes.count, row_length);
  const std::int64_t in_tile = tile_rows(sizes, rows);
  const std::int64_t tiles = divided_up(rows, in_tile);
  const bool leaves_rows = in_tile < rows_in_block;
  const std::int64_t totals = leaves_rows ? rows : tiles;
  LaunchPlan plan;
  for (const std::int64_t number : {sizes.count, in_tile, tiles, std::int64_t{leaves_rows}, totals})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  for (const ElementType type : types)
    plan.areas.push_back(
        {saturating_product(totals, static_cast<std::int64_t>(byte_size(type))), {}});
  if (tiles > 0) {
    const std::uint32_t threads = shape_for_threads(sizes, sizes.count).threads;
    LaunchShape shape = shape_for_blocks(sizes, tiles, threads);
    shape.shared_bytes = static_cast<std::uint32_t>(shared.elements.bytes + shared.totals.bytes);
    plan.steps.push_back({rows_entry, shape});
  }
  if (tiles == 1 && !leaves_rows) return plan;
  const std::int64_t blocks = divided_up(rows, rows_in_block);
  LaunchShape last{.blocks = {1, 1, 1}};
  last.threads = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
      divided_up(blocks, warp_size) * warp_size, warp_size, usual_threads));
  last.shared_bytes = static_cast<std::uint32_t>(shared.totals.bytes);
  plan.steps.push_back({fold_entry, last});
  return plan;
}

} // namespace

std::optional<KernelEntries> make_reduce_by_rows(const ir::Function& function,
                                                 const SkeletonOptions& options) {
  if (!reduces_scalars(function, *jit::parallel_soac(function))) return std::nullopt;
  return make_around_body(
      function, options,
      [&](jit::KernelModule& kernel, BodyFunctions& body, KernelEntries& result) {
        const Reductions reductions = reductions_of(function, body);
        RowEntries entries(kernel, function, reductions);
        result.module.entries = {entries.rows(), entries.fold()};
        result.plan = [types = reductions.folds.types()](const LaunchSizes& sizes) {
          return plan_rows(sizes, types);
        };
      });
}

} // namespace sinter::gpu
