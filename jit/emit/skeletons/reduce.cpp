// Reductions: an element's values are combined with running values.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"

namespace sinter::jit {

ReduceState BodyEmitter::begin_group(const ir::ReduceGroup& group, const ir::Soac&,
                                     std::span<const ir::ValueId>) {
  ReduceState state;
  state.fold = begin_fold(operator_of(group));
  state.is_commutative = is_commutative(group);
  return state;
}

void BodyEmitter::apply(ReduceState& state, const GroupElement& element) {
  Fold& fold = state.fold;
  if (fold.folding && !fold.folding->tile.empty())
    return store_in_tile(*fold.folding, element.index, element.values);
  if (fold.folding && across_lanes_)
    return fold_in_order(*fold.folding, fold.accumulators, element.values);
  if (state.only) return take_only(state, element.values);
  if (state.ascending) return fold_ascending(state, element.values);
  if (state.is_unordered) note_unordered(*state.is_unordered, element.values);
  std::vector<Emitted> values = element.values;
  if (across_lanes_ && !state.is_commutative) {
    const auto folded =
        fold_lanes(*fold.combine, neutral_where_inactive(fold, values), FoldOrder::AsGiven);
    values.assign(folded.begin(), folded.end());
  }
  fold_into(fold, fold.accumulators, values);
}

std::vector<Emitted> BodyEmitter::results_of(const ReduceState& state) {
  return values_of(state.fold.folding ? state.fold.folding->all : state.fold.accumulators);
}

// ---- in a kernel -------------------------------------------------------------------------------

ReduceState KernelEmitter::begin_group(const Range& range, const ir::ReduceGroup& group,
                                       const GroupPosition&) {
  ReduceState state;
  state.fold = range.entry.body.begin_fold(operator_of(group));
  state.is_commutative = is_commutative(group);
  return state;
}

void KernelEmitter::leave(const Range& range, const ReduceState& state, const GroupPosition& at) {
  leave_totals(range, state.fold, at);
}

void KernelEmitter::combine(const Chunks& chunks, const ir::ReduceGroup& group,
                            const GroupPosition& at) {
  const Operator op = operator_of(group);
  const std::vector<Accumulator> accumulators =
      chunks.keeps_order ? folded_units(chunks.entry, op, at.partial)
                         : folded_chunks(chunks, op, at.partial, Carries::None);
  for (std::size_t i = 0; i < accumulators.size(); ++i)
    store_result(chunks.entry, at.result + i, chunks.entry.body.value_of(accumulators[i]),
                 function_.type(group.neutral[i]));
}

} // namespace sinter::jit
