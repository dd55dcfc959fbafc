// SOACs.  The elements of one run either in the code around it, one after the other (in lane code:
// each lane on its own elements), or, from scalar code, W at a time.  What becomes of the elements'
// values is the groups' business in both cases.
#include "jit/emit/body.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/rows_of_loops.h"
#include "jit/emit/seldom_reads.h"
#include "jit/emit/skeletons.h"

#include "jit/ir/costs.h"
#include "jit/ir/groups.h"
#include "jit/ir/nests.h"
#include "jit/ir/walk.h"
#include "lang/base/overloaded.h"

#include <algorithm>
#include <cassert>

namespace sinter::jit {

using llvm::Value;

namespace {

/// How many sub-ranges of a reduction are read at a time: one stream of memory alone is slow.
constexpr int reduction_streams = 4;
constexpr std::size_t stream_statements = 16;
/// Bodies of more statements are emitted once, for whole vectors and the rest alike; those that
/// call functions, which are long code, earlier.
constexpr std::size_t large_body = 400, large_body_of_functions = 120;
/// Shorter rows (in elements) are not stored past the caches.
constexpr std::int64_t least_streamed_row = 1024;

/// Whether a primitive of the body is a function rather than an instruction.
bool calls_function(const ir::Body& body) {
  return std::any_of(body.statements.begin(), body.statements.end(),
                     [](const ir::Statement& statement) {
                       const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
                       return primitive && primitive->primitive->cost >= costs::function_call;
                     });
}

/// Whether the elements' body is emitted once, always with a mask, or once more without.  (Masks
/// cost little beside functions, loops that have masks of their own, or where lanes go one by one;
/// without the optimiser they do beside anything else.)
bool emits_body_once(const ir::Soac& soac, bool is_compact) {
  const bool is_of_functions = is_compact || calls_function(soac.body);
  const std::size_t limit = is_of_functions ? large_body_of_functions : large_body;
  if (ir::statement_count(soac.body) > limit) return true;
  if (!is_compact) return goes_along_parts(soac.body);
  return calls_function(soac.body) ||
         ir::has_group<ir::HistogramGroup>(soac); // which goes lane by lane
}

/// Whether what each group of the SOAC needs is computed just before it takes it: of several
/// reductions, the elements' values need not all have registers at a time.
bool is_made_group_by_group(const ir::Soac& soac) {
  return soac.groups.size() > 1 &&
         std::ranges::all_of(soac.groups,
                             [](const ir::Group& group) {
                               return std::holds_alternative<ir::ReduceGroup>(group);
                             }) &&
         std::ranges::all_of(soac.body.statements, [](const ir::Statement& statement) {
           return ir::is_scalar_operation(statement.operation) ||
                  std::holds_alternative<ir::Index>(statement.operation);
         });
}

} // namespace

bool is_light(const ir::Body& body) {
  return body.statements.size() <= stream_statements && !calls_function(body);
}

bool is_scalar_code(const ir::Body& body) {
  return std::ranges::all_of(body.statements, [](const ir::Statement& statement) {
    return ir::is_scalar_operation(statement.operation);
  });
}

// ---- inside a body -----------------------------------------------------------------------------

/// Where a SOAC inside of a body builds an array.
ArrayView BodyEmitter::fresh_place(const ir::Soac& soac, ir::ValueId result) {
  const std::optional<ArrayView> rows = scratch_rows(soac, result);
  return rows ? *rows : place(result);
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Soac& op) {
  const bool needs_no_elements = ir::has_only<ir::MapGroup>(op) && !ir::may_fail(op.body) &&
                                 std::ranges::all_of(statement.results, [&](ir::ValueId result) {
                                   return filled_by_loops_[result.index];
                                 });
  if (needs_no_elements) {
    for (const ir::ValueId result : statement.results)
      bind(result, place(result));
    return;
  }
  suggest_known_places(statement);
  std::vector<GroupState> states;
  ir::for_each_group(op, [&](const ir::Group& group, std::size_t, std::size_t result) {
    const auto results = std::span(statement.results).subspan(result);
    states.push_back(std::visit(
        [&](const auto& kind) { return GroupState(begin_group(kind, op, results)); }, group));
  });
  const LaneValue extent = scalar(op.extent);
  const bool goes_in_lanes = !b.in_lanes() && runs_in_lanes(op);
  if (may_have_segments(op)) {
    segmented_range(op, states, extent.value);
  } else if (keeps_fold_order(op) && (goes_in_lanes || !is_one_row(extent) || ir::has_before(op))) {
    begin_folding(states);
    fold_range(op, states, b.i64(0), extent, {});
  } else if (looks_at_each_element(op, extent)) {
    begin_ascending(op, states);
    sequential_range(b.i64(0), extent, [&](const LaneValue& index) {
      check_epoch();
      element(op, states, index);
    });
    end_ascending(states, extent);
  } else {
    if (!goes_in_lanes) begin_ascending(op, states);
    range_in_strips(extent, strip_length, [&](Value* begin, const LaneValue& end) {
      soac_range(op, states, begin, end);
    });
    end_ascending(states, extent);
  }
  std::size_t next = 0;
  for (const GroupState& state : states)
    std::visit(Overloaded{[](const Unwanted&) {},
                          [&](const auto& kind) {
                            for (Emitted& result : results_of(kind))
                              bind(statement.results[next++], std::move(result));
                          }},
               state);
}

/// Whether loops inside of an element make a look before each of them cheap: on targets where a
/// look counts, and parts of a range would keep their ends in registers.
bool BodyEmitter::looks_at_each_element(const ir::Soac& soac, const LaneValue& extent) const {
  return b.kernel.facts().vector_bytes == 0 && !ir::is_straight(source_, soac.body) &&
         !llvm::isa<llvm::ConstantInt>(extent.value);
}

// ---- ranges ------------------------------------------------------------------------------------

void BodyEmitter::soac_range(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                             const LaneValue& end) {
  if (b.in_lanes() || !runs_in_lanes(soac)) return range_in_scalar_code(soac, states, begin, end);
  const auto in_lanes = [&] { range_in_lanes(soac, states, begin, end.value); };
  if (!may_go_one_by_one(soac)) return in_lanes();
  Value* const count = b.ir.CreateSub(end.value, begin);
  b.if_then_else(
      b.ir.CreateICmpSLT(count, b.i64(std::min<std::int64_t>(b.kernel.width, short_row))),
      [&] {
        sequential_range(begin, end, [&](const LaneValue& index) { element(soac, states, index); });
      },
      in_lanes);
}

/// Whether a range of elements may be a short row inside of others, and they better go one by one
/// then: masks cost more.
bool BodyEmitter::may_go_one_by_one(const ir::Soac& soac) const {
  return outer_index_ && !b.kernel.is_compact && !b.kernel.facts().has_quick_masked_stores &&
         is_light(soac.body) && std::ranges::all_of(soac.groups, [](const ir::Group& group) {
           return std::holds_alternative<ir::MapGroup>(group) ||
                  std::holds_alternative<ir::ReduceGroup>(group);
         });
}

void BodyEmitter::bind_element(const ir::Soac& soac, const LaneValue& index) {
  bind(soac.body.parameters[0], index);
  for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
    const bool is_turned = turned_ && turned_->soac == &soac && turned_->inputs[i];
    const ArrayView& input = is_turned ? *turned_->inputs[i] : array(soac.inputs[i]);
    if (input.strides.size() == 1) {
      const LaneValue offset = b.element_offset(input, {&index, 1});
      bind(soac.body.parameters[i + 1], b.load(input, offset));
      if (streams_inputs_ && offset.shape == Shape::Linear && b.in_lanes() && !b.mask)
        fetch_ahead(input, offset.value, b.lanes(), input_bytes_ahead);
    } else
      bind(soac.body.parameters[i + 1], b.subarray(input, {&index, 1}));
  }
}

