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
// What a map or a scan leaves goes the other way round.
#include "jit/emit/body.h"
#include "jit/emit/rows_of_loops.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cassert>
#include <climits>
#include <numeric>
#include <utility>

namespace sinter::jit {

using llvm::Value;

bool is_row_of_lane(const ArrayView& view) {
  if (view.strides.size() != 1 || view.is_private || view.offset.shape != Shape::Varying)
    return false;
  const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(view.strides[0]);
  return stride && stride->isOne() && view.element != ElementType::Bool &&
         byte_size(view.element) >= 4; // (smaller ones have no masked loads)
}

bool is_shared_row(const ArrayView& view) {
  if (view.strides.size() != 1 || view.is_private || view.offset.shape != Shape::Uniform)
    return false;
  const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(view.strides[0]);
  return stride && stride->isOne();
}

namespace {

/// Where maps and scans leave their elements, posts' maps too.
template <typename States>
auto places_of(States& states) {
  std::vector<PartOf<ArrayView, std::remove_reference_t<decltype(states[0])>>*> places;
  for_each_state(states, [&](auto& state) {
    if (auto* const stored = stored_of(state))
      for (auto& place : stored->places)
        places.push_back(&place);
  });
  return places;
}

} // namespace

bool BodyEmitter::may_turn_rows(const ir::Soac& soac) const {
  return b.in_lanes() && !b.kernel.is_compact && b.lanes() <= most_row_lanes &&
         !(soac.extent.is_constant() &&
           soac.extent.scalar().as<std::int64_t>() < static_cast<std::int64_t>(b.lanes()) / 2);
}

BodyEmitter::Turned BodyEmitter::rows_to_turn(const ir::Soac& soac,
                                              const std::vector<GroupState>& states) {
  if (!may_turn_rows(soac)) return {};
  Turned turned;
  std::size_t widest = 0;
  for (const ir::ValueId input : soac.inputs)
    if (is_row_of_lane(array(input))) widest = std::max(widest, byte_size(array(input).element));
  for (const ArrayView* place : places_of(states)) {
    const bool is_row = is_row_of_lane(*place);
    if (is_row) widest = std::max(widest, byte_size(place->element));
    turned.outputs.push_back(is_row);
  }
  if (widest == 0) return {};
  turned.soac = &soac;
  turned.size = square_size(widest);
  for (const ir::ValueId input : soac.inputs)
    turned.inputs.push_back(is_row_of_lane(array(input))
                                ? std::optional(turned_buffer(array(input).element, turned.size))
                                : std::nullopt);
  return turned;
}

/// So many vectors: element k of lane l at k*W + l.
ArrayView BodyEmitter::turned_buffer(ElementType element, unsigned size) {
  const auto lanes = static_cast<std::int64_t>(b.lanes());
  auto* const memory = b.stack(b.memory_type(element), lanes * size);
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
  const auto step = static_cast<std::int64_t>(turned.size);
  Value* const greatest_end = b.greatest(end);
  b.loop(begin, greatest_end, step, [&](Value* column) {
    Turned here = turned;
    const LaneValue origin = b.linear(b.ir.CreateMul(column, b.i64(-lanes)));
    for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
      if (!here.inputs[i]) continue;
      read_turned(array(soac.inputs[i]), *here.inputs[i], column, end, turned.size);
      here.inputs[i]->offset = origin;
    }
    std::vector<GroupState> inside = states;
    const std::vector<ArrayView*> places = places_of(inside);
    std::vector<std::optional<ArrayView>> written(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!here.outputs[i]) continue;
      written[i] = turned_buffer(places[i]->element, turned.size);
      *places[i] = *written[i];
      places[i]->offset = origin;
    }
    Value* const next = b.ir.CreateAdd(column, b.i64(step));
    const LaneValue last =
        end.shape == Shape::Uniform
            ? b.uniform(b.lesser_of(next, end.value))
            : b.varying(b.lesser_of(b.splat(next), b.vector(end)), ElementType::I64);
    auto outer = std::exchange(turned_, std::move(here));
    sequential_range(column, last, [&](const LaneValue& index) {
      turned_->soac = &soac;
      element(soac, inside, index);
    });
    turned_ = std::move(outer);
    const std::vector<ArrayView*> rows = places_of(states);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (written[i]) write_turned(*written[i], *rows[i], column, end, turned.size);
  });
}

