// Scans: an element's values are combined with running values, and the results of that are stored
// at the element's index.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"

#include <cassert>

namespace sinter::jit {

using llvm::Value;

ScanState BodyEmitter::begin_group(const ir::ScanGroup& group, const ir::Soac& soac,
                                   std::span<const ir::ValueId> results) {
  ScanState state;
  state.fold = {{&group.neutral, &group.combine}, {}, {}};
  for (std::size_t i = 0; i < group.neutral.size(); ++i) {
    state.fold.accumulators.push_back(accumulator(group.neutral[i]));
    state.stored.places.push_back(fresh_place(soac, results[i]));
  }
  return state;
}

void BodyEmitter::apply(ScanState& state, const GroupElement& element) {
  const Fold& fold = state.fold;
  if (fold.folding && !fold.folding->tile.empty())
    return store_in_tile(*fold.folding, element.index, element.values);
  if (fold.folding) return apply_in_row(state, element);
  if (across_lanes_) return apply_across_lanes(state, element);
  const std::vector<Emitted> prefixes =
      combine(*fold.combine, values_of(fold.accumulators), element.values);
  for (std::size_t i = 0; i < prefixes.size(); ++i)
    assign(fold.accumulators[i], prefixes[i], element.types[i]);
  const auto store = [&] { store_prefixes(state, element, prefixes); };
  if (state.stores_prefixes)
    b.if_then(state.stores_prefixes, store);
  else
    store();
}

void BodyEmitter::store_prefixes(const ScanState& state, const GroupElement& element,
                                 std::span<const Emitted> prefixes) {
  for (std::size_t i = 0; i < prefixes.size(); ++i)
    put(state.stored.places[i], {&element.index, 1}, prefixes[i], element.types[i]);
}

/// Of the row at hand of a scan whose order shows.
void BodyEmitter::apply_in_row(ScanState& state, const GroupElement& element) {
  const Folding& folding = *state.fold.folding;
  fold_into(folding, state.fold.accumulators, element.values);
  const std::vector<Emitted> prefixes = values_of(state.fold.accumulators);
  b.if_then(state.stores_prefixes ? state.stores_prefixes : b.ir.getTrue(), [&] {
    b.if_then_else(
        folding.has_carry,
        [&] {
          store_prefixes(state, element,
                         combine(*folding.combine, values_of(folding.carry), prefixes));
        },
        [&] { store_prefixes(state, element, prefixes); });
  });
}

void BodyEmitter::apply_across_lanes(ScanState& state, const GroupElement& element) {
  assert(!state.stores_prefixes); // totals alone are reductions in lanes
  const Fold& fold = state.fold;
  const std::vector<Emitted> carry = values_of(fold.accumulators);
  const std::vector<LaneValue> running =
      prefixes_of_lanes(fold, neutral_where_inactive(fold, element.values));
  // The next carry depends on this one by one operation on scalars alone.
  std::vector<Emitted> totals;
  for (const LaneValue& value : running)
    totals.push_back(
        b.uniform(b.ir.CreateExtractElement(value.value, b.lanes() - 1), value.element));
  const std::vector<Emitted> next = combine(*fold.combine, carry, totals);
  for (std::size_t i = 0; i < next.size(); ++i)
    b.set(std::get<Variable>(fold.accumulators[i]), std::get<LaneValue>(next[i]));
  store_prefixes(
      state, element,
      combine(*fold.combine, carry, std::vector<Emitted>(running.begin(), running.end())));
}

/// From lane code: each lane's value combined with those of all lanes before it, in log2(W) steps
/// (Hillis and Steele, "Data parallel algorithms", CACM 1986).  Neutral elements stand before the
/// first lane.
std::vector<LaneValue> BodyEmitter::prefixes_of_lanes(const Fold& fold,
                                                      std::vector<LaneValue> running) {
  const bool across = std::exchange(across_lanes_, false);
  Value* const mask = std::exchange(b.mask, nullptr);
  const auto lanes = static_cast<int>(b.lanes());
  for (int step = 1; step < lanes; step *= 2) {
    std::vector<int> order;
    for (int lane = 0; lane < lanes; ++lane)
      order.push_back(lane >= step ? lane - step : lanes + lane);
    std::vector<Emitted> before;
    for (std::size_t i = 0; i < running.size(); ++i)
      before.push_back(b.varying(
          b.ir.CreateShuffleVector(running[i].value, b.vector(scalar((*fold.neutral)[i])), order),
          running[i].element));
    const std::vector<Emitted> next =
        combine(*fold.combine, before, std::vector<Emitted>(running.begin(), running.end()));
    for (std::size_t i = 0; i < running.size(); ++i)
      running[i].value = b.vector(std::get<LaneValue>(next[i]));
  }
  b.mask = mask;
  across_lanes_ = across;
  return running;
}

std::vector<Emitted> BodyEmitter::results_of(const ScanState& state) {
  return {state.stored.places.begin(), state.stored.places.end()};
}

// ---- in a kernel -------------------------------------------------------------------------------

/// A chunk of several leaves its total, and stores its prefixes in the last phase, which begins
/// with what came before it.
ScanState KernelEmitter::begin_group(const Range& range, const ir::ScanGroup& group,
                                     const GroupPosition& at) {
  BodyEmitter& body = range.entry.body;
  ScanState state;
  state.fold = {{&group.neutral, &group.combine}, {}, {}};
  if (range.phase == phases::Finish)
    state.stored.streams = range.streams;
  else if (!plan_.runs_in_lanes(range.soac))
    state.stores_prefixes = is_only_chunk(range.entry);
  for (std::size_t i = 0; i < group.neutral.size(); ++i) {
    state.fold.accumulators.push_back(body.accumulator(group.neutral[i]));
    state.stored.places.push_back(result_array(range.entry, at.result + i));
    if (range.phase == phases::Run || range.keeps_order) continue;
    const ir::Type type = function_.type(group.neutral[i]);
    body.assign(state.fold.accumulators[i],
                load_partial(range.entry, at.partial + i, range.chunk, type), type);
  }
  return state;
}

void KernelEmitter::leave(const Range& range, const ScanState& state, const GroupPosition& at) {
  leave_totals(range, state.fold, at);
}

void KernelEmitter::combine(const Chunks& chunks, const ir::ScanGroup& group,
                            const GroupPosition& at) {
  const Operator op{&group.neutral, &group.combine};
  if (chunks.keeps_order)
    leave_carries(chunks.entry, op, at.partial);
  else
    folded_chunks(chunks, op, at.partial, Carries::Left);
}

} // namespace sinter::jit