void BodyEmitter::around_element(const ir::Soac& soac, std::vector<GroupState>& states,
                                 const LaneValue& index, const std::function<void()>& inner) {
  const bool is_outermost = !outer_index_;
  if (is_outermost) outer_index_ = index;
  with_scratch([&] {
    bind_element(soac, index);
    fetch_rows_at_places(soac, index);
    const std::vector<GroupPosition> positions = group_positions(soac);
    for (std::size_t g = 0; g < states.size(); ++g)
      if (auto* map = std::get_if<MapState>(&states[g]))
        begin_row(*map, soac.body, soac.body.results[positions[g].body_result], index);
    const std::vector<std::uint32_t> known = read_own_rows(soac, index);
    inner();
    for (const std::uint32_t read : known)
      edges_.erase(read);
  });
  if (is_outermost) outer_index_.reset();
}

/// Emits the body for the element (or the W elements) at the index.
void BodyEmitter::element(const ir::Soac& soac, std::vector<GroupState>& states,
                          const LaneValue& index, const std::function<void()>& apply_results) {
  around_element(soac, states, index, [&] {
    statements(soac.body);
    apply_results();
  });
}

void BodyEmitter::element(const ir::Soac& soac, std::vector<GroupState>& states,
                          const LaneValue& index) {
  around_element(soac, states, index, [&] {
    std::vector<char> is_left(soac.body.statements.size(), true);
    if (!is_made_group_by_group(soac)) {
      statements(soac.body);
      is_left.clear();
    }
    apply(soac.body, soac.groups, states, index, is_left);
  });
}

