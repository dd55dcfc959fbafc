// Filters of scalars, several of them for a partition, and maps beside them: one pass, by look-back
// on how many elements are kept.
//
// A tile's elements are computed as by a scan.  What a thread's own ones keep goes to shared
// memory, without gaps, and from there to the results by threads beside each other.
#include "gpu/skeletons/look_back.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/tile_elements.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace sinter::gpu {

using llvm::Value;

namespace {

constexpr const char* filter_entry = "filter";

enum class FilterNumber : unsigned { Count, Tiles, All };

/// Where a filter's values are among the element's components, and among the results.
struct FilterPart {
  std::size_t flag = 0; ///< its values come behind
  std::size_t values = 0;
  unsigned result = 0; ///< the count; its arrays come behind
};

struct Filters {
  ElementFunction element;
  FoldSet counts; ///< a component for each filter
  std::vector<FilterPart> parts;
};

Filters filters_of(const ir::Function& function, BodyFunctions& body) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  Filters filters;
  filters.element = body.element_and_lanes(BodyFunctions::Maps::Stored);
  const std::vector<jit::GroupPosition> positions = jit::group_positions(soac);
  std::size_t component = 0;
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    const auto* const filter = std::get_if<ir::FilterGroup>(&soac.groups[g]);
    if (!filter) continue;
    filters.counts.add(body.counting());
    filters.parts.push_back(
        {component, filter->value_count, static_cast<unsigned>(positions[g].result)});
    component += 1 + filter->value_count;
  }
  return filters;
}

/// Registers for an element's values, of the filter that has most of them: flags, which stand in
/// front of a filter's values, are bits, as are values of that type.  (Counts of many filters leave
/// less room.)
std::size_t words_of_values(const std::vector<ElementType>& types) {
  std::size_t most = 1, words = 0, flags = 0;
  for (const ElementType type : types) {
    flags += type == ElementType::Bool;
    words = type == ElementType::Bool ? 0 : words + words_of({type});
    most = std::max(most, words);
  }
  return most + (std::max<std::size_t>(flags, 1) - 1) / 2;
}

class FilterEntry {
public:
  FilterEntry(jit::KernelModule& kernel, const ir::Function& function, const Filters& filters)
      : kernel_(kernel), filters_(filters),
        counts_(word_counts(function, LookBack::area_count,
                            static_cast<std::size_t>(FilterNumber::All))),
        tile_(filters.element.types, words_of_values(filters.element.types)),
        look_back_(filters.counts, 0, LookBack::Told::Counts) {}

  EntryPoint filter() {
    EntryBuilder entry(kernel_, filter_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    Value* const tiles = entry.number(static_cast<unsigned>(FilterNumber::Tiles));
    Value* const shared = entry.call(AbstractFunction::shared_memory);
    Value* const shared_of_look_back = tile_.behind(entry, shared);
    Components nothing;
    for (const ElementType type : filters_.element.types)
      nothing.push_back(llvm::Constant::getNullValue(b.memory_type(type)));
    TileComputation computation(entry, tile_, filters_.element, nothing,
                                entry.number(static_cast<unsigned>(FilterNumber::Count)));
    look_back_.for_each_tile(entry, tiles, shared_of_look_back, [&](Value* tile) {
      computation.compute(tile, shared);
      entry.barrier();
      std::vector<Value*> masks;
      Components kept;
      for (const FilterPart& part : filters_.parts) {
        masks.push_back(flags(entry, shared, part));
        kept.push_back(b.ir.CreateZExt(
            b.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, masks.back()), b.ir.getInt64Ty()));
      }
      const LookBack::Prefix prefix =
          look_back_.prefix(entry, tile, tiles, shared_of_look_back, kept);
      for (std::size_t f = 0; f < filters_.parts.size(); ++f)
        pack(entry, f, masks[f], prefix, shared);
      entry.barrier();
      for (std::size_t f = 0; f < filters_.parts.size(); ++f)
        store_kept(entry, f, prefix, shared);
      Value* const is_last = b.ir.CreateICmpEQ(tile, b.ir.CreateSub(tiles, b.i64(1)));
      b.if_then(is_last, [&] {
        entry.by_first_thread([&] {
          for (std::size_t f = 0; f < filters_.parts.size(); ++f)
            entry.store_scalar_result(filters_.parts[f].result, prefix.all[f]);
        });
      });
    });
    return with_threads(entry.finish());
  }

private:
  /// Bit i (of an i32): whether the filter keeps the thread's element `i`.
  Value* flags(EntryBuilder& entry, Value* shared, const FilterPart& part) const {
    llvm::IRBuilderBase& ir = entry.b.ir;
    Value* mask = ir.getInt32(0);
    for (std::int64_t i = 0; i < tile_.of_thread; ++i)
      mask = ir.CreateOr(
          mask, ir.CreateShl(ir.CreateZExt(own(entry, shared, part.flag, i), ir.getInt32Ty()),
                             static_cast<std::uint64_t>(i)));
    return mask;
  }

