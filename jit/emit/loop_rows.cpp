// Loops in lanes of which each goes along rows of memory of its own: what is read at the loop's
// index is read some columns at a time, and turned over (turned.cpp); an array that a loop fills
// element by element is built with its lanes beside each other, and turned over at the end.
//
//   for i in steps of W
//     buffer = columns i … i + W - 1 of all lanes' rows, turned over
//     for k < W: the loop's body, with vector k of the buffer
#include "jit/emit/body.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Bytes of the widest elements of rows.
template <typename Rows>
std::size_t widest_of(const Rows& rows) {
  std::size_t widest = 1;
  for (const auto& row : rows)
    widest = std::max(widest, byte_size(row.row.element));
  return widest;
}

} // namespace

/// What the body reads, whatever it does, of rows that there are before the loop.
std::vector<BodyEmitter::LoopRow> BodyEmitter::rows_along(const ir::For& loop) {
  std::vector<LoopRow> rows;
  if (!b.in_lanes() || b.kernel.is_compact || b.lanes() > most_row_lanes ||
      loop.index_type != ElementType::I64)
    return rows;
  const LaneValue bound = scalar(loop.bound);
  if (bound.shape != Shape::Uniform) return rows;
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(bound.value);
      known && known->getSExtValue() < std::int64_t{b.lanes()} / 2)
    return rows;
  const ir::ValueId index = loop.body.parameters[0];
  const auto is_made_inside = [&](ir::ValueId value) {
    const auto has = [&](const std::vector<ir::ValueId>& values) {
      return std::find(values.begin(), values.end(), value) != values.end();
    };
    return has(loop.body.parameters) ||
           std::any_of(loop.body.statements.begin(), loop.body.statements.end(),
                       [&](const ir::Statement& statement) { return has(statement.results); });
  };
  for (const ir::Statement& statement : loop.body.statements) {
    const auto* read = std::get_if<ir::Index>(&statement.operation);
    if (!read || read->indices.size() != 1 || read->indices[0] != ir::Operand(index) ||
        is_made_inside(read->array))
      continue;
    const ArrayView& row = array(read->array);
    const LaneValue length = scalar(source_.type(read->array).extents[0]);
    if (!is_row_of_lane(row) || length.shape != Shape::Uniform) continue;
    rows.push_back({.element = statement.results[0], .row = row, .length = length.value});
  }
  const unsigned size = square_size(widest_of(rows));
  for (LoopRow& row : rows)
    row.buffer = turned_buffer(row.row.element, size);
  return rows;
}

/// The iterations from `begin` on; their elements are read before they begin, but none behind a
/// row's end: a check may come before the iteration that would read it.
void BodyEmitter::loop_along_rows(std::vector<LoopRow>& rows, Value* begin, Value* end,
                                  const std::function<void(const LaneValue& index)>& iteration) {
  const auto lanes = static_cast<std::int64_t>(b.lanes());
  const unsigned size = square_size(widest_of(rows));
  b.loop(begin, end, size, [&](Value* column) {
    for (LoopRow& row : rows) {
      const LaneValue readable = b.uniform(b.lesser_of(end, row.length));
      read_turned(row.row, row.buffer, column, readable, size);
      row.buffer.offset = b.linear(b.ir.CreateMul(column, b.i64(-lanes)));
    }
    const LaneValue last = b.uniform(b.lesser_of(b.ir.CreateAdd(column, b.i64(size)), end));
    sequential_range(column, last, [&](const LaneValue& index) {
      for (const LoopRow& row : rows)
        edges_.insert_or_assign(row.element.index,
                                b.load(row.buffer, b.element_offset(row.buffer, {&index, 1})));
      iteration(index);
    });
  });
  for (const LoopRow& row : rows)
    edges_.erase(row.element.index);
}

/// Whether a row of memory of each lane's is better filled at the end, with what a loop has made of
/// it element by element, or all of them in each round.
bool BodyEmitter::is_built_in_lanes(const ir::Body& body, const ir::Operand& result,
                                    const ArrayView& row) const {
  if (!b.in_lanes() || b.kernel.is_compact || b.lanes() > most_row_lanes || !is_row_of_lane(row) ||
      !result.is_value())
    return false;
  return std::any_of(
      body.statements.begin(), body.statements.end(), [&](const ir::Statement& statement) {
        const auto* loop = std::get_if<ir::For>(&statement.operation);
        const auto at =
            std::find(statement.results.begin(), statement.results.end(), result.value());
        if (!loop || at == statement.results.end()) return false;
        const ir::Operand& state =
            loop->body.results[static_cast<std::size_t>(at - statement.results.begin())];
        return std::any_of(loop->body.statements.begin(), loop->body.statements.end(),
                           [&](const ir::Statement& inner) {
                             return (std::holds_alternative<ir::Update>(inner.operation) ||
                                     std::holds_alternative<ir::Soac>(inner.operation)) &&
                                    std::ranges::any_of(inner.results, [&](ir::ValueId value) {
                                      return state == ir::Operand(value);
                                    });
                           });
      });
}

bool BodyEmitter::may_copy_turned(const ArrayView& from, const ArrayView& to,
                                  const ir::Type& type) {
  return b.in_lanes() && !b.kernel.is_compact && b.lanes() <= most_row_lanes && type.rank() == 1 &&
         from.is_private && from.offset.shape == Shape::Linear && is_row_of_lane(to) &&
         extents(type)[0].shape == Shape::Uniform;
}

void BodyEmitter::copy_turned(const ArrayView& from, const ArrayView& to, Value* extent) {
  const unsigned size = square_size(byte_size(to.element));
  const LaneValue end = b.uniform(extent);
  Value* const whole = b.ir.CreateAnd(extent, b.i64(-std::int64_t{size}));
  b.loop(b.i64(0), whole, size, [&](Value* column) {
    std::vector<Value*> columns;
    for (unsigned k = 0; k < size; ++k) {
      const LaneValue index = b.uniform(b.ir.CreateAdd(column, b.i64(k)));
      columns.push_back(b.vector(b.load(from, b.element_offset(from, {&index, 1}))));
    }
    const std::vector<Value*> rows = rows_of(columns, b.lanes());
    const llvm::Align alignment(byte_size(to.element));
    for_each_row(to, column, b.mask ? &end : nullptr, size,
                 [&](unsigned lane, Value* pointer, Value* mask) {
                   if (mask)
                     b.ir.CreateMaskedStore(rows[lane], pointer, alignment, mask);
                   else
                     b.ir.CreateAlignedStore(rows[lane], pointer, alignment);
                 });
  });
  b.loop(whole, extent, 1, [&](Value* column) {
    const LaneValue index = b.uniform(column);
    b.store(to, b.element_offset(to, {&index, 1}),
            b.load(from, b.element_offset(from, {&index, 1})));
  });
}

} // namespace sinter::jit