void BodyEmitter::range_in_scalar_code(const ir::Soac& soac, std::vector<GroupState>& states,
                                       Value* begin, const LaneValue& end) {
  const bool across = std::exchange(across_lanes_, false);
  range_of_elements(soac, states, begin, end);
  across_lanes_ = across;
}

void BodyEmitter::range_of_elements(const ir::Soac& soac, std::vector<GroupState>& states,
                                    Value* begin, const LaneValue& end) {
  if (abreast_ && abreast_->fold == &soac) return steps_abreast(soac, states, begin, end);
  const auto one_by_one = [&] {
    if (end.shape == Shape::Uniform && is_short_update(soac))
      return update_in_a_row(soac, states, begin, end.value);
    if (const unsigned count = count_abreast(soac, end); count > 1)
      return range_abreast(soac, states, begin, end.value, count);
    sequential_range(begin, end, [&](const LaneValue& index) { element(soac, states, index); });
  };
  const bool is_even = end.shape == Shape::Uniform || keeps_fold_order(soac);
  if (is_even && may_go_along_rows(soac, states)) {
    const auto along = [&] { range_along_rows(soac, states, begin, end); };
    if (!may_be_short_rows(soac)) return along();
    Value* const longest = b.ir.CreateSub(b.greatest(end), begin);
    return b.if_then_else(b.ir.CreateICmpSLT(longest, b.i64(short_row)), one_by_one, along);
  }
  if (Turned turned = rows_to_turn(soac, states); turned.soac)
    return turned_range(soac, states, std::move(turned), begin, end);
  one_by_one();
}

/// Whether all that an element does is to update a bin, which takes no longer than to go on. (Where
/// there are no vectors, threads have an element each.)
bool BodyEmitter::is_short_update(const ir::Soac& soac) const {
  constexpr std::size_t most_statements = 3;
  const auto is_short = [](const ir::Body& body) {
    return body.statements.size() <= most_statements &&
           std::ranges::all_of(body.statements, [](const ir::Statement& statement) {
             return std::holds_alternative<ir::Primitive>(statement.operation);
           });
  };
  return !b.in_lanes() && !b.kernel.is_compact && b.kernel.facts().vector_bytes != 0 &&
         is_short(soac.body) && std::ranges::all_of(soac.groups, [&](const ir::Group& group) {
           const auto* const histogram = std::get_if<ir::HistogramGroup>(&group);
           return histogram && is_short(histogram->combine);
         });
}

