#include "gpu/skeletons/threads_alike.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinter::gpu {

using llvm::Value;

namespace {

/// Bits whose ballots follow each other; divides the bits of every type.
constexpr std::int64_t together = 4;

} // namespace

Value* threads_alike(EntryBuilder& entry, Value* number, Value* active, Value* bits) {
  jit::LaneBuilder& b = entry.b;
  auto* const type = number->getType();
  const jit::Variable alike = b.variable(ElementType::I32, jit::Shape::Uniform);
  const auto set = [&](Value* threads) {
    b.set(alike, {threads, jit::Shape::Uniform, ElementType::I32});
  };
  // Several bits at a time, whose ballots do not wait for each other.
  const auto keep_same = [&](Value* first, std::int64_t count) {
    std::vector<Value*> is_set, those;
    for (std::int64_t i = 0; i < count; ++i) {
      Value* const bit = b.ir.CreateZExtOrTrunc(b.ir.CreateAdd(first, b.i64(i)), type);
      is_set.push_back(b.ir.CreateTrunc(b.ir.CreateLShr(number, bit), b.ir.getInt1Ty()));
    }
    for (Value* const value : is_set)
      those.push_back(entry.call(AbstractFunction::ballot, {value}));
    Value* threads = b.get(alike).value;
    for (std::size_t i = 0; i < those.size(); ++i)
      threads =
          b.ir.CreateAnd(threads, b.ir.CreateSelect(is_set[i], those[i], b.ir.CreateNot(those[i])));
    set(threads);
  };
  set(active);
  if (const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(bits)) {
    const std::int64_t count = known->getSExtValue();
    for (std::int64_t bit = 0; bit < count; bit += together)
      keep_same(b.i64(bit), std::min(together, count - bit));
  } else {
    // (Bits that no number has tell nothing apart.)
    b.loop(b.i64(0), bits, together, [&](Value* bit) { keep_same(bit, together); });
  }
  return b.get(alike).value;
}

Value* threads_before(EntryBuilder& entry, Value* threads) {
  llvm::IRBuilder<>& ir = entry.b.ir;
  Value* const own = ir.CreateShl(ir.getInt32(1), entry.call(AbstractFunction::thread_index));
  return ir.CreateAnd(threads, ir.CreateSub(own, ir.getInt32(1)));
}

} // namespace sinter::gpu
