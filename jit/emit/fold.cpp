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
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/groups.h"
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

void BodyEmitter::assign_all(const Operator& op, std::span<const Accumulator> accumulators,
                             std::span<const Emitted> values) {
  for (std::size_t i = 0; i < accumulators.size(); ++i)
    assign(accumulators[i], values[i], source_.type((*op.neutral)[i]));
}

/// accumulators = accumulators op right.
void BodyEmitter::fold_into(const Operator& op, std::span<const Accumulator> accumulators,
                            std::span<const Emitted> right) {
  const std::vector<Emitted> left = values_of(accumulators);
  if (is_elementwise(*op.combine)) {
    std::vector<ArrayView> memory;
    for (const Emitted& value : left)
      memory.push_back(std::get<ArrayView>(value));
    build_in(*op.combine, memory);
  }
  assign_all(op, accumulators, combine(*op.combine, left, right));
}

/// The same, or (i1) the first of its kind: accumulators = right.
void BodyEmitter::begin_or_fold_into(const Operator& op, Value* is_first,
                                     std::span<const Accumulator> accumulators,
                                     std::span<const Emitted> right) {
  b.if_then_else(
      is_first, [&] { assign_all(op, accumulators, right); },
      [&] { fold_into(op, accumulators, right); });
}

std::vector<Accumulator> BodyEmitter::neutral_accumulators(const Operator& op) {
  std::vector<Accumulator> result;
  for (const ir::Operand& neutral : *op.neutral)
    result.push_back(accumulator(neutral));
  return result;
}

void BodyEmitter::begin_again(const Operator& op, std::span<const Accumulator> accumulators) {
  for (std::size_t i = 0; i < accumulators.size(); ++i)
    assign(accumulators[i], emitted((*op.neutral)[i]), source_.type((*op.neutral)[i]));
}

Value* BodyEmitter::begin_after(const Operator& op, std::span<const Accumulator> accumulators) {
  if (!op.before) return nullptr;
  std::vector<Emitted> values;
  for (const ir::Operand& value : op.before->values)
    values.push_back(emitted(value));
  Value* const are_there = scalar(op.before->are_there).value;
  b.if_then(are_there, [&] { assign_all(op, accumulators, values); });
  return are_there;
}

Fold BodyEmitter::begin_fold(const Operator& op) {
  return {op, neutral_accumulators(op), {}};
}

void BodyEmitter::begin_folding(std::vector<GroupState>& states) {
  for_each_state(states, [&](GroupState& state) {
    Fold* const fold = fold_of(state);
    if (!fold) return;
    Folding folding{*fold};
    folding.is_scan = stored_of(state) != nullptr;
    folding.block = neutral_accumulators(folding);
    folding.all = neutral_accumulators(folding);
    folding.is_begun = begin_after(folding, folding.all);
    if (folding.is_scan) folding.carry = neutral_accumulators(folding);
    fold->folding = std::move(folding);
  });
}

// ---- rows and blocks ---------------------------------------------------------------------------

Value* BodyEmitter::begins_block(Value* row) {
  return b.ir.CreateICmpEQ(b.ir.CreateAnd(row, b.i64(block_length - 1)), b.i64(0));
}

Value* BodyEmitter::is_very_first(const Folding& folding, Value* element) {
  Value* const is_first = b.ir.CreateICmpSLT(element, b.i64(block_length));
  if (!folding.is_begun) return is_first;
  return b.ir.CreateAnd(is_first, b.ir.CreateNot(folding.is_begun));
}

Value* BodyEmitter::stands_behind(const Folding& folding, Value* row) {
  Value* const is_later = b.ir.CreateICmpSGT(row, b.i64(0));
  return folding.is_begun ? b.ir.CreateOr(is_later, folding.is_begun) : is_later;
}

Value* BodyEmitter::end_of_block(Value* index, Value* end) {
  Value* const next =
      b.ir.CreateAdd(b.ir.CreateAnd(index, b.i64(-block_length)), b.i64(block_length));
  return b.lesser_of(next, end);
}

void BodyEmitter::for_each_block(Value* begin, Value* end,
                                 const std::function<void(Value*, Value*)>& body) {
  // Of a range that is known to be within one, there is no more to ask.
  if (const std::int64_t first = constant_or(begin, -1), last = constant_or(end, -1);
      first >= 0 && first < last && first / block_length == (last - 1) / block_length)
    return body(begin, end);
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
  const Folding& folding = *folding_of(states[group]);
  if (events.row) events.row(group, row, values);
  begin_or_fold_into(folding, begins_block(row), folding.block, values);
}

