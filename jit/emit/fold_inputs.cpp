// Folds by tiles whose elements are computed from less memory than they would take: what is read is
// turned over, and each lane computes the elements of its row as it comes to them.
//
//   for i in steps of the square's size               (columns)
//     vector l = input[64 l + i …]                     for each lane l
//     the square, turned over                          element i + k of all rows is vector k
//     for each k: running values = running values op body(vector k)
//
// (A sum of squares, in double precision, of floats.)
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/operations.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sinter::jit {

using llvm::Value;
using primitives::row_length;

namespace {

/// The body is emitted for each column of a square.
constexpr std::size_t most_turned_statements = 6;

} // namespace

bool BodyEmitter::may_turn_inputs(const ir::Soac& soac,
                                  const std::vector<GroupState>& states) const {
  if (b.kernel.is_compact || soac.body.statements.size() > most_turned_statements ||
      !is_light(soac.body) || !is_scalar_code(soac.body))
    return false;
  std::size_t read = 0, folded = 0;
  for (const ir::ValueId input : soac.inputs) {
    const ArrayView& view = array(input);
    const auto* const stride =
        view.strides.size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(view.strides[0]) : nullptr;
    // (Small elements have no quick loads of a few.)
    if (!stride || !stride->isOne() || view.is_private || byte_size(view.element) < 4) return false;
    read += byte_size(view.element);
  }
  for (const GroupState& state : states) {
    const Folding* const folding = folding_of(state);
    if (!folding || folding->is_scan || !may_transpose(*folding->combine) ||
        folding->combine->statements.size() > most_turned_statements)
      return false;
    for (const ArrayView& tile : folding->tile)
      folded += byte_size(tile.element);
  }
  return read != 0 && read < folded;
}

/// So many elements of each lane's row from there on, by input: vectors of all lanes.
std::vector<std::vector<Value*>> BodyEmitter::turned_inputs(const ir::Soac& soac, Value* begin) {
  std::size_t widest = 1;
  for (const ir::ValueId input : soac.inputs)
    widest = std::max(widest, byte_size(array(input).element));
  const unsigned size = square_size(widest);
  std::vector<std::vector<Value*>> turned;
  for (const ir::ValueId input : soac.inputs) {
    const ArrayView& view = array(input);
    const llvm::Align alignment(byte_size(view.element));
    auto* const type = llvm::FixedVectorType::get(b.memory_type(view.element), size);
    std::vector<Value*> rows;
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(b.lanes()); ++row) {
      const LaneValue index = b.uniform(b.ir.CreateAdd(begin, b.i64(row * row_length)));
      Value* const place = b.ir.CreateGEP(b.memory_type(view.element), view.base,
                                          b.element_offset(view, {&index, 1}).value);
      rows.push_back(b.ir.CreateAlignedLoad(type, place, alignment));
    }
    turned.push_back(columns_of(std::move(rows), size));
  }
  return turned;
}

/// Whole tiles.
void BodyEmitter::fold_turned_inputs(const ir::Soac& soac, std::vector<GroupState>& states,
                                     const FoldEvents& events, Value* first) {
  struct Tile {
    std::vector<std::vector<ArrayView>> results; ///< by group
    std::vector<std::vector<Accumulator>> accumulators;
  };
  std::array<Tile, turned_tiles> tiles;
  for (Tile& tile : tiles)
    for (const GroupState& state : states)
      tile.results.push_back(results_of_rows(*folding_of(state)));

  const std::int64_t tile_length = row_length * std::int64_t{b.kernel.width};
  b.enter_lanes(nullptr);
  for (Tile& tile : tiles)
    for (const GroupState& state : states)
      tile.accumulators.push_back(neutral_accumulators(*folding_of(state)));
  Value* const rows_apart =
      b.ir.CreateMul(b.lane_numbers(b.ir.getInt64Ty()), b.splat(b.i64(row_length)));
  std::size_t widest = 1;
  for (const ir::ValueId input : soac.inputs)
    widest = std::max(widest, byte_size(array(input).element));
  b.loop(b.i64(0), b.i64(row_length), square_size(widest), [&](Value* column) {
    for (std::size_t t = 0; t < tiles.size(); ++t) {
      Value* const begin = b.ir.CreateAdd(b.ir.CreateAdd(first, column),
                                          b.i64(static_cast<std::int64_t>(t) * tile_length));
      const std::vector<std::vector<Value*>> turned = turned_inputs(soac, begin);
      for (std::size_t k = 0; k < turned[0].size(); ++k) {
        Value* const index = b.ir.CreateAdd(begin, b.i64(static_cast<std::int64_t>(k)));
        bind(soac.body.parameters[0],
             b.varying(b.ir.CreateAdd(rows_apart, b.splat(index)), ElementType::I64));
        for (std::size_t i = 0; i < turned.size(); ++i)
          bind(soac.body.parameters[i + 1], b.varying(turned[i][k], array(soac.inputs[i]).element));
        statements(soac.body);
        std::size_t next = 0;
        for (std::size_t g = 0; g < states.size(); ++g) {
          std::vector<Emitted> elements;
          for (std::size_t i = 0; i < folding_of(states[g])->tile.size(); ++i)
            elements.push_back(emitted(soac.body.results[next++]));
          fold_into(*folding_of(states[g]), tiles[t].accumulators[g], elements);
        }
      }
    }
  });
  const LaneValue numbers = b.linear(b.i64(0));
  for (const Tile& tile : tiles)
    for (std::size_t g = 0; g < states.size(); ++g)
      for (std::size_t i = 0; i < tile.results[g].size(); ++i)
        b.store(tile.results[g][i], b.element_offset(tile.results[g][i], {&numbers, 1}),
                std::get<LaneValue>(value_of(tile.accumulators[g][i])));
  b.leave_lanes();
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    Value* const begin = b.ir.CreateAdd(first, b.i64(static_cast<std::int64_t>(t) * tile_length));
    Value* const end = b.ir.CreateAdd(begin, b.i64(tile_length));
    for (std::size_t g = 0; g < states.size(); ++g)
      b.loop(begin, end, row_length, [&](Value* row) {
        fold_row(states, events, g, row, results_of_row(tiles[t].results[g], begin, row));
      });
  }
}

} // namespace sinter::jit
