// Rows of a few elements, of which each lane reads its own at places that are constants: points,
// small matrices, blocks of words.  Gathered, each column would be as many accesses as there are
// lanes.  Where the lanes' rows lie one after the other, memory is read in order, and each lane's
// element is picked from all that was read:
//
//   lane l reads a[3*l], a[3*l + 1], a[3*l + 2]
//
//     u, v, w = a[0 … W-1], a[W … 2*W-1], a[2*W … 3*W-1]
//     x = u0 u3 u6 … v(·) … w(·) …                            y and z likewise
//
// Longer rows, and those that lie apart, are read a row at a time, and turned over (turned.cpp).
#include "jit/emit/body.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace sinter::jit {

using llvm::Value;

namespace {

/// What a register of gathered elements takes, for each of them, in instructions: little, where
/// processors are good at it.
constexpr double cost_of_gathered = 1.5;

/// Elements of a row; there may be more, but hardly at constant places.
constexpr std::int64_t most_length = 1024;
/// Rows that are picked from as many vectors: it takes as many instructions for each column.
constexpr std::int64_t most_vectors = 16, most_vectors_in_compact_code = 4;

/// Strides that are constants, and those of a dense array of such extents.
bool is_dense_row(const ArrayView& row, std::span<const std::int64_t> extents) {
  std::int64_t expected = 1;
  for (std::size_t d = extents.size(); d-- > 0; expected *= extents[d]) {
    const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(row.strides[d]);
    if (!stride || stride->getSExtValue() != expected) return false;
  }
  return true;
}

std::size_t lanes_of(const Value* vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

/// Such an element of each of as many rows as a vector has lanes, from the vectors [begin, end) of
/// what lies in memory; anything in lanes whose element lies in other vectors.
Value* picked(llvm::IRBuilder<>& ir, std::span<Value* const> vectors, std::size_t extent,
              std::size_t column, std::size_t begin, std::size_t end) {
  const std::size_t lanes = lanes_of(vectors[0]);
  // Both operands are vectors of memory, or have their lanes' elements in place already.
  const auto join = [&](Value* left, bool left_is_memory, std::size_t middle, Value* right,
                        bool right_is_memory) {
    std::vector<int> places(lanes, -1);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t at = lane * extent + column, vector = at / lanes;
      if (vector < begin || vector >= end) continue;
      const bool is_left = vector < middle;
      const bool is_memory = is_left ? left_is_memory : right_is_memory;
      places[lane] = static_cast<int>((is_memory ? at % lanes : lane) + (is_left ? 0 : lanes));
    }
    return ir.CreateShuffleVector(left, right, places);
  };
  const std::size_t middle = (begin + end) / 2;
  if (end - begin == 1)
    return join(vectors[begin], true, end, llvm::PoisonValue::get(vectors[begin]->getType()), true);
  const auto part = [&](std::size_t from, std::size_t to) {
    return to - from == 1 ? vectors[from] : picked(ir, vectors, extent, column, from, to);
  };
  return join(part(begin, middle), middle - begin == 1, middle, part(middle, end),
              end - middle == 1);
}

/// Vectors one after the other: as many as a power of two.
Value* concatenated(llvm::IRBuilder<>& ir, std::span<Value* const> parts) {
  if (parts.size() == 1) return parts[0];
  Value* const left = concatenated(ir, parts.first(parts.size() / 2));
  Value* const right = concatenated(ir, parts.subspan(parts.size() / 2));
  std::vector<int> places(2 * lanes_of(left));
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = static_cast<int>(i);
  return ir.CreateShuffleVector(left, right, places);
}

} // namespace

