// SOACs.  The elements of one run either in the code around it, one after the other (in lane code:
// each lane on its own elements), or, from scalar code, W at a time.  What becomes of the elements'
// values is the groups' business in both cases.
#include "jit/cpu/emit_body.h"
#include "jit/cpu/kernel_shape.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "lang/base/overloaded.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <cassert>

namespace sinter::jit {

using llvm::Value;

namespace {

/// How many sub-ranges of a reduction are read at a time: one stream of memory alone is slow.
constexpr int reduction_streams = 4;
constexpr std::size_t stream_statements = 16;
/// Bodies of more statements are emitted once, for whole vectors and the rest alike.
constexpr std::size_t large_body = 120;
/// A primitive of that cost takes many instructions.
constexpr std::uint16_t long_operation = 16;

std::size_t statement_count(const ir::Body& body) {
  std::size_t count = body.statements.size();
  for (const ir::Statement& statement : body.statements)
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { count += statement_count(inner); });
  return count;
}

/// Whether a primitive of the body is a function rather than an instruction.
bool calls_function(const ir::Body& body) {
  return std::any_of(body.statements.begin(), body.statements.end(),
                     [](const ir::Statement& statement) {
                       const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
                       return primitive && primitive->primitive->cost >= long_operation;
                     });
}

/// Whether the elements' body is emitted once, always with a mask, or once more without.  (Masks
/// cost little beside functions, or where lanes go one by one; without the optimiser they do beside
/// anything else.)
bool emits_body_once(const ir::Soac& soac, bool is_compact) {
  if (statement_count(soac.body) > large_body) return true;
  if (!is_compact) return false;
  return calls_function(soac.body) ||
         ir::has_group<ir::HistogramGroup>(soac); // which goes lane by lane
}

} // namespace

bool is_light(const ir::Body& body) {
  return body.statements.size() <= stream_statements && !calls_function(body);
}

// ---- inside a body -----------------------------------------------------------------------------

std::vector<GroupState> BodyEmitter::begin_groups(const ir::Soac& soac,
                                                  const ir::Statement& statement) {
  std::vector<GroupState> states;
  std::size_t next = 0;
  const auto fresh = [&](GroupState& state, std::size_t result) {
    const std::optional<ArrayView> rows = scratch_rows(soac, statement.results[result]);
    state.places.push_back(rows ? *rows : place(statement.results[result]));
    state.types.push_back(source_.type(statement.results[result]));
  };
  const auto destination = [&](GroupState& state, const ir::Operand& operand) {
    state.places.push_back(array(operand.value()));
    state.types.push_back(source_.type(operand));
    ++next;
  };
  for (const ir::Group& group : soac.groups) {
    GroupState state;
    state.group = &group;
    std::visit(Overloaded{
                   [&](const ir::MapGroup&) { fresh(state, next++); },
                   [&](const ir::ReduceGroup& g) {
                     for (const ir::Operand& neutral : g.neutral)
                       state.accumulators.push_back(accumulator(neutral));
                     next += g.neutral.size();
                   },
                   [&](const ir::ScanGroup& g) {
                     for (const ir::Operand& neutral : g.neutral) {
                       state.accumulators.push_back(accumulator(neutral));
                       fresh(state, next++);
                     }
                   },
                   [&](const ir::ScatterGroup& g) { destination(state, g.destination); },
                   [&](const ir::HistogramGroup& g) {
                     for (const ir::Operand& operand : g.destinations)
                       destination(state, operand);
                   },
                   [&](const ir::FilterGroup& g) {
                     state.count = b.variable(ElementType::I64, Shape::Varying);
                     b.set(*state.count, b.index(0));
                     ++next;
                     // As long as if everything were kept; the count is not known yet.
                     for (std::uint32_t i = 0; i < g.value_count; ++i, ++next) {
                       ir::Type type = source_.type(statement.results[next]);
                       type.extents[0] = soac.extent;
                       state.places.push_back(allocate(type));
                       state.types.push_back(std::move(type));
                     }
                   },
               },
               group);
    states.push_back(std::move(state));
  }
  return states;
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Soac& op) {
  std::vector<GroupState> states = begin_groups(op, statement);
  const LaneValue extent = scalar(op.extent);
  const bool goes_in_lanes = !b.in_lanes() && runs_in_lanes(op);
  if (may_have_segments(op)) {
    segmented_range(op, states, extent.value);
  } else if (keeps_fold_order(op) && (goes_in_lanes || !is_one_row(extent))) {
    begin_folding(states);
    fold_range(op, states, b.i64(0), extent, {});
  } else {
    range_in_strips(extent, strip_length, [&](Value* begin, const LaneValue& end) {
      soac_range(op, states, begin, end);
    });
  }
  for (GroupState& state : states)
    if (state.folding) state.accumulators = state.folding->all;
  std::size_t next = 0;
  for (const GroupState& state : states) {
    if (state.count) bind(statement.results[next++], b.get(*state.count));
    if (std::holds_alternative<ir::ReduceGroup>(*state.group)) {
      for (const Accumulator& accumulator : state.accumulators)
        bind(statement.results[next++], value_of(accumulator));
      continue;
    }
    for (const ArrayView& view : state.places)
      bind(statement.results[next++], view);
  }
}

