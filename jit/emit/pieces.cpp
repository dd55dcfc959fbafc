// Ranges of a SOAC's elements in each of which conditions on the index keep their value: they are
// found one after the other when the code runs.
//
//   elements     0 1 2 3 | 4 5 6 7 | 8 9 …          vectors, of 4 lanes
//   i - 1 >= 0   n y y y | y y y y | y y …          settled from the second vector on
//
// Whole vectors in one range have its conditions settled.  Vectors across ranges (the borders of a
// stencil) and parts of vectors are computed as if the conditions were any others, under a mask.
#include "jit/emit/body.h"
#include "jit/emit/edge_reads.h"
#include "jit/emit/index_predicates.h"
#include "jit/emit/kernel_shape.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Every element of the index space is less than this.
constexpr std::int64_t beyond_all_indices = std::int64_t{1} << 62;

/// A number that is computed when the code runs.
struct Word {
  LaneBuilder& b;
  Value* value;
  friend Word operator+(const Word& left, const Word& right) {
    return {left.b, left.b.ir.CreateAdd(left.value, right.value)};
  }
  friend Word operator-(const Word& left, const Word& right) {
    return {left.b, left.b.ir.CreateSub(left.value, right.value)};
  }
};

Value* compared(LaneBuilder& b, primitives::Operation order, Value* left, Value* right) {
  using primitives::Operation;
  switch (order) {
  case Operation::Less:
    return b.ir.CreateICmpSLT(left, right);
  case Operation::LessEqual:
    return b.ir.CreateICmpSLE(left, right);
  case Operation::Greater:
    return b.ir.CreateICmpSGT(left, right);
  case Operation::GreaterEqual:
    return b.ir.CreateICmpSGE(left, right);
  case Operation::Equal:
    return b.ir.CreateICmpEQ(left, right);
  default:
    return b.ir.CreateICmpNE(left, right);
  }
}

/// How its arrays are read, in branches too (not in loops).
using Reads = std::unordered_map<std::uint32_t, const std::vector<ir::Operand>*>;
void find_reads(const ir::Body& body, Reads& reads) {
  for (const ir::Statement& statement : body.statements) {
    if (const auto* index = std::get_if<ir::Index>(&statement.operation)) {
      const auto [known, is_first] = reads.try_emplace(index->array.index, &index->indices);
      if (!is_first && known->second && *known->second != index->indices) known->second = nullptr;
    }
    if (const auto* branch = std::get_if<ir::If>(&statement.operation)) {
      find_reads(branch->then_body, reads);
      find_reads(branch->else_body, reads);
    }
  }
}

} // namespace

/// (Reductions and scans go through their elements in ways of their own.)
bool BodyEmitter::wants_pieces(const ir::Soac& soac) {
  return has_only<ir::MapGroup>(soac) && !index_predicates(soac).empty();
}

void BodyEmitter::elements_in_pieces(const ir::Soac& soac, std::vector<GroupState>& states,
                                     Value* begin, Value* end) {
  Reads reads;
  find_reads(soac.body, reads);
  for (const auto& [array, indices] : reads)
    if (indices) streamed_.insert(array);
  if (const std::optional<EdgeReads> edges = edge_reads(source_, soac);
      edges && may_move_edges(*edges)) {
    elements_by_edges(soac, states, begin, end, *edges);
    return streamed_.clear();
  }
  const std::vector<KnownPredicate> predicates = known_predicates(soac);
  const std::vector<Value*> changes = changes_of(predicates);
  const auto in_lanes = [&](Value* first) {
    const LaneValue index = b.linear(first);
    element(soac, states, index);
  };
  const std::int64_t width = b.kernel.width;
  Value* const origin = vectors_begin(states, begin, end);
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  b.set(next, b.uniform(begin));
  const auto whole_vectors = [&](Value* from, Value* to) {
    for (const KnownPredicate& one : predicates)
      settled_[one.result.index] =
          compared(b, one.order, b.ir.CreateAdd(from, one.offset), one.bound);
    Value* const stop = b.end_of_whole(from, to);
    b.whole_lanes(from, stop, in_lanes);
    b.set(next, b.uniform(stop));
    settled_.clear();
  };
  const auto part = [&](Value* from, Value* in_vector) {
    Value* const stop =
        b.lesser_of(b.ir.CreateAdd(b.ir.CreateSub(from, in_vector), b.i64(width)), end);
    has_few_shortcuts_ = true;
    b.masked_lanes(from, stop, in_lanes);
    has_few_shortcuts_ = false;
    b.set(next, b.uniform(stop));
  };
  const auto piece = [&] {
    Value* const from = b.get(next).value;
    Value* to = end;
    for (Value* change : changes)
      to = b.ir.CreateSelect(b.ir.CreateICmpSGT(change, from), b.lesser_of(change, to), to);
    Value* const in_vector = b.ir.CreateAnd(b.ir.CreateSub(from, origin), b.i64(width - 1));
    Value* const are_whole =
        b.ir.CreateAnd(b.ir.CreateICmpEQ(in_vector, b.i64(0)),
                       b.ir.CreateICmpSGE(b.ir.CreateSub(to, from), b.i64(width)));
    b.if_then_else(
        are_whole, [&] { whole_vectors(from, to); }, [&] { part(from, in_vector); });
  };
  b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, end); }, piece);
  streamed_.clear();
}

