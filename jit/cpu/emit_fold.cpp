// Reductions and scans whose order shows: by rows of elements and blocks of rows, as
// lang/primitives/fold_order.h defines it.
//
// The rows are what lanes have: W of them are folded at a time, each lane one, from the left.  The
// elements themselves are computed in lanes along the index, as of any SOAC, so that memory is read
// and written in order; between the two lies a tile of W rows:
//
//   for each block of the range                         (64 rows)
//     for each tile of the block                        (W rows)
//       elements: tile[i - first] = value of element i  in lanes along i
//       rows:     lane l folds tile[64 l], tile[64 l + 1], …
//       the rows' results, one after the other, into the block's
//     the block's result into that of all
//
// Where elements are arrays, or lanes lie outside (each lane then folds elements of its own), the
// same nest of loops runs without a tile (`fold_directly`).
#include "jit/cpu/emit_body.h"

#include "jit/cpu/kernel_shape.h"
#include "jit/ir/walk.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::jit {

using llvm::Value;
using primitives::block_length;
using primitives::row_length;

namespace {

/// Operators of more statements are emitted once for all columns of a tile, which costs gathers.
constexpr std::size_t transposed_statements = 4;
/// And so are squares of more vectors than that.
constexpr unsigned transposed_lanes = 32;

std::int64_t constant_or(Value* number, std::int64_t otherwise) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(number);
  return known ? known->getSExtValue() : otherwise;
}

} // namespace

// ---- running values ----------------------------------------------------------------------------

std::vector<Emitted> BodyEmitter::values_of(std::span<const Accumulator> accumulators) {
  std::vector<Emitted> values;
  for (const Accumulator& accumulator : accumulators)
    values.push_back(value_of(accumulator));
  return values;
}

void BodyEmitter::assign_all(const Folding& folding, std::span<const Accumulator> accumulators,
                             std::span<const Emitted> values) {
  for (std::size_t i = 0; i < accumulators.size(); ++i)
    assign(accumulators[i], values[i], source_.type((*folding.neutral)[i]));
}

/// accumulators = accumulators op right.
void BodyEmitter::fold_into(const Folding& folding, std::span<const Accumulator> accumulators,
                            std::span<const Emitted> right) {
  const std::vector<Emitted> left = values_of(accumulators);
  if (is_elementwise(*folding.combine)) {
    std::vector<ArrayView> memory;
    for (const Emitted& value : left)
      memory.push_back(std::get<ArrayView>(value));
    build_in(*folding.combine, memory);
  }
  assign_all(folding, accumulators, combine(*folding.combine, left, right));
}

/// The same, or (i1) the first of its kind: accumulators = right.
void BodyEmitter::begin_or_fold_into(const Folding& folding, Value* is_first,
                                     std::span<const Accumulator> accumulators,
                                     std::span<const Emitted> right) {
  b.if_then_else(
      is_first, [&] { assign_all(folding, accumulators, right); },
      [&] { fold_into(folding, accumulators, right); });
}

std::vector<Accumulator> BodyEmitter::neutral_accumulators(const Folding& folding) {
  std::vector<Accumulator> result;
  for (const ir::Operand& neutral : *folding.neutral)
    result.push_back(accumulator(neutral));
  return result;
}

void BodyEmitter::begin_folding(std::vector<GroupState>& states) {
  for (GroupState& state : states) {
    if (!state.is_active) continue;
    Folding folding;
    if (const auto* reduce = std::get_if<ir::ReduceGroup>(state.group)) {
      folding.neutral = &reduce->neutral;
      folding.combine = &reduce->combine;
    } else if (const auto* scan = std::get_if<ir::ScanGroup>(state.group)) {
      folding.neutral = &scan->neutral;
      folding.combine = &scan->combine;
      folding.is_scan = true;
    } else {
      continue;
    }
    folding.block = neutral_accumulators(folding);
    folding.all = neutral_accumulators(folding);
    if (folding.is_scan) folding.carry = neutral_accumulators(folding);
    state.folding = std::move(folding);
  }
}

// ---- rows and blocks ---------------------------------------------------------------------------

Value* BodyEmitter::begins_block(Value* row) {
  return b.ir.CreateICmpEQ(b.ir.CreateAnd(row, b.i64(block_length - 1)), b.i64(0));
}

