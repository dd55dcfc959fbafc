// Partitions: elements are stored in their order, counted by kind, and then put to those of their
// kind.
#include "jit/emit/body.h"
#include "jit/emit/kernel_emitter.h"
#include "jit/emit/line_buffers.h"

#include <algorithm>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Elements that lie in their order at a time, in a kernel: in the first-level cache, beside what
/// they are put through.
constexpr std::int64_t block_length = 1024;
/// With more kinds, several tables of counts and lines of elements leave the second-level cache.
constexpr std::int64_t most_near_kinds = 4096;
constexpr std::size_t most_tables = 4;
/// Several tables take longer to clear and to add up than counting in one that waits for itself,
/// with fewer elements than that for each kind.
constexpr std::int64_t least_elements_of_tables = 4;
/// Fewer elements than that for each kind leave too many lines that are not whole.
constexpr std::int64_t least_elements_of_kind = 64;

bool are_near(const ir::Operand& kinds) {
  return kinds.is_constant() && kinds.scalar().as<std::int64_t>() <= most_near_kinds;
}

ir::Type one_for_each(const ir::Operand& kinds) {
  return {ElementType::I64, {kinds}};
}

Value* load_at(LaneBuilder& b, const ArrayView& table, Value* index) {
  const LaneValue at = b.uniform(index);
  return b.load(table, b.element_offset(table, {&at, 1})).value;
}

void store_at(LaneBuilder& b, const ArrayView& table, Value* index, Value* value) {
  const LaneValue at = b.uniform(index);
  b.store(table, b.element_offset(table, {&at, 1}), b.uniform(value));
}

void clear(LaneBuilder& b, const ArrayView& table, Value* kinds) {
  b.loop(b.i64(0), kinds, 1, [&](Value* kind) { store_at(b, table, kind, b.i64(0)); });
}

} // namespace

PartitionState BodyEmitter::begin_group(const ir::PartitionGroup& group, const ir::Soac& soac,
                                        std::span<const ir::ValueId> results) {
  PartitionState state{.group = &group, .extent = scalar(soac.extent)};
  state.numbers = allocate({ElementType::I32, {soac.extent}});
  state.counts = allocate(source_.type(results[0]));
  state.next = allocate(source_.type(results[0]));
  for (const ir::ValueId result : results.subspan(1, group.value_count)) {
    ir::Type type = source_.type(result);
    state.ordered.push_back(allocate(type));
    state.is_input.push_back(false);
    state.places.push_back(allocate(type));
    type.extents.erase(type.extents.begin());
    state.types.push_back(std::move(type));
  }
  return state;
}

void BodyEmitter::apply(PartitionState& state, const GroupElement& element) {
  if (state.ordered.size() < state.places.size()) { // at once
    const auto kind = std::get<LaneValue>(element.values[0]);
    Value* const number = b.ir.CreateZExt(kind.value, b.ir.getInt64Ty());
    const LaneValue position = b.uniform(load_at(b, state.next, number));
    store_at(b, state.next, number, b.ir.CreateAdd(position.value, b.i64(1)));
    for (std::size_t i = 0; i < state.places.size(); ++i)
      put(state.places[i], {&position, 1}, element.values[i + 1], element.types[i + 1]);
    return;
  }
  put(state.numbers, {&element.index, 1}, element.values[0], element.types[0]);
  for (std::size_t i = 0; i < state.ordered.size(); ++i)
    if (!state.is_input[i])
      put(state.ordered[i], {&element.index, 1}, element.values[i + 1], element.types[i + 1]);
}

void BodyEmitter::count_kinds(const ArrayView& numbers, Value* count,
                              std::span<const ArrayView> tables) {
  const auto one = [&](Value* element, const ArrayView& table) {
    Value* const kind = b.ir.CreateZExt(load_at(b, numbers, element), b.ir.getInt64Ty());
    store_at(b, table, kind, b.ir.CreateAdd(load_at(b, table, kind), b.i64(1)));
  };
  const auto step = static_cast<std::int64_t>(tables.size());
  Value* const even = b.ir.CreateAnd(count, b.i64(-step));
  b.loop(b.i64(0), even, step, [&](Value* first) {
    for (std::size_t i = 0; i < tables.size(); ++i)
      one(b.ir.CreateAdd(first, b.i64(static_cast<std::int64_t>(i))), tables[i]);
  });
  if (step > 1) b.loop(even, count, 1, [&](Value* element) { one(element, tables[0]); });
}

void BodyEmitter::for_each_placed(
    const PartitionState& state, Value* count,
    const std::function<void(Value*, Value*, const LaneValue&)>& put) {
  b.loop(b.i64(0), count, 1, [&](Value* element) {
    Value* const kind = b.ir.CreateZExt(load_at(b, state.numbers, element), b.ir.getInt64Ty());
    Value* const position = load_at(b, state.next, kind);
    store_at(b, state.next, kind, b.ir.CreateAdd(position, b.i64(1)));
    put(kind, position, b.uniform(element));
  });
}