std::vector<BodyEmitter::KnownPredicate> BodyEmitter::known_predicates(const ir::Soac& soac) {
  std::vector<KnownPredicate> result;
  for (const IndexPredicate& predicate : index_predicates(soac)) {
    Value* offset = b.i64(predicate.constant);
    for (const IndexPredicate::Term& term : predicate.terms) {
      Value* const value = scalar(term.operand).value;
      offset = term.is_subtracted ? b.ir.CreateSub(offset, value) : b.ir.CreateAdd(offset, value);
    }
    result.push_back({predicate.result, predicate.order, offset, scalar(predicate.bound).value});
  }
  return result;
}

/// Each once, of those that may be within an index space.
std::vector<Value*> BodyEmitter::changes_of(std::span<const KnownPredicate> predicates) {
  std::vector<Value*> changes;
  const auto note = [&](const Word& change) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(change.value);
    const bool is_never =
        number && (number->getSExtValue() <= 0 || number->getSExtValue() > beyond_all_indices);
    if (!is_never && std::find(changes.begin(), changes.end(), change.value) == changes.end())
      changes.push_back(change.value);
  };
  for (const KnownPredicate& one : predicates)
    for_each_change(one.order, Word{b, one.offset}, Word{b, one.bound}, Word{b, b.i64(1)},
                    Word{b, b.i64(INT64_MIN)}, note);
  return changes;
}

/// Vectors lie at multiples of their size from there on: from the beginning, so that they may be
/// streamed; or, if there are many, as they do in memory.
Value* BodyEmitter::vectors_begin(const std::vector<GroupState>& states, Value* begin, Value* end) {
  constexpr std::int64_t cache_line = 64, many = 4;
  for (const GroupState& state : states) {
    const Stored* const stored = stored_of(state);
    if (!stored || stored->places.size() != 1) continue;
    const ArrayView& place = stored->places[0];
    const auto* const stride =
        place.strides.size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(place.strides[0]) : nullptr;
    if (!stride || !stride->isOne() || place.is_private) continue;
    const auto size = static_cast<std::int64_t>(byte_size(place.element));
    const std::int64_t lanes = std::min<std::int64_t>(b.kernel.width, cache_line / size);
    const LaneValue first = b.uniform(begin);
    Value* const address =
        b.ir.CreatePtrToInt(b.ir.CreateGEP(b.memory_type(place.element), place.base,
                                           b.element_offset(place, {&first, 1}).value),
                            b.ir.getInt64Ty());
    Value* const before =
        b.ir.CreateAnd(b.ir.CreateLShr(address, b.i64(std::countr_zero(byte_size(place.element)))),
                       b.i64(lanes - 1));
    return b.ir.CreateSelect(
        b.ir.CreateICmpSGE(b.ir.CreateSub(end, begin), b.i64(many * b.kernel.width)),
        b.ir.CreateSub(begin, before), begin);
  }
  return begin;
}

/// What a stencil reads once comes from memory, while the neighbours are in the caches: one stream
/// alone, which the processor does not fetch fast enough by itself.  Nor does it fetch at all what
/// is read under a mask, and then not again before much else has been done.  Of what else is larger
/// than the caches, there is little on its way while much is computed of each element.
void BodyEmitter::fetch_ahead(const ArrayView& array, Value* offset, std::size_t elements,
                              std::int64_t bytes_ahead) {
  constexpr std::int64_t line = 64;
  if (!b.kernel.facts().fetches) return;
  Value* const here = b.ir.CreateGEP(b.memory_type(array.element), array.base, offset);
  const auto bytes = static_cast<std::int64_t>(elements * byte_size(array.element));
  for (std::int64_t at = 0; at < bytes; at += line)
    b.kernel.hooks.fetch(b, b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), here, bytes_ahead + at),
                         TargetHooks::Cache::First);
}

} // namespace sinter::jit
