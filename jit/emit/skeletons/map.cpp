// Maps: an element's value is stored at its index; an array is built there, if it can be.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"

namespace sinter::jit {

using llvm::Value;

MapState BodyEmitter::begin_group(const ir::MapGroup&, const ir::Soac& soac,
                                  std::span<const ir::ValueId> results) {
  return {.stored = stored_row(soac, results[0])};
}

void BodyEmitter::begin_row(MapState& state, const ir::Body& body, const ir::Operand& result,
                            const LaneValue& index) {
  state.row.reset();
  if (source_.type(result).is_scalar()) return;
  state.row = b.subarray(state.stored.places[0], {&index, 1});
  if (!is_built_in_lanes(body, result, *state.row)) suggest_place(body, result, *state.row);
}

void BodyEmitter::apply(MapState& state, const GroupElement& element) {
  if (state.row)
    copy(std::get<ArrayView>(element.values[0]), *state.row, element.types[0]);
  else
    put(state.stored.places[0], {&element.index, 1}, element.values[0], element.types[0]);
}

std::vector<Emitted> BodyEmitter::results_of(const MapState& state) {
  return {state.stored.places[0]};
}

// ---- in a kernel -------------------------------------------------------------------------------

MapState KernelEmitter::begin_group(const Range& range, const ir::MapGroup&,
                                    const GroupPosition& at) {
  // (The memory of vectors may be that of an input: KernelLayout::Result::reusable.)
  const ir::Type type = function_.type(function_.body.results[at.result]);
  return {.stored = {.places = {result_array(range.entry, at.result)},
                     .streams = range.streams,
                     .may_repeat = type.rank() > 1}};
}

void KernelEmitter::leave(const Range&, const MapState&, const GroupPosition&) {}
void KernelEmitter::combine(const Chunks&, const ir::MapGroup&, const GroupPosition&) {}

} // namespace sinter::jit
