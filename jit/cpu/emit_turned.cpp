// Lanes that each go along a row of memory of their own: W rows are read W elements at a time, and
// turned over in registers, instead of being gathered element by element.
//
//   lane l reads a[row_l + i] for i = 0, 1, …
//
//   for i in steps of W
//     vector l = a[row_l + i … row_l + i + W - 1]      for each l: contiguous
//     buffer   = the square of vectors, turned over    element k of all lanes is vector k
//     for k < W: the body, with vector k of the buffer
//
// What a map leaves goes the other way round.
#include "jit/cpu/emit_body.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::jit {

using llvm::Value;

namespace {

/// A square of more vectors does not fit in the registers.
constexpr unsigned most_turned_lanes = 32;

/// Whether each lane's elements follow each other in memory, at a place of the lane's own.
bool is_row_of_lane(const ArrayView& view) {
  if (view.strides.size() != 1 || view.is_private || view.offset.shape != Shape::Varying)
    return false;
  const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(view.strides[0]);
  return stride && stride->isOne() && view.element != ElementType::Bool &&
         byte_size(view.element) >= 4; // (smaller ones have no masked loads)
}

} // namespace

BodyEmitter::Turned BodyEmitter::rows_to_turn(const ir::Soac& soac,
                                              const std::vector<GroupState>& states) {
  if (!b.in_lanes() || b.kernel.is_compact || b.lanes() > most_turned_lanes) return {};
  if (soac.extent.is_constant() &&
      soac.extent.scalar().as<std::int64_t>() < static_cast<std::int64_t>(b.lanes()) / 2)
    return {};
  Turned turned;
  bool any = false;
  for (const ir::ValueId input : soac.inputs) {
    const bool is_row = is_row_of_lane(array(input));
    any = any || is_row;
    turned.inputs.push_back(is_row ? std::optional(turned_buffer(array(input).element))
                                   : std::nullopt);
  }
  for (const GroupState& state : states) {
    const bool is_row = std::holds_alternative<ir::MapGroup>(*state.group) && state.is_active &&
                        is_row_of_lane(state.places[0]);
    any = any || is_row;
    turned.outputs.push_back(is_row);
  }
  if (any) turned.soac = &soac;
  return turned;
}

/// W vectors: element k of lane l at k*W + l.
ArrayView BodyEmitter::turned_buffer(ElementType element) {
  const auto lanes = static_cast<std::int64_t>(b.lanes());
  auto* const memory = b.stack(b.memory_type(element), lanes * lanes);
  memory->setAlignment(llvm::Align(64));
  ArrayView view;
  view.element = element;
  view.base = memory;
  view.offset = b.linear(b.i64(0));
  view.strides = {b.i64(lanes)};
  view.is_row_major = true;
  view.is_private = true;
  return view;
}

void BodyEmitter::turned_range(const ir::Soac& soac, std::vector<GroupState>& states, Turned turned,
                               Value* begin, const LaneValue& end) {
  const auto lanes = static_cast<std::int64_t>(b.lanes());
  Value* const greatest_end = b.greatest(end);
  b.loop(begin, greatest_end, lanes, [&](Value* column) {
    Turned here = turned;
    const LaneValue origin = b.linear(b.ir.CreateMul(column, b.i64(-lanes)));
    for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
      if (!here.inputs[i]) continue;
      read_turned(array(soac.inputs[i]), *here.inputs[i], column, end);
      here.inputs[i]->offset = origin;
    }
    std::vector<GroupState> inside = states;
    std::vector<std::optional<ArrayView>> written(states.size());
    for (std::size_t g = 0; g < states.size(); ++g) {
      if (!here.outputs[g]) continue;
      written[g] = turned_buffer(states[g].places[0].element);
      inside[g].places[0] = *written[g];
      inside[g].places[0].offset = origin;
    }
    Value* const next = b.ir.CreateAdd(column, b.i64(lanes));
    const LaneValue last =
        end.shape == Shape::Uniform
            ? b.uniform(b.lesser_of(next, end.value))
            : b.varying(b.lesser_of(b.splat(next), b.vector(end)), ElementType::I64);
    auto outer = std::exchange(turned_, std::move(here));
    sequential_range(column, last, [&](const LaneValue& index) {
      turned_->soac = &soac;
      element(soac, inside, index, [&] { apply(soac, inside, index); });
    });
    turned_ = std::move(outer);
    for (std::size_t g = 0; g < states.size(); ++g)
      if (written[g]) write_turned(*written[g], states[g].places[0], column, end);
  });
}

