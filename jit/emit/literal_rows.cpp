// A few elements that each lane has computed, of rows that lie next to each other in memory as
// lanes do: what lies in one vector there is picked from the vectors of all lanes.
//
//   lane l writes a[o + 3*l], a[o + 3*l + 1], a[o + 3*l + 2]      x, y, z: of all lanes
//
//     a[o …]         = x0 y0 z0 x1 y1 z1 x2 y2
//     a[o + W …]     = z2 x3 y3 z3 x4 y4 z4 x5        instead of 3*W stores of single elements
//     a[o + 2*W …]   = y5 z5 x6 y6 z6 x7 y7 z7
#include "jit/emit/body.h"

#include <algorithm>

namespace sinter::jit {

using llvm::Value;

namespace {

/// More elements are picked from as many vectors for each vector that is stored.
constexpr std::size_t most_columns = 15;

/// The vector of those elements of a row of rows that begin at `first`, as far as they are in
/// columns [begin, end); null if none is.
Value* picked(llvm::IRBuilder<>& ir, std::span<Value* const> columns, std::size_t first,
              std::size_t begin, std::size_t end) {
  const std::size_t lanes =
      llvm::cast<llvm::FixedVectorType>(columns[0]->getType())->getNumElements();
  const auto column_of = [&](std::size_t at) { return (first + at) % columns.size(); };
  const auto lane_of = [&](std::size_t at) { return (first + at) / columns.size(); };
  std::vector<int> places(lanes, -1);
  if (begin + 1 == end) {
    for (std::size_t at = 0; at < lanes; ++at)
      if (column_of(at) == begin) places[at] = static_cast<int>(lane_of(at));
    const bool is_needed = std::ranges::any_of(places, [](int place) { return place >= 0; });
    return is_needed ? ir.CreateShuffleVector(columns[begin], places) : nullptr;
  }
  const std::size_t middle = (begin + end) / 2;
  Value* const left = picked(ir, columns, first, begin, middle);
  Value* const right = picked(ir, columns, first, middle, end);
  if (!left || !right) return left ? left : right;
  for (std::size_t at = 0; at < lanes; ++at)
    if (const std::size_t column = column_of(at); column >= begin && column < end)
      places[at] = static_cast<int>(column < middle ? at : lanes + at);
  return ir.CreateShuffleVector(left, right, places);
}

} // namespace

bool BodyEmitter::may_put_together(const ArrayView& rows, std::size_t columns) const {
  if (!b.in_lanes() || b.kernel.is_compact || columns < 2 || columns > most_columns) return false;
  if (rows.strides.size() != 1 || rows.is_private || rows.offset.shape != Shape::Varying)
    return false;
  const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(rows.strides[0]);
  return stride && stride->isOne();
}

Value* BodyEmitter::are_together(const ArrayView& rows, std::size_t columns) {
  Value* const places = rows.offset.value;
  Value* const first = b.ir.CreateExtractElement(places, std::uint64_t{0});
  Value* const expected = b.ir.CreateAdd(
      b.splat(first), b.ir.CreateMul(b.lane_numbers(b.ir.getInt64Ty()),
                                     b.splat(b.i64(static_cast<std::int64_t>(columns)))));
  Value* apart = b.ir.CreateICmpNE(places, expected);
  if (b.mask) apart = b.ir.CreateOr(apart, b.ir.CreateNot(b.mask));
  return b.ir.CreateNot(b.any(apart));
}

void BodyEmitter::put_together(const ArrayView& rows, std::span<const LaneValue> columns) {
  std::vector<Value*> vectors;
  llvm::Type* const element = b.memory_type(rows.element);
  auto* const type = llvm::FixedVectorType::get(element, b.lanes());
  for (const LaneValue& column : columns) {
    Value* const vector = b.vector(column);
    vectors.push_back(rows.element == ElementType::Bool ? b.ir.CreateZExt(vector, type) : vector);
  }
  Value* const begin = b.ir.CreateGEP(
      element, rows.base, b.ir.CreateExtractElement(rows.offset.value, std::uint64_t{0}));
  for (std::size_t row = 0; row < vectors.size(); ++row)
    b.ir.CreateAlignedStore(picked(b.ir, vectors, row * b.lanes(), 0, vectors.size()),
                            b.ir.CreateConstGEP1_64(type, begin, row),
                            llvm::Align(byte_size(rows.element)));
}

} // namespace sinter::jit