// ---- ranges ------------------------------------------------------------------------------------

void BodyEmitter::soac_range(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                             const LaneValue& end) {
  if (!b.in_lanes() && runs_in_lanes(soac))
    range_in_lanes(soac, states, begin, end.value);
  else
    range_in_scalar_code(soac, states, begin, end);
}

void BodyEmitter::bind_element(const ir::Soac& soac, const LaneValue& index) {
  bind(soac.body.parameters[0], index);
  for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
    const bool is_turned = turned_ && turned_->soac == &soac && turned_->inputs[i];
    const ArrayView& input = is_turned ? *turned_->inputs[i] : array(soac.inputs[i]);
    if (input.strides.size() == 1)
      bind(soac.body.parameters[i + 1], b.load(input, b.element_offset(input, {&index, 1})));
    else
      bind(soac.body.parameters[i + 1], b.subarray(input, {&index, 1}));
  }
}

/// Emits the body for the element (or the W elements) at the index.
void BodyEmitter::element(const ir::Soac& soac, std::vector<GroupState>& states,
                          const LaneValue& index, const std::function<void()>& apply_results) {
  const bool is_outermost = !outer_index_;
  if (is_outermost) outer_index_ = index;
  with_scratch([&] {
    bind_element(soac, index);
    std::size_t next = 0;
    for (GroupState& state : states) {
      if (std::holds_alternative<ir::MapGroup>(*state.group)) {
        const ir::Operand& result = soac.body.results[next];
        state.row.reset();
        if (state.is_active && !source_.type(result).is_scalar()) {
          state.row = b.subarray(state.places[0], {&index, 1});
          suggest_place(soac.body, result, *state.row);
        }
      }
      next += ir::arity(*state.group).body_results;
    }
    statements(soac.body);
    apply_results();
  });
  if (is_outermost) outer_index_.reset();
}

void BodyEmitter::range_in_scalar_code(const ir::Soac& soac, std::vector<GroupState>& states,
                                       Value* begin, const LaneValue& end) {
  const bool across = std::exchange(across_lanes_, false);
  range_of_elements(soac, states, begin, end);
  across_lanes_ = across;
}

void BodyEmitter::range_of_elements(const ir::Soac& soac, std::vector<GroupState>& states,
                                    Value* begin, const LaneValue& end) {
  const auto one_by_one = [&] {
    sequential_range(begin, end, [&](const LaneValue& index) {
      element(soac, states, index, [&] { apply(soac, states, index); });
    });
  };
  const bool is_even = end.shape == Shape::Uniform || keeps_fold_order(soac);
  if (is_even && may_go_along_rows(soac, states)) {
    const auto along = [&] { range_along_rows(soac, states, begin, end); };
    if (!may_be_short_rows(soac)) return along();
    Value* const longest = b.ir.CreateSub(b.greatest(end), begin);
    return b.if_then_else(b.ir.CreateICmpSLT(longest, b.i64(b.kernel.row_width / 2)), one_by_one,
                          along);
  }
  if (Turned turned = rows_to_turn(soac, states); turned.soac)
    return turned_range(soac, states, std::move(turned), begin, end);
  one_by_one();
}