/// What the body of a SOAC along whose elements the lanes run reads of the lanes' own rows, outside
/// of branches and loops.
std::vector<BodyEmitter::OwnRows> BodyEmitter::own_rows(const ir::Soac& soac,
                                                        const LaneValue& index) {
  std::vector<OwnRows> all;
  std::set<std::uint32_t> computed;
  for (const ir::Statement& statement : soac.body.statements)
    for (const ir::ValueId result : statement.results)
      computed.insert(result.index);
  const auto rows_of_array = [&](ir::ValueId array) -> OwnRows* {
    const auto known =
        std::ranges::find_if(all, [&](const OwnRows& rows) { return rows.array == array; });
    if (known != all.end()) return &*known;
    const std::vector<ir::ValueId>& parameters = soac.body.parameters;
    const auto parameter = std::ranges::find(parameters, array);
    const bool is_element = parameter != parameters.end();
    if (!is_element && (computed.contains(array.index) || source_.type(array).extents.empty() ||
                        source_.type(array).extents[0] != soac.extent))
      return nullptr;
    // (An array that the element's index is an index of is like an input.)
    const ArrayView& whole = this->array(
        is_element ? soac.inputs[static_cast<std::size_t>(parameter - parameters.begin()) - 1]
                   : array);
    OwnRows rows{.array = array, .first_constant = is_element ? std::size_t{0} : std::size_t{1}};
    for (const ir::Operand& extent :
         std::span(source_.type(array).extents).subspan(rows.first_constant)) {
      if (!extent.is_constant()) return nullptr;
      rows.extents.push_back(extent.scalar().as<std::int64_t>());
      if (rows.extents.back() < 1 || rows.extents.back() > most_length) return nullptr;
      rows.length *= rows.extents.back();
      if (rows.length > most_length) return nullptr;
    }
    if (rows.extents.empty() || whole.strides.size() != rows.extents.size() + 1 ||
        whole.is_private || whole.element == ElementType::Bool)
      return nullptr;
    rows.row = b.subarray(whole, {&index, 1});
    if (!is_dense_row(rows.row, rows.extents)) return nullptr;
    const auto* const apart = llvm::dyn_cast<llvm::ConstantInt>(whole.strides[0]);
    rows.are_together = apart && apart->getSExtValue() == rows.length;
    return &all.emplace_back(std::move(rows));
  };
  for (const ir::Statement& statement : soac.body.statements) {
    const auto* const read = std::get_if<ir::Index>(&statement.operation);
    if (!read || read->indices.size() != source_.type(read->array).extents.size() ||
        edges_.contains(statement.results[0].index))
      continue;
    OwnRows* const rows = rows_of_array(read->array);
    if (!rows) continue;
    if (rows->first_constant == 1 && read->indices[0] != ir::Operand(soac.body.parameters[0]))
      continue;
    std::int64_t column = 0;
    bool is_known = true;
    for (std::size_t d = 0; d < rows->extents.size(); ++d) {
      const ir::Operand& place = read->indices[rows->first_constant + d];
      const std::int64_t at = place.is_constant() ? place.scalar().as<std::int64_t>() : -1;
      is_known = is_known && at >= 0 && at < rows->extents[d];
      column = column * rows->extents[d] + at;
    }
    if (is_known) rows->columns[column].push_back(statement.results[0]);
  }
  return all;
}

/// Which is the least work, if it is less than to gather.
BodyEmitter::OwnRows::Way BodyEmitter::way_to_read(const OwnRows& rows) const {
  const unsigned size = square_size(byte_size(rows.row.element));
  const auto columns = static_cast<double>(rows.columns.size());
  const auto length = static_cast<double>(rows.length);
  double least = cost_of_gathered * columns * size;
  OwnRows::Way way = OwnRows::Way::Gathered;
  // (Bytes and words of 16 bits have no loads under masks everywhere.)
  const bool may_be_masked = byte_size(rows.row.element) >= 4;
  const std::int64_t most = b.kernel.is_compact ? most_vectors_in_compact_code : most_vectors;
  if (rows.are_together && rows.length <= most && (may_be_masked || !b.mask)) {
    const double cost = length + columns * std::max(length - 1, 1.0);
    if (cost < least) {
      least = cost;
      way = OwnRows::Way::InOrder;
    }
  }
  if (!may_be_masked || b.kernel.is_compact || b.lanes() > most_row_lanes || size < 4) return way;
  double cost = 0;
  for (const Square& square : squares_of(rows))
    cost += size + square.width * std::countr_zero(std::uint64_t{square.width});
  return cost < least ? OwnRows::Way::Turned : way;
}

/// The columns that are read, in as few squares as they are in; of some the first half is enough.
std::vector<BodyEmitter::Square> BodyEmitter::squares_of(const OwnRows& rows) const {
  const unsigned size = square_size(byte_size(rows.row.element));
  std::vector<Square> squares;
  for (const auto& [column, results] : rows.columns) {
    const std::int64_t begin = column / size * size;
    if (squares.empty() || squares.back().begin != begin)
      squares.push_back({.begin = begin, .width = std::max(size / 2, 1u)});
    if (column - begin >= size / 2 || !has_half_squares(byte_size(rows.row.element), size))
      squares.back().width = size;
  }
  return squares;
}

std::vector<Value*> BodyEmitter::columns_in_order(const OwnRows& rows) {
  const unsigned size = square_size(byte_size(rows.row.element));
  const auto length = static_cast<std::size_t>(rows.length);
  llvm::Type* const element = b.memory_type(rows.row.element);
  auto* const type = llvm::FixedVectorType::get(element, size);
  const llvm::Align alignment(byte_size(rows.row.element));
  Value* const first =
      b.ir.CreateGEP(element, rows.row.base,
                     b.ir.CreateExtractElement(b.vector(rows.row.offset), std::uint64_t{0}));
  // Of lanes that are not active: nothing behind the last one that is.
  Value* readable = nullptr;
  if (b.mask) {
    llvm::Type* const bits = b.ir.getIntNTy(b.lanes());
    Value* const behind = b.ir.CreateBinaryIntrinsic(
        llvm::Intrinsic::ctlz, b.ir.CreateBitCast(b.mask, bits), b.ir.getFalse());
    readable =
        b.ir.CreateMul(b.ir.CreateSub(b.i64(b.lanes()), b.ir.CreateZExt(behind, b.ir.getInt64Ty())),
                       b.i64(rows.length));
  }
  std::vector<std::vector<Value*>> parts(rows.columns.size());
  for (std::size_t part = 0; part < b.lanes() / size; ++part) {
    std::vector<Value*> vectors;
    for (std::size_t k = 0; k < length; ++k) {
      const std::size_t at = (part * length + k) * size;
      Value* const pointer = b.ir.CreateConstGEP1_64(element, first, at);
      vectors.push_back(
          readable ? static_cast<Value*>(b.ir.CreateMaskedLoad(
                         type, pointer, alignment,
                         b.first_lanes(
                             size, b.ir.CreateSub(readable, b.i64(static_cast<std::int64_t>(at)))),
                         llvm::Constant::getNullValue(type)))
                   : b.ir.CreateAlignedLoad(type, pointer, alignment));
    }
    std::size_t number = 0;
    for (const auto& [column, results] : rows.columns)
      parts[number++].push_back(
          picked(b.ir, vectors, length, static_cast<std::size_t>(column), 0, vectors.size()));
  }
  std::vector<Value*> columns;
  columns.reserve(parts.size());
  for (const std::vector<Value*>& of_column : parts)
    columns.push_back(concatenated(b.ir, of_column));
  return columns;
}

