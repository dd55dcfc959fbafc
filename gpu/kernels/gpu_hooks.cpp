#include "gpu/kernels/gpu_hooks.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/kernels/control_block.h"
#include "jit/emit/lanes.h"

#include <cstddef>
#include <span>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace sinter::gpu {

using jit::FramePointers;
using jit::LaneBuilder;
using llvm::Value;

namespace {

constexpr std::uint32_t turns_between_looks = 1024; ///< a power of two
constexpr const char* counter_name = "sinter_turns";

/// A field of the control block, in the device's memory.
Value* control_field(llvm::IRBuilderBase& ir, Value* control_block, std::size_t offset) {
  Value* const field = ir.CreateConstGEP1_64(ir.getInt8Ty(), control_block, offset);
  return ir.CreateAddrSpaceCast(field, ir.getPtrTy(global_space));
}

/// A slot of the thread, which is 0 at the function's beginning.
llvm::AllocaInst* counter_of(llvm::Function& function) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  for (llvm::Instruction& instruction : entry)
    if (auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (slot->hasMetadata(counter_name)) return slot;
  llvm::IRBuilder<> ir(function.getContext());
  if (entry.getTerminator())
    ir.SetInsertPoint(entry.getTerminator());
  else
    ir.SetInsertPoint(&entry);
  llvm::AllocaInst* const slot = ir.CreateAlloca(ir.getInt32Ty());
  slot->setMetadata(counter_name, llvm::MDNode::get(function.getContext(), {}));
  ir.CreateStore(ir.getInt32(0), slot);
  return slot;
}

llvm::BasicBlock* block(llvm::Function& function, const char* name) {
  return llvm::BasicBlock::Create(function.getContext(), name, &function);
}

Value* field(LaneBuilder& b, const FramePointers& frame, std::size_t offset) {
  return b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), frame.arena, offset);
}

} // namespace

Value* look_at_stop(llvm::IRBuilderBase& ir, llvm::Module& module, Value* control_block) {
  constexpr const char* name = "look_at_stop";
  llvm::Function* function = module.getFunction(name);
  if (!function) {
    llvm::LLVMContext& context = module.getContext();
    llvm::IRBuilder<> inner(context);
    function = llvm::Function::Create(
        llvm::FunctionType::get(inner.getInt32Ty(), {inner.getPtrTy()}, false),
        llvm::Function::InternalLinkage, name, module);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::BasicBlock *look = block(*function, "look"), *note = block(*function, "note"),
                     *done = block(*function, "done");
    Value* const control = function->getArg(0);
    inner.SetInsertPoint(look);
    Value* const word =
        call_abstract(inner, module, AbstractFunction::poll,
                      {control_field(inner, control, offsetof(ControlBlock, stop))});
    inner.CreateCondBr(inner.CreateICmpEQ(word, inner.getInt32(0)), done, note);
    inner.SetInsertPoint(note);
    // (An atomic update would be combined within the warp, which takes registers in the midst of
    // loops.)
    call_abstract(
        inner, module, AbstractFunction::tell_i32,
        {control_field(inner, control, offsetof(ControlBlock, ended)), inner.getInt32(1)});
    inner.CreateBr(done);
    inner.SetInsertPoint(done);
    inner.CreateRet(word);
  }
  return ir.CreateCall(function, {control_block});
}

void note_end(llvm::IRBuilderBase& ir, Value* control_block) {
  ir.CreateAtomicRMW(llvm::AtomicRMWInst::Or,
                     control_field(ir, control_block, offsetof(ControlBlock, ended)),
                     ir.getInt32(1), llvm::MaybeAlign(4), llvm::AtomicOrdering::Monotonic);
}

Value* poll_at_times(llvm::IRBuilderBase& ir, llvm::Function& function, Value* control_block) {
  llvm::AllocaInst* const counter = counter_of(function);
  Value* const turns = ir.CreateAdd(ir.CreateLoad(ir.getInt32Ty(), counter), ir.getInt32(1));
  ir.CreateStore(turns, counter);
  Value* const rest = ir.CreateAnd(turns, ir.getInt32(turns_between_looks - 1));
  llvm::BasicBlock* const before = ir.GetInsertBlock();
  llvm::BasicBlock *look = block(function, "look"), *goes_on = block(function, "goes_on");
  ir.CreateCondBr(ir.CreateICmpEQ(rest, ir.getInt32(0)), look, goes_on)
      ->setMetadata(look_name, llvm::MDNode::get(function.getContext(), {}));
  ir.SetInsertPoint(look);
  Value* const word = look_at_stop(ir, *function.getParent(), control_block);
  Value* const is_calm = ir.CreateICmpEQ(word, ir.getInt32(0));
  ir.CreateBr(goes_on);
  ir.SetInsertPoint(goes_on);
  llvm::PHINode* const may_go_on = ir.CreatePHI(ir.getInt1Ty(), 2);
  may_go_on->addIncoming(ir.getTrue(), before);
  may_go_on->addIncoming(is_calm, look);
  return may_go_on;
}