void BodyEmitter::put_to_kinds(const PartitionState& state, Value* count) {
  for_each_placed(state, count, [&](Value*, Value* position, const LaneValue& element) {
    const LaneValue to = b.uniform(position);
    for (std::size_t i = 0; i < state.places.size(); ++i)
      put(state.places[i], {&to, 1},
          state.types[i].is_scalar()
              ? Emitted(b.load(state.ordered[i], b.element_offset(state.ordered[i], {&element, 1})))
              : Emitted(b.subarray(state.ordered[i], {&element, 1})),
          state.types[i]);
  });
}

std::vector<Emitted> BodyEmitter::results_of(const PartitionState& state) {
  Value* const kinds = scalar(state.group->kinds).value;
  PartitionState part = state;
  const auto in_parts = [&](const std::function<void(Value * count)>& run) {
    range_in_strips(state.extent, strip_length, [&](Value* begin, const LaneValue& end) {
      const LaneValue first = b.uniform(begin);
      part.numbers.offset = b.element_offset(state.numbers, {&first, 1});
      for (std::size_t i = 0; i < state.ordered.size(); ++i)
        part.ordered[i].offset = b.element_offset(state.ordered[i], {&first, 1});
      run(b.ir.CreateSub(end.value, begin));
    });
  };
  clear(b, state.counts, kinds);
  in_parts([&](Value* count) { count_kinds(part.numbers, count, {&state.counts, 1}); });
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  b.set(next, b.index(0));
  b.loop(b.i64(0), kinds, 1, [&](Value* kind) {
    const LaneValue begin = b.get(next);
    store_at(b, state.next, kind, begin.value);
    b.set(next, b.add(begin, b.uniform(load_at(b, state.counts, kind))));
  });
  if (!state.places.empty()) in_parts([&](Value* count) { put_to_kinds(part, count); });
  std::vector<Emitted> results = {state.counts};
  results.insert(results.end(), state.places.begin(), state.places.end());
  return results;
}

// ---- in a kernel -------------------------------------------------------------------------------

PartitionState KernelEmitter::begin_group(const Range& range, const ir::PartitionGroup& group,
                                          const GroupPosition& at) {
  BodyEmitter& body = range.entry.body;
  const ir::Operand block = ir::Operand::i64(block_length);
  PartitionState state{.group = &group};
  const ArrayView of_chunk =
      partial(range.entry, at.partial, range.chunk, one_for_each(group.kinds));
  if (range.phase == phases::Run) {
    state.numbers = body.allocate({ElementType::I32, {block}});
    state.counts = of_chunk;
    return state;
  }
  state.next = of_chunk;
  bool are_scalars = true;
  for (std::uint32_t i = 0; i < group.value_count; ++i) {
    state.places.push_back(result_array(range.entry, at.result + 1 + i));
    state.types.push_back(function_.type(range.soac.body.results[at.body_result + 1 + i]));
    are_scalars = are_scalars && state.types.back().is_scalar();
  }
  if (!are_scalars) return state;
  state.numbers = body.allocate({ElementType::I32, {block}});
  for (std::uint32_t i = 0; i < group.value_count; ++i) {
    const ir::ValueId* const input = input_of_result(range.soac, at.body_result + 1 + i);
    state.is_input.push_back(input != nullptr);
    state.ordered.push_back(input ? body.array(*input)
                                  : body.allocate({state.types[i].element, {block}}));
  }
  return state;
}

/// Blocks of the range, whose elements lie in their order as `block` is emitted.
void KernelEmitter::in_blocks(const Range& range, std::vector<GroupState>& states,
                              PartitionState& state,
                              const std::function<void(Value* count)>& block) {
  BodyEmitter& body = range.entry.body;
  LaneBuilder& b = body.b;
  const std::vector<ArrayView> ordered = state.ordered;
  b.loop(range.begin, range.end, block_length, [&](Value* first) {
    body.check_epoch();
    Value* const end = b.lesser_of(b.ir.CreateAdd(first, b.i64(block_length)), range.end);
    // Code of elements counts them from the first one of all.
    const LaneValue before = b.uniform(b.ir.CreateNeg(first));
    const auto aim = [&](const LaneValue& at_input, const LaneValue& at_block) {
      state.numbers.offset = at_block;
      for (std::size_t i = 0; i < ordered.size(); ++i)
        state.ordered[i].offset =
            state.is_input[i] ? b.element_offset(ordered[i], {&at_input, 1}) : at_block;
    };
    aim(b.index(0), before);
    body.soac_range(range.soac, states, first, b.uniform(end));
    aim(b.uniform(first), b.index(0));
    block(b.ir.CreateSub(end, first));
  });
  state.ordered = ordered;
}

void KernelEmitter::elements_by_kinds(const Range& range, std::vector<GroupState>& states,
                                      std::size_t partition) {
  auto& state = std::get<PartitionState>(states[partition]);
  if (range.phase == phases::Run)
    count_by_kinds(range, states, state);
  else
    put_to_kinds(range, states, state);
}

