// Kernels that keep the order of folding: partial values for elements, rows or blocks.
#include "jit/cpu/kernel_abi.h"
#include "jit/cpu/kernel_emitter.h"

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
FoldEvents KernelEmitter::fold_events(Entry& entry, const ir::Soac& soac, Pass pass,
                                      std::vector<std::size_t> first_partial) {
  LaneBuilder& b = entry.body.b;
  FoldEvents events;
  events.needs_all = false;
  if (pass == Pass::Finish) {
    // The carry into the chunk's first block is what all blocks before it come to.
    events.all_before = [this, &entry, &b, &soac, first_partial](std::size_t group,
                                                                 Value* element) {
      std::vector<Emitted> carry;
      const auto& neutral = std::get<ir::ScanGroup>(soac.groups[group]).neutral;
      Value* const unit = fold_unit_of(entry, element);
      for (std::size_t i = 0; i < neutral.size(); ++i)
        carry.push_back(
            load_partial(entry, first_partial[group] + i, unit, function_.type(neutral[i])));
      return carry;
    };
    return events;
  }
  Value* const is_row = fold_unit_is(entry, primitives::row_length);
  Value* const is_block = fold_unit_is(entry, primitives::block_length);
  events.needs_rows = b.ir.CreateNot(is_block);
  const auto store = [this, &entry, &soac, first_partial](std::size_t group, Value* element,
                                                          std::span<const Emitted> values) {
    const auto* reduce = std::get_if<ir::ReduceGroup>(&soac.groups[group]);
    const auto& neutral =
        reduce ? reduce->neutral : std::get<ir::ScanGroup>(soac.groups[group]).neutral;
    Value* const unit = fold_unit_of(entry, element);
    for (std::size_t i = 0; i < values.size(); ++i)
      store_partial(entry, first_partial[group] + i, unit, values[i], function_.type(neutral[i]));
  };
  events.row = [&b, is_row, store](std::size_t group, Value* element,
                                   std::span<const Emitted> values) {
    b.if_then(is_row, [&] { store(group, element, values); });
  };
  events.block = [&b, is_block, store](std::size_t group, Value* element,
                                       std::span<const Emitted> values) {
    b.if_then(is_block, [&] { store(group, element, values); });
  };
  if (!may_keep_elements(function_, soac)) return events;
  events.keeps_elements = fold_unit_is(entry, 1);
  Value* const begin = field(entry, offsetof(KernelFrame, fold_begin), b.ir.getInt64Ty());
  events.elements = [this, &entry, &b, first_partial, begin, kept = events.keeps_elements](
                        std::size_t group, std::size_t component, const ArrayView& tile) {
    ArrayView all = partial(entry, first_partial[group] + component, b.i64(0), {tile.element, {}});
    ArrayView view = tile;
    view.base = b.ir.CreateSelect(kept, all.base, tile.base);
    view.offset.value = b.ir.CreateSelect(kept, b.ir.CreateNeg(begin), tile.offset.value);
    return view;
  };
  return events;
}

/// The units' values in the order of folding.
std::vector<Accumulator> KernelEmitter::folded_units(Entry& entry,
                                                     const std::vector<ir::Operand>& neutral,
                                                     const ir::Body& op,
                                                     std::size_t first_partial) {
  BodyEmitter& body = entry.body;
  LaneBuilder& b = body.b;
  const Folding folding{&neutral, &op};
  std::vector<ir::Type> types;
  std::vector<Accumulator> row, block, all;
  for (const ir::Operand& operand : neutral) {
    types.push_back(function_.type(operand));
    row.push_back(body.accumulator(operand));
    block.push_back(body.accumulator(operand));
    all.push_back(body.accumulator(operand));
  }
  Value* const units = field(entry, offsetof(KernelFrame, fold_units), b.ir.getInt64Ty());
  Value* const unit = field(entry, offsetof(KernelFrame, fold_unit), b.ir.getInt64Ty());
  Value* const are_elements = fold_unit_is(entry, 1);
  Value* const in_row =
      b.greater_of(b.ir.CreateUDiv(b.i64(primitives::row_length), unit), b.i64(1));
  Value* const in_block = b.ir.CreateUDiv(b.i64(primitives::block_length), unit);
  const auto at = [&](Value* number) {
    std::vector<Emitted> values;
    for (std::size_t i = 0; i < neutral.size(); ++i)
      values.push_back(load_partial(entry, first_partial + i, number, types[i]));
    return values;
  };
  const auto assign = [&](const std::vector<Accumulator>& to, std::span<const Emitted> values) {
    for (std::size_t i = 0; i < to.size(); ++i)
      body.assign(to[i], values[i], types[i]);
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
              for (std::size_t i = 0; i < neutral.size(); ++i)
                body.assign(row[i], body.emitted(neutral[i]), types[i]);
              b.loop(row_begin, row_end, 1, [&](Value* number) {
                const std::vector<Emitted> element = at(number);
                body.with_scratch([&] { body.fold_into(folding, row, element); });
              });
            },
            [&] { assign(row, at(row_begin)); });
        body.begin_or_fold_into(folding, b.ir.CreateICmpEQ(row_begin, block_begin), block,
                                body.values_of(row));
      });
    });
    body.with_scratch([&] {
      body.begin_or_fold_into(folding, b.ir.CreateICmpEQ(block_begin, b.i64(0)), all,
                              body.values_of(block));
    });
  });
  return all;
}

/// Blocks' totals become what is carried into them, but for the first.
void KernelEmitter::leave_carries(Entry& entry, const std::vector<ir::Operand>& neutral,
                                  const ir::Body& op, std::size_t first_partial) {
  BodyEmitter& body = entry.body;
  LaneBuilder& b = body.b;
  const Folding folding{&neutral, &op};
  std::vector<ir::Type> types;
  std::vector<Accumulator> all;
  for (const ir::Operand& operand : neutral) {
    types.push_back(function_.type(operand));
    all.push_back(body.accumulator(operand));
  }
  Value* const units = field(entry, offsetof(KernelFrame, fold_units), b.ir.getInt64Ty());
  b.loop(b.i64(0), units, 1, [&](Value* unit) {
    body.with_scratch([&] {
      std::vector<Emitted> total;
      for (std::size_t i = 0; i < neutral.size(); ++i) {
        total.push_back(load_partial(entry, first_partial + i, unit, types[i]));
        if (types[i].is_scalar()) continue;
        const ArrayView saved = body.allocate(types[i]); // the carry will take its place
        body.copy(std::get<ArrayView>(total.back()), saved, types[i]);
        total.back() = saved;
      }
      Value* const is_first = b.ir.CreateICmpEQ(unit, b.i64(0));
      b.if_then(b.ir.CreateNot(is_first), [&] {
        const std::vector<Emitted> carry = body.values_of(all);
        for (std::size_t i = 0; i < neutral.size(); ++i)
          store_partial(entry, first_partial + i, unit, carry[i], types[i]);
      });
      body.begin_or_fold_into(folding, is_first, all, total);
    });
  });
}

} // namespace sinter::jit