void share_counter_of_turns(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> counters;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (slot->hasMetadata(counter_name)) counters.push_back(slot);
  if (counters.empty()) return;
  // (What sets that of an inlined function to 0 would do so each time around.)
  for (llvm::AllocaInst* const counter : counters)
    for (llvm::User* const user : llvm::make_early_inc_range(counter->users()))
      if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(user))
        if (llvm::isa<llvm::Constant>(store->getValueOperand())) store->eraseFromParent();
  llvm::AllocaInst* const shared = counters.front();
  llvm::IRBuilder<> ir(shared->getNextNode());
  ir.CreateStore(ir.getInt32(0), shared);
  for (llvm::AllocaInst* const counter : std::span(counters).subspan(1)) {
    counter->replaceAllUsesWith(shared);
    counter->eraseFromParent();
  }
}

void GpuHooks::note_failure(LaneBuilder& b, const FramePointers& frame, Value* index,
                            std::uint32_t site) const {
  Value* const key = b.ir.CreateOr(b.ir.CreateShl(index, 16), b.ir.getInt64(site));
  b.ir.CreateAtomicRMW(llvm::AtomicRMWInst::UMin,
                       control_field(b.ir, frame.failure, offsetof(ControlBlock, failure)), key,
                       llvm::MaybeAlign(8), llvm::AtomicOrdering::Monotonic);
}

Value* GpuHooks::may_go_on(LaneBuilder& b, const FramePointers& frame) const {
  return poll_at_times(b.ir, *b.function, frame.failure);
}

Value* GpuHooks::allocate(LaneBuilder& b, const FramePointers& frame, Value* bytes,
                          std::size_t element_bytes, llvm::BasicBlock* lacking) const {
  use_scratch_ = true;
  llvm::Type* const word = b.ir.getInt64Ty();
  Value* const is_absurd = b.ir.CreateICmpUGT(bytes, b.ir.getInt64(most_scratch_bytes));
  Value* const counted = b.ir.CreateSelect(is_absurd, b.ir.getInt64(most_scratch_bytes), bytes);
  const std::size_t region = scratch_region(element_bytes);
  const auto of_region = [&](std::size_t offset) {
    return field(b, frame, offset + region * sizeof(std::uint64_t));
  };
  Value* const used_place = of_region(offsetof(ScratchPiece, used));
  Value* const used = b.ir.CreateLoad(word, used_place);
  Value* const end = b.ir.CreateAdd(used, counted);
  Value* const room = b.ir.CreateLoad(word, of_region(offsetof(ScratchPiece, bytes)));
  llvm::BasicBlock *fits = b.block("fits"), *lacks = b.block("lacks");
  b.ir.CreateCondBr(b.ir.CreateICmpULE(end, room), fits, lacks);
  b.ir.SetInsertPoint(lacks);
  llvm::Instruction* const note =
      b.ir.CreateAtomicRMW(llvm::AtomicRMWInst::UMax,
                           control_field(b.ir, frame.failure, offsetof(ControlBlock, scratch)), end,
                           llvm::MaybeAlign(8), llvm::AtomicOrdering::Monotonic);
  llvm::Metadata* const number =
      llvm::ConstantAsMetadata::get(b.ir.getInt32(static_cast<std::uint32_t>(region)));
  note->setMetadata(scratch_end_name, llvm::MDNode::get(b.ir.getContext(), number));
  b.ir.CreateBr(lacking);
  b.ir.SetInsertPoint(fits);
  b.ir.CreateStore(end, used_place);
  Value* const base = b.ir.CreateLoad(word, of_region(offsetof(ScratchPiece, base)));
  Value* const begin = b.ir.CreateMul(used, scratch_stride(b, frame));
  return b.ir.CreateIntToPtr(b.ir.CreateAdd(base, begin), b.ir.getPtrTy());
}

Value* GpuHooks::scratch_stride(LaneBuilder& b, const FramePointers& frame) const {
  return b.ir.CreateLoad(b.ir.getInt64Ty(), field(b, frame, offsetof(ScratchPiece, together)));
}

Value* GpuHooks::mark(LaneBuilder& b, const FramePointers& frame) const {
  return b.ir.CreateLoad(llvm::ArrayType::get(b.ir.getInt64Ty(), scratch_regions),
                         field(b, frame, offsetof(ScratchPiece, used)));
}

void GpuHooks::release(LaneBuilder& b, const FramePointers& frame, Value* mark) const {
  b.ir.CreateStore(mark, field(b, frame, offsetof(ScratchPiece, used)));
}

} // namespace sinter::gpu