void BodyEmitter::nest_range(const ir::Soac& outer, const ir::Soac& inner,
                             std::vector<GroupState>& states, Value* begin, Value* end) {
  Value* const extent = scalar(inner.extent).value;
  Value* const length = b.greater_of(extent, b.i64(1));
  Value* const first = b.ir.CreateSDiv(begin, length);
  Value* const last =
      b.ir.CreateSDiv(b.ir.CreateAdd(end, b.ir.CreateSub(length, b.i64(1))), length); // rounded up
  b.loop(first, last, 1, [&](Value* row) {
    const LaneValue index = b.uniform(row);
    outer_index_ = index;
    with_scratch([&] {
      bind_element(outer, index);
      for (std::size_t i = 0; i + 1 < outer.body.statements.size(); ++i)
        emit(outer.body.statements[i]);
      std::vector<GroupState> inner_states;
      for (std::size_t g = 0; g < states.size(); ++g) {
        GroupState state;
        state.group = &inner.groups[g];
        state.places.push_back(b.subarray(states[g].places[0], {&index, 1}));
        state.types.push_back(source_.type(outer.body.results[g]));
        state.streams = states[g].streams;
        inner_states.push_back(std::move(state));
      }
      Value* const start = b.ir.CreateMul(row, length);
      Value* const from = b.greater_of(b.ir.CreateSub(begin, start), b.i64(0));
      Value* const to = b.lesser_of(b.ir.CreateSub(end, start), length);
      soac_range(inner, inner_states, from, b.uniform(to));
    });
    outer_index_.reset();
  });
}

/// Whether (i1) results may be stored past the caches from that index on; null if none may.
Value* BodyEmitter::are_streamable(const std::vector<GroupState>& states, Value* begin) {
  Value* result = nullptr;
  for (const GroupState& state : states) {
    if (!state.streams || !state.is_active) continue;
    for (const ArrayView& place : state.places) {
      Value* const one = b.is_streamable(place, begin);
      if (!one) return nullptr;
      result = b.ir.CreateAnd(result ? result : state.streams, one);
    }
  }
  return result;
}

std::vector<GroupState> BodyEmitter::streamed(const std::vector<GroupState>& states) const {
  std::vector<GroupState> result = states;
  for (GroupState& state : result)
    if (state.streams)
      for (ArrayView& place : state.places)
        place.is_streamed = true;
  return result;
}

/// In steps of W; the groups work across lanes.
void BodyEmitter::elements_in_lanes(const ir::Soac& soac, std::vector<GroupState>& states,
                                    Value* begin, Value* end) {
  const bool emits_once = emits_body_once(soac, b.kernel.is_compact) || has_only_rows(soac);
  const bool in_pieces = wants_pieces(soac);
  if (emits_once && !b.kernel.is_compact)
    for (const ir::Statement& statement : soac.body.statements)
      if (std::holds_alternative<ir::Index>(statement.operation))
        seldom_read_.insert(statement.results[0].index);
  const auto run = [&](std::vector<GroupState>& into) {
    if (in_pieces) return elements_in_pieces(soac, into, begin, end);
    b.lanes_range(
        begin, end,
        [&](Value* first) {
          const LaneValue index = b.linear(first);
          element(soac, into, index, [&] { apply(soac, into, index); });
        },
        emits_once);
  };
  // (Stores with a mask do not pass by the caches, long bodies gain nothing by it, and in scans,
  // which are long code, it is left to the second tier.)
  const bool is_short = soac.body.statements.size() <= stream_statements &&
                        !(b.kernel.is_compact && ir::has_group<ir::ScanGroup>(soac));
  Value* const streamable = is_short && !emits_once ? are_streamable(states, begin) : nullptr;
  if (streamable) {
    std::vector<GroupState> past_caches = streamed(states);
    b.if_then_else(
        streamable, [&] { run(past_caches); }, [&] { run(states); });
  } else {
    run(states);
  }
}