void KernelEmitter::count_by_kinds(const Range& range, std::vector<GroupState>& states,
                                   PartitionState& state) {
  BodyEmitter& body = range.entry.body;
  LaneBuilder& b = body.b;
  Value* const kinds = body.scalar(state.group->kinds).value;
  std::vector<ArrayView> tables = {state.counts};
  clear(b, state.counts, kinds);
  if (!are_near(state.group->kinds) || kernel_.is_compact)
    return in_blocks(range, states, state,
                     [&](Value* count) { body.count_kinds(state.numbers, count, tables); });
  std::vector<ArrayView> others;
  while (others.size() + 1 < most_tables)
    others.push_back(body.allocate(one_for_each(state.group->kinds)));
  Value* const are_many =
      b.ir.CreateICmpSGE(b.ir.CreateSub(range.end, range.begin),
                         b.ir.CreateMul(kinds, b.i64(least_elements_of_tables)));
  // Of few elements, all are counted in the first one.
  for (const ArrayView& other : others) {
    ArrayView table = other;
    table.base = b.ir.CreateSelect(are_many, other.base, state.counts.base);
    table.offset.value = b.ir.CreateSelect(are_many, table.offset.value, state.counts.offset.value);
    tables.push_back(std::move(table));
  }
  b.if_then(are_many, [&] {
    for (const ArrayView& other : others)
      clear(b, other, kinds);
  });
  in_blocks(range, states, state,
            [&](Value* count) { body.count_kinds(state.numbers, count, tables); });
  b.if_then(are_many, [&] {
    b.loop(b.i64(0), kinds, 1, [&](Value* kind) {
      Value* sum = load_at(b, state.counts, kind);
      for (const ArrayView& other : others)
        sum = b.ir.CreateAdd(sum, load_at(b, other, kind));
      store_at(b, state.counts, kind, sum);
    });
  });
}

void KernelEmitter::put_to_kinds(const Range& range, std::vector<GroupState>& states,
                                 PartitionState& state) {
  BodyEmitter& body = range.entry.body;
  LaneBuilder& b = body.b;
  if (state.ordered.size() < state.places.size()) // put at once
    return in_blocks(range, states, state, [](Value*) {});
  const ir::Operand& kinds = state.group->kinds;
  const auto directly = [&] {
    in_blocks(range, states, state, [&](Value* count) { body.put_to_kinds(state, count); });
  };
  if (state.places.empty()) return;
  if (!are_near(kinds) || kernel_.is_compact || !LineBuffers::are_of_use(kernel_))
    return directly();
  const auto in_lines = [&] {
    const ArrayView starts = body.copied(state.next, one_for_each(kinds));
    LineBuffers lines(body, kinds, state.places, starts, range.streams);
    in_blocks(range, states, state, [&](Value* count) {
      body.for_each_placed(
          state, count, [&](Value* kind, Value* position, const LaneValue& element) {
            std::vector<LaneValue> elements;
            for (const ArrayView& values : state.ordered)
              elements.push_back(b.load(values, b.element_offset(values, {&element, 1})));
            lines.put(kind, position, elements);
          });
    });
    lines.drain(state.next);
  };
  Value* const enough = b.i64(least_elements_of_kind * kinds.scalar().as<std::int64_t>());
  b.if_then_else(b.ir.CreateICmpSGE(b.ir.CreateSub(range.end, range.begin), enough), in_lines,
                 directly);
}

void KernelEmitter::leave(const Range&, const PartitionState&, const GroupPosition&) {}

/// Where the elements of each kind begin, of each chunk; and how many there are.
void KernelEmitter::combine(const Chunks& chunks, const ir::PartitionGroup& group,
                            const GroupPosition& at) {
  BodyEmitter& body = chunks.entry.body;
  LaneBuilder& b = body.b;
  const ArrayView counts = result_array(chunks.entry, at.result);
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  const auto of_chunk = [&](Value* chunk) {
    return partial(chunks.entry, at.partial, chunk, one_for_each(group.kinds));
  };
  /// Its number of the kind's elements, in whose place stands where they begin.
  const auto place = [&](const ArrayView& table, Value* kind) {
    const LaneValue here = b.get(next);
    Value* const count = load_at(b, table, kind);
    store_at(b, table, kind, here.value);
    b.set(next, b.add(here, b.uniform(count)));
    return count;
  };
  b.set(next, b.index(0));
  const auto for_each_kind = [&](const std::function<Value*(Value*)>& number_of) {
    b.loop(b.i64(0), body.scalar(group.kinds).value, 1,
           [&](Value* kind) { store_at(b, counts, kind, number_of(kind)); });
  };
  b.if_then_else(
      b.ir.CreateICmpEQ(chunks.count, b.i64(1)),
      [&] {
        const ArrayView only = of_chunk(b.i64(0));
        for_each_kind([&](Value* kind) { return place(only, kind); });
      },
      [&] {
        for_each_kind([&](Value* kind) {
          const LaneValue begin = b.get(next);
          b.loop(b.i64(0), chunks.count, 1, [&](Value* chunk) { place(of_chunk(chunk), kind); });
          return b.ir.CreateSub(b.get(next).value, begin.value);
        });
      });
}

} // namespace sinter::jit