Value* BodyEmitter::end_of_block(Value* index, Value* end) {
  Value* const next =
      b.ir.CreateAdd(b.ir.CreateAnd(index, b.i64(-block_length)), b.i64(block_length));
  return b.lesser_of(next, end);
}

void BodyEmitter::for_each_block(Value* begin, Value* end,
                                 const std::function<void(Value*, Value*)>& body) {
  // (The first may begin in the middle of one, where a chunk does.)
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  b.set(next, b.uniform(begin));
  b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, end); },
               [&] {
                 Value* const first = b.get(next).value;
                 Value* const last = end_of_block(first, end);
                 body(first, last);
                 b.set(next, b.uniform(last));
               });
}

void BodyEmitter::fold_row(std::vector<GroupState>& states, const FoldEvents& events,
                           std::size_t group, Value* row, std::span<const Emitted> values) {
  const Folding& folding = *states[group].folding;
  if (events.row) events.row(group, row, values);
  begin_or_fold_into(folding, begins_block(row), folding.block, values);
}

void BodyEmitter::fold_block(std::vector<GroupState>& states, const FoldEvents& events,
                             Value* block) {
  for (std::size_t g = 0; g < states.size(); ++g) {
    if (!states[g].folding) continue;
    const Folding& folding = *states[g].folding;
    const std::vector<Emitted> values = values_of(folding.block);
    if (events.block) events.block(g, block, values);
    if (events.needs_all || folding.is_scan)
      begin_or_fold_into(folding, b.ir.CreateICmpSLT(block, b.i64(block_length)), folding.all,
                         values);
  }
}

/// What is combined from the left with the prefixes of a row of a scan, if it is not the very
/// first.
void BodyEmitter::carry_into_row(const Folding& folding, Value* row) {
  b.if_then_else(
      begins_block(row), [&] { assign_all(folding, folding.carry, values_of(folding.all)); },
      [&] {
        b.if_then_else(
            b.ir.CreateICmpSLT(row, b.i64(block_length)),
            [&] { assign_all(folding, folding.carry, values_of(folding.block)); },
            [&] {
              assign_all(
                  folding, folding.carry,
                  combine(*folding.combine, values_of(folding.all), values_of(folding.block)));
            });
      });
}

// ---- without a tile ----------------------------------------------------------------------------

void BodyEmitter::fold_directly(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                                const LaneValue& end, const FoldEvents& events) {
  const bool across = std::exchange(across_lanes_, false);
  Value* const mask = b.mask;
  Value* const ends = end.shape == Shape::Uniform ? nullptr : b.vector(end);
  const auto mask_rows = [&](Value* first) {
    b.mask = mask;
    if (ends) b.mask = b.and_mask(b.ir.CreateICmpSLT(b.splat(first), ends));
  };
  const auto end_of_row = [&](Value* row) -> LaneValue {
    Value* const next = b.ir.CreateAdd(row, b.i64(row_length));
    if (!ends) return b.uniform(b.lesser_of(next, end.value));
    return b.varying(b.lesser_of(b.splat(next), ends), ElementType::I64);
  };
  for_each_block(begin, b.greatest(end), [&](Value* block, Value* block_end) {
    b.loop(block, block_end, row_length, [&](Value* row) {
      check_epoch();
      mask_rows(row);
      for (GroupState& state : states) {
        if (!state.folding) continue;
        for (std::size_t i = 0; i < state.accumulators.size(); ++i)
          assign(state.accumulators[i], emitted((*state.folding->neutral)[i]),
                 source_.type((*state.folding->neutral)[i]));
        if (!state.folding->is_scan) continue;
        state.folding->has_carry = b.ir.CreateICmpSGT(row, b.i64(0));
        carry_into_row(*state.folding, row);
      }
      range_of_elements(soac, states, row, end_of_row(row));
      for (std::size_t g = 0; g < states.size(); ++g)
        if (states[g].folding) fold_row(states, events, g, row, values_of(states[g].accumulators));
      b.mask = mask;
    });
    mask_rows(block);
    fold_block(states, events, block);
    b.mask = mask;
  });
  across_lanes_ = across;
}

