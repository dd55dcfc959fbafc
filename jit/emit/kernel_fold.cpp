// Kernels that keep the order of folding: partial values for elements, rows or blocks.
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_emitter.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace sinter::jit {

using llvm::Value;

Value* KernelEmitter::fold_unit_is(Entry& entry, std::int64_t length) {
  LaneBuilder& b = entry.body.b;
  return b.ir.CreateICmpEQ(field(entry, offsetof(KernelFrame, fold_unit), b.ir.getInt64Ty()),
                           b.i64(length));
}

Value* KernelEmitter::fold_unit_of(Entry& entry, Value* element) {
  LaneBuilder& b = entry.body.b;
  Value* const begin = field(entry, offsetof(KernelFrame, fold_begin), b.ir.getInt64Ty());
  Value* const unit = field(entry, offsetof(KernelFrame, fold_unit), b.ir.getInt64Ty());
  return b.ir.CreateUDiv(b.ir.CreateSub(element, begin), unit);
}

/// Results of units go to the partial values.
FoldEvents KernelEmitter::fold_events(const Range& range,
                                      const std::vector<GroupPosition>& positions) {
  Entry& entry = range.entry;
  LaneBuilder& b = entry.body.b;
  /// The number, and the type, of a group's partial value.
  const auto number = [positions](std::size_t group, std::size_t component) {
    return positions[group].partial + component;
  };
  const auto type = [this, &soac = range.soac](std::size_t group, std::size_t component) {
    return function_.type(partial_values(soac.groups[group])[component]);
  };
  FoldEvents events;
  events.needs_all = false;
  if (range.phase == phases::Finish) {
    // The carry into the chunk's first block is what all blocks before it come to.
    events.all_before = [this, &entry, &soac = range.soac, number, type](std::size_t group,
                                                                         Value* element) {
      std::vector<Emitted> carry;
      Value* const unit = fold_unit_of(entry, element);
      const std::size_t count = std::get<ir::ScanGroup>(soac.groups[group]).neutral.size();
      for (std::size_t i = 0; i < count; ++i)
        carry.push_back(load_partial(entry, number(group, i), unit, type(group, i)));
      return carry;
    };
    return events;
  }
  Value* const is_row = fold_unit_is(entry, primitives::row_length);
  Value* const is_block = fold_unit_is(entry, primitives::block_length);
  events.needs_rows = b.ir.CreateNot(is_block);
  const auto store = [this, &entry, number, type](std::size_t group, Value* element,
                                                  std::span<const Emitted> values) {
    Value* const unit = fold_unit_of(entry, element);
    for (std::size_t i = 0; i < values.size(); ++i)
      store_partial(entry, number(group, i), unit, values[i], type(group, i));
  };
  events.row = [&b, is_row, store](std::size_t group, Value* element,
                                   std::span<const Emitted> values) {
    b.if_then(is_row, [&] { store(group, element, values); });
  };
  events.block = [&b, is_block, store](std::size_t group, Value* element,
                                       std::span<const Emitted> values) {
    b.if_then(is_block, [&] { store(group, element, values); });
  };
  if (!may_keep_elements(function_, range.soac)) return events;
  events.keeps_elements = fold_unit_is(entry, 1);
  Value* const begin = field(entry, offsetof(KernelFrame, fold_begin), b.ir.getInt64Ty());
  events.elements = [this, &entry, &b, number, begin, kept = events.keeps_elements](
                        std::size_t group, std::size_t component, const ArrayView& tile) {
    ArrayView all = partial(entry, number(group, component), b.i64(0), {tile.element, {}});
    ArrayView view = tile;
    view.base = b.ir.CreateSelect(kept, all.base, tile.base);
    view.offset.value = b.ir.CreateSelect(kept, b.ir.CreateNeg(begin), tile.offset.value);
    return view;
  };
  return events;
}

/// Results of blocks go to the partial values: where there is a scan, those are the units.
FoldEvents KernelEmitter::events_of_post(const Range& range, const ir::Post& post,
                                         const std::vector<GroupPosition>& positions) {
  FoldEvents events;
  events.needs_all = false;
  events.block = [this, &entry = range.entry, &post, positions](std::size_t group, Value* element,
                                                                std::span<const Emitted> values) {
    Value* const unit = fold_unit_of(entry, element);
    for (std::size_t i = 0; i < values.size(); ++i)
      store_partial(entry, positions[group].partial + i, unit, values[i],
                    function_.type(partial_values(post.groups[group])[i]));
  };
  return events;
}

/// The units' values in the order of folding.
std::vector<Accumulator> KernelEmitter::folded_units(Entry& entry, const Operator& op,
                                                     std::size_t first_partial) {
  BodyEmitter& body = entry.body;
  LaneBuilder& b = body.b;
  const std::vector<Accumulator> row = body.neutral_accumulators(op);
  const std::vector<Accumulator> block = body.neutral_accumulators(op);
  const std::vector<Accumulator> all = body.neutral_accumulators(op);
  Value* const is_begun = body.begin_after(op, all);
  Value* const units = field(entry, offsetof(KernelFrame, fold_units), b.ir.getInt64Ty());
  Value* const unit = field(entry, offsetof(KernelFrame, fold_unit), b.ir.getInt64Ty());
  Value* const are_elements = fold_unit_is(entry, 1);
  Value* const in_row =
      b.greater_of(b.ir.CreateUDiv(b.i64(primitives::row_length), unit), b.i64(1));
  Value* const in_block = b.ir.CreateUDiv(b.i64(primitives::block_length), unit);
  const auto at = [&](Value* number) {
    std::vector<Emitted> values;
    for (std::size_t i = 0; i < op.neutral->size(); ++i)
      values.push_back(
          load_partial(entry, first_partial + i, number, function_.type((*op.neutral)[i])));
    return values;
  };
  const auto in_steps = [&](Value* begin, Value* end, Value* step, const auto& each) {
    const Variable next = b.variable(ElementType::I64, Shape::Uniform);
    b.set(next, b.uniform(begin));
    b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, end); },
                 [&] {
                   Value* const first = b.get(next).value;
                   each(first, b.lesser_of(b.ir.CreateAdd(first, step), end));
                   b.set(next, b.uniform(b.ir.CreateAdd(first, step)));
                 });
  };
  in_steps(b.i64(0), units, in_block, [&](Value* block_begin, Value* block_end) {
    in_steps(block_begin, block_end, in_row, [&](Value* row_begin, Value* row_end) {
      body.with_scratch([&] {
        b.if_then_else(
            are_elements,
            [&] {
              body.begin_again(op, row);
              b.loop(row_begin, row_end, 1, [&](Value* number) {
                const std::vector<Emitted> element = at(number);
                body.with_scratch([&] { body.fold_into(op, row, element); });
              });
            },
            [&] { body.assign_all(op, row, at(row_begin)); });
        body.begin_or_fold_into(op, b.ir.CreateICmpEQ(row_begin, block_begin), block,
                                body.values_of(row));
      });
    });
    body.with_scratch([&] {
      Value* is_first = b.ir.CreateICmpEQ(block_begin, b.i64(0));
      if (is_begun) is_first = b.ir.CreateAnd(is_first, b.ir.CreateNot(is_begun));
      body.begin_or_fold_into(op, is_first, all, body.values_of(block));
    });
  });
  return all;
}

