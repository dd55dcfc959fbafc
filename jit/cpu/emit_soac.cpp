// SOACs.  The elements of one run either in the code around it, one after the other (in lane code:
// each lane on its own elements), or, from scalar code, W at a time.  What becomes of the elements'
// values is the groups' business in both cases.
#include "jit/cpu/emit_body.h"

#include "jit/ir/walk.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <cassert>

namespace sinter::jit {

using llvm::Value;

namespace {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

/// How many sub-ranges of a reduction are read at a time: one stream of memory alone is slow.
constexpr int reduction_streams = 4;
constexpr std::size_t stream_statements = 16;
/// Bodies of more statements are emitted once, for whole vectors and the rest alike.
constexpr std::size_t large_body = 120;

std::size_t statement_count(const ir::Body& body) {
  std::size_t count = body.statements.size();
  for (const ir::Statement& statement : body.statements)
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { count += statement_count(inner); });
  return count;
}

} // namespace

// ---- accumulators ------------------------------------------------------------------------------

Accumulator BodyEmitter::accumulator(const ir::Operand& neutral) {
  const ir::Type type = source_.type(neutral);
  if (type.is_scalar()) {
    const Variable variable = b.variable(type.element, Shape::Varying);
    b.set(variable, scalar(neutral));
    return variable;
  }
  const ArrayView memory = allocate(type);
  copy(array(neutral.value()), memory, type);
  return memory;
}

Emitted BodyEmitter::value_of(const Accumulator& accumulator) {
  if (const auto* variable = std::get_if<Variable>(&accumulator)) return b.get(*variable);
  return std::get<ArrayView>(accumulator);
}

void BodyEmitter::assign(const Accumulator& accumulator, const Emitted& value,
                         const ir::Type& type) {
  if (const auto* variable = std::get_if<Variable>(&accumulator))
    b.set_active(*variable, std::get<LaneValue>(value));
  else
    copy(std::get<ArrayView>(value), std::get<ArrayView>(accumulator), type);
}

std::vector<Emitted> BodyEmitter::combine(const ir::Body& op, std::span<const Emitted> left,
                                          std::span<const Emitted> right) {
  assert(op.parameters.size() == left.size() + right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    bind(op.parameters[i], left[i]);
    bind(op.parameters[left.size() + i], right[i]);
  }
  statements(op);
  std::vector<Emitted> results;
  for (const ir::Operand& result : op.results) {
    Emitted value = emitted(result);
    // Several arrays are assigned one after the other: views of the old ones must be saved.
    if (auto* view = std::get_if<ArrayView>(&value); view && op.results.size() > 1) {
      const ir::ValueId origin = memory_origin(op, result.value());
      if (std::find(op.parameters.begin(), op.parameters.end(), origin) != op.parameters.end()) {
        const ArrayView saved = allocate(source_.type(result));
        copy(*view, saved, source_.type(result));
        value = saved;
      }
    }
    results.push_back(std::move(value));
  }
  return results;
}

namespace {

/// Whether an operator on arrays is one map over the elements of its operands, so that its results
/// may overwrite them: each element is read before it is written, and never again.
bool is_elementwise(const ir::Body& op) {
  if (op.statements.size() != 1) return false;
  const auto* soac = std::get_if<ir::Soac>(&op.statements[0].operation);
  if (!soac || soac->groups.size() != op.results.size()) return false;
  const auto& results = op.statements[0].results;
  for (std::size_t i = 0; i < op.results.size(); ++i)
    if (!std::holds_alternative<ir::MapGroup>(soac->groups[i]) ||
        op.results[i] != ir::Operand(results[i]))
      return false;
  const auto reads_whole = [&](const ir::Statement& statement) {
    return !std::holds_alternative<ir::Primitive>(statement.operation) &&
           !std::holds_alternative<ir::Select>(statement.operation);
  };
  return std::none_of(soac->body.statements.begin(), soac->body.statements.end(), reads_whole) &&
         std::none_of(
             soac->body.results.begin(), soac->body.results.end(), [&](const ir::Operand& result) {
               return result.is_value() && std::find(op.parameters.begin(), op.parameters.end(),
                                                     result.value()) != op.parameters.end();
             });
}

} // namespace

