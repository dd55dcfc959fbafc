#include "gpu/skeletons/tile_hooks.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/kernels/gpu_hooks.h"
#include "jit/emit/lanes.h"

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

llvm::CallInst* call(LaneBuilder& b, AbstractFunction function,
                     std::initializer_list<Value*> arguments = {}) {
  return call_abstract(b.ir, b.kernel.module, function, arguments);
}

} // namespace

Value* TileHooks::may_go_on(LaneBuilder& b, const jit::FramePointers&) const {
  return b.ir.getTrue();
}

void look_as_block(LaneBuilder& b, const jit::FramePointers& frame, Value* is_due) {
  Value* const is_first =
      b.ir.CreateICmpEQ(call(b, AbstractFunction::thread_index), b.ir.getInt32(0));
  b.if_then(b.ir.CreateAnd(is_due, is_first), [&] {
    Value* const word = look_at_stop(b.ir, b.kernel.module, frame.failure);
    b.ir.CreateAlignedStore(word, shared_memory(b, 0), llvm::Align(4));
  });
}

void stop_as_block(LaneBuilder& b, Value* is_due) {
  llvm::BasicBlock *look = b.block("look"), *stop = b.block("stop"), *go_on = b.block("go_on");
  b.ir.CreateCondBr(is_due, look, go_on);
  b.ir.SetInsertPoint(look);
  Value* const word =
      b.ir.CreateAlignedLoad(b.ir.getInt32Ty(), shared_memory(b, 0), llvm::Align(4));
  b.ir.CreateCondBr(b.ir.CreateICmpEQ(word, b.ir.getInt32(0)), go_on, stop);
  b.ir.SetInsertPoint(stop);
  b.ir.CreateRet(b.i64(1));
  b.ir.SetInsertPoint(go_on);
}

Value* thread_of_block(LaneBuilder& b) {
  return b.ir.CreateZExt(call(b, AbstractFunction::thread_index), b.ir.getInt64Ty());
}

Value* shared_memory(LaneBuilder& b, std::uint64_t byte) {
  return b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), call(b, AbstractFunction::shared_memory), byte);
}

void block_barrier(LaneBuilder& b) {
  call(b, AbstractFunction::barrier);
}

} // namespace sinter::gpu
