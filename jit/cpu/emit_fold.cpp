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

/// Lanes that each fold a row at most, without anything around it.
void BodyEmitter::fold_only_row(const ir::Soac& soac, std::vector<GroupState>& states,
                                const LaneValue& end) {
  const bool across = std::exchange(across_lanes_, false);
  for (GroupState& state : states)
    for (std::size_t i = 0; i < state.accumulators.size(); ++i)
      b.set(std::get<Variable>(state.accumulators[i]), scalar((*state.folding->neutral)[i]));
  range_of_elements(soac, states, b.i64(0), end);
  for (GroupState& state : states)
    assign_all(*state.folding, state.folding->all, values_of(state.accumulators));
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

// ---- inside a body -----------------------------------------------------------------------------

void BodyEmitter::fold_range(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                             const LaneValue& end, const FoldEvents& events) {
  if (events.all_before)
    b.if_then(b.ir.CreateICmpSGT(begin, b.i64(0)), [&] {
      for (std::size_t g = 0; g < states.size(); ++g)
        if (states[g].folding)
          assign_all(*states[g].folding, states[g].folding->all, events.all_before(g, begin));
    });
  if (b.in_lanes() && end.shape != Shape::Uniform && folds_along_rows(source_, soac) &&
      may_go_along_rows(soac, states))
    return fold_uneven_rows(soac, states, end);
  if (b.in_lanes() && end.shape == Shape::Uniform && !b.kernel.is_compact &&
      folds_along_rows(source_, soac) && is_light(soac.body) && !may_go_along_rows(soac, states))
    return b.if_then_else(
        b.ir.CreateICmpSLE(end.value, b.i64(row_length)), [&] { fold_only_row(soac, states, end); },
        [&] { fold_directly(soac, states, begin, end, events); });
  if (b.in_lanes() || !folds_scalars(source_, soac) ||
      (!events.keeps_elements && !runs_in_lanes(soac)))
    return fold_directly(soac, states, begin, end, events);
  const auto by_tiles = [&] { fold_by_tiles(soac, states, begin, end.value, events); };
  const bool is_whole = constant_or(begin, -1) == 0 && !events.row;
  if (is_whole && may_fold_one_row(soac))
    b.if_then_else(
        b.ir.CreateICmpSLE(end.value, b.i64(row_length)),
        [&] { fold_one_row(soac, states, end.value); }, by_tiles);
  else
    by_tiles();
}

bool BodyEmitter::is_one_row(const LaneValue& extent) {
  return extent.shape == Shape::Uniform && constant_or(extent.value, INT64_MAX) <= row_length;
}

} // namespace sinter::jit