void BodyEmitter::update_in_a_row(const ir::Soac& soac, std::vector<GroupState>& states,
                                  Value* begin, Value* end) {
  constexpr std::int64_t at_a_time = 8;
  Value* const count = b.greater_of(b.ir.CreateSub(end, begin), b.i64(0));
  Value* const whole = b.ir.CreateAdd(begin, b.ir.CreateAnd(count, b.i64(-at_a_time)));
  b.loop(begin, whole, at_a_time, [&](Value* first) {
    for (std::int64_t i = 0; i < at_a_time; ++i)
      element(soac, states, b.uniform(b.ir.CreateAdd(first, b.i64(i))));
  });
  b.loop(whole, end, 1, [&](Value* i) { element(soac, states, b.uniform(i)); });
}

void BodyEmitter::element_of(const ir::Soac& soac, std::span<const Emitted> inputs,
                             const LaneValue& index, const std::function<void()>& apply_results) {
  const bool is_outermost = !outer_index_;
  if (is_outermost) outer_index_ = index;
  with_scratch([&] {
    bind(soac.body.parameters[0], index);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      bind(soac.body.parameters[i + 1], inputs[i]);
    statements(soac.body);
    apply_results();
  });
  if (is_outermost) outer_index_.reset();
}

void BodyEmitter::row_of_nest(const ir::Soac& outer, const std::vector<GroupState>& states,
                              const LaneValue& index,
                              const std::function<void(std::vector<GroupState>&)>& along_row) {
  const bool is_outermost = !outer_index_;
  if (is_outermost) outer_index_ = index;
  with_scratch([&] {
    bind_element(outer, index);
    for (std::size_t i = 0; i + 1 < outer.body.statements.size(); ++i)
      emit(outer.body.statements[i]);
    std::vector<GroupState> inner_states;
    for (const GroupState& state : states) {
      const Stored& rows = *stored_of(state);
      inner_states.push_back(MapState{
          .stored = {{b.subarray(rows.places[0], {&index, 1})}, rows.streams, rows.may_repeat}});
    }
    along_row(inner_states);
  });
  if (is_outermost) outer_index_.reset();
}

/// Whether (i1) the arrays' rows, of that length, follow each other in memory.
Value* BodyEmitter::are_dense(std::span<const ir::ValueId> arrays, Value* length) {
  Value* result = b.ir.getTrue();
  for (const ir::ValueId value : arrays) {
    const std::vector<Value*>& strides = array(value).strides;
    result =
        b.ir.CreateAnd(result, b.ir.CreateICmpEQ(strides[0], b.ir.CreateMul(strides[1], length)));
  }
  return result;
}

void BodyEmitter::nest_range(const ir::Soac& outer, const ir::Soac& inner,
                             std::vector<GroupState>& states, Value* begin, Value* end) {
  Value* length = b.greater_of(scalar(inner.extent).value, b.i64(1));
  // (Rows that lie one after the other are one then.)
  if (ir::is_blind_to_rows(source_, outer.body, inner))
    length = b.ir.CreateSelect(are_dense(outer.inputs, length), b.greater_of(end, length), length);
  // (What lies at both ends of a row is stored in the caches, in a line with what is not.)
  std::vector<GroupState> into = states;
  for_each_state(into, [&](GroupState& state) {
    Stored* const stored = stored_of(state);
    if (stored && stored->streams)
      stored->streams =
          b.ir.CreateAnd(stored->streams, b.ir.CreateICmpSGE(length, b.i64(least_streamed_row)));
  });
  Value* const first = b.ir.CreateSDiv(begin, length);
  Value* const last =
      b.ir.CreateSDiv(b.ir.CreateAdd(end, b.ir.CreateSub(length, b.i64(1))), length); // rounded up
  b.loop(first, last, 1, [&](Value* row) {
    row_of_nest(outer, into, b.uniform(row), [&](std::vector<GroupState>& inner_states) {
      Value* const start = b.ir.CreateMul(row, length);
      Value* const from = b.greater_of(b.ir.CreateSub(begin, start), b.i64(0));
      Value* const to = b.lesser_of(b.ir.CreateSub(end, start), length);
      soac_range(inner, inner_states, from, b.uniform(to));
    });
  });
}