/// A scan's element, of the row at hand.
void BodyEmitter::apply_scan_in_row(const ir::ScanGroup& group, GroupState& state,
                                    const LaneValue& index, std::span<const Emitted> values,
                                    std::span<const ir::Type> types) {
  const Folding& folding = *state.folding;
  fold_into(folding, state.accumulators, values);
  const std::vector<Emitted> prefixes = values_of(state.accumulators);
  const auto store = [&](std::span<const Emitted> results) {
    for (std::size_t i = 0; i < results.size(); ++i)
      put(state.places[i], {&index, 1}, results[i], types[i]);
  };
  b.if_then(state.stores_prefixes ? state.stores_prefixes : b.ir.getTrue(), [&] {
    b.if_then_else(
        folding.has_carry,
        [&] { store(combine(group.combine, values_of(folding.carry), prefixes)); },
        [&] { store(prefixes); });
  });
}

// ---- by tiles ----------------------------------------------------------------------------------

/// Makes room for the elements that are not in memory, one after the other, already; whether there
/// is anything to do to have them.
bool BodyEmitter::make_tiles(const ir::Soac& soac, std::vector<GroupState>& states,
                             const FoldEvents& events) {
  bool is_computed = false;
  std::size_t next = 0;
  for (GroupState& state : states) {
    const std::size_t first = std::exchange(next, next + body_result_count(*state.group));
    if (!state.folding) {
      is_computed = is_computed || state.is_active;
      continue;
    }
    Folding& folding = *state.folding;
    for (std::size_t i = 0; i < folding.neutral->size(); ++i) {
      const ir::ValueId* const input = input_of_result(soac, first + i);
      if (input && !folding.is_scan && !events.keeps_elements &&
          constant_or(array(*input).strides[0], 0) == 1) {
        folding.tile.push_back(array(*input));
        folding.is_input.push_back(true);
        continue;
      }
      is_computed = true;
      ArrayView tile;
      tile.element = source_.type((*folding.neutral)[i]).element;
      auto* const memory =
          b.stack(b.memory_type(tile.element), row_length * std::int64_t{b.kernel.width});
      memory->setAlignment(llvm::Align(64));
      tile.base = memory;
      tile.strides = {b.i64(1)};
      tile.is_row_major = true;
      folding.tile.push_back(std::move(tile));
      folding.is_input.push_back(false);
    }
  }
  return is_computed;
}

void BodyEmitter::store_in_tile(const Folding& folding, const LaneValue& index,
                                std::span<const Emitted> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!folding.is_input[i])
      b.store(folding.tile[i], b.element_offset(folding.tile[i], {&index, 1}),
              std::get<LaneValue>(values[i]));
}

void BodyEmitter::fold_by_tiles(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                                Value* end, const FoldEvents& events) {
  const bool in_lanes = plan_.runs_in_lanes(soac);
  const bool computes = make_tiles(soac, states, events);
  if (in_lanes) ir::for_each_body(soac, [&](const ir::Body& body) { uniformity_.analyse(body); });
  const std::int64_t rows = in_lanes ? std::int64_t{b.kernel.width} : 1;
  for_each_block(begin, end, [&](Value* block, Value* block_end) {
    b.loop(block, block_end, rows * row_length, [&](Value* first) {
      check_epoch();
      Value* const last = b.lesser_of(b.ir.CreateAdd(first, b.i64(rows * row_length)), block_end);
      for (std::size_t g = 0; g < states.size(); ++g) {
        if (!states[g].folding) continue;
        for (std::size_t i = 0; i < states[g].folding->tile.size(); ++i) {
          if (states[g].folding->is_input[i]) continue;
          ArrayView& tile = states[g].folding->tile[i];
          tile.offset = b.uniform(b.ir.CreateNeg(first));
          if (events.elements) tile = events.elements(g, i, tile);
        }
      }
      if (!computes) {
        fetch_ahead(states, first, rows * row_length);
      } else if (in_lanes) {
        across_lanes_ = true;
        elements_in_lanes(soac, states, first, last);
        across_lanes_ = false;
      } else {
        range_of_elements(soac, states, first, b.uniform(last));
      }
      const auto fold_rows = [&] { fold_tile(states, events, first, last, in_lanes); };
      if (events.keeps_elements)
        b.if_then(b.ir.CreateNot(events.keeps_elements), fold_rows);
      else
        fold_rows();
    });
    fold_block(states, events, block);
  });
}

