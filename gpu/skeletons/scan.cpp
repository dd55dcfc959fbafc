// Scans of scalars whose order does not show, and maps beside them: one pass, by look-back.
//
// A block's threads compute the elements of a tile beside each other and leave them in shared
// memory; each then has some that follow each other, whose prefixes take the same way back.
#include "gpu/skeletons/folds.h"
#include "gpu/skeletons/look_back.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/tile_elements.h"
#include "jit/emit/kernel_shape.h"

#include <algorithm>
#include <vector>

namespace sinter::gpu {

using llvm::Value;

namespace {

constexpr const char* scan_entry = "scan";

enum class ScanNumber : unsigned { Count, Tiles, All };

class ScanEntry {
public:
  ScanEntry(jit::KernelModule& kernel, const ir::Function& function, const Folds& folds)
      : kernel_(kernel), all_(folds), folds_(folds.folds),
        counts_(
            word_counts(function, LookBack::area_count, static_cast<std::size_t>(ScanNumber::All))),
        tile_(folds_.types()), look_back_(folds_, 0) {}

  EntryPoint scan() {
    EntryBuilder entry(kernel_, scan_entry, counts_);
    Value* const count = entry.number(static_cast<unsigned>(ScanNumber::Count));
    Value* const tiles = entry.number(static_cast<unsigned>(ScanNumber::Tiles));
    Value* const shared = entry.call(AbstractFunction::shared_memory);
    Value* const shared_of_look_back = tile_.behind(entry, shared);
    TileComputation computation(entry, tile_, all_.element, folds_.neutral(entry), count);
    look_back_.for_each_tile(entry, tiles, shared_of_look_back, [&](Value* tile) {
      computation.compute(tile, shared);
      entry.barrier();
      const auto own = [&](std::int64_t i) {
        return folds_.load(entry, shared, tile_.arrays, tile_.place_of_own(entry, i));
      };
      const RunningValues total = folds_.running(entry, folds_.neutral(entry));
      for (std::int64_t i = 0; i < tile_.of_thread; ++i)
        folds_.fold(entry, total, own(i));
      const LookBack::Prefix prefix =
          look_back_.prefix(entry, tile, tiles, shared_of_look_back, folds_.get(entry, total));
      // (Loaded again, some at a time: registers for them would have to outlast the look-back, and
      // leave room for fewer blocks.)
      constexpr std::int64_t at_once = 4;
      const RunningValues running = folds_.running(entry, prefix.before);
      for (std::int64_t begin = 0; begin < tile_.of_thread; begin += at_once) {
        std::vector<Components> values;
        const std::int64_t end = std::min(begin + at_once, tile_.of_thread);
        for (std::int64_t i = begin; i < end; ++i)
          values.push_back(own(i));
        for (std::int64_t i = begin; i < end; ++i) {
          folds_.fold(entry, running, values[static_cast<std::size_t>(i - begin)]);
          folds_.store(entry, shared, tile_.arrays, tile_.place_of_own(entry, i),
                       folds_.get(entry, running));
        }
      }
      entry.barrier();
      computation.for_each_index(tile, [&](Value* index, Value* place) {
        all_.store_prefixes(entry, index, folds_.load(entry, shared, tile_.arrays, place));
      });
    });
    return with_threads(entry.finish());
  }

private:
  jit::KernelModule& kernel_;
  const Folds& all_;
  const FoldSet& folds_;
  WordCounts counts_;
  TileElements tile_;
  LookBack look_back_;
};

LaunchPlan plan_scan(const LaunchSizes& sizes, const std::vector<ElementType>& types) {
  const TileElements tile(types);
  LaunchPlan plan;
  LaunchStep step{scan_entry, tile.shape(sizes)};
  const std::int64_t tiles = divided_up(sizes.count, tile.of_thread * step.shape.threads);
  step.shape.shared_bytes =
      static_cast<std::uint32_t>(tile.arrays.bytes + LookBack::shared_bytes(types));
  plan.numbers = {static_cast<std::uint64_t>(sizes.count), static_cast<std::uint64_t>(tiles)};
  LookBack::add_areas(plan, types, tiles);
  if (tiles > 0) plan.steps.push_back(std::move(step));
  return plan;
}

} // namespace

std::optional<KernelEntries> make_scan(const ir::Function& function,
                                       const SkeletonOptions& options) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  if (jit::keeps_fold_order(soac) || !has_plain_folds<ir::ScanGroup>(function, soac))
    return std::nullopt;
  return make_around_body(
      function, options,
      [&](jit::KernelModule& kernel, BodyFunctions& body, KernelEntries& result) {
        const Folds folds = folds_of<ir::ScanGroup>(function, body, BodyFunctions::Maps::Stored);
        result.module.entries = {ScanEntry(kernel, function, folds).scan()};
        result.plan = [types = folds.folds.types()](const LaunchSizes& sizes) {
          return plan_scan(sizes, types);
        };
      });
}

} // namespace sinter::gpu