/// Whether (i1) results may be stored past the caches from that index on; null if none may.
Value* BodyEmitter::are_streamable(std::span<const Stored* const> all, Value* begin) {
  std::vector<Value*> conditions;
  for (const Stored* stored : all) {
    if (!stored->streams) continue;
    if (std::ranges::find(conditions, stored->streams) == conditions.end())
      conditions.push_back(stored->streams);
    for (const ArrayView& place : stored->places) {
      Value* const one = b.is_streamable(place, begin);
      if (!one) return nullptr;
      conditions.push_back(one);
    }
  }
  if (conditions.empty()) return nullptr;
  Value* result = conditions[0];
  for (Value* condition : std::span(conditions).subspan(1))
    result = b.ir.CreateAnd(result, condition);
  return result;
}

Stored streamed(Stored stored) {
  for (ArrayView& place : stored.places)
    place.is_streamed = place.is_streamed || stored.streams != nullptr;
  return stored;
}

/// Whether elements may be computed twice, instead of some of them under a mask.
bool BodyEmitter::may_repeat(const ir::Soac& soac, const std::vector<GroupState>& states) const {
  bool result = has_only<ir::MapGroup>(soac) && may_go_one_by_one(soac);
  for_each_state(states, [&](const GroupState& state) {
    const Stored* const stored = stored_of(state);
    result = result && stored && stored->may_repeat;
  });
  return result;
}

/// The rest of such elements, after whole vectors from the first one on: one more, which begins in
/// what was done.
void BodyEmitter::rest_of_row(Value* begin, Value* end,
                              const std::function<void(Value* first)>& vector) {
  Value* const rest = b.end_of_whole(begin, end);
  const auto overlapping = [&] {
    b.whole_lanes(b.ir.CreateSub(end, b.i64(b.kernel.width)), end, vector);
  };
  b.if_then(b.ir.CreateICmpSLT(rest, end), [&] {
    b.if_then_else(b.ir.CreateICmpSGT(rest, begin), overlapping,
                   [&] { b.masked_lanes(rest, end, vector); });
  });
}

/// In steps of W; the groups work across lanes.
void BodyEmitter::elements_in_lanes(const ir::Soac& soac, std::vector<GroupState>& states,
                                    Value* begin, Value* end) {
  const bool emits_once = emits_body_once(soac, b.kernel.is_compact) || has_only_rows(soac);
  const bool in_pieces = wants_pieces(soac);
  const bool repeats = !in_pieces && !emits_once && may_repeat(soac, states);
  if (emits_once && !b.kernel.is_compact)
    for (const ir::ValueId read : seldom_reads(soac))
      seldom_read_.insert(read.index);
  const auto run = [&](std::vector<GroupState>& into) {
    if (in_pieces) return elements_in_pieces(soac, into, begin, end);
    const auto vector = [&](Value* first) { element(soac, into, b.linear(first)); };
    if (repeats)
      b.whole_lanes(begin, b.end_of_whole(begin, end), vector);
    else
      b.lanes_range(begin, end, vector, emits_once);
  };
  // (Stores with a mask do not pass by the caches, long bodies gain nothing by it, and in scans,
  // which are long code, it is left to the second tier.)
  const bool is_short = soac.body.statements.size() <= stream_statements &&
                        !(b.kernel.is_compact && ir::has_group<ir::ScanGroup>(soac));
  std::vector<const Stored*> stored;
  for_each_state(states, [&](const GroupState& state) {
    if (const Stored* one = stored_of(state)) stored.push_back(one);
  });
  Value* const streamable = is_short && !emits_once ? are_streamable(stored, begin) : nullptr;
  if (streamable) {
    std::vector<GroupState> past_caches = states;
    for_each_state(past_caches, [](GroupState& state) {
      if (Stored* one = stored_of(state)) *one = streamed(std::move(*one));
    });
    b.if_then_else(
        streamable,
        [&] {
          streams_inputs_ = true;
          run(past_caches);
          streams_inputs_ = false;
        },
        [&] { run(states); });
  } else {
    run(states);
  }
  if (repeats)
    rest_of_row(begin, end, [&](Value* first) { element(soac, states, b.linear(first)); });
}