/// Each lane's elements from the column on, W at most and none after its end: where they are, and
/// a mask.
void BodyEmitter::for_each_row(
    const ArrayView& rows, Value* column, const LaneValue& end,
    const std::function<void(unsigned lane, Value* pointer, Value* mask)>& body) {
  const unsigned lanes = b.lanes();
  Value* const starts = b.ir.CreateAdd(rows.offset.value, b.splat(column));
  Value* const numbers = b.lane_numbers(b.ir.getInt64Ty());
  const auto before = [&](Value* last) {
    return b.ir.CreateICmpSLT(numbers, b.splat(b.ir.CreateSub(last, column)));
  };
  Value* const common = end.shape == Shape::Uniform ? before(end.value) : nullptr;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value* mask = common;
    if (!mask) mask = before(b.ir.CreateExtractElement(b.vector(end), lane));
    if (b.mask) mask = b.ir.CreateAnd(mask, b.splat(b.ir.CreateExtractElement(b.mask, lane)));
    body(lane,
         b.ir.CreateGEP(b.memory_type(rows.element), rows.base,
                        b.ir.CreateExtractElement(starts, lane)),
         mask);
  }
}

void BodyEmitter::read_turned(const ArrayView& from, const ArrayView& buffer, Value* column,
                              const LaneValue& end) {
  auto* const type = llvm::FixedVectorType::get(b.memory_type(from.element), b.lanes());
  const llvm::Align alignment(byte_size(from.element));
  std::vector<Value*> rows;
  for_each_row(from, column, end, [&](unsigned, Value* pointer, Value* mask) {
    rows.push_back(
        b.ir.CreateMaskedLoad(type, pointer, alignment, mask, llvm::Constant::getNullValue(type)));
  });
  fetch_rows_ahead(from, column, end);
  rows = transposed(std::move(rows));
  for (std::size_t k = 0; k < rows.size(); ++k)
    b.ir.CreateAlignedStore(rows[k], b.ir.CreateConstGEP1_64(type, buffer.base, k),
                            llvm::Align(byte_size(buffer.element)));
}

/// Rows are as many streams as there are lanes, more than processors follow: what comes next of
/// each, or, of short ones, the same part of those that the lanes have next, if they are evenly
/// spaced.
void BodyEmitter::fetch_rows_ahead(const ArrayView& rows, Value* column, const LaneValue& end) {
  constexpr std::int64_t bytes_ahead = 512;
  const auto size = static_cast<std::int64_t>(byte_size(rows.element));
  Value* const starts = rows.offset.value;
  Value* const spacing = b.ir.CreateSub(b.ir.CreateExtractElement(starts, std::uint64_t{1}),
                                        b.ir.CreateExtractElement(starts, std::uint64_t{0}));
  Value* const goes_on =
      b.ir.CreateICmpSGT(b.greatest(end), b.ir.CreateAdd(column, b.i64(2 * bytes_ahead / size)));
  Value* const distance = b.ir.CreateSelect(goes_on, b.i64(bytes_ahead / size),
                                            b.ir.CreateMul(spacing, b.i64(b.lanes())));
  Value* const places = b.ir.CreateAdd(starts, b.splat(b.ir.CreateAdd(column, distance)));
  for (unsigned lane = 0; lane < b.lanes(); ++lane)
    b.ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.ir.getPtrTy()},
                         {b.ir.CreateGEP(b.memory_type(rows.element), rows.base,
                                         b.ir.CreateExtractElement(places, lane)),
                          b.ir.getInt32(0), b.ir.getInt32(3), b.ir.getInt32(1)});
}

void BodyEmitter::write_turned(const ArrayView& buffer, const ArrayView& to, Value* column,
                               const LaneValue& end) {
  auto* const type = llvm::FixedVectorType::get(b.memory_type(to.element), b.lanes());
  std::vector<Value*> rows;
  for (unsigned k = 0; k < b.lanes(); ++k)
    rows.push_back(b.ir.CreateAlignedLoad(type, b.ir.CreateConstGEP1_64(type, buffer.base, k),
                                          llvm::Align(byte_size(buffer.element))));
  rows = transposed(std::move(rows));
  for_each_row(to, column, end, [&](unsigned lane, Value* pointer, Value* mask) {
    b.ir.CreateMaskedStore(rows[lane], pointer, llvm::Align(byte_size(to.element)), mask);
  });
}

/// A square of vectors, turned over: in each step, squares of half the size change places across
/// the diagonal.
std::vector<Value*> BodyEmitter::transposed(std::vector<Value*> rows) {
  const std::size_t size = rows.size();
  for (std::size_t half = size / 2; half >= 1; half /= 2) {
    std::vector<int> upper(size), lower(size);
    for (std::size_t k = 0; k < size; ++k) {
      const bool is_right = (k & half) != 0;
      upper[k] = static_cast<int>(is_right ? size + (k - half) : k);
      lower[k] = static_cast<int>(is_right ? size + k : k + half);
    }
    for (std::size_t i = 0; i < size; ++i) {
      if ((i & half) != 0) continue;
      Value* const a = rows[i];
      Value* const c = rows[i + half];
      rows[i] = b.ir.CreateShuffleVector(a, c, upper);
      rows[i + half] = b.ir.CreateShuffleVector(a, c, lower);
    }
  }
  return rows;
}

} // namespace sinter::jit