/// The lanes' own accumulators are made before and folded after the loop, where the operator allows
/// any order; else each vector is folded at once.
void BodyEmitter::range_in_lanes(const ir::Soac& soac, std::vector<GroupState>& states,
                                 Value* begin, Value* end) {
  const auto in_lane_code = [&](const auto& emit_there) {
    b.enter_lanes(nullptr);
    emit_there();
    b.leave_lanes();
  };
  ir::for_each_body(soac, [&](const ir::Body& body) { uniformity_.analyse(body); });
  std::vector<std::vector<GroupState>> streams(1, states);
  const bool waits_for_memory = is_light(soac.body);
  const bool only_reduces = std::all_of(states.begin(), states.end(), [](const GroupState& state) {
    const auto* reduce = std::get_if<ir::ReduceGroup>(state.group);
    return reduce && is_commutative(*reduce);
  });
  if (only_reduces && waits_for_memory) streams.resize(reduction_streams, states);
  in_lane_code([&] {
    for (auto& stream : streams)
      for (GroupState& state : stream)
        if (const auto* reduce = std::get_if<ir::ReduceGroup>(state.group);
            reduce && is_commutative(*reduce) && state.is_active)
          for (std::size_t i = 0; i < reduce->neutral.size(); ++i)
            state.accumulators[i] = accumulator(reduce->neutral[i]);
  });

  across_lanes_ = true;
  const auto run = [&](std::vector<GroupState>& stream, Value* first) {
    const LaneValue index = b.linear(first);
    element(soac, stream, index, [&] { apply(soac, stream, index); });
  };
  Value* rest = begin;
  if (streams.size() > 1) {
    const std::int64_t step = b.kernel.width;
    Value* const count = b.greater_of(b.ir.CreateSub(end, begin), b.i64(0));
    auto* const length =
        b.ir.CreateMul(b.ir.CreateUDiv(count, b.i64(step * reduction_streams)), b.i64(step));
    // (Short segments, of which there may be many, have none of this.)
    b.if_then(b.ir.CreateICmpSGT(length, b.i64(0)), [&] {
      b.loop(b.i64(0), length, step, [&](Value* i) {
        in_lane_code([&] {
          for (int s = 0; s < reduction_streams; ++s)
            run(streams[static_cast<std::size_t>(s)],
                b.ir.CreateAdd(begin, b.ir.CreateAdd(i, b.ir.CreateMul(length, b.i64(s)))));
        });
      });
      in_lane_code([&] {
        for (std::size_t s = 1; s < streams.size(); ++s)
          join(streams[0], streams[s]);
      });
    });
    rest = b.ir.CreateAdd(begin, b.ir.CreateMul(length, b.i64(reduction_streams)));
  }
  elements_in_lanes(soac, streams[0], rest, end);
  across_lanes_ = false;

  // The lanes into the accumulators that were there before.
  for (std::size_t g = 0; g < states.size(); ++g) {
    const auto* reduce = std::get_if<ir::ReduceGroup>(states[g].group);
    if (!reduce || !is_commutative(*reduce) || !states[g].is_active) continue;
    std::vector<LaneValue> folded;
    in_lane_code([&] {
      for (const Accumulator& accumulator : streams[0][g].accumulators) {
        const auto value = std::get<LaneValue>(value_of(accumulator));
        folded.push_back(b.varying(b.vector(value), value.element));
      }
      folded = fold_lanes(reduce->combine, std::move(folded), FoldOrder::Any);
    });
    std::vector<Emitted> left, right;
    for (std::size_t i = 0; i < folded.size(); ++i) {
      left.push_back(value_of(states[g].accumulators[i]));
      right.push_back(folded[i]);
    }
    const std::vector<Emitted> result = combine(reduce->combine, left, right);
    for (std::size_t i = 0; i < result.size(); ++i)
      assign(states[g].accumulators[i], result[i], source_.type(reduce->neutral[i]));
  }
}