/// A row for each lane is more places than processors follow, though they lie in order: the rows
/// that the lanes have next are asked for, if most of them is read, a part of them with each
/// square. (To the second cache: the first one waits for few lines at a time, and those at hand are
/// among them.)
void BodyEmitter::fetch_own_rows(const OwnRows& rows, std::size_t square, std::size_t squares) {
  constexpr std::int64_t line_bytes = 64, most_bytes = std::int64_t{8} << 10;
  const std::int64_t bytes =
      rows.length * static_cast<std::int64_t>(byte_size(rows.row.element) * b.lanes());
  const auto read = static_cast<std::int64_t>(squares) * square_size(byte_size(rows.row.element));
  if (!rows.are_together || !b.kernel.facts().fetches || bytes > most_bytes ||
      2 * read < rows.length)
    return;
  Value* const first =
      b.ir.CreateGEP(b.memory_type(rows.row.element), rows.row.base,
                     b.ir.CreateExtractElement(b.vector(rows.row.offset), std::uint64_t{0}));
  const std::int64_t lines = (bytes + line_bytes - 1) / line_bytes;
  const auto line_of = [&](std::size_t part) {
    return lines * static_cast<std::int64_t>(part) / static_cast<std::int64_t>(squares);
  };
  for (std::int64_t line = line_of(square); line < line_of(square + 1); ++line)
    b.kernel.hooks.fetch(
        b, b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), first, bytes + line * line_bytes),
        TargetHooks::Cache::Second);
}

std::vector<Value*> BodyEmitter::columns_turned(const OwnRows& rows) {
  const unsigned size = square_size(byte_size(rows.row.element));
  ArrayView lanes = rows.row;
  Value* places = b.vector(lanes.offset);
  // (Lanes that are not active read what the first one does, which is.)
  if (b.mask)
    places = b.ir.CreateSelect(b.mask, places,
                               b.splat(b.ir.CreateExtractElement(places, std::uint64_t{0})));
  lanes.offset = b.varying(places, ElementType::I64);
  lanes.strides = {b.i64(1)};
  Value* const mask = std::exchange(b.mask, nullptr);
  const LaneValue end = b.uniform(b.i64(rows.length));
  std::vector<Value*> columns;
  const std::vector<Square> squares = squares_of(rows);
  for (std::size_t number = 0; number < squares.size(); ++number) {
    const Square& square = squares[number];
    fetch_own_rows(rows, number, squares.size());
    const bool is_whole = square.begin + square.width <= rows.length;
    const std::vector<Value*> of_square = columns_of(
        read_rows(lanes, b.i64(square.begin), is_whole ? nullptr : &end, square.width), size);
    for (const auto& [column, results] : rows.columns)
      if (column >= square.begin && column < square.begin + size)
        columns.push_back(of_square[static_cast<std::size_t>(column - square.begin)]);
  }
  b.mask = mask;
  return columns;
}

std::vector<std::uint32_t> BodyEmitter::read_own_rows(const ir::Soac& soac,
                                                      const LaneValue& index) {
  std::vector<std::uint32_t> known;
  if (!b.in_lanes() || !across_lanes_ || index.shape != Shape::Linear ||
      b.kernel.facts().vector_bytes == 0)
    return known;
  for (const OwnRows& rows : own_rows(soac, index)) {
    if (rows.columns.empty()) continue;
    const OwnRows::Way way = way_to_read(rows);
    if (way == OwnRows::Way::Gathered) continue;
    const std::vector<Value*> columns =
        way == OwnRows::Way::InOrder ? columns_in_order(rows) : columns_turned(rows);
    std::size_t number = 0;
    for (const auto& [column, results] : rows.columns) {
      for (const ir::ValueId result : results) {
        edges_.insert_or_assign(result.index, b.varying(columns[number], rows.row.element));
        known.push_back(result.index);
      }
      ++number;
    }
  }
  return known;
}

} // namespace sinter::jit
