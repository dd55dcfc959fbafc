// Scans: an element's values are combined with running values, and the results of that are stored
// at the element's index.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"
#include "jit/ir/groups.h"
#include "lang/base/overloaded.h"

#include <cassert>

namespace sinter::jit {

using llvm::Value;

namespace {

/// An element's values that are scanned: those before what is passed by.
std::span<const Emitted> scanned(const ScanState& state, const GroupElement& element) {
  return std::span(element.values).first(state.fold.neutral->size());
}

} // namespace

ScanState BodyEmitter::begin_group(const ir::ScanGroup& group, const ir::Soac& soac,
                                   std::span<const ir::ValueId> results) {
  ScanState state;
  state.fold = {operator_of(group), {}, {}};
  for (std::size_t i = 0; i < group.neutral.size(); ++i) {
    state.fold.accumulators.push_back(accumulator(group.neutral[i]));
    if (group.post.empty()) state.stored.places.push_back(fresh_place(soac, results[i]));
  }
  for (const ir::Post& post : group.post) {
    PostState& here = state.post.emplace_back(PostState{.post = &post});
    ir::for_each_group(post, [&](const ir::Group& inner, std::size_t, std::size_t result) {
      here.states.push_back(std::visit(
          [&](const auto& kind) {
            return GroupState(begin_group(kind, soac, results.subspan(result)));
          },
          inner));
    });
  }
  return state;
}

void BodyEmitter::apply(ScanState& state, const GroupElement& element) {
  const Fold& fold = state.fold;
  if (fold.folding && !fold.folding->tile.empty()) {
    const std::size_t count = fold.neutral->size();
    for (PostState& post : state.post)
      for (std::size_t i = 0; i < post.passed.size(); ++i)
        if (!post.is_input[i])
          put(post.passed[i], {&element.index, 1}, element.values[count + i],
              element.types[count + i]);
    return store_in_tile(*fold.folding, element.index, scanned(state, element));
  }
  if (fold.folding) return apply_in_row(state, element);
  if (across_lanes_) return apply_across_lanes(state, element);
  const std::vector<Emitted> prefixes =
      combine(*fold.combine, values_of(fold.accumulators), scanned(state, element));
  for (std::size_t i = 0; i < prefixes.size(); ++i)
    assign(fold.accumulators[i], prefixes[i], element.types[i]);
  const auto store = [&] { store_prefixes(state, element, prefixes); };
  if (state.stores_prefixes)
    b.if_then(state.stores_prefixes, store);
  else
    store();
}

void BodyEmitter::store_prefixes(ScanState& state, const GroupElement& element,
                                 std::span<const Emitted> prefixes) {
  for (PostState& post : state.post)
    run_post(post, element.index, prefixes, std::span(element.values).subspan(prefixes.size()));
  for (std::size_t i = 0; i < state.stored.places.size(); ++i)
    put(state.stored.places[i], {&element.index, 1}, prefixes[i], element.types[i]);
}

/// In place of storing prefixes.
void BodyEmitter::run_post(PostState& post, const LaneValue& index,
                           std::span<const Emitted> prefixes, std::span<const Emitted> passed) {
  const bool is_outermost = !outer_index_;
  if (is_outermost) outer_index_ = index;
  with_scratch([&] {
    const std::vector<ir::ValueId>& parameters = post.post->body.parameters;
    bind(parameters[0], index);
    for (std::size_t i = 0; i < prefixes.size(); ++i)
      bind(parameters[1 + i], prefixes[i]);
    for (std::size_t i = 0; i < passed.size(); ++i)
      bind(parameters[1 + prefixes.size() + i], passed[i]);
    statements(post.post->body);
    apply(post.post->body, post.post->groups, post.states, index);
  });
  if (is_outermost) outer_index_.reset();
}

/// Of the row at hand of a scan whose order shows.
void BodyEmitter::apply_in_row(ScanState& state, const GroupElement& element) {
  const Folding& folding = *state.fold.folding;
  fold_into(folding, state.fold.accumulators, scanned(state, element));
  const std::vector<Emitted> prefixes = values_of(state.fold.accumulators);
  b.if_then(state.stores_prefixes ? state.stores_prefixes : b.ir.getTrue(), [&] {
    if (!state.post.empty()) return store_with_carry(state, element, prefixes);
    b.if_then_else(
        folding.has_carry,
        [&] {
          store_prefixes(state, element,
                         combine(*folding.combine, values_of(folding.carry), prefixes));
        },
        [&] { store_prefixes(state, element, prefixes); });
  });
}

/// The same with a post, which is emitted once.
void BodyEmitter::store_with_carry(ScanState& state, const GroupElement& element,
                                   const std::vector<Emitted>& prefixes) {
  const Folding& folding = *state.fold.folding;
  std::vector<Variable> whole;
  for (const Emitted& prefix : prefixes) {
    const auto& value = std::get<LaneValue>(prefix);
    whole.push_back(b.variable(value.element, Shape::Varying));
    b.set_active(whole.back(), value);
  }
  b.if_then(folding.has_carry, [&] {
    const std::vector<Emitted> carried =
        combine(*folding.combine, values_of(folding.carry), prefixes);
    for (std::size_t i = 0; i < whole.size(); ++i)
      b.set_active(whole[i], std::get<LaneValue>(carried[i]));
  });
  std::vector<Emitted> values;
  for (const Variable& variable : whole)
    values.push_back(b.get(variable));
  store_prefixes(state, element, values);
}

void BodyEmitter::apply_across_lanes(ScanState& state, const GroupElement& element) {
  assert(!state.stores_prefixes); // totals alone are reductions in lanes
  const Fold& fold = state.fold;
  const std::vector<Emitted> carry = values_of(fold.accumulators);
  const std::vector<LaneValue> running =
      prefixes_of_lanes(fold, neutral_where_inactive(fold, scanned(state, element)));
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
  std::vector<Emitted> results = {state.stored.places.begin(), state.stored.places.end()};
  for (const PostState& post : state.post)
    for (const GroupState& inner : post.states)
      std::visit(Overloaded{[](const Unwanted&) {},
                            [&](const auto& kind) {
                              for (Emitted& result : results_of(kind))
                                results.push_back(std::move(result));
                            }},
                 inner);
  return results;
}

// ---- in a kernel -------------------------------------------------------------------------------

/// A chunk of several leaves its total, and stores its prefixes in the last phase, which begins
/// with what came before it.
ScanState KernelEmitter::begin_group(const Range& range, const ir::ScanGroup& group,
                                     const GroupPosition& at) {
  BodyEmitter& body = range.entry.body;
  ScanState state;
  state.fold = {operator_of(group), {}, {}};
  if (range.phase == phases::Finish)
    state.stored.streams = range.streams;
  else if (!plan_.runs_in_lanes(range.soac))
    state.stores_prefixes = is_only_chunk(range.entry);
  for (std::size_t i = 0; i < group.neutral.size(); ++i) {
    state.fold.accumulators.push_back(body.accumulator(group.neutral[i]));
    if (group.post.empty()) state.stored.places.push_back(result_array(range.entry, at.result + i));
    if (range.phase == phases::Run || range.keeps_order) continue;
    const ir::Type type = function_.type(group.neutral[i]);
    body.assign(state.fold.accumulators[i],
                load_partial(range.entry, at.partial + i, range.chunk, type), type);
  }
  for (const ir::Post& post : group.post) {
    PostState& here = state.post.emplace_back(PostState{.post = &post});
    const std::vector<GroupPosition> positions = group_positions(group, at);
    for (std::size_t g = 0; g < positions.size(); ++g)
      here.states.push_back(std::visit(
          [&](const auto& kind) { return GroupState(begin_group(range, kind, positions[g])); },
          post.groups[g]));
    if (range.keeps_order) here.events = events_of_post(range, post, positions);
  }
  return state;
}

/// Where a chunk is the only one, its prefixes are at hand in the first phase.
void KernelEmitter::leave(const Range& range, const ScanState& state, const GroupPosition& at) {
  leave_totals(range, state.fold, at);
  if (!state.post.empty())
    range.entry.body.b.if_then(is_only_chunk(range.entry), [&] { leave_post(range, state, at); });
}

/// What the post's groups leave for other chunks.
void KernelEmitter::leave_post(const Range& range, const ScanState& state,
                               const GroupPosition& at) {
  for (const PostState& post : state.post) {
    std::size_t partial = at.partial + state.fold.neutral->size();
    for (std::size_t g = 0; g < post.states.size(); ++g) {
      const GroupPosition here{.body_result = 0, .result = 0, .partial = partial};
      std::visit(
          Overloaded{[](const Unwanted&) {}, [&](const auto& inner) { leave(range, inner, here); }},
          post.states[g]);
      partial += partial_values(post.post->groups[g]).size();
    }
  }
}

void KernelEmitter::conclude(const Chunks& chunks, const ir::ScanGroup& group,
                             const GroupPosition& at) {
  const std::vector<GroupPosition> positions = group_positions(group, at);
  for (std::size_t g = 0; g < positions.size(); ++g)
    std::visit([&](const auto& inner) { combine(chunks, inner, positions[g]); },
               group.post[0].groups[g]);
}

void KernelEmitter::combine(const Chunks& chunks, const ir::ScanGroup& group,
                            const GroupPosition& at) {
  const Operator op = operator_of(group);
  if (chunks.keeps_order)
    leave_carries(chunks.entry, op, at.partial);
  else
    folded_chunks(chunks, op, at.partial, Carries::Left);
}

} // namespace sinter::jit
