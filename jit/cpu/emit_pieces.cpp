// Ranges of a SOAC's elements in each of which conditions on the index keep their value: they are
// found one after the other when the code runs.  Long ones go in lanes, short ones (the borders of
// a stencil) one by one.
#include "jit/cpu/emit_body.h"
#include "jit/cpu/index_predicates.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using llvm::Value;

namespace {

/// No more elements than this part of a vector go one by one.
constexpr std::int64_t short_part = 4;
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
  return std::all_of(
             soac.groups.begin(), soac.groups.end(),
             [](const ir::Group& group) { return std::holds_alternative<ir::MapGroup>(group); }) &&
         !index_predicates(soac).empty();
}

void BodyEmitter::elements_in_pieces(const ir::Soac& soac, std::vector<GroupState>& states,
                                     Value* begin, Value* end, bool emits_once) {
  struct Known {
    ir::ValueId result;
    primitives::Operation order{};
    Value* offset = nullptr;
    Value* bound = nullptr;
  };
  std::vector<Known> conditions;
  std::vector<Value*> changes;
  for (const IndexPredicate& predicate : index_predicates(soac)) {
    Value* offset = b.i64(predicate.constant);
    for (const IndexPredicate::Term& term : predicate.terms) {
      Value* const value = scalar(term.operand).value;
      offset = term.is_subtracted ? b.ir.CreateSub(offset, value) : b.ir.CreateAdd(offset, value);
    }
    Value* const bound = scalar(predicate.bound).value;
    conditions.push_back({predicate.result, predicate.order, offset, bound});
    for_each_change(predicate.order, Word{b, offset}, Word{b, bound}, Word{b, b.i64(1)},
                    Word{b, b.i64(INT64_MIN)}, [&](const Word& change) {
                      const auto* number = llvm::dyn_cast<llvm::ConstantInt>(change.value);
                      const bool is_never = number && (number->getSExtValue() <= 0 ||
                                                       number->getSExtValue() > beyond_all_indices);
                      const bool is_known =
                          std::find(changes.begin(), changes.end(), change.value) != changes.end();
                      if (!is_never && !is_known) changes.push_back(change.value);
                    });
  }
  Reads reads;
  find_reads(soac.body, reads);
  for (const auto& [array, indices] : reads)
    if (indices) streamed_.insert(array);
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  b.set(next, b.uniform(begin));
  b.while_loop(
      [&] { return b.ir.CreateICmpSLT(b.get(next).value, end); },
      [&] {
        Value* const from = b.get(next).value;
        Value* to = end;
        for (Value* change : changes)
          to = b.ir.CreateSelect(b.ir.CreateICmpSGT(change, from), b.lesser_of(change, to), to);
        for (const Known& condition : conditions)
          settled_[condition.result.index] =
              compared(b, condition.order, b.ir.CreateAdd(from, condition.offset), condition.bound);
        piece(soac, states, begin, from, to, emits_once);
        b.set(next, b.uniform(to));
      });
  for (const Known& condition : conditions)
    settled_.erase(condition.result.index);
  streamed_.clear();
}

/// What a stencil reads once comes from memory, while the neighbours are in the caches: one stream
/// alone, which the processor does not fetch fast enough by itself.  Nor does it fetch at all what
/// is read under a mask, and then not again before much else has been done.
void BodyEmitter::fetch_ahead(const ArrayView& array, Value* offset, std::size_t elements) {
  constexpr std::size_t bytes_ahead = 4096, line = 64;
  Value* const here = b.ir.CreateGEP(b.memory_type(array.element), array.base, offset);
  for (std::size_t at = 0; at < elements * byte_size(array.element); at += line)
    b.fetch(b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), here, bytes_ahead + at));
}

/// Vectors lie at multiples of their size from `begin` on, so that they may be streamed.
void BodyEmitter::piece(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                        Value* from, Value* to, bool emits_once) {
  const std::int64_t width = b.kernel.width;
  const auto in_lanes = [&](Value* first) {
    const LaneValue index = b.linear(first);
    element(soac, states, index, [&] { apply(soac, states, index); });
  };
  const auto one_by_one = [&] {
    const bool across = std::exchange(across_lanes_, false);
    b.loop(from, to, 1, [&](Value* i) {
      const LaneValue index = b.uniform(i);
      element(soac, states, index, [&] { apply(soac, states, index); });
    });
    across_lanes_ = across;
  };
  const auto in_vectors = [&] {
    if (emits_once) return b.lanes_range(from, to, in_lanes, true);
    // At most twice: what comes before whole vectors, and those; what comes after them.
    const Variable next = b.variable(ElementType::I64, Shape::Uniform);
    b.set(next, b.uniform(from));
    b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, to); },
                 [&] {
                   Value* const first = b.get(next).value;
                   Value* const distance = b.ir.CreateSub(first, begin);
                   Value* const in_vector = b.ir.CreateAnd(distance, b.i64(width - 1));
                   Value* const stop = b.lesser_of(
                       b.ir.CreateAdd(b.ir.CreateSub(first, in_vector), b.i64(width)), to);
                   Value* const is_part =
                       b.ir.CreateICmpSLT(b.ir.CreateSub(stop, first), b.i64(width));
                   b.if_then(is_part, [&] { b.masked_lanes(first, stop, in_lanes); });
                   Value* const whole = b.ir.CreateSelect(is_part, stop, first);
                   Value* const end_of_whole = b.end_of_whole(whole, to);
                   b.whole_lanes(whole, end_of_whole, in_lanes);
                   b.set(next, b.uniform(end_of_whole));
                 });
  };
  b.if_then_else(b.ir.CreateICmpSLE(b.ir.CreateSub(to, from), b.i64(width / short_part)),
                 one_by_one, in_vectors);
}

} // namespace sinter::jit