/// The results of an elementwise operator are built in these places.
void BodyEmitter::build_in(const ir::Body& op, std::span<const ArrayView> places) {
  for (std::size_t i = 0; i < places.size(); ++i)
    places_.insert_or_assign(op.results[i].value().index, places[i]);
}

// ---- inside a body -----------------------------------------------------------------------------

std::vector<GroupState> BodyEmitter::begin_groups(const ir::Soac& soac,
                                                  const ir::Statement& statement) {
  std::vector<GroupState> states;
  std::size_t next = 0;
  const auto fresh = [&](GroupState& state, std::size_t result) {
    state.places.push_back(place(statement.results[result]));
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
  soac_range(op, states, b.i64(0), scalar(op.extent));
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
  if (!b.in_lanes() && plan_.runs_in_lanes(soac))
    range_in_lanes(soac, states, begin, end.value);
  else
    range_in_scalar_code(soac, states, begin, end);
}

void BodyEmitter::bind_element(const ir::Soac& soac, const LaneValue& index) {
  bind(soac.body.parameters[0], index);
  for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
    const ArrayView& input = array(soac.inputs[i]);
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
      next += body_result_count(*state.group);
    }
    statements(soac.body);
    apply_results();
  });
  if (is_outermost) outer_index_.reset();
}

void BodyEmitter::range_in_scalar_code(const ir::Soac& soac, std::vector<GroupState>& states,
                                       Value* begin, const LaneValue& end) {
  const bool across = std::exchange(across_lanes_, false);
  sequential_range(begin, end, [&](const LaneValue& index) {
    element(soac, states, index, [&] { apply(soac, states, index); });
  });
  across_lanes_ = across;
}