/// The reductions whose lanes may each have a running value of their own.
std::vector<ReduceState*> BodyEmitter::reduced_by_lane(std::vector<GroupState>& states) {
  std::vector<ReduceState*> result;
  for_each_state(states, [&](GroupState& state) {
    auto* const reduce = std::get_if<ReduceState>(&state);
    if (reduce && reduce->is_commutative) result.push_back(reduce);
  });
  return result;
}

/// The lanes' own accumulators are made before and folded after the loop, where the operator allows
/// any order; else each vector is folded at once.
void BodyEmitter::range_in_lanes(const ir::Soac& soac, std::vector<GroupState>& states,
                                 Value* begin, Value* end) {
  ir::for_each_body(soac, [&](const ir::Body& body) { uniformity_.analyse(body); });
  std::vector<std::vector<GroupState>> streams(1, states);
  const bool only_reduces = std::all_of(states.begin(), states.end(), [&](GroupState& state) {
    const auto* const reduce = std::get_if<ReduceState>(&state);
    return reduce && reduce->is_commutative;
  });
  if (only_reduces && is_light(soac.body)) streams.resize(reduction_streams, states);
  in_lane_code([&] {
    for (auto& stream : streams)
      for (ReduceState* reduce : reduced_by_lane(stream))
        reduce->fold = begin_fold(reduce->fold);
  });
  across_lanes_ = true;
  Value* rest = streams.size() > 1 ? reduce_streams(soac, streams, begin, end) : begin;
  if (may_go_in_squares(soac, streams[0])) rest = elements_in_squares(soac, streams[0], rest, end);
  elements_in_lanes(soac, streams[0], rest, end);
  across_lanes_ = false;
  const std::vector<ReduceState*> of_lanes = reduced_by_lane(streams[0]);
  const std::vector<ReduceState*> of_all = reduced_by_lane(states);
  for (std::size_t i = 0; i < of_all.size(); ++i)
    fold_lanes_into(of_all[i]->fold, *of_lanes[i]);
}

void BodyEmitter::in_lane_code(const std::function<void()>& emit_there) {
  b.enter_lanes(nullptr);
  emit_there();
  b.leave_lanes();
}

/// So many sub-ranges at a time, of equal length; what they came to is joined in the first one's
/// running values.  Gives where the rest begins.
Value* BodyEmitter::reduce_streams(const ir::Soac& soac,
                                   std::vector<std::vector<GroupState>>& streams, Value* begin,
                                   Value* end) {
  const std::int64_t step = b.kernel.width;
  Value* const count = b.greater_of(b.ir.CreateSub(end, begin), b.i64(0));
  auto* const length =
      b.ir.CreateMul(b.ir.CreateUDiv(count, b.i64(step * reduction_streams)), b.i64(step));
  const auto run = [&](std::vector<GroupState>& stream, Value* first) {
    const LaneValue index = b.linear(first);
    element(soac, stream, index);
  };
  // (Short segments, of which there may be many, have none of this.)
  const auto for_each_reduction = [&](const std::function<void(ReduceState&, int)>& visit) {
    for (int s = 0; s < reduction_streams; ++s)
      for (ReduceState* reduce : reduced_by_lane(streams[static_cast<std::size_t>(s)]))
        visit(*reduce, s);
  };
  b.if_then(b.ir.CreateICmpSGT(length, b.i64(0)), [&] {
    in_lane_code(
        [&] { for_each_reduction([&](ReduceState& reduce, int) { begin_counting(reduce); }); });
    b.loop(b.i64(0), length, step, [&](Value* i) {
      in_lane_code([&] {
        for_each_reduction([&](ReduceState& reduce, int) {
          if (reduce.counted) reduce.count = b.ir.CreateTrunc(i, b.ir.getInt32Ty());
        });
        for (int s = 0; s < reduction_streams; ++s)
          run(streams[static_cast<std::size_t>(s)],
              b.ir.CreateAdd(begin, b.ir.CreateAdd(i, b.ir.CreateMul(length, b.i64(s)))));
      });
    });
    in_lane_code([&] {
      for_each_reduction([&](ReduceState& reduce, int s) {
        end_counting(reduce, b.ir.CreateAdd(begin, b.ir.CreateMul(length, b.i64(s))));
      });
      for (std::size_t s = 1; s < streams.size(); ++s)
        join(streams[0], streams[s]);
    });
  });
  return b.ir.CreateAdd(begin, b.ir.CreateMul(length, b.i64(reduction_streams)));
}