/// Where lanes that are not active would be is nowhere, perhaps: processors take hundreds of cycles
/// to find that nothing is to be done in a page that is not there.  They are at the first element.
Value* BodyEmitter::within_array(Value* offsets) {
  if (!b.mask) return offsets;
  return b.ir.CreateSelect(b.mask, offsets, llvm::Constant::getNullValue(offsets->getType()));
}

/// Each lane's elements from the column on, so many at most and none after its end, if there is
/// one: where they are, and a mask.
void BodyEmitter::for_each_row(
    const ArrayView& rows, Value* column, const LaneValue* end, unsigned size,
    const std::function<void(unsigned lane, Value* pointer, Value* mask)>& body) {
  const unsigned lanes = b.lanes();
  Value* const starts = within_array(b.ir.CreateAdd(rows.offset.value, b.splat(column)));
  // (Numbers of few bits, of which a register holds a square's, are compared.)
  Value* counts = nullptr;
  Value* common = nullptr;
  if (end && end->shape == Shape::Uniform && !b.mask) {
    common = b.first_lanes(size, b.ir.CreateSub(end->value, column));
  } else if (end) {
    counts = b.ir.CreateSub(b.vector(*end), b.splat(column));
    if (b.mask)
      counts = b.ir.CreateSelect(b.mask, counts, llvm::Constant::getNullValue(counts->getType()));
    counts = b.lesser_of(counts, b.splat(b.i64(size)));
    counts = b.ir.CreateTrunc(b.greater_of(counts, b.splat(b.i64(0))),
                              llvm::FixedVectorType::get(b.ir.getInt32Ty(), lanes));
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value* mask = common;
    if (counts)
      mask = b.first_lanes_of(
          size, b.ir.CreateShuffleVector(counts, std::vector<int>(size, static_cast<int>(lane))));
    body(lane,
         b.ir.CreateGEP(b.memory_type(rows.element), rows.base,
                        b.ir.CreateExtractElement(starts, lane)),
         mask);
  }
}

/// Those, or `otherwise` (null: 0) after the end.
std::vector<Value*> BodyEmitter::read_rows(const ArrayView& from, Value* column,
                                           const LaneValue* end, unsigned size, Value* otherwise) {
  auto* const type = llvm::FixedVectorType::get(b.memory_type(from.element), size);
  const llvm::Align alignment(byte_size(from.element));
  Value* const absent =
      otherwise ? b.ir.CreateVectorSplat(size, otherwise) : llvm::Constant::getNullValue(type);
  std::vector<Value*> rows;
  for_each_row(from, column, end, size, [&](unsigned, Value* pointer, Value* mask) {
    rows.push_back(
        mask ? static_cast<Value*>(b.ir.CreateMaskedLoad(type, pointer, alignment, mask, absent))
             : b.ir.CreateAlignedLoad(type, pointer, alignment));
  });
  return rows;
}

void BodyEmitter::read_turned(const ArrayView& from, const ArrayView& buffer, Value* column,
                              const LaneValue& end, unsigned size, bool are_evenly_spaced) {
  auto* const wide = llvm::FixedVectorType::get(b.memory_type(from.element), b.lanes());
  std::vector<Value*> rows = read_rows(from, column, &end, size);
  if (are_evenly_spaced) fetch_rows_ahead(from, column, end);
  const std::vector<Value*> columns = columns_of(std::move(rows), size);
  for (std::size_t k = 0; k < columns.size(); ++k)
    b.ir.CreateAlignedStore(columns[k], b.ir.CreateConstGEP1_64(wide, buffer.base, k),
                            llvm::Align(byte_size(buffer.element)));
}

