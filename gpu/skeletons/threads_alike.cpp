#include "gpu/skeletons/threads_alike.h"

#include <cstdint>

namespace sinter::gpu {

using llvm::Value;

Value* threads_alike(EntryBuilder& entry, Value* number, Value* active, Value* bits) {
  jit::LaneBuilder& b = entry.b;
  auto* const type = number->getType();
  const jit::Variable alike = b.variable(ElementType::I32, jit::Shape::Uniform);
  const auto set = [&](Value* threads) {
    b.set(alike, {threads, jit::Shape::Uniform, ElementType::I32});
  };
  const auto keep_same = [&](Value* bit) {
    Value* const shifted = b.ir.CreateLShr(number, b.ir.CreateZExtOrTrunc(bit, type));
    Value* const is_set = b.ir.CreateTrunc(shifted, b.ir.getInt1Ty());
    Value* const those = entry.call(AbstractFunction::ballot, {is_set});
    set(b.ir.CreateAnd(b.get(alike).value,
                       b.ir.CreateSelect(is_set, those, b.ir.CreateNot(those))));
  };
  set(active);
  if (const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(bits))
    for (std::int64_t bit = 0; bit < known->getSExtValue(); ++bit)
      keep_same(b.i64(bit));
  else
    b.loop(b.i64(0), bits, 1, keep_same);
  return b.get(alike).value;
}

Value* threads_before(EntryBuilder& entry, Value* threads) {
  llvm::IRBuilder<>& ir = entry.b.ir;
  Value* const own = ir.CreateShl(ir.getInt32(1), entry.call(AbstractFunction::thread_index));
  return ir.CreateAnd(threads, ir.CreateSub(own, ir.getInt32(1)));
}

} // namespace sinter::gpu