/// The lanes' running values into those that were there before.
void BodyEmitter::fold_lanes_into(const Fold& fold, const ReduceState& lanes) {
  const AscendingSelection* const selection =
      lanes.is_unordered ? ascending_.find(*fold.combine) : nullptr;
  std::vector<LaneValue> folded;
  in_lane_code([&] {
    for (const Emitted& emitted_value : values_of(lanes.fold.accumulators)) {
      const auto& value = std::get<LaneValue>(emitted_value);
      folded.push_back(b.varying(b.vector(value), value.element));
    }
    folded = selection ? selected_of_lanes(*selection, folded, nullptr)
                       : fold_lanes(*fold.combine, std::move(folded), FoldOrder::Any);
  });
  fold_into(fold, fold.accumulators, std::vector<Emitted>(folded.begin(), folded.end()));
}

// ---- groups ------------------------------------------------------------------------------------

void BodyEmitter::statements_for(const ir::Body& body, std::size_t first, std::size_t count,
                                 std::vector<char>& is_left) {
  std::vector<bool> is_needed(source_.values.size());
  const auto need = [&](const ir::Operand& operand) {
    if (operand.is_value()) is_needed[operand.value().index] = true;
  };
  std::ranges::for_each(std::span(body.results).subspan(first, count), need);
  std::vector<std::size_t> wanted;
  for (std::size_t at = body.statements.size(); at-- > 0;) {
    const ir::Statement& statement = body.statements[at];
    if (!is_left[at] || !std::ranges::any_of(statement.results, [&](ir::ValueId result) {
          return is_needed[result.index];
        }))
      continue;
    is_left[at] = false;
    ir::for_each_operand(statement.operation, need);
    wanted.push_back(at);
  }
  for (auto at = wanted.rbegin(); at != wanted.rend(); ++at)
    emit(body.statements[*at]);
}

void BodyEmitter::apply(const ir::Body& body, const std::vector<ir::Group>& groups,
                        std::vector<GroupState>& states, const LaneValue& index,
                        std::vector<char> is_left) {
  std::size_t first = 0;
  for (std::size_t g = 0; g < states.size(); ++g) {
    const std::size_t taken = ir::arity(groups[g]).body_results;
    const std::size_t at = std::exchange(first, first + taken);
    if (!is_wanted(states[g])) continue;
    // (Of a scan of which only the total is wanted, nothing is passed by.)
    const auto* const reduce = std::get_if<ReduceState>(&states[g]);
    const std::size_t count = reduce ? reduce->fold.neutral->size() : taken;
    GroupElement element{index, {}, {}};
    if (!is_left.empty()) statements_for(body, at, count, is_left);
    for (const ir::Operand& operand : std::span(body.results).subspan(at, count)) {
      element.values.push_back(emitted(operand));
      element.types.push_back(source_.type(operand));
    }
    std::visit(Overloaded{[](Unwanted&) {}, [&](auto& state) { apply(state, element); }},
               states[g]);
  }
}

} // namespace sinter::jit
