// Partitions: elements are stored in their order, counted by kind, and then put to those of their
// kind.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"

namespace sinter::jit {

using llvm::Value;

PartitionState BodyEmitter::begin_group(const ir::PartitionGroup& group, const ir::Soac& soac,
                                        std::span<const ir::ValueId> results) {
  PartitionState state;
  state.kinds = scalar(group.kinds).value;
  state.numbers = allocate({ElementType::I32, {soac.extent}});
  state.counts = allocate(source_.type(results[0]));
  for (const ir::ValueId result : results.subspan(1, group.value_count)) {
    ir::Type type = source_.type(result);
    state.ordered.push_back(allocate(type));
    state.places.push_back(allocate(type));
    type.extents.erase(type.extents.begin());
    state.types.push_back(std::move(type));
  }
  return state;
}

void BodyEmitter::apply(PartitionState& state, const GroupElement& element) {
  put(state.numbers, {&element.index, 1}, element.values[0], element.types[0]);
  for (std::size_t i = 0; i < state.ordered.size(); ++i)
    put(state.ordered[i], {&element.index, 1}, element.values[i + 1], element.types[i + 1]);
}

std::vector<Emitted> BodyEmitter::results_of(const PartitionState& state) {
  std::vector<Emitted> results = {state.counts};
  results.insert(results.end(), state.places.begin(), state.places.end());
  return results;
}

// ---- in a kernel -------------------------------------------------------------------------------

PartitionState KernelEmitter::begin_group(const Range&, const ir::PartitionGroup&,
                                          const GroupPosition&) {
  return {};
}

void KernelEmitter::leave(const Range&, const PartitionState&, const GroupPosition&) {}
void KernelEmitter::combine(const Chunks&, const ir::PartitionGroup&, const GroupPosition&) {}

} // namespace sinter::jit