// ---- groups ------------------------------------------------------------------------------------

/// Hands the body's results to the groups.
void BodyEmitter::apply(const ir::Soac& soac, std::vector<GroupState>& states,
                        const LaneValue& index) {
  std::size_t next = 0;
  for (GroupState& state : states) {
    const std::size_t count = ir::arity(*state.group).body_results;
    const std::span<const ir::Operand> operands(soac.body.results.data() + next, count);
    next += count;
    if (!state.is_active) continue;
    std::vector<Emitted> values;
    std::vector<ir::Type> types;
    for (const ir::Operand& operand : operands) {
      values.push_back(emitted(operand));
      types.push_back(source_.type(operand));
    }
    const auto leading = [&](std::size_t n) {
      std::vector<LaneValue> scalars_only;
      for (std::size_t i = 0; i < n; ++i)
        scalars_only.push_back(std::get<LaneValue>(values[i]));
      return scalars_only;
    };
    std::visit(Overloaded{
                   [&](const ir::MapGroup&) {
                     if (state.row)
                       copy(std::get<ArrayView>(values[0]), *state.row, types[0]);
                     else
                       put(state.places[0], {&index, 1}, values[0], types[0]);
                   },
                   [&](const ir::ReduceGroup& g) {
                     if (state.folding && !state.folding->tile.empty())
                       return store_in_tile(*state.folding, index, values);
                     if (state.folding && across_lanes_)
                       return fold_in_order(*state.folding, state.accumulators, values);
                     if (state.is_unordered) note_unordered(state, values);
                     if (across_lanes_ && !is_commutative(g)) {
                       std::vector<LaneValue> lanes_values;
                       for (std::size_t i = 0; i < values.size(); ++i)
                         lanes_values.push_back(
                             neutral_where_inactive(std::get<LaneValue>(values[i]), g.neutral[i]));
                       const auto folded = fold_lanes(g.combine, lanes_values, FoldOrder::AsGiven);
                       values.assign(folded.begin(), folded.end());
                     }
                     std::vector<Emitted> left;
                     for (const Accumulator& accumulator : state.accumulators)
                       left.push_back(value_of(accumulator));
                     if (is_elementwise(g.combine)) {
                       std::vector<ArrayView> memory;
                       for (const Emitted& value : left)
                         memory.push_back(std::get<ArrayView>(value));
                       build_in(g.combine, memory);
                     }
                     const auto result = combine(g.combine, left, values);
                     for (std::size_t i = 0; i < result.size(); ++i)
                       assign(state.accumulators[i], result[i], types[i]);
                   },
                   [&](const ir::ScanGroup& g) {
                     if (!state.folding)
                       apply_scan(g, state, index, values, types);
                     else if (state.folding->tile.empty())
                       apply_scan_in_row(g, state, index, values, types);
                     else
                       store_in_tile(*state.folding, index, values);
                   },
                   [&](const ir::ScatterGroup& g) {
                     const auto indices = leading(g.index_count);
                     under(within(state, indices, 0),
                           [&] { put(state.places[0], indices, values.back(), types.back()); });
                   },
                   [&](const ir::HistogramGroup& g) {
                     apply_histogram(g, state, leading(g.index_count),
                                     std::span(values).subspan(g.index_count),
                                     std::span(types).subspan(g.index_count));
                   },
                   [&](const ir::FilterGroup&) {
                     apply_filter(state, std::get<LaneValue>(values[0]),
                                  std::span(values).subspan(1), std::span(types).subspan(1));
                   },
               },
               *state.group);
  }
}

} // namespace sinter::jit