void BodyEmitter::fold_block(std::vector<GroupState>& states, const FoldEvents& events,
                             Value* block) {
  for (std::size_t g = 0; g < states.size(); ++g) {
    const Folding* const folding = folding_of(states[g]);
    if (!folding) continue;
    const std::vector<Emitted> values = values_of(folding->block);
    if (events.block) events.block(g, block, values);
    if (events.needs_all || folding->is_scan)
      begin_or_fold_into(*folding, is_very_first(*folding, block), folding->all, values);
    for_each_post(states[g], [&](PostState& post) { fold_block(post.states, post.events, block); });
  }
}

void BodyEmitter::for_each_post(GroupState& state, const std::function<void(PostState&)>& visit) {
  auto* const scan = std::get_if<ScanState>(&state);
  if (!scan || scan->post.empty()) return;
  const auto all = [&] {
    for (PostState& post : scan->post)
      visit(post);
  };
  if (scan->stores_prefixes)
    b.if_then(scan->stores_prefixes, all);
  else
    all();
}

/// What is combined from the left with the prefixes of a row of a scan, if it is not the very
/// first.
void BodyEmitter::carry_into_row(const Folding& folding, Value* row) {
  b.if_then_else(
      begins_block(row), [&] { assign_all(folding, folding.carry, values_of(folding.all)); },
      [&] {
        b.if_then_else(
            is_very_first(folding, row),
            [&] { assign_all(folding, folding.carry, values_of(folding.block)); },
            [&] {
              assign_all(
                  folding, folding.carry,
                  combine(*folding.combine, values_of(folding.all), values_of(folding.block)));
            });
      });
}

/// What the accumulators of a row have come to, of each group.
void BodyEmitter::fold_rows_at(std::vector<GroupState>& states, const FoldEvents& events,
                               Value* row) {
  for (std::size_t g = 0; g < states.size(); ++g) {
    if (folding_of(states[g]))
      fold_row(states, events, g, row, values_of(fold_of(states[g])->accumulators));
    for_each_post(states[g], [&](PostState& post) { fold_rows_at(post.states, post.events, row); });
  }
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
    if (b.kernel.facts().vector_bytes == 0) { // (the next row's begin would be kept for the row)
      Value* const left = b.ir.CreateSub(end.value, row);
      return b.uniform(b.ir.CreateAdd(row, b.lesser_of(left, b.i64(row_length))));
    }
    Value* const next = b.ir.CreateAdd(row, b.i64(row_length));
    if (!ends) return b.uniform(b.lesser_of(next, end.value));
    return b.varying(b.lesser_of(b.splat(next), ends), ElementType::I64);
  };
  for_each_block(begin, b.greatest(end), [&](Value* block, Value* block_end) {
    b.loop(block, block_end, row_length, [&](Value* row) {
      check_epoch();
      mask_rows(row);
      for_each_state(states, [&](GroupState& state) {
        Folding* const folding = folding_of(state);
        if (!folding) return;
        begin_again(*folding, fold_of(state)->accumulators);
        if (!folding->is_scan) return;
        folding->has_carry = stands_behind(*folding, row);
        carry_into_row(*folding, row);
      });
      begin_ascending(soac, states); // lanes that are active have elements in the row
      range_of_elements(soac, states, row, end_of_row(row));
      end_ascending(states, b.index(1));
      fold_rows_at(states, events, row);
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
  begin_only_row(states);
  begin_ascending(soac, states);
  range_of_elements(soac, states, b.i64(0), end);
  end_ascending(states, end);
  end_only_row(states);
  across_lanes_ = across;
}

/// Scalars, in all lanes.
void BodyEmitter::begin_only_row(std::span<const GroupState> states) {
  for (const GroupState& state : states)
    if (const Folding* folding = folding_of(state))
      for (std::size_t i = 0; i < folding->neutral->size(); ++i)
        b.set(std::get<Variable>(fold_of(state)->accumulators[i]), scalar((*folding->neutral)[i]));
}

void BodyEmitter::end_only_row(std::span<const GroupState> states) {
  for (const GroupState& state : states)
    if (const Folding* folding = folding_of(state))
      assign_all(*folding, folding->all, values_of(fold_of(state)->accumulators));
}

// ---- inside a body -----------------------------------------------------------------------------

void BodyEmitter::fold_range(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                             const LaneValue& end, const FoldEvents& events) {
  if (events.all_before)
    b.if_then(b.ir.CreateICmpSGT(begin, b.i64(0)), [&] {
      for (std::size_t g = 0; g < states.size(); ++g)
        if (const Folding* folding = folding_of(states[g]))
          assign_all(*folding, folding->all, events.all_before(g, begin));
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
  const bool is_whole = constant_or(begin, -1) == 0 && !events.row && !ir::has_before(soac);
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