/// Rows are as many streams as there are lanes, more than processors follow: what comes next of
/// each, or, of short ones, the same part of those that the lanes have next, if they are evenly
/// spaced.  (To the second cache: the first one waits for few lines at a time, and those at hand
/// are among them.)
void BodyEmitter::fetch_rows_ahead(const ArrayView& rows, Value* column, const LaneValue& end) {
  constexpr std::int64_t bytes_ahead = 512;
  if (!b.kernel.facts().fetches) return;
  const auto size = static_cast<std::int64_t>(byte_size(rows.element));
  Value* const starts = rows.offset.value;
  Value* const spacing = b.ir.CreateSub(b.ir.CreateExtractElement(starts, std::uint64_t{1}),
                                        b.ir.CreateExtractElement(starts, std::uint64_t{0}));
  Value* const goes_on =
      b.ir.CreateICmpSGT(b.greatest(end), b.ir.CreateAdd(column, b.i64(2 * bytes_ahead / size)));
  Value* const distance = b.ir.CreateSelect(goes_on, b.i64(bytes_ahead / size),
                                            b.ir.CreateMul(spacing, b.i64(b.lanes())));
  Value* const places =
      within_array(b.ir.CreateAdd(starts, b.splat(b.ir.CreateAdd(column, distance))));
  for (unsigned lane = 0; lane < b.lanes(); ++lane)
    b.kernel.hooks.fetch(b,
                         b.ir.CreateGEP(b.memory_type(rows.element), rows.base,
                                        b.ir.CreateExtractElement(places, lane)),
                         TargetHooks::Cache::Second);
}

namespace {

/// Whether nothing of the array is read at other indices than that.
bool is_read_at_alone(const ir::Body& body, ir::ValueId array, const ir::Operand& place) {
  return std::ranges::all_of(body.statements, [&](const ir::Statement& statement) {
    const auto* const read = std::get_if<ir::Index>(&statement.operation);
    return !read || read->array != array || read->indices == std::vector{place};
  });
}

/// The array whose element at the SOAC's own index the operand is, or comes from by a conversion
/// alone.  (Of one that is read at the next index, too, as where rows end, the rows lie one behind
/// the other, which processors see.)
std::optional<ir::ValueId> array_of(const ir::Soac& soac, const ir::Operand& operand) {
  const auto& parameters = soac.body.parameters;
  const ir::Operand element = unconverted(soac.body, operand);
  if (element.is_constant()) return std::nullopt;
  const auto found = std::find(parameters.begin() + 1, parameters.end(), element.value());
  if (found != parameters.end())
    return soac.inputs[static_cast<std::size_t>(found - parameters.begin()) - 1];
  const ir::Statement* const made = statement_of(soac.body, element);
  const auto* const read = made ? std::get_if<ir::Index>(&made->operation) : nullptr;
  return read && read->indices == std::vector{ir::Operand(parameters[0])} &&
                 !ir::is_defined_in(soac.body, read->array) &&
                 is_read_at_alone(soac.body, read->array, read->indices[0])
             ? std::optional(read->array)
             : std::nullopt;
}

/// Where each element of a SOAC goes along a row of an array that there is before it.
struct RowAt {
  ir::ValueId array;
  ir::Operand begin;
};

std::vector<RowAt> rows_at(const ir::Soac& soac) {
  std::vector<RowAt> rows;
  const auto note = [&](ir::ValueId array, const ir::Operand& begin) {
    if (!ir::is_defined_in(soac.body, array)) rows.push_back({array, begin});
  };
  for (const ir::Statement& statement : soac.body.statements)
    if (const auto* const slice = std::get_if<ir::Slice>(&statement.operation)) {
      if (slice->dimensions.size() == 1) note(slice->array, slice->dimensions[0].begin);
    } else if (const auto* const loop = std::get_if<ir::For>(&statement.operation)) {
      for (const RowOfLoop& row : rows_of_loop(*loop))
        if (row.base) note(row.array, *row.base);
    }
  return rows;
}

} // namespace

