// What goes on in a kernel's functions: the groups of its SOAC, for the elements of a chunk and for
// what chunks leave behind.
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_emitter.h"
#include "lang/base/overloaded.h"

namespace sinter::jit {

using llvm::Value;

namespace {

/// The groups of a chunk of which only totals are wanted: scans as reductions, which need no value
/// of an element before that of the next.
std::vector<GroupState> totals(std::vector<GroupState> states) {
  for (GroupState& state : states)
    if (const auto* scan = std::get_if<ScanState>(&state)) {
      ReduceState reduce{scan->fold, is_commutative(*scan->fold.combine), {}};
      state = std::move(reduce);
    }
  return states;
}

} // namespace

/// The elements of a chunk, with the groups' results where the phase wants them.
void KernelEmitter::range(Entry& entry, const ir::Soac& soac, phases::Phase phase) {
  llvm::Function& function = *entry.function;
  llvm::Value* const begin = function.getArg(1);
  llvm::Value* const end = options_.has_chunks_of_one
                               ? entry.body.b.ir.CreateNSWAdd(begin, entry.body.b.i64(1))
                               : static_cast<llvm::Value*>(function.getArg(2));
  entry.body.with_scratch([&] {
    const Range range{entry,
                      soac,
                      phase,
                      begin,
                      end,
                      function.getArg(3),
                      streams_results(entry),
                      keeps_fold_order(soac)};
    const std::vector<GroupPosition> positions = group_positions(soac);
    std::vector<GroupState> states = begin_groups(range, positions);
    elements(range, states, range.keeps_order ? fold_events(range, positions) : FoldEvents());
    for (std::size_t g = 0; phase == phases::Finish && g < states.size(); ++g)
      if (const auto* scan = std::get_if<ScanState>(&states[g]))
        leave_post(range, *scan, positions[g]);
    if (phase == phases::Finish) return;
    for (std::size_t g = 0; g < states.size(); ++g)
      std::visit(Overloaded{[](const Unwanted&) {},
                            [&](const auto& state) { leave(range, state, positions[g]); }},
                 states[g]);
  });
}

std::vector<GroupState> KernelEmitter::begin_groups(const Range& range,
                                                    const std::vector<GroupPosition>& positions) {
  std::vector<GroupState> states;
  for (std::size_t g = 0; g < positions.size(); ++g) {
    const ir::Group& group = range.soac.groups[g];
    if (!takes_part(group, range.phase)) {
      states.emplace_back(Unwanted{});
      continue;
    }
    states.push_back(std::visit(
        [&](const auto& kind) { return GroupState(begin_group(range, kind, positions[g])); },
        group));
  }
  return states;
}

void KernelEmitter::elements(const Range& range, std::vector<GroupState>& states,
                             const FoldEvents& events) {
  BodyEmitter& body = range.entry.body;
  LaneBuilder& b = body.b;
  const ir::Soac& soac = range.soac;
  for (std::size_t g = 0; g < states.size(); ++g)
    if (std::holds_alternative<PartitionState>(states[g]))
      return elements_by_kinds(range, states, g);
  if (const ir::Soac* inner = index_space_of_two(soac))
    return body.nest_range(soac, *inner, states, range.begin, range.end);
  const auto into = [&](std::vector<GroupState> wanted) {
    if (range.keeps_order) {
      body.begin_folding(wanted);
      body.fold_range(soac, wanted, range.begin, b.uniform(range.end), events);
    } else {
      body.soac_range(soac, wanted, range.begin, b.uniform(range.end));
    }
  };
  const auto only_totals = [&] { into(totals(states)); };
  if (range.phase == phases::Finish || !plan_.runs_in_lanes(soac) ||
      !takes_part(soac, phases::Finish))
    into(states);
  else if (finish_scans_all(soac))
    only_totals();
  else
    b.if_then_else(
        is_only_chunk(range.entry), [&] { into(states); }, only_totals);
}

// ---- partial values ----------------------------------------------------------------------------

/// What the elements came to, if units of the order have not done so already.
void KernelEmitter::leave_totals(const Range& range, const Fold& fold, const GroupPosition& at) {
  if (range.keeps_order) return;
  for (std::size_t i = 0; i < fold.neutral->size(); ++i)
    store_partial(range.entry, at.partial + i, range.chunk,
                  range.entry.body.value_of(fold.accumulators[i]),
                  function_.type((*fold.neutral)[i]));
}

/// The chunks' totals, folded in order; where carries are left, what came before a chunk takes the
/// place of its total.
std::vector<Accumulator> KernelEmitter::folded_chunks(const Chunks& chunks, const Operator& op,
                                                      std::size_t first_partial, Carries carries) {
  BodyEmitter& body = chunks.entry.body;
  const std::vector<Accumulator> accumulators = body.neutral_accumulators(op);
  const auto one = [&](Value* chunk) {
    const std::vector<Emitted> left = body.values_of(accumulators);
    std::vector<Emitted> right;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const ir::Type type = function_.type((*op.neutral)[i]);
      right.push_back(load_partial(chunks.entry, first_partial + i, chunk, type));
      if (carries == Carries::Left && !type.is_scalar()) // the carry will take its place
        right.back() = body.copied(right.back(), type);
    }
    for (std::size_t i = 0; carries == Carries::Left && i < left.size(); ++i)
      store_partial(chunks.entry, first_partial + i, chunk, left[i],
                    function_.type((*op.neutral)[i]));
    body.assign_all(op, accumulators, body.combine(*op.combine, left, right));
  };
  body.b.loop(body.b.i64(0), chunks.count, 1,
              [&](Value* chunk) { body.with_scratch([&] { one(chunk); }); });
  return accumulators;
}

} // namespace sinter::jit
