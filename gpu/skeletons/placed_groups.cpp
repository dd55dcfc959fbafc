#include "gpu/skeletons/placed_groups.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/groups.h"
#include "lang/values/extents.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using llvm::Value;

// ---- what they are -----------------------------------------------------------------------------

std::int64_t PlacedGroup::places(const LaunchSizes& sizes) const {
  return element_count(sizes.extents(destinations[0].parameter));
}

namespace {

/// The number of a parameter's first word among those of all arguments.
unsigned first_word_of(const ir::Function& function, std::size_t parameter) {
  unsigned word = 0;
  for (std::size_t i = 0; i < parameter; ++i)
    word += argument_words(function.type(function.body.parameters[i]));
  return word;
}

std::optional<PlacedGroup> placed_group(const ir::Function& function, const ir::Group& group,
                                        const ir::ArrayLayouts& layouts) {
  PlacedGroup placed;
  std::size_t index_count = 0;
  if (const auto* scatter = std::get_if<ir::ScatterGroup>(&group)) {
    index_count = scatter->index_count;
  } else if (const auto* histogram = std::get_if<ir::HistogramGroup>(&group)) {
    index_count = histogram->index_count;
    placed.histogram = histogram;
    placed.neutral = histogram->neutral;
  } else {
    return std::nullopt;
  }
  for (const ir::Operand& destination : ir::destinations(group)) {
    const ir::Type& type = function.type(destination.value());
    const auto parameter = jit::parameter_index(function, destination.value());
    if (type.rank() != index_count || !parameter) return std::nullopt;
    placed.destinations.push_back(
        {static_cast<std::uint32_t>(*parameter), type.element, first_word_of(function, *parameter),
         *parameter < layouts.size() && layouts[*parameter] != ir::ArrayLayout::Strided});
    if (placed.destinations.size() > 1) continue; // (They have the same extents.)
    for (const ir::Operand& extent : type.extents) {
      PlacedGroup::Extent one;
      if (extent.is_constant()) {
        one.constant = extent.scalar().as<std::int64_t>();
      } else if (const auto size = jit::parameter_index(function, extent.value())) {
        one.word = first_word_of(function, *size);
      } else {
        return std::nullopt;
      }
      placed.extents.push_back(one);
    }
  }
  return placed;
}

} // namespace

std::vector<PlacedGroup> placed_groups(const ir::Function& function,
                                       const ir::ArrayLayouts& layouts) {
  std::vector<PlacedGroup> placed;
  for (const ir::Group& group : jit::parallel_soac(function)->groups) {
    if (std::holds_alternative<ir::MapGroup>(group)) continue;
    std::optional<PlacedGroup> one = placed_group(function, group, layouts);
    if (!one) return {};
    placed.push_back(std::move(*one));
  }
  return placed;
}

// ---- places ------------------------------------------------------------------------------------

namespace {

Value* extent_of(EntryBuilder& entry, const PlacedGroup::Extent& extent) {
  return extent.word ? entry.argument(*extent.word) : entry.b.i64(extent.constant);
}

Value* pointer_to(EntryBuilder& entry, const Destination& destination,
                  std::span<Value* const> indices) {
  return entry.place(address_of(entry, destination, indices));
}

} // namespace

Value* place_number(EntryBuilder& entry, const PlacedGroup& group,
                    std::span<Value* const> indices) {
  llvm::IRBuilder<>& ir = entry.b.ir;
  Value* number = nullptr;
  Value* is_within = nullptr;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    Value* const extent = extent_of(entry, group.extents[d]);
    Value* const is_below = ir.CreateICmpULT(indices[d], extent);
    number = number ? ir.CreateAdd(ir.CreateMul(number, extent), indices[d]) : indices[d];
    is_within = is_within ? ir.CreateAnd(is_within, is_below) : is_below;
  }
  return ir.CreateSelect(is_within, number, entry.b.i64(-1));
}

