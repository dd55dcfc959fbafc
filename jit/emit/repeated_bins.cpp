// Histograms whose elements come bin by bin, as of numbers that ascend: what is stored in a bin and
// read again at once takes a processor several times as long as to combine it.  Elements of the
// same bin as the one before are combined with what became of that.
//
// The order in which elements are combined stays.  Of W elements it is asked whether that pays.
#include "jit/emit/body.h"
#include "jit/emit/kernel_shape.h"

#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace sinter::jit {

using llvm::Value;

/// Whether bins have one index, and numbers alone.
bool BodyEmitter::may_keep_bin(const HistogramState& state) const {
  return state.group->index_count == 1 && !b.kernel.is_compact &&
         b.kernel.facts().vector_bytes != 0 &&
         std::ranges::all_of(state.group->neutral, [&](const ir::Operand& neutral) {
           return source_.type(neutral).is_scalar();
         });
}

BodyEmitter::KeptBin BodyEmitter::keep_bin(const HistogramState& state) {
  KeptBin kept;
  for (const ir::Operand& neutral : state.group->neutral)
    kept.values.push_back(b.variable(source_.type(neutral).element, Shape::Uniform));
  return kept;
}

/// `is_same` (i1): whether the bin is the one that was combined with before; null: it is not.
void BodyEmitter::combine_with_kept(const HistogramState& state, const KeptBin& kept,
                                    const LaneValue& bin, std::span<const Emitted> elements,
                                    Value* is_same) {
  std::vector<ArrayView> rows;
  for (const ArrayView& place : state.places)
    rows.push_back(b.subarray(place, {&bin, 1}));
  const auto load = [&] {
    for (std::size_t i = 0; i < rows.size(); ++i)
      b.set(kept.values[i], b.load(rows[i], rows[i].offset));
  };
  if (is_same)
    b.if_then(b.ir.CreateNot(is_same), load);
  else
    load();
  std::vector<Emitted> left;
  for (const Variable& value : kept.values)
    left.emplace_back(b.get(value));
  const std::vector<Emitted> result = combine(state.group->combine, left, elements);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& value = std::get<LaneValue>(result[i]);
    b.set(kept.values[i], value);
    b.store(rows[i], rows[i].offset, value);
  }
}

/// Of W elements whose bins are all there, where most have the bin of the one before.
void BodyEmitter::update_repeated_bins(const HistogramState& state, const GroupElement& element) {
  const KeptBin kept = keep_bin(state);
  std::optional<Value*> before;
  for_each_lane(element.scalars(element.values.size()), [&](std::span<const LaneValue> one) {
    const std::vector<Emitted> values(one.begin() + 1, one.end());
    Value* const is_same = before ? b.ir.CreateICmpEQ(one[0].value, *before) : nullptr;
    combine_with_kept(state, kept, one[0], values, is_same);
    before = one[0].value;
  });
}

/// Whether (i1) of a vector of bins most are the one before: where some are, a processor does not
/// foresee which.
Value* BodyEmitter::most_repeat(Value* bins) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(bins->getType())->getNumElements();
  std::vector<int> before;
  for (unsigned i = 0; i + 1 < count; ++i)
    before.push_back(static_cast<int>(i));
  before.insert(before.begin(), 0);
  auto* const bits = b.ir.getIntNTy(count);
  Value* const is_same = b.ir.CreateICmpEQ(bins, b.ir.CreateShuffleVector(bins, before));
  Value* const same =
      b.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, b.ir.CreateBitCast(is_same, bits));
  return b.ir.CreateICmpUGT(same, llvm::ConstantInt::get(bits, std::uint64_t{count} * 3 / 4));
}

/// Whether (i1) most of W elements have the bin of the one before, and all are there.
Value* BodyEmitter::repeat_bins(const HistogramState& state, const LaneValue& bin) {
  using namespace llvm::PatternMatch;
  Value* numbers = b.vector(bin);
  Value* narrow = nullptr;
  if (match(numbers, m_SExt(m_Value(narrow)))) numbers = narrow;
  const LaneValue there = within(source_.type(state.group->destinations[0]), {&bin, 1});
  Value* const absent = b.ir.CreateNot(b.and_mask(b.vector(there)));
  return b.ir.CreateAnd(most_repeat(numbers), b.ir.CreateNot(b.any(absent)));
}

} // namespace sinter::jit