/// Elements that are read where they are: those of a later tile, line by line, as reading a tile
/// goes across its lines.
void BodyEmitter::fetch_ahead(const std::vector<GroupState>& states, Value* first,
                              std::int64_t elements) {
  constexpr std::int64_t cache_line = 64;
  constexpr std::int64_t bytes_ahead = 8192;
  for (const GroupState& state : states) {
    if (!state.folding) continue;
    for (const ArrayView& tile : state.folding->tile) {
      const auto size = static_cast<std::int64_t>(byte_size(tile.element));
      const LaneValue index = b.uniform(first);
      Value* const begin = b.ir.CreateGEP(b.memory_type(tile.element), tile.base,
                                          b.element_offset(tile, {&index, 1}).value);
      b.loop(b.i64(bytes_ahead), b.i64(bytes_ahead + elements * size), cache_line,
             [&](Value* byte) {
               b.ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.ir.getPtrTy()},
                                    {b.ir.CreateGEP(b.ir.getInt8Ty(), begin, byte),
                                     b.ir.getInt32(0), b.ir.getInt32(3), b.ir.getInt32(1)});
             });
    }
  }
}

/// The tile's rows, after its elements have been computed.
void BodyEmitter::fold_tile(std::vector<GroupState>& states, const FoldEvents& events, Value* first,
                            Value* last, bool in_lanes) {
  for (std::size_t g = 0; g < states.size(); ++g) {
    if (!states[g].folding) continue;
    const Folding& folding = *states[g].folding;
    const std::vector<ArrayView> results =
        in_lanes ? rows_in_lanes(folding, first, last) : std::vector<ArrayView>();
    b.loop(first, last, row_length, [&](Value* row) {
      std::vector<Emitted> values;
      if (in_lanes) {
        const LaneValue number =
            b.uniform(b.ir.CreateSDiv(b.ir.CreateSub(row, first), b.i64(row_length)));
        for (const ArrayView& result : results)
          values.push_back(b.load(result, b.element_offset(result, {&number, 1})));
      } else {
        values = row_in_scalar_code(folding, row, last);
      }
      if (folding.is_scan) {
        carry_into_row(folding, row);
        store_row(states[g], row, b.lesser_of(b.ir.CreateAdd(row, b.i64(row_length)), last));
      }
      fold_row(states, events, g, row, values);
    });
  }
}

/// One row; a scan's prefixes take the elements' places.
std::vector<Emitted> BodyEmitter::row_in_scalar_code(const Folding& folding, Value* row,
                                                     Value* last) {
  const std::vector<Accumulator> accumulators = neutral_accumulators(folding);
  Value* const end = b.lesser_of(b.ir.CreateAdd(row, b.i64(row_length)), last);
  b.loop(row, end, 1, [&](Value* i) { fold_tile_element(folding, accumulators, b.uniform(i)); });
  return values_of(accumulators);
}

void BodyEmitter::fold_tile_element(const Folding& folding,
                                    std::span<const Accumulator> accumulators,
                                    const LaneValue& index) {
  std::vector<Emitted> elements;
  for (const ArrayView& tile : folding.tile)
    elements.push_back(b.load(tile, b.element_offset(tile, {&index, 1})));
  fold_into(folding, accumulators, elements);
  if (!folding.is_scan) return;
  for (std::size_t i = 0; i < accumulators.size(); ++i) {
    const ArrayView& tile = folding.tile[i];
    b.store(tile, b.element_offset(tile, {&index, 1}),
            std::get<LaneValue>(value_of(accumulators[i])));
  }
}