/// Rows that begin where an input says lie anywhere, and no processor guesses where: the first
/// lines of those that the lanes have next.
void BodyEmitter::fetch_rows_at_places(const ir::Soac& soac, const LaneValue& index) {
  constexpr std::int64_t line_bytes = 64, lines = 3;
  if (!b.in_lanes() || b.kernel.is_compact || !b.kernel.facts().fetches ||
      index.shape != Shape::Linear || b.lanes() > most_row_lanes)
    return;
  const LaneValue extent = scalar(soac.extent);
  for (const RowAt& row : rows_at(soac)) {
    const std::optional<ir::ValueId> begins_at = array_of(soac, row.begin);
    const ArrayView& rows = array(row.array);
    if (!begins_at || !is_shared_row(array(*begins_at)) || !is_shared_row(rows)) continue;
    const ArrayView& places = array(*begins_at);
    const LaneValue next = b.linear(b.ir.CreateAdd(index.value, b.i64(b.lanes())));
    Value* const end = b.ir.CreateAdd(next.value, b.i64(b.lanes()));
    b.if_then(b.ir.CreateICmpSLE(end, extent.value), [&] {
      Value* const mask = std::exchange(b.mask, nullptr); // (all of them are there)
      const LaneValue begins = b.load(places, b.element_offset(places, {&next, 1}));
      b.mask = mask;
      for (unsigned lane = 0; lane < b.lanes(); ++lane) {
        Value* const begin =
            b.ir.CreateSExt(b.ir.CreateExtractElement(begins.value, lane), b.ir.getInt64Ty());
        Value* const first = b.ir.CreateGEP(b.memory_type(rows.element), rows.base,
                                            b.ir.CreateAdd(rows.offset.value, begin));
        for (std::int64_t line = 0; line < lines; ++line)
          b.kernel.hooks.fetch(b,
                               b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), first, line * line_bytes),
                               TargetHooks::Cache::Second);
      }
    });
  }
}

void BodyEmitter::write_turned(const ArrayView& buffer, const ArrayView& to, Value* column,
                               const LaneValue& end, unsigned size) {
  auto* const type = llvm::FixedVectorType::get(b.memory_type(to.element), b.lanes());
  std::vector<Value*> columns;
  for (unsigned k = 0; k < size; ++k)
    columns.push_back(b.ir.CreateAlignedLoad(type, b.ir.CreateConstGEP1_64(type, buffer.base, k),
                                             llvm::Align(byte_size(buffer.element))));
  const std::vector<Value*> rows = rows_of(columns, b.lanes());
  for_each_row(to, column, &end, size, [&](unsigned lane, Value* pointer, Value* mask) {
    b.ir.CreateMaskedStore(rows[lane], pointer, llvm::Align(byte_size(to.element)), mask);
  });
}

/// Vectors of how many elements are turned over: those that fill a register with the widest of the
/// types, or less.
unsigned BodyEmitter::square_size(std::size_t widest_bytes) const {
  const std::size_t bytes = b.kernel.facts().vector_bytes;
  return std::min(b.lanes(), static_cast<unsigned>(std::max<std::size_t>(bytes / widest_bytes, 1)));
}

