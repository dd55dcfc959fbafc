// Folds by pairs of tiles whose elements are computed while the pair before is folded.
//
// To compute elements waits for memory, to fold them waits for the additions before.  One after the
// other they take the sum of both: while a pair is folded, nothing comes from memory but what is
// asked for, of which there are few lines at a time.  So each few columns of a pair are folded
// along with as many elements of the next one, which read on where the ones before have ended:
//
//   for columns c, c + 8, … of the pair
//     fold the columns c … c + 7 of both tiles
//     compute the next elements of the next pair       in the other half of the tiles' memory
#include "jit/emit/body.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/operations.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <limits>

namespace sinter::jit {

using llvm::Value;
using primitives::row_length;

namespace {

/// The body is emitted once more, in a loop that is to be looked through as a whole.
constexpr std::size_t most_statements_ahead = 6;
/// Of all operators' components: two pairs are to stay in the nearest cache.
constexpr std::size_t most_bytes_ahead = 8;
/// What is read is asked for so far ahead: with a pair in between, a processor does not see far
/// enough by itself (Zen 4, products of 2 × 2^26 f32, 1 / 2 threads: 27 / 19 ms without, 23 / 16
/// from 512 to 1280 bytes ahead, 28 / 17 from 4096; 32 / 19 where a pair is computed, then folded).
constexpr std::int64_t bytes_to_fetch = 1024;
/// No pair begins there.
constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::min();

} // namespace

bool BodyEmitter::may_compute_ahead(const ir::Soac& soac,
                                    const std::vector<GroupState>& states) const {
  if (outer_index_ || streams_of(soac).empty() ||
      soac.body.statements.size() > most_statements_ahead || !is_light(soac.body) ||
      !is_scalar_code(soac.body)) // which it does not matter when it is computed
    return false;
  std::size_t bytes = 0;
  for (const GroupState& state : states) {
    const Folding* const folding = folding_of(state);
    if (!folding) return false;
    for (const ir::Operand& neutral : *folding->neutral)
      bytes += byte_size(source_.type(neutral).element);
  }
  return bytes <= most_bytes_ahead;
}

BodyEmitter::Ahead BodyEmitter::begin_ahead(std::int64_t length) {
  const Ahead ahead{length, b.variable(ElementType::I64, Shape::Uniform)};
  b.set(ahead.first, b.index(nowhere));
  return ahead;
}

/// The offset (i64) of tiles: those of neighbouring pairs are apart.
Value* BodyEmitter::place_of_tiles(const Ahead& ahead, Value* first) {
  return b.ir.CreateSub(b.ir.CreateAnd(first, b.i64(ahead.length)), first);
}

/// A whole pair of the range up to `end`.  (Of shorter vectors there are more, and fewer registers:
/// from the caches they would take 1.15 of the time, with AVX2, that it takes to compute a pair and
/// then to fold it.)
void BodyEmitter::fold_ahead(const ir::Soac& soac, std::vector<GroupState>& states,
                             const FoldEvents& events, const Ahead& ahead, Value* first, Value* end,
                             Value* from_afar) {
  Value* const next = b.ir.CreateAdd(first, b.i64(ahead.length));
  Value* has_next = b.ir.CreateICmpSLE(b.ir.CreateAdd(next, b.i64(ahead.length)), end);
  const bool only_from_afar = from_afar && !b.kernel.facts().has_long_vectors();
  if (only_from_afar) has_next = b.ir.CreateAnd(has_next, from_afar);
  const std::int64_t elements_a_column = ahead.length / row_length;
  std::vector<GroupState> next_states = states;
  for (GroupState& state : next_states) {
    Folding& folding = *folding_of(state);
    for (std::size_t i = 0; i < folding.tile.size(); ++i)
      if (!folding.is_input[i]) folding.tile[i].offset = b.uniform(place_of_tiles(ahead, next));
  }
  const auto fetch_from = [&](Value* place) {
    for (const ArrayView& stream : streams_) {
      const LaneValue index = b.uniform(place);
      Value* const here = b.ir.CreateGEP(b.memory_type(stream.element), stream.base,
                                         b.element_offset(stream, {&index, 1}).value);
      b.kernel.hooks.fetch(b, b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), here, bytes_to_fetch),
                           TargetHooks::Cache::Second);
    }
  };
  fold_pair(states, events, first, [&](Value* column, unsigned columns) {
    if (only_from_afar)
      b.if_then(b.ir.CreateNot(from_afar),
                [&] { fetch_ahead(first, column, columns, turned_tiles, from_afar); });
    b.leave_lanes();
    Value* const begin = b.ir.CreateAdd(next, b.ir.CreateMul(column, b.i64(elements_a_column)));
    Value* const count = b.ir.CreateSelect(has_next, b.i64(elements_a_column * columns), b.i64(0));
    compute_tiles(next_states, [&](std::vector<GroupState>& into_tiles) {
      b.whole_lanes(begin, b.ir.CreateAdd(begin, count), [&](Value* place) {
        if (from_afar && b.kernel.facts().fetches) b.if_then(from_afar, [&] { fetch_from(place); });
        element(soac, into_tiles, b.linear(place));
      });
    });
    b.enter_lanes(nullptr);
  });
  b.set(ahead.first, b.uniform(b.ir.CreateSelect(has_next, next, b.i64(nowhere))));
}

} // namespace sinter::jit
