// Kernels whose blocks of threads read together what several of their threads need: products by
// tiles of two dimensions, maps over common arrays by tiles of one.  Where sizes are not large
// enough for that, it is another row's entry points that run: an alternative.
#include "gpu/skeletons/across_reads.h"
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/product_tile.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/stream_tile.h"
#include "gpu/skeletons/tile_hooks.h"
#include "jit/emit/emit.h"
#include "jit/emit/kernel_layout.h"
#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <llvm/IR/Module.h>

namespace sinter::gpu {

using llvm::Value;

namespace {

constexpr const char* tile_entry = "tile";
constexpr std::uint32_t registers_of_tile = 128;
constexpr std::int64_t most_blocks = INT32_MAX;

/// A number that is known when the kernel is launched.
jit::SizeTerm size_term(const ir::Function& function, const ir::Operand& operand) {
  if (operand.is_constant()) return {operand.scalar().as<std::int64_t>(), std::nullopt};
  return {0, static_cast<std::uint32_t>(*jit::parameter_index(function, operand.value()))};
}

bool is_known(const ir::Function& function, const ir::Operand& operand) {
  return operand.is_constant() || jit::parameter_index(function, operand.value());
}

jit::EmitOptions emission(const SkeletonOptions& options, const TileHooks& hooks) {
  jit::EmitOptions result;
  result.lanes = 1;
  result.floats = options.floats;
  result.layouts = options.layouts;
  result.hooks = &hooks;
  result.is_inlined = true;
  return result;
}

/// An entry point whose blocks each make a tile.
void add_entry(KernelEntries& entries, const ir::Function& function, llvm::Function* tile) {
  const TileHooks hooks;
  jit::KernelModule kernel{*entries.module.module, hooks};
  EntryBuilder entry(kernel, tile_entry, word_counts(function, 0, 0));
  entry.b.ir.CreateCall(tile, {entry.frame(), entry.wide(AbstractFunction::block_index_x)});
  EntryPoint point = entry.finish();
  point.registers = registers_of_tile;
  add_alternative(entries, {std::move(point)});
}

LaunchPlan one_step(std::int64_t blocks, std::uint32_t threads, std::int64_t shared_bytes) {
  LaunchStep step;
  step.entry = tile_entry;
  step.shape.blocks[0] = static_cast<std::uint32_t>(blocks);
  step.shape.threads = threads;
  step.shape.shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  LaunchPlan plan;
  plan.steps.push_back(std::move(step));
  return plan;
}

/// The entries with a way of their own for some sizes.
template <typename OwnPlan>
KernelEntries with_plan(KernelEntries entries, OwnPlan&& own) {
  entries.plan = [own, rest = std::move(entries.plan)](const LaunchSizes& sizes) {
    const std::optional<LaunchPlan> plan = own(sizes);
    return plan ? *plan : rest(sizes);
  };
  return entries;
}

// ---- products ----------------------------------------------------------------------------------

/// Whether most of the tiles is results, and there are enough of them and of elements.
std::optional<LaunchPlan> plan_product(const LaunchSizes& sizes, const ProductTile& tile,
                                       std::int64_t planes, std::int64_t rows, std::int64_t columns,
                                       std::int64_t depth) {
  if (planes <= 0 || rows <= 0 || columns <= 0 || depth < product_depth) return std::nullopt;
  const std::int64_t tiles_of_plane =
      saturating_product(divided_up(rows, tile.rows()), divided_up(columns, tile.columns()));
  const std::int64_t tiles = saturating_product(planes, tiles_of_plane);
  const std::int64_t area = tile.rows() * tile.columns();
  const bool is_well_filled =
      saturating_product(rows, columns) / 2 >= saturating_product(tiles_of_plane, area) / 4;
  if (!is_well_filled || tiles > most_blocks || tiles < sizes.multiprocessors / 4 ||
      tile.shared_bytes > sizes.shared_bytes)
    return std::nullopt;
  return one_step(tiles, product_threads, tile.shared_bytes);
}

std::optional<KernelEntries> make_product(const ir::Function& function,
                                          const SkeletonOptions& options) {
  const std::optional<ProductNest> nest = find_product_nest(function);
  if (!nest) return std::nullopt;
  std::vector<jit::SizeTerm> around;
  for (const ir::Soac* map : nest->around) {
    if (!is_known(function, map->extent)) return std::nullopt;
    around.push_back(size_term(function, map->extent));
  }
  if (!is_known(function, nest->rows->extent) || !is_known(function, nest->columns->extent) ||
      !is_known(function, nest->reduction->extent))
    return std::nullopt;
  const std::optional<ProductTile> tile = choose_product_tile(function, *nest);
  if (!tile) return std::nullopt;
  KernelEntries entries = make_entries_after("tile", function, options);
  const TileHooks hooks;
  add_entry(
      entries, function,
      emit_product_tile(*entries.module.module, function, *nest, *tile, emission(options, hooks)));
  return with_plan(
      std::move(entries),
      [tile = *tile, around, rows = size_term(function, nest->rows->extent),
       columns = size_term(function, nest->columns->extent),
       depth = size_term(function, nest->reduction->extent)](const LaunchSizes& sizes) {
        std::int64_t planes = 1;
        for (const jit::SizeTerm& term : around)
          planes = saturating_product(planes, value_of(term, sizes.scalars));
        return plan_product(sizes, tile, planes, value_of(rows, sizes.scalars),
                            value_of(columns, sizes.scalars), value_of(depth, sizes.scalars));
      });
}

// ---- maps over common arrays -------------------------------------------------------------------

/// Elements of the arrays: a row.  Where threads have rows of their own, half of them have to have
/// one.
constexpr std::int64_t least_stream = primitives::row_length;
std::int64_t least_stream_of(std::int64_t parts) {
  return least_stream * std::max<std::int64_t>(parts / 2, 1);
}
/// Elements of the map for each multiprocessor: with fewer, it is better to have several threads
/// for each of them.
constexpr std::int64_t least_elements = 64;

struct StreamSize {
  std::int64_t tile_length = 1, parts = 1;
  std::int64_t total_bytes = 0;
  std::vector<std::pair<std::uint32_t, std::size_t>> streams; ///< parameters, bytes of an element
};

/// INT64_MAX: more than there is.
std::int64_t shared_bytes(const LaunchSizes& sizes, const StreamSize& size) {
  std::int64_t bytes = stop_bytes + size.total_bytes;
  for (const auto& [parameter, element_bytes] : size.streams) {
    const Extents& extents = sizes.extents(parameter);
    const std::int64_t row = extents.size() > 1 ? extents[1] : 1;
    const std::int64_t stream = stream_bytes(
        size.tile_length, saturating_product(row, static_cast<std::int64_t>(element_bytes)));
    if (__builtin_add_overflow(bytes, stream, &bytes)) return INT64_MAX;
  }
  return bytes;
}

std::optional<LaunchPlan> plan_stream(const LaunchSizes& sizes, const StreamSize& size,
                                      std::int64_t count, std::int64_t length) {
  const std::int64_t blocks = divided_up(count, stream_threads / size.parts);
  const std::int64_t bytes = shared_bytes(sizes, size);
  if (length < least_stream_of(size.parts) || count < stream_threads || blocks > most_blocks ||
      count < sizes.multiprocessors * least_elements ||
      bytes > static_cast<std::int64_t>(sizes.shared_bytes))
    return std::nullopt;
  return one_step(blocks, stream_threads, bytes);
}

std::optional<KernelEntries> make_stream(const ir::Function& function,
                                         const SkeletonOptions& options) {
  const std::optional<StreamNest> nest = find_stream_nest(function);
  if (!nest || !is_known(function, nest->reduction->extent)) return std::nullopt;
  KernelEntries entries = make_entries_after("tile", function, options);
  const TileHooks hooks;
  jit::EmitOptions own_options = emission(options, hooks);
  const std::vector<std::uint32_t> across = parameters_read_across(function);
  forget_order(own_options.layouts, across);
  add_entry(entries, function,
            emit_stream_tile(*entries.module.module, function, *nest, own_options));
  StreamSize size;
  size.tile_length = stream_tile_length(function, *nest);
  size.parts = stream_parts(function, *nest);
  size.total_bytes = stream_total_bytes(function, *nest);
  for (const ir::ValueId stream : nest->streams)
    size.streams.emplace_back(static_cast<std::uint32_t>(*jit::parameter_index(function, stream)),
                              byte_size(function.type(stream).element));
  return with_plan(
      std::move(entries),
      [size, across, count = size_term(function, nest->map->extent),
       length = size_term(function, nest->reduction->extent)](const LaunchSizes& sizes) {
        std::optional<LaunchPlan> plan = plan_stream(sizes, size, value_of(count, sizes.scalars),
                                                     value_of(length, sizes.scalars));
        if (plan) plan->turned = worth_turning(sizes, across);
        return plan;
      });
}

} // namespace

std::optional<KernelEntries> make_tile(const ir::Function& function,
                                       const SkeletonOptions& options) {
  if (std::optional<KernelEntries> entries = make_product(function, options)) return entries;
  return make_stream(function, options);
}

} // namespace sinter::gpu
