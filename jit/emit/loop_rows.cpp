// Loops in lanes of which each goes along rows of memory of its own: what is read at the loop's
// index, or so far behind a place of the lane's own, is read some columns at a time, and turned
// over (turned.cpp); an array that a loop fills element by element is built with its lanes beside
// each other, and turned over at the end.
//
//   for i in steps of W
//     buffer = columns i … i + W - 1 of all lanes' rows, turned over
//     for k < W: the loop's body, with vector k of the buffer
#include "jit/emit/body.h"
#include "jit/emit/rows_of_loops.h"

#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <utility>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Of so many lanes one goes on: few do.
constexpr std::int64_t lanes_to_one = 8;

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
  if (!b.in_lanes() || b.kernel.is_compact || b.lanes() > most_row_lanes) return rows;
  const LaneValue bound = scalar(loop.bound);
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(bound.value);
      known && known->getSExtValue() < std::int64_t{b.lanes()} / 2)
    return rows;
  for (const RowOfLoop& read : rows_of_loop(loop)) {
    LoopRow row{.element = read.element,
                .row = array(read.array),
                .length = scalar(source_.type(read.array).extents[0])};
    row.are_evenly_spaced = row.length.shape == Shape::Uniform;
    if (read.base && !may_begin_at(row, *read.base, read.is_narrow)) continue;
    if (is_row_of_lane(row.row)) rows.push_back(std::move(row));
  }
  const unsigned size = square_size(widest_of(rows));
  for (LoopRow& row : rows)
    row.buffer = turned_buffer(row.row.element, size);
  return rows;
}

/// A row of a lane's own that begins at such an index of an array of all lanes'; false if it is
/// none.  (Where fewer than 64 bits of the index are computed, it must begin at a number of so few:
/// then an index that is not what it seems is negative, which a check finds.)
bool BodyEmitter::may_begin_at(LoopRow& row, const ir::Operand& base, bool is_narrow) {
  using namespace llvm::PatternMatch;
  constexpr unsigned narrow_bits = 32;
  const LaneValue begin = scalar(base);
  if (begin.shape != Shape::Varying || !is_shared_row(row.row) || byte_size(row.row.element) < 4)
    return false;
  Value* narrow = begin.value;
  if (is_narrow && narrow->getType()->getScalarSizeInBits() > narrow_bits &&
      (!match(begin.value, m_SExt(m_Value(narrow))) ||
       narrow->getType()->getScalarSizeInBits() > narrow_bits))
    return false;
  Value* const from = b.ir.CreateSExt(begin.value, b.type(ElementType::I64, Shape::Varying));
  row.are_evenly_spaced = false;
  row.row.offset = b.varying(b.ir.CreateAdd(from, b.splat(row.row.offset.value)), ElementType::I64);
  // (Of a lane that begins before the array nothing is read: its first iteration fails.)
  Value* const none = llvm::Constant::getNullValue(from->getType());
  row.length = b.varying(b.ir.CreateSelect(b.ir.CreateICmpSLT(from, none), none,
                                           b.ir.CreateSub(b.vector(row.length), from)),
                         ElementType::I64);
  return true;
}

/// The same columns of such lanes alone, element by element: a square takes as long for a few of
/// its rows as for all.
void BodyEmitter::read_of_few(const LoopRow& row, Value* lanes, Value* column, const LaneValue& end,
                              unsigned size) {
  const ByLane begins = by_lane(row.row.offset), ends = by_lane(end);
  auto* const type = b.memory_type(row.row.element);
  const llvm::Align alignment(byte_size(row.row.element));
  auto* const left = b.stack(b.ir.getInt64Ty(), 1);
  b.ir.CreateStore(
      b.ir.CreateZExt(b.ir.CreateBitCast(lanes, b.ir.getIntNTy(b.lanes())), b.ir.getInt64Ty()),
      left);
  const auto bits = [&] { return b.ir.CreateLoad(b.ir.getInt64Ty(), left); };
  b.while_loop([&] { return b.ir.CreateICmpNE(bits(), b.i64(0)); },
               [&] {
                 Value* const rest = bits();
                 Value* const lane =
                     b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b.ir.getTrue());
                 b.ir.CreateStore(b.ir.CreateAnd(rest, b.ir.CreateSub(rest, b.i64(1))), left);
                 Value* const from = b.ir.CreateGEP(
                     type, row.row.base, b.ir.CreateAdd(of_lane(begins, lane).value, column));
                 Value* const to = b.ir.CreateGEP(type, row.buffer.base, lane);
                 Value* const count =
                     b.lesser_of(b.i64(size), b.ir.CreateSub(of_lane(ends, lane).value, column));
                 b.loop(b.i64(0), count, 1, [&](Value* k) {
                   b.ir.CreateAlignedStore(
                       b.ir.CreateAlignedLoad(type, b.ir.CreateGEP(type, from, k), alignment),
                       b.ir.CreateGEP(type, to, b.ir.CreateMul(k, b.i64(b.lanes()))), alignment);
                 });
               });
}

/// The iterations from `begin` on; their elements are read before they begin, but none behind a
/// row's end: a check may come before the iteration that would read it.
void BodyEmitter::loop_along_rows(std::vector<LoopRow>& rows, Value* begin, const LaneValue& end,
                                  const std::function<void(const LaneValue& index)>& iteration) {
  const auto lanes = static_cast<std::int64_t>(b.lanes());
  const unsigned size = square_size(widest_of(rows));
  const auto least = [&](const LaneValue& one, const LaneValue& other) {
    if (one.shape == Shape::Uniform) return least_of(one.value, other);
    return b.varying(b.lesser_of(b.vector(one), b.vector(other)), ElementType::I64);
  };
  b.loop(begin, b.greatest(end), size, [&](Value* column) {
    for (LoopRow& row : rows) {
      const LaneValue last = least(row.length, end);
      const auto together = [&] {
        read_turned(row.row, row.buffer, column, last, size, row.are_evenly_spaced);
      };
      if (end.shape == Shape::Uniform) {
        together();
      } else {
        Value* const go_on = b.and_mask(b.ir.CreateICmpSGT(b.vector(last), b.splat(column)));
        b.if_then_else(
            b.ir.CreateICmpSLE(b.count_lanes(go_on), b.i64(lanes / lanes_to_one)),
            [&] { read_of_few(row, go_on, column, last, size); }, together);
      }
      row.buffer.offset = b.linear(b.ir.CreateMul(column, b.i64(-lanes)));
    }
    const LaneValue last = least_of(b.ir.CreateAdd(column, b.i64(size)), end);
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