/// All rows of a tile, each in a lane; gives where the rows' results lie.
std::vector<ArrayView> BodyEmitter::rows_in_lanes(const Folding& folding, Value* first,
                                                  Value* last) {
  const unsigned lanes = b.kernel.width;
  std::vector<ArrayView> results;
  for (const ArrayView& tile : folding.tile) {
    ArrayView result = tile;
    auto* const memory = b.stack(b.memory_type(tile.element), lanes);
    memory->setAlignment(llvm::Align(64));
    result.base = memory;
    result.offset = b.index(0);
    results.push_back(std::move(result));
  }
  // (Of inputs with small elements, which have no masked loads, the last tile could not be read.)
  bool is_readable = true;
  for (std::size_t i = 0; i < folding.tile.size(); ++i)
    is_readable = is_readable && (!folding.is_input[i] || byte_size(folding.tile[i].element) >= 4);
  const bool may_transpose = !b.kernel.is_compact && lanes <= transposed_lanes && is_readable &&
                             folding.combine->statements.size() <= transposed_statements;
  Value* const count = b.ir.CreateSub(last, first);
  const auto fold_all = [&](bool is_whole) {
    b.enter_lanes(nullptr);
    const std::vector<Accumulator> accumulators = neutral_accumulators(folding);
    if (may_transpose)
      fold_transposed(folding, accumulators, first, is_whole ? nullptr : count);
    else
      fold_gathered(folding, accumulators, first, count);
    const LaneValue numbers = b.linear(b.i64(0));
    for (std::size_t i = 0; i < results.size(); ++i)
      b.store(results[i], b.element_offset(results[i], {&numbers, 1}),
              std::get<LaneValue>(value_of(accumulators[i])));
    b.leave_lanes();
  };
  if (!may_transpose)
    fold_all(false);
  else
    b.if_then_else(
        b.ir.CreateICmpEQ(count, b.i64(row_length * std::int64_t{lanes})), [&] { fold_all(true); },
        [&] { fold_all(false); });
  return results;
}

/// Column after column, by gathers, as far as there are elements.
void BodyEmitter::fold_gathered(const Folding& folding, std::span<const Accumulator> accumulators,
                                Value* first, Value* count) {
  Value* const starts =
      b.ir.CreateMul(b.lane_numbers(b.ir.getInt64Ty()), b.splat(b.i64(row_length)));
  b.loop(b.i64(0), b.lesser_of(count, b.i64(row_length)), 1, [&](Value* column) {
    Value* const places = b.ir.CreateAdd(starts, b.splat(column));
    b.mask = b.ir.CreateICmpSLT(places, b.splat(count));
    fold_tile_element(folding, accumulators,
                      b.varying(b.ir.CreateAdd(places, b.splat(first)), ElementType::I64));
    b.mask = nullptr;
  });
}

/// Some columns at a time, by turning squares of elements over in registers.
void BodyEmitter::fold_transposed(const Folding& folding, std::span<const Accumulator> accumulators,
                                  Value* first, Value* count) {
  const auto lanes = static_cast<std::int64_t>(b.lanes());
  std::size_t widest = 1;
  for (const ArrayView& tile : folding.tile)
    widest = std::max(widest, byte_size(tile.element));
  const unsigned size = square_size(widest);
  const auto columns = static_cast<std::int64_t>(size);
  std::vector<llvm::Constant*> numbers;
  for (unsigned k = 0; k < size; ++k)
    numbers.push_back(b.i64(k));
  Value* const starts =
      b.ir.CreateMul(b.lane_numbers(b.ir.getInt64Ty()), b.splat(b.i64(row_length)));
  Value* const end = count ? b.lesser_of(count, b.i64(row_length)) : b.i64(row_length);
  b.loop(b.i64(0), end, columns, [&](Value* column) {
    std::vector<std::vector<Value*>> turned;
    // What is not there is not read (of other memory than the tile's own).
    const auto load = [&](llvm::Type* type, Value* place, std::int64_t row, bool is_input,
                          llvm::Align alignment) -> Value* {
      if (!count || !is_input) return b.ir.CreateAlignedLoad(type, place, alignment);
      Value* const left = b.ir.CreateSub(b.ir.CreateSub(count, column), b.i64(row * row_length));
      return b.ir.CreateMaskedLoad(type, place, alignment,
                                   b.ir.CreateICmpSLT(llvm::ConstantVector::get(numbers),
                                                      b.ir.CreateVectorSplat(size, left)),
                                   llvm::Constant::getNullValue(type));
    };
    const auto place = [&](const ArrayView& tile, std::int64_t row) {
      const LaneValue index =
          b.uniform(b.ir.CreateAdd(b.ir.CreateAdd(first, column), b.i64(row * row_length)));
      return b.ir.CreateGEP(b.memory_type(tile.element), tile.base,
                            b.element_offset(tile, {&index, 1}).value);
    };
    for (std::size_t i = 0; i < folding.tile.size(); ++i) {
      const ArrayView& tile = folding.tile[i];
      std::vector<Value*> rows;
      auto* const type = llvm::FixedVectorType::get(b.memory_type(tile.element), size);
      for (std::int64_t row = 0; row < lanes; ++row)
        rows.push_back(load(type, place(tile, row), row, folding.is_input[i],
                            llvm::Align(byte_size(tile.element))));
      turned.push_back(columns_of(std::move(rows), size));
    }
    for (std::int64_t c = 0; c < columns; ++c) {
      std::vector<Emitted> elements;
      for (std::size_t i = 0; i < turned.size(); ++i) {
        Value* value = turned[i][static_cast<std::size_t>(c)];
        if (folding.tile[i].element == ElementType::Bool)
          value = b.ir.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
        elements.push_back(b.varying(value, folding.tile[i].element));
      }
      if (count)
        b.mask = b.ir.CreateICmpSLT(
            b.ir.CreateAdd(starts, b.splat(b.ir.CreateAdd(column, b.i64(c)))), b.splat(count));
      fold_into(folding, accumulators, elements);
      b.mask = nullptr;
      if (!folding.is_scan) continue;
      for (std::size_t i = 0; i < turned.size(); ++i) {
        Value* prefix = b.vector(std::get<LaneValue>(value_of(accumulators[i])));
        auto*& kept = turned[i][static_cast<std::size_t>(c)];
        if (folding.tile[i].element == ElementType::Bool)
          prefix = b.ir.CreateZExt(prefix, kept->getType());
        kept = prefix;
      }
    }
    if (!folding.is_scan) return;
    for (std::size_t i = 0; i < turned.size(); ++i) {
      const std::vector<Value*> rows = rows_of(turned[i], b.lanes());
      for (std::int64_t row = 0; row < lanes; ++row)
        b.ir.CreateAlignedStore(rows[static_cast<std::size_t>(row)], place(folding.tile[i], row),
                                llvm::Align(byte_size(folding.tile[i].element)));
    }
  });
}