namespace {

/// Of a register: two vectors' elements are interleaved within such parts.
constexpr std::size_t part_bits = 128;

std::size_t elements_of(const Value* vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

std::size_t interleaved_part(const Value* vector) {
  return std::min<std::size_t>(elements_of(vector),
                               part_bits / vector->getType()->getScalarSizeInBits());
}

/// Whether the vector has only just been read, all of it.
bool is_unused_load(const Value* row) {
  return llvm::isa<llvm::LoadInst>(row) && row->use_empty();
}

} // namespace

/// Vectors of a square that have been read, read once more so that their halves have changed places
/// across the diagonal already: to put a half from memory into a register takes no shuffle, for
/// which there is one unit alone.
std::vector<Value*> BodyEmitter::exchanged_as_read(const std::vector<Value*>& rows) {
  const std::size_t size = rows.size(), half = size / 2;
  auto* const element = rows[0]->getType()->getScalarType();
  auto* const type = llvm::FixedVectorType::get(element, static_cast<unsigned>(half));
  const auto half_of = [&](std::size_t row, std::size_t begin) {
    auto* const load = llvm::cast<llvm::LoadInst>(rows[row]);
    const llvm::IRBuilder<>::InsertPointGuard guard(b.ir);
    b.ir.SetInsertPoint(load); // (what is there may be overwritten since)
    Value* const pointer = b.ir.CreateConstGEP1_64(element, load->getPointerOperand(), begin);
    return b.ir.CreateAlignedLoad(type, pointer,
                                  llvm::Align(element->getScalarSizeInBits() / CHAR_BIT));
  };
  std::vector<Value*> exchanged(size);
  for (std::size_t i = 0; i < half; ++i)
    for (const std::size_t begin : {std::size_t{0}, half})
      exchanged[i + begin] = one_behind_the_other({half_of(i, begin), half_of(i + half, begin)});
  for (Value* row : rows)
    llvm::cast<llvm::Instruction>(row)->eraseFromParent();
  return exchanged;
}

/// A square of vectors, turned over.
std::vector<Value*> BodyEmitter::transposed(std::vector<Value*> rows) {
  const std::size_t half = rows.size() / 2;
  if (half >= interleaved_part(rows[0]) && std::ranges::all_of(rows, is_unused_load))
    return turned_from(exchanged_as_read(rows), half / 2);
  return turned_from(std::move(rows), half);
}

/// The same, of vectors whose parts of more than `half` elements have changed places across the
/// diagonal.  As long as parts are larger than those of registers that two vectors' elements are
/// interleaved in at once, squares of half the size change places; then rows are interleaved with
/// those half a part behind, again and again: each step is an instruction for a vector.
std::vector<Value*> BodyEmitter::turned_from(std::vector<Value*> rows, std::size_t half) {
  const std::size_t size = elements_of(rows[0]);
  const std::size_t part = interleaved_part(rows[0]);
  const auto both = [&](Value* a, Value* c, auto&& place) {
    std::vector<int> places(size);
    for (std::size_t k = 0; k < size; ++k)
      places[k] = static_cast<int>(place(k));
    return b.ir.CreateShuffleVector(a, c, places);
  };
  for (; half >= part; half /= 2)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((i & half) != 0) continue;
      Value* const a = rows[i];
      Value* const c = rows[i + half];
      rows[i] = both(a, c, [&](std::size_t k) { return (k & half) != 0 ? size + k - half : k; });
      rows[i + half] =
          both(a, c, [&](std::size_t k) { return (k & half) != 0 ? size + k : k + half; });
    }
  for (std::size_t step = 1; step < part; step *= 2) {
    std::vector<Value*> next(rows.size());
    for (std::size_t first = 0; first < rows.size(); first += part)
      for (std::size_t i = 0; i < part; ++i) {
        Value* const a = rows[first + i / 2];
        Value* const c = rows[first + i / 2 + part / 2];
        next[first + i] = both(a, c, [&](std::size_t k) {
          const std::size_t in_part = k % part, element = in_part / 2 + (i % 2) * (part / 2);
          return k - in_part + element + (in_part % 2) * size;
        });
      }
    rows = std::move(next);
  }
  return rows;
}

/// Equally long vectors, a power of two of them, as one.
Value* BodyEmitter::one_behind_the_other(std::vector<Value*> vectors) {
  while (vectors.size() > 1) {
    std::vector<int> places(2 * elements_of(vectors[0]));
    std::iota(places.begin(), places.end(), 0);
    for (std::size_t i = 0; i < vectors.size() / 2; ++i)
      vectors[i] = b.ir.CreateShuffleVector(vectors[2 * i], vectors[2 * i + 1], places);
    vectors.resize(vectors.size() / 2);
  }
  return vectors[0];
}