Value* address_of(EntryBuilder& entry, const Destination& destination,
                  std::span<Value* const> indices) {
  llvm::IRBuilder<>& ir = entry.b.ir;
  Value* offset = nullptr;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const bool is_next = destination.is_dense && d + 1 == indices.size();
    Value* const distance =
        is_next
            ? indices[d]
            : ir.CreateMul(indices[d],
                           entry.argument(destination.first_word + 1 + static_cast<unsigned>(d)));
    offset = offset ? ir.CreateAdd(offset, distance) : distance;
  }
  Value* const bytes =
      ir.CreateMul(offset, entry.b.i64(static_cast<std::int64_t>(byte_size(destination.element))));
  return ir.CreateAdd(entry.argument(destination.first_word), bytes);
}

std::vector<Value*> indices_of(EntryBuilder& entry, const PlacedGroup& group, Value* place) {
  llvm::IRBuilder<>& ir = entry.b.ir;
  std::vector<Value*> indices(group.extents.size());
  for (std::size_t d = indices.size(); d-- > 1;) {
    Value* const extent = extent_of(entry, group.extents[d]);
    indices[d] = ir.CreateURem(place, extent);
    place = ir.CreateUDiv(place, extent);
  }
  indices[0] = place;
  return indices;
}

Components load_places(EntryBuilder& entry, const PlacedGroup& group,
                       std::span<Value* const> indices) {
  Components values;
  for (const Destination& destination : group.destinations)
    values.push_back(entry.b.ir.CreateAlignedLoad(entry.b.memory_type(destination.element),
                                                  pointer_to(entry, destination, indices),
                                                  llvm::Align(byte_size(destination.element))));
  return values;
}

void store_place(EntryBuilder& entry, const Destination& destination,
                 std::span<Value* const> indices, Value* value) {
  entry.b.ir.CreateAlignedStore(value, pointer_to(entry, destination, indices),
                                llvm::Align(byte_size(destination.element)));
}

// ---- elements ----------------------------------------------------------------------------------

std::vector<PlacedElement> placed_elements(EntryBuilder& entry,
                                           const std::vector<PlacedGroup>& groups,
                                           const Components& components) {
  std::vector<PlacedElement> placed;
  auto next = components.begin();
  for (const PlacedGroup& group : groups) {
    const auto values = next + static_cast<std::ptrdiff_t>(group.extents.size());
    const auto end = values + static_cast<std::ptrdiff_t>(group.destinations.size());
    PlacedElement one;
    one.indices.assign(next, values);
    one.values.assign(values, end);
    one.place = place_number(entry, group, one.indices);
    placed.push_back(std::move(one));
    next = end;
  }
  return placed;
}

void for_each_element(EntryBuilder& entry, const ElementFunction& element,
                      const std::vector<PlacedGroup>& groups, const Stride& stride,
                      const std::function<void(Value*, std::span<const PlacedElement>)>& body) {
  jit::LaneBuilder& b = entry.b;
  for_each_number_while(entry, stride, [&](Value* index) {
    entry.empty_scratch();
    const ComputedElement computed = compute_element(entry, element, index);
    b.if_then(computed.is_right,
              [&] { body(index, placed_elements(entry, groups, computed.values)); });
    return b.ir.CreateAnd(computed.is_right, entry.may_go_on());
  });
}

// ---- kernels -----------------------------------------------------------------------------------

namespace {

KernelEntries empty_entries(const ir::Function& function) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  KernelEntries entries;
  entries.module.context = make_kernel_context();
  entries.module.module = std::make_unique<llvm::Module>("kernel", *entries.module.context);
  entries.skeleton = jit::skeleton_of(soac);
  entries.index_space = {soac.extent};
  return entries;
}

} // namespace

PlacedKernel::PlacedKernel(const ir::Function& function, const SkeletonOptions& options,
                           std::vector<PlacedGroup> placed)
    : entries(empty_entries(function)), kernel{.module = *entries.module.module,
                                               .hooks = hooks,
                                               .floats = options.floats},
      body(kernel, function, options), groups(std::move(placed)) {}

std::optional<KernelEntries> PlacedKernel::finish(Planner plan) {
  if (kernel.refusal) return std::nullopt;
  entries.plan = std::move(plan);
  entries.uses_scratch = hooks.use_scratch();
  return std::move(entries);
}

} // namespace sinter::gpu