/// A scan's results of a row, whose prefixes are in the tile.
void BodyEmitter::store_row(const GroupState& state, Value* row, Value* end) {
  const Folding& folding = *state.folding;
  const auto store = [&](bool has_carry) {
    const auto one = [&](const LaneValue& index) {
      std::vector<Emitted> results;
      for (const ArrayView& tile : folding.tile)
        results.push_back(b.load(tile, b.element_offset(tile, {&index, 1})));
      if (has_carry) results = combine(*folding.combine, values_of(folding.carry), results);
      for (std::size_t i = 0; i < results.size(); ++i)
        b.store(state.places[i], b.element_offset(state.places[i], {&index, 1}),
                std::get<LaneValue>(results[i]));
    };
    if (b.kernel.width > 1 && has_carry)
      b.lanes_range(
          row, end, [&](Value* first) { one(b.linear(first)); }, b.kernel.is_compact);
    else
      b.loop(row, end, 1, [&](Value* i) { one(b.uniform(i)); });
  };
  b.if_then(state.stores_prefixes ? state.stores_prefixes : b.ir.getTrue(), [&] {
    b.if_then_else(
        b.ir.CreateICmpSGT(row, b.i64(0)), [&] { store(true); }, [&] { store(false); });
  });
}

// ---- inside a body -----------------------------------------------------------------------------

void BodyEmitter::fold_range(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                             const LaneValue& end, const FoldEvents& events) {
  if (events.all_before)
    b.if_then(b.ir.CreateICmpSGT(begin, b.i64(0)), [&] {
      for (std::size_t g = 0; g < states.size(); ++g)
        if (states[g].folding)
          assign_all(*states[g].folding, states[g].folding->all, events.all_before(g, begin));
    });
  if (!b.in_lanes() && folds_scalars(source_, soac) &&
      (events.keeps_elements || plan_.runs_in_lanes(soac)))
    fold_by_tiles(soac, states, begin, end.value, events);
  else
    fold_directly(soac, states, begin, end, events);
}

bool BodyEmitter::is_one_row(const LaneValue& extent) {
  return extent.shape == Shape::Uniform && constant_or(extent.value, INT64_MAX) <= row_length;
}

} // namespace sinter::jit
