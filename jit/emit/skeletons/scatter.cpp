// Scatters: an element's value is stored where its indices say, if that is anywhere.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"

namespace sinter::jit {

namespace {

ArrayView scattered(ArrayView destination) {
  destination.is_scattered = true;
  return destination;
}

} // namespace

ScatterState BodyEmitter::begin_group(const ir::ScatterGroup& group, const ir::Soac&,
                                      std::span<const ir::ValueId>) {
  return {&group, scattered(array(group.destination.value()))};
}

void BodyEmitter::apply(ScatterState& state, const GroupElement& element) {
  const std::vector<LaneValue> indices = element.scalars(state.group->index_count);
  under(within(source_.type(state.group->destination), indices),
        [&] { put(state.place, indices, element.values.back(), element.types.back()); });
}

std::vector<Emitted> BodyEmitter::results_of(const ScatterState& state) {
  return {state.place};
}

// ---- in a kernel -------------------------------------------------------------------------------

ScatterState KernelEmitter::begin_group(const Range& range, const ir::ScatterGroup& group,
                                        const GroupPosition&) {
  return {&group, scattered(range.entry.body.array(group.destination.value()))};
}

void KernelEmitter::leave(const Range&, const ScatterState&, const GroupPosition&) {}
void KernelEmitter::combine(const Chunks&, const ir::ScatterGroup&, const GroupPosition&) {}

} // namespace sinter::jit