  Value* address(EntryBuilder& entry, Value* shared, std::size_t component, Value* place) const {
    jit::LaneBuilder& b = entry.b;
    Value* const array = b.ir.CreateConstGEP1_64(
        b.ir.getInt8Ty(), shared, static_cast<std::uint64_t>(tile_.arrays.begins[component]));
    return b.ir.CreateGEP(b.memory_type(filters_.element.types[component]), array, place);
  }
  llvm::Align alignment(std::size_t component) const {
    return llvm::Align(byte_size(filters_.element.types[component]));
  }
  Value* load(EntryBuilder& entry, Value* shared, std::size_t component, Value* place) const {
    return entry.b.ir.CreateAlignedLoad(entry.b.memory_type(filters_.element.types[component]),
                                        address(entry, shared, component, place),
                                        alignment(component));
  }
  /// A component of the thread's element `i`.
  Value* own(EntryBuilder& entry, Value* shared, std::size_t component, std::int64_t i) const {
    return load(entry, shared, component, tile_.place_of_own(entry, i));
  }

  /// The tile's kept values, to the front of its arrays.  (They are loaded here, filter by filter:
  /// registers for those of all filters would have to outlast the look-back.)
  void pack(EntryBuilder& entry, std::size_t filter, Value* mask, const LookBack::Prefix& prefix,
            Value* shared) const {
    jit::LaneBuilder& b = entry.b;
    const FilterPart& part = filters_.parts[filter];
    std::vector<Components> elements;
    for (std::int64_t i = 0; i < tile_.of_thread; ++i) {
      Components& element = elements.emplace_back();
      for (std::size_t v = 1; v <= part.values; ++v)
        element.push_back(own(entry, shared, part.flag + v, i));
    }
    entry.barrier();
    // (Within the tile: 32 bits do.)
    Value* next = b.ir.CreateTrunc(b.ir.CreateSub(prefix.before[filter], prefix.tile[filter]),
                                   b.ir.getInt32Ty());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Value* const bit = b.ir.CreateAnd(b.ir.CreateLShr(mask, i), b.ir.getInt32(1));
      b.if_then(b.ir.CreateICmpNE(bit, b.ir.getInt32(0)), [&] {
        Value* const place = b.ir.CreateZExt(b.ir.CreateAdd(next, b.ir.CreateLShr(next, 5)),
                                             b.ir.getInt64Ty()); // as `place` says
        for (std::size_t v = 1; v <= part.values; ++v)
          b.ir.CreateAlignedStore(elements[i][v - 1], address(entry, shared, part.flag + v, place),
                                  alignment(part.flag + v));
      });
      next = b.ir.CreateAdd(next, bit);
    }
  }

  void store_kept(EntryBuilder& entry, std::size_t filter, const LookBack::Prefix& prefix,
                  Value* shared) const {
    jit::LaneBuilder& b = entry.b;
    const FilterPart& part = filters_.parts[filter];
    Value* const kept = b.ir.CreateSub(prefix.all[filter], prefix.tile[filter]);
    entry.for_each_of_block(b.i64(0), kept, [&](Value* number) {
      Value* const index = b.ir.CreateAdd(prefix.tile[filter], number);
      for (std::size_t v = 0; v < part.values; ++v) {
        const std::size_t c = part.flag + 1 + v;
        Value* const value = load(entry, shared, c, TileElements::place(entry, number));
        Value* const result = entry.place(entry.result(part.result + 1 + static_cast<unsigned>(v)));
        b.ir.CreateAlignedStore(value, b.ir.CreateGEP(value->getType(), result, index),
                                alignment(c));
      }
    });
  }

  jit::KernelModule& kernel_;
  const Filters& filters_;
  WordCounts counts_;
  TileElements tile_;
  LookBack look_back_;
};

LaunchPlan plan_filter(const LaunchSizes& sizes, const std::vector<ElementType>& elements,
                       const std::vector<ElementType>& counts) {
  const TileElements tile(elements, words_of_values(elements));
  LaunchPlan plan;
  LaunchStep step{filter_entry, tile.shape(sizes)};
  const std::int64_t tiles = divided_up(sizes.count, tile.of_thread * step.shape.threads);
  step.shape.shared_bytes =
      static_cast<std::uint32_t>(tile.arrays.bytes + LookBack::shared_bytes(counts));
  plan.numbers = {static_cast<std::uint64_t>(sizes.count), static_cast<std::uint64_t>(tiles)};
  LookBack::add_areas(plan, counts, tiles, LookBack::Told::Counts);
  if (tiles > 0) plan.steps.push_back(std::move(step));
  return plan;
}

/// Maps, and filters of scalars, of which there is one.
bool filters_scalars(const ir::Function& function, const ir::Soac& soac) {
  bool are_scalars = !jit::has_only<ir::MapGroup>(soac);
  ir::for_each_group(soac, [&](const ir::Group& group, std::size_t first, std::size_t) {
    if (std::holds_alternative<ir::MapGroup>(group)) return;
    are_scalars = are_scalars && std::holds_alternative<ir::FilterGroup>(group);
    for (std::size_t i = 0; i < ir::arity(group).body_results; ++i)
      are_scalars = are_scalars && function.type(soac.body.results[first + i]).is_scalar();
  });
  return are_scalars;
}

} // namespace

std::optional<KernelEntries> make_filter(const ir::Function& function,
                                         const SkeletonOptions& options) {
  if (!filters_scalars(function, *jit::parallel_soac(function))) return std::nullopt;
  return make_around_body(
      function, options,
      [&](jit::KernelModule& kernel, BodyFunctions& body, KernelEntries& result) {
        const Filters filters = filters_of(function, body);
        result.module.entries = {FilterEntry(kernel, function, filters).filter()};
        result.plan = [elements = filters.element.types,
                       counts = filters.counts.types()](const LaunchSizes& sizes) {
          return plan_filter(sizes, elements, counts);
        };
      });
}

} // namespace sinter::gpu
