// Folds by tiles, two whole ones at a time.
//
// In one tile each addition waits for the one before it, longer than it takes to turn over what it
// adds; another tile's rows are others.  What is turned over are halves of squares, where those can
// be had: with less code for each step, more of the next ones is within what a processor looks
// ahead.
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sinter::jit {

using llvm::Value;
using primitives::row_length;

namespace {

/// The operator is emitted for each column of a square.
constexpr std::size_t most_statements = 4;
/// Of an operator: each has running values in two tiles.
constexpr std::size_t most_components = 2;
/// Of all operators' components: what is computed for two tiles is to stay in the nearest cache.
constexpr std::size_t most_bytes = 16;

} // namespace

bool BodyEmitter::may_fold_pairs(const ir::Soac& soac,
                                 const std::vector<GroupState>& states) const {
  // (What selects by an order folds few tiles.)
  if (b.kernel.is_compact || only_selects(soac)) return false;
  std::size_t bytes = 0;
  for (const GroupState& state : states) {
    const Folding* const folding = folding_of(state);
    if (!folding) continue;
    if (folding->is_scan || !may_transpose(*folding->combine) ||
        folding->combine->statements.size() > most_statements ||
        folding->neutral->size() > most_components)
      return false;
    for (const ir::Operand& neutral : *folding->neutral) {
      const std::size_t size = byte_size(source_.type(neutral).element);
      if (size < 4) return false; // (no quick loads of a few)
      bytes += size;
    }
  }
  return bytes <= most_bytes;
}

/// Whether (i1) what is read surely is more than the caches have; null: it may be.
Value* BodyEmitter::come_from_afar(const ir::Soac& soac) {
  if (outer_index_) return nullptr; // rows, and nobody says here how many
  std::int64_t bytes = 0;
  for (const ArrayView& stream : streams_)
    bytes += static_cast<std::int64_t>(byte_size(stream.element));
  if (bytes == 0) return nullptr;
  return b.ir.CreateICmpSGE(scalar(soac.extent).value,
                            b.i64(b.kernel.facts().beyond_caches_bytes / bytes));
}

/// The rows of two tiles, whose elements have been computed.
void BodyEmitter::fold_pair(std::vector<GroupState>& states, const FoldEvents& events, Value* first,
                            const Meanwhile& meanwhile) {
  bool is_done = false; // once is enough
  for (std::size_t g = 0; g < states.size(); ++g)
    if (folding_of(states[g]))
      fold_pair(states, g, events, first, std::exchange(is_done, true) ? Meanwhile() : meanwhile);
}

void BodyEmitter::fold_pair(std::vector<GroupState>& states, std::size_t group,
                            const FoldEvents& events, Value* first, const Meanwhile& meanwhile) {
  const Folding& folding = *folding_of(states[group]);
  const std::int64_t tile_length = row_length * std::int64_t{b.kernel.width};
  const std::vector<ArrayView> results = results_of_rows(folding, turned_tiles);
  std::size_t widest = 1, narrowest = 8;
  for (const ArrayView& tile : folding.tile) {
    widest = std::max(widest, byte_size(tile.element));
    narrowest = std::min(narrowest, byte_size(tile.element));
  }

  b.enter_lanes(nullptr);
  const unsigned size = square_size(widest);
  const unsigned columns = has_half_squares(narrowest, size) ? size / 2 : size;
  std::array<std::vector<Accumulator>, turned_tiles> accumulators;
  for (std::vector<Accumulator>& of_tile : accumulators)
    of_tile = neutral_accumulators(folding);
  b.loop(b.i64(0), b.i64(row_length), columns, [&](Value* column) {
    if (meanwhile) meanwhile(column, columns);
    for (std::size_t t = 0; t < accumulators.size(); ++t) {
      Value* const begin = b.ir.CreateAdd(b.ir.CreateAdd(first, column),
                                          b.i64(static_cast<std::int64_t>(t) * tile_length));
      std::vector<std::vector<Value*>> turned;
      for (const ArrayView& tile : folding.tile) {
        auto* const type = llvm::FixedVectorType::get(b.memory_type(tile.element), columns);
        std::vector<Value*> rows;
        for (std::int64_t row = 0; row < std::int64_t{b.lanes()}; ++row) {
          const LaneValue index = b.uniform(b.ir.CreateAdd(begin, b.i64(row * row_length)));
          Value* const place = b.ir.CreateGEP(b.memory_type(tile.element), tile.base,
                                              b.element_offset(tile, {&index, 1}).value);
          rows.push_back(b.ir.CreateAlignedLoad(type, place, llvm::Align(byte_size(tile.element))));
        }
        turned.push_back(columns_of(std::move(rows), size));
      }
      fold_columns(folding, accumulators[t], turned);
    }
  });
  for (std::size_t t = 0; t < accumulators.size(); ++t) {
    const LaneValue numbers = b.linear(b.i64(static_cast<std::int64_t>(t) * b.kernel.width));
    for (std::size_t i = 0; i < results.size(); ++i)
      b.store(results[i], b.element_offset(results[i], {&numbers, 1}),
              std::get<LaneValue>(value_of(accumulators[t][i])));
  }
  b.leave_lanes();

  // (None but the first one may begin a block: the chain of additions waits for nothing else.)
  fold_row(states, events, group, first, results_of_row(results, first, first));
  b.loop(b.ir.CreateAdd(first, b.i64(row_length)),
         b.ir.CreateAdd(first, b.i64(turned_tiles * tile_length)), row_length, [&](Value* row) {
           const std::vector<Emitted> values = results_of_row(results, first, row);
           if (events.row) events.row(group, row, values);
           fold_into(folding, folding.block, values);
         });
}

} // namespace sinter::jit