/// Whether the first half of a square's columns can be had without the rest.
bool BodyEmitter::has_half_squares(std::size_t element_bytes, unsigned size) {
  return size / 2 >= std::min<std::size_t>(size, part_bits / (CHAR_BIT * element_bytes));
}

/// Rows of fewer elements than there are lanes, one for each lane, as columns of all lanes: squares
/// of them, side by side.  Of rows that are half as long as a square, a square's first columns.
std::vector<Value*> BodyEmitter::columns_of(std::vector<Value*> rows, unsigned size) {
  const bool are_halves = elements_of(rows[0]) < size;
  const auto columns_of_square = [&](std::size_t first) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
    if (!are_halves) return transposed({begin, begin + size});
    std::vector<Value*> wide;
    for (std::size_t i = 0; i < size / 2; ++i)
      wide.push_back(one_behind_the_other({begin[static_cast<std::ptrdiff_t>(i)],
                                           begin[static_cast<std::ptrdiff_t>(i + size / 2)]}));
    return turned_from(std::move(wide), size / 4);
  };
  // (Parts of registers are interleaved at once: so many squares lie in a register one behind the
  // other, if rows of a square are such parts.)
  const std::size_t lanes_of_register =
      b.kernel.facts().vector_bytes * CHAR_BIT / rows[0]->getType()->getScalarSizeInBits();
  const std::size_t squares_together =
      !are_halves && size * rows[0]->getType()->getScalarSizeInBits() == part_bits
          ? std::clamp<std::size_t>(lanes_of_register / size, 1, rows.size() / size)
          : 1;
  const std::size_t step = size * squares_together;
  const auto columns_of_squares = [&](std::size_t first) {
    std::vector<Value*> wide;
    for (std::size_t i = 0; i < size; ++i) {
      std::vector<Value*> parts;
      for (std::size_t square = 0; square < squares_together; ++square)
        parts.push_back(rows[first + square * size + i]);
      wide.push_back(one_behind_the_other(parts));
    }
    return turned_from(std::move(wide), size / 2);
  };
  std::vector<Value*> columns;
  for (std::size_t first = 0; first < rows.size(); first += step) {
    const std::vector<Value*> square =
        squares_together == 1 ? columns_of_square(first) : columns_of_squares(first);
    for (std::size_t k = 0; k < square.size(); ++k) {
      if (first == 0) {
        columns.push_back(square[k]);
        continue;
      }
      // (Longer by one part each time: the optimiser sees a concatenation.)
      std::vector<int> wide, both;
      for (std::size_t lane = 0; lane < first; ++lane)
        wide.push_back(lane < step ? static_cast<int>(lane) : -1);
      for (std::size_t lane = 0; lane < first + step; ++lane)
        both.push_back(static_cast<int>(lane));
      Value* const part = first == step ? square[k] : b.ir.CreateShuffleVector(square[k], wide);
      columns[k] = b.ir.CreateShuffleVector(columns[k], part, both);
    }
  }
  return columns;
}

/// And back.
std::vector<Value*> BodyEmitter::rows_of(const std::vector<Value*>& columns, unsigned lanes) {
  const auto size = static_cast<unsigned>(columns.size());
  std::vector<Value*> rows;
  for (unsigned first = 0; first < lanes; first += size) {
    std::vector<int> numbers;
    for (unsigned lane = first; lane < first + size; ++lane)
      numbers.push_back(static_cast<int>(lane));
    std::vector<Value*> square;
    square.reserve(columns.size());
    for (Value* column : columns)
      square.push_back(size == lanes ? column : b.ir.CreateShuffleVector(column, numbers));
    for (Value* row : transposed(std::move(square)))
      rows.push_back(row);
  }
  return rows;
}

} // namespace sinter::jit