/// Blocks' totals become what is carried into them, but for the first, if nothing is.
void KernelEmitter::leave_carries(Entry& entry, const Operator& op, std::size_t first_partial) {
  BodyEmitter& body = entry.body;
  LaneBuilder& b = body.b;
  const std::vector<Accumulator> all = body.neutral_accumulators(op);
  // (Of a chained chunk, what was before is in what the chunk before has carried on.)
  Value* is_begun = body.begin_after(op, all);
  if (is_begun)
    is_begun = b.ir.CreateAnd(
        is_begun,
        b.ir.CreateICmpNE(field(entry, offsetof(KernelFrame, begins_fold), b.ir.getInt64Ty()),
                          b.i64(0)));
  const auto type = [&](std::size_t i) { return function_.type((*op.neutral)[i]); };
  const auto one = [&](Value* unit) {
    std::vector<Emitted> total;
    for (std::size_t i = 0; i < all.size(); ++i) {
      total.push_back(load_partial(entry, first_partial + i, unit, type(i)));
      if (!type(i).is_scalar()) // the carry will take its place
        total.back() = body.copied(total.back(), type(i));
    }
    Value* is_first = b.ir.CreateICmpEQ(unit, b.i64(0));
    if (is_begun) is_first = b.ir.CreateAnd(is_first, b.ir.CreateNot(is_begun));
    b.if_then(b.ir.CreateNot(is_first), [&] {
      const std::vector<Emitted> carry = body.values_of(all);
      for (std::size_t i = 0; i < all.size(); ++i)
        store_partial(entry, first_partial + i, unit, carry[i], type(i));
    });
    body.begin_or_fold_into(op, is_first, all, total);
  };
  Value* const units = field(entry, offsetof(KernelFrame, fold_units), b.ir.getInt64Ty());
  b.loop(b.i64(0), units, 1, [&](Value* unit) { body.with_scratch([&] { one(unit); }); });
}

} // namespace sinter::jit