void BodyEmitter::nest_range(const ir::Soac& outer, const ir::Soac& inner,
                             std::vector<GroupState>& states, Value* begin, Value* end) {
  Value* const extent = scalar(inner.extent).value;
  Value* const length = b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, extent, b.i64(1));
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
        inner_states.push_back(std::move(state));
      }
      Value* const start = b.ir.CreateMul(row, length);
      Value* const from =
          b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b.ir.CreateSub(begin, start), b.i64(0));
      Value* const to =
          b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.ir.CreateSub(end, start), length);
      soac_range(inner, inner_states, from, b.uniform(to));
    });
    outer_index_.reset();
  });
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
  const bool is_light = soac.body.statements.size() <= stream_statements;
  const bool only_reduces = std::all_of(states.begin(), states.end(), [](const GroupState& state) {
    const auto* reduce = std::get_if<ir::ReduceGroup>(state.group);
    return reduce && is_commutative(*reduce);
  });
  if (only_reduces && is_light) streams.resize(reduction_streams, states);
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
    auto* const count =
        b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, b.ir.CreateSub(end, begin), b.i64(0));
    auto* const length =
        b.ir.CreateMul(b.ir.CreateUDiv(count, b.i64(step * reduction_streams)), b.i64(step));
    b.loop(b.i64(0), length, step, [&](Value* i) {
      in_lane_code([&] {
        for (int s = 0; s < reduction_streams; ++s)
          run(streams[static_cast<std::size_t>(s)],
              b.ir.CreateAdd(begin, b.ir.CreateAdd(i, b.ir.CreateMul(length, b.i64(s)))));
      });
    });
    rest = b.ir.CreateAdd(begin, b.ir.CreateMul(length, b.i64(reduction_streams)));
  }
  b.lanes_range(
      rest, end, [&](Value* first) { run(streams[0], first); },
      statement_count(soac.body) > large_body);
  across_lanes_ = false;

  // Streams, then lanes, into the accumulators that were there before.
  for (std::size_t g = 0; g < states.size(); ++g) {
    const auto* reduce = std::get_if<ir::ReduceGroup>(states[g].group);
    if (!reduce || !is_commutative(*reduce) || !states[g].is_active) continue;
    std::vector<LaneValue> folded;
    in_lane_code([&] {
      std::vector<Emitted> total;
      for (const auto& stream : streams) {
        std::vector<Emitted> values;
        for (const Accumulator& accumulator : stream[g].accumulators)
          values.push_back(value_of(accumulator));
        total = total.empty() ? values : combine(reduce->combine, total, values);
      }
      for (const Emitted& value : total)
        folded.push_back(
            b.varying(b.vector(std::get<LaneValue>(value)), std::get<LaneValue>(value).element));
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

/// From lane code: the lanes' values combined as scalars, by halves: neighbours where the order
/// counts, else the lower half with the upper half, which needs no shuffling.
std::vector<LaneValue> BodyEmitter::fold_lanes(const ir::Body& op, std::vector<LaneValue> values,
                                               FoldOrder order) {
  const bool across = std::exchange(across_lanes_, false);
  Value* const mask = std::exchange(b.mask, nullptr);
  const unsigned lanes = b.lanes();
  for (unsigned half = lanes / 2; half >= 1; half /= 2) {
    const auto part = [&](const LaneValue& value, unsigned side) {
      if (half == 1)
        return b.uniform(b.ir.CreateExtractElement(value.value, b.i64(side)), value.element);
      std::vector<int> numbers;
      for (unsigned lane = 0; lane < half; ++lane)
        numbers.push_back(
            static_cast<int>(order == FoldOrder::Any ? side * half + lane : 2 * lane + side));
      return LaneValue{b.ir.CreateShuffleVector(value.value, numbers), Shape::Varying,
                       value.element};
    };
    std::vector<Emitted> left, right;
    for (const LaneValue& value : values) {
      left.push_back(part(value, 0));
      right.push_back(part(value, 1));
    }
    b.set_lanes(half);
    const std::vector<Emitted> combined = combine(op, left, right);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = b.varying(b.vector(std::get<LaneValue>(combined[i])), values[i].element);
  }
  b.set_lanes(lanes);
  b.mask = mask;
  across_lanes_ = across;
  return values;
}

LaneValue BodyEmitter::neutral_where_inactive(const LaneValue& value, const ir::Operand& neutral) {
  Value* lanes_value = b.vector(value);
  if (b.mask) lanes_value = b.ir.CreateSelect(b.mask, lanes_value, b.vector(scalar(neutral)));
  return b.varying(lanes_value, value.element);
}

// ---- groups ------------------------------------------------------------------------------------

std::size_t body_result_count(const ir::Group& group) {
  return std::visit(
      Overloaded{
          [](const ir::MapGroup&) { return std::size_t{1}; },
          [](const ir::ReduceGroup& g) { return g.neutral.size(); },
          [](const ir::ScanGroup& g) { return g.neutral.size(); },
          [](const ir::ScatterGroup& g) { return std::size_t{g.index_count} + 1; },
          [](const ir::HistogramGroup& g) { return g.index_count + g.destinations.size(); },
          [](const ir::FilterGroup& g) { return std::size_t{1} + g.value_count; },
      },
      group);
}

/// Hands the body's results to the groups.
void BodyEmitter::apply(const ir::Soac& soac, std::vector<GroupState>& states,
                        const LaneValue& index) {
  std::size_t next = 0;
  for (GroupState& state : states) {
    const std::size_t count = body_result_count(*state.group);
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
                   [&](const ir::ScanGroup& g) { apply_scan(g, state, index, values, types); },
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

/// Whether the indices are within the extents of the place.
LaneValue BodyEmitter::within(const GroupState& state, std::span<const LaneValue> indices,
                              std::size_t place) {
  LaneValue result = b.uniform(b.ir.getTrue(), ElementType::Bool);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const LaneValue extent = scalar(state.types[place].extents[d]);
    const bool is_uniform = indices[d].shape == Shape::Uniform && extent.shape == Shape::Uniform;
    const auto operand = [&](const LaneValue& value) {
      return is_uniform ? value.value : b.vector(value);
    };
    Value* const inside = b.ir.CreateICmpULT(operand(indices[d]), operand(extent));
    const bool was_uniform = result.shape == Shape::Uniform;
    if (is_uniform && was_uniform)
      result.value = b.ir.CreateAnd(result.value, inside);
    else
      result = b.varying(b.ir.CreateAnd(b.vector(result), is_uniform ? b.splat(inside) : inside),
                         ElementType::Bool);
  }
  return result;
}

/// Runs `body` where the condition holds: jumped over in scalar code, masked in lane code.
void BodyEmitter::under(const LaneValue& condition, const std::function<void()>& body) {
  if (condition.shape == Shape::Uniform) {
    b.if_then(condition.value, body);
    return;
  }
  Value* const mask = b.mask;
  b.mask = b.and_mask(condition.value);
  body();
  b.mask = mask;
}

void BodyEmitter::apply_scan(const ir::ScanGroup& group, GroupState& state, const LaneValue& index,
                             std::span<const Emitted> values, std::span<const ir::Type> types) {
  std::vector<Emitted> carry;
  for (const Accumulator& accumulator : state.accumulators)
    carry.push_back(value_of(accumulator));
  const auto store = [&](std::span<const Emitted> prefixes) {
    for (std::size_t i = 0; i < prefixes.size(); ++i)
      put(state.places[i], {&index, 1}, prefixes[i], types[i]);
  };
  if (!across_lanes_) {
    const std::vector<Emitted> prefixes = combine(group.combine, carry, values);
    for (std::size_t i = 0; i < prefixes.size(); ++i)
      assign(state.accumulators[i], prefixes[i], types[i]);
    if (state.stores_prefixes)
      b.if_then(state.stores_prefixes, [&] { store(prefixes); });
    else
      store(prefixes);
    return;
  }
  std::vector<LaneValue> elements;
  for (std::size_t i = 0; i < values.size(); ++i)
    elements.push_back(neutral_where_inactive(std::get<LaneValue>(values[i]), group.neutral[i]));
  // The next carry depends on this one by one operation on scalars alone.
  const auto advance = [&](const std::vector<LaneValue>& totals) {
    const std::vector<Emitted> right(totals.begin(), totals.end());
    const std::vector<Emitted> next = combine(group.combine, carry, right);
    for (std::size_t i = 0; i < next.size(); ++i)
      b.set(std::get<Variable>(state.accumulators[i]), std::get<LaneValue>(next[i]));
  };
  const auto with_prefixes = [&] {
    const std::vector<LaneValue> running = prefixes_of_lanes(group.combine, elements);
    std::vector<LaneValue> totals;
    for (const LaneValue& value : running)
      totals.push_back(
          b.uniform(b.ir.CreateExtractElement(value.value, b.lanes() - 1), value.element));
    advance(totals);
    store(combine(group.combine, carry, std::vector<Emitted>(running.begin(), running.end())));
  };
  if (!state.stores_prefixes) return with_prefixes();
  b.if_then_else(state.stores_prefixes, with_prefixes,
                 [&] { advance(fold_lanes(group.combine, elements, FoldOrder::AsGiven)); });
}

/// From lane code: each lane's value combined with those of all lanes before it, in log2(W) steps
/// (Hillis and Steele, "Data parallel algorithms", CACM 1986).
std::vector<LaneValue> BodyEmitter::prefixes_of_lanes(const ir::Body& op,
                                                      std::vector<LaneValue> running) {
  const bool across = std::exchange(across_lanes_, false);
  Value* const mask = std::exchange(b.mask, nullptr);
  const auto lanes = static_cast<int>(b.lanes());
  for (int step = 1; step < lanes; step *= 2) {
    std::vector<llvm::Constant*> has_before;
    std::vector<int> order;
    for (int lane = 0; lane < lanes; ++lane) {
      has_before.push_back(b.ir.getInt1(lane >= step));
      order.push_back(lane >= step ? lane - step : lane);
    }
    std::vector<Emitted> before;
    for (const LaneValue& value : running)
      before.push_back(b.varying(b.ir.CreateShuffleVector(value.value, order), value.element));
    const std::vector<Emitted> next =
        combine(op, before, std::vector<Emitted>(running.begin(), running.end()));
    for (std::size_t i = 0; i < running.size(); ++i)
      running[i].value =
          b.ir.CreateSelect(llvm::ConstantVector::get(has_before),
                            b.vector(std::get<LaneValue>(next[i])), running[i].value);
  }
  b.mask = mask;
  across_lanes_ = across;
  return running;
}

void BodyEmitter::for_each_lane(std::span<const LaneValue> values,
                                const std::function<void(std::span<const LaneValue>)>& body) {
  const bool across = std::exchange(across_lanes_, false);
  Value* const mask = b.mask;
  std::vector<Value*> vectors;
  for (const LaneValue& value : values)
    vectors.push_back(value.shape == Shape::Varying ? value.value : b.vector(value));
  const unsigned lanes = b.lanes();
  b.leave_lanes();
  const auto outer = outer_index_;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto run = [&] {
      std::vector<LaneValue> scalars_only;
      for (std::size_t i = 0; i < values.size(); ++i)
        scalars_only.push_back(
            b.uniform(b.ir.CreateExtractElement(vectors[i], lane), values[i].element));
      body(scalars_only);
    };
    if (mask)
      b.if_then(b.ir.CreateExtractElement(mask, lane), run);
    else
      run();
  }
  b.enter_lanes(mask);
  outer_index_ = outer;
  across_lanes_ = across;
}

void BodyEmitter::apply_histogram(const ir::HistogramGroup& group, const GroupState& state,
                                  std::span<const LaneValue> indices,
                                  std::span<const Emitted> values,
                                  std::span<const ir::Type> types) {
  const auto update = [&](std::span<const LaneValue> bin, std::span<const Emitted> elements) {
    under(within(state, bin, 0), [&] {
      std::vector<ArrayView> rows;
      std::vector<Emitted> left;
      for (std::size_t i = 0; i < elements.size(); ++i) {
        rows.push_back(b.subarray(state.places[i], bin));
        if (types[i].is_scalar())
          left.push_back(b.load(rows[i], rows[i].offset));
        else
          left.push_back(rows[i]);
      }
      if (is_elementwise(group.combine)) build_in(group.combine, rows);
      const std::vector<Emitted> result = combine(group.combine, left, elements);
      for (std::size_t i = 0; i < elements.size(); ++i)
        put(rows[i], {}, result[i], types[i]);
    });
  };
  if (!across_lanes_) return update(indices, values);
  std::vector<LaneValue> lanes_values(indices.begin(), indices.end());
  for (const Emitted& value : values)
    lanes_values.push_back(std::get<LaneValue>(value));
  for_each_lane(lanes_values, [&](std::span<const LaneValue> one) {
    const auto elements = one.subspan(indices.size());
    update(one.first(indices.size()), std::vector<Emitted>(elements.begin(), elements.end()));
  });
}

void BodyEmitter::merge_bins(const ir::HistogramGroup& group, Value* chunks,
                             const std::function<ArrayView(std::size_t, Value*)>& bins_of_chunk) {
  const ir::Type& shape = source_.type(group.destinations[0].value());
  std::vector<LaneValue> bins;
  for (std::uint32_t d = 0; d < group.index_count; ++d)
    bins.push_back(scalar(shape.extents[d]));
  b.loop(b.i64(0), chunks, 1, [&](Value* chunk) {
    std::vector<ArrayView> privates;
    for (std::size_t i = 0; i < group.destinations.size(); ++i)
      privates.push_back(bins_of_chunk(i, chunk));
    const auto row = [&](const ArrayView& view, std::span<const LaneValue> bin) -> Emitted {
      if (view.strides.size() == bin.size()) return b.load(view, b.element_offset(view, bin));
      return b.subarray(view, bin);
    };
    for_each_index(
        bins,
        [&](std::span<const LaneValue> bin) {
          with_scratch([&] {
            std::vector<Emitted> left, right;
            for (std::size_t i = 0; i < group.destinations.size(); ++i) {
              left.push_back(row(array(group.destinations[i].value()), bin));
              right.push_back(row(privates[i], bin));
            }
            const std::vector<Emitted> merged = combine(group.combine, left, right);
            for (std::size_t i = 0; i < merged.size(); ++i)
              put(array(group.destinations[i].value()), bin, merged[i],
                  source_.type(group.neutral[i]));
          });
        },
        false);
  });
}

void BodyEmitter::apply_filter(GroupState& state, const LaneValue& keep,
                               std::span<const Emitted> values, std::span<const ir::Type> types) {
  const auto at = [&](const LaneValue& count) {
    return state.staging_offset ? b.add(count, b.uniform(state.staging_offset)) : count;
  };
  if (!across_lanes_) {
    const LaneValue count = b.get(*state.count);
    const LaneValue position = at(count);
    under(keep, [&] {
      for (std::size_t i = 0; i < values.size(); ++i)
        put(state.places[i], {&position, 1}, values[i], types[i]);
      b.set_active(*state.count, b.add(count, b.index(1)));
    });
    return;
  }
  // Lane code makes arrays of lanes' parts only for bodies that hold no arrays (see the plan), so
  // values are scalars here, and they are written one after the other.
  Value* const kept = b.and_mask(b.vector(keep));
  std::vector<Value*> vectors;
  for (const Emitted& value : values)
    vectors.push_back(b.vector(std::get<LaneValue>(value)));
  const auto pack = [&](Value* mask, Value* numbers) {
    return b.ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {numbers->getType()},
                                {numbers, llvm::Constant::getNullValue(numbers->getType()), mask});
  };
  const auto first_lanes = [&](Value* number, unsigned lanes) -> Value* {
    std::vector<llvm::Constant*> numbers;
    for (unsigned lane = 0; lane < lanes; ++lane)
      numbers.push_back(b.i64(lane));
    return b.ir.CreateICmpSLT(llvm::ConstantVector::get(numbers),
                              b.ir.CreateVectorSplat(lanes, number));
  };
  const LaneValue count = b.get(*state.count);
  const bool compresses = b.kernel.has_avx512 && b.lanes() >= 4 &&
                          std::all_of(types.begin(), types.end(), [](const ir::Type& type) {
                            return byte_size(type.element) >= 4;
                          });
  if (compresses) {
    // Registers are packed one after the other, so as many lanes at a time as the widest allows.
    unsigned part = b.lanes();
    for (const ir::Type& type : types)
      part = std::min(part, static_cast<unsigned>(64 / byte_size(type.element)));
    Value* const mask = b.mask;
    const unsigned lanes = b.lanes();
    LaneValue written = count;
    b.leave_lanes();
    for (unsigned first = 0; first < lanes; first += part) {
      std::vector<int> order;
      for (unsigned lane = first; lane < first + part; ++lane)
        order.push_back(static_cast<int>(lane));
      Value* const part_kept = b.ir.CreateShuffleVector(kept, order);
      auto* const bits = b.ir.CreateBitCast(part_kept, b.ir.getIntNTy(part));
      Value* const number = b.ir.CreateZExtOrTrunc(
          b.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), b.ir.getInt64Ty());
      for (std::size_t i = 0; i < values.size(); ++i) {
        Value* const packed = pack(part_kept, b.ir.CreateShuffleVector(vectors[i], order));
        const ArrayView& place = state.places[i];
        const LaneValue position = at(written);
        Value* const pointer = b.ir.CreateGEP(b.type(types[i].element), place.base,
                                              b.element_offset(place, {&position, 1}).value);
        const llvm::Align alignment(byte_size(types[i].element));
        // Whole vectors may be written as long as they stay within what was read so far.
        if (mask)
          b.ir.CreateMaskedStore(packed, pointer, alignment, first_lanes(number, part));
        else
          b.ir.CreateAlignedStore(packed, pointer, alignment);
      }
      written = b.add(written, b.uniform(number));
    }
    b.enter_lanes(mask);
    b.set(*state.count, written);
    return;
  }
  std::vector<LaneValue> lanes_values = {b.varying(kept, ElementType::Bool)};
  for (const Emitted& value : values)
    lanes_values.push_back(std::get<LaneValue>(value));
  for_each_lane(lanes_values, [&](std::span<const LaneValue> one) {
    b.if_then(one[0].value, [&] {
      const LaneValue now = b.get(*state.count);
      const LaneValue position = at(now);
      for (std::size_t i = 0; i + 1 < one.size(); ++i)
        put(state.places[i], {&position, 1}, one[i + 1], types[i]);
      b.set(*state.count, b.add(now, b.index(1)));
    });
  });
}

} // namespace sinter::jit
