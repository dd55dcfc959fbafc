#include "gpu/ptx/lower_functions.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/ptx/rules.h"

#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

namespace {

using llvm::Value;

/// A call that is replaced by what is built in its place.
struct Lowering {
  llvm::IRBuilder<> ir;
  llvm::CallInst& call;

  Value* argument(unsigned i) const { return call.getArgOperand(i); }
  llvm::Module& module() const { return *call.getModule(); }
};

// ---- where a thread is -------------------------------------------------------------------------

/// A register that holds numbers in [least, beyond).
Value* special_register(llvm::IRBuilderBase& ir, llvm::Intrinsic::ID id, unsigned least,
                        unsigned beyond) {
  llvm::CallInst* const number = ir.CreateIntrinsic(id, {}, {});
  number->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, least), llvm::APInt(32, beyond)));
  return number;
}
constexpr unsigned most_blocks_x = 0x7fffffff, most_blocks_y = 0xffff;

Value* lower_thread_index(Lowering& l) {
  return read_thread_index(l.ir);
}
Value* lower_block_size(Lowering& l) {
  return special_register(l.ir, llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1, most_threads + 1);
}
Value* lower_block_index_x(Lowering& l) {
  return special_register(l.ir, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, most_blocks_x);
}
Value* lower_block_index_y(Lowering& l) {
  return special_register(l.ir, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y, 0, most_blocks_y);
}
Value* lower_block_index_z(Lowering& l) {
  return special_register(l.ir, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z, 0, most_blocks_y);
}
Value* lower_grid_size_x(Lowering& l) {
  return special_register(l.ir, llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x, 1, most_blocks_x + 1);
}
Value* lower_grid_size_y(Lowering& l) {
  return special_register(l.ir, llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y, 1, most_blocks_y + 1);
}
Value* lower_grid_size_z(Lowering& l) {
  return special_register(l.ir, llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z, 1, most_blocks_y + 1);
}

// ---- within a block ----------------------------------------------------------------------------

Value* lower_barrier(Lowering& l) {
  return l.ir.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {}); // bar.sync 0
}

/// As many bytes as the launch says: the array has none of its own.
Value* lower_shared_memory(Lowering& l) {
  constexpr const char* name = "sinter_shared_memory";
  if (llvm::GlobalVariable* const known = l.module().getNamedGlobal(name)) return known;
  auto* const memory =
      new llvm::GlobalVariable(l.module(), llvm::ArrayType::get(l.ir.getInt8Ty(), 0), false,
                               llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                               llvm::GlobalValue::NotThreadLocal, shared_space);
  memory->setAlignment(llvm::Align(16));
  return memory;
}

// ---- within a warp -----------------------------------------------------------------------------

/// The threads that take part: all.
Value* whole_warp(Lowering& l) {
  return l.ir.getInt32(0xffffffff);
}
/// `clamp` is the last lane that may be read (of `up`: the first); beyond it a thread gets its own
/// value.
Value* shuffled(Lowering& l, llvm::Intrinsic::ID id, unsigned clamp) {
  return l.ir.CreateIntrinsic(id, {},
                              {whole_warp(l), l.argument(0), l.argument(1), l.ir.getInt32(clamp)});
}
Value* lower_shuffle(Lowering& l) {
  return shuffled(l, llvm::Intrinsic::nvvm_shfl_sync_idx_i32, warp_size - 1);
}
Value* lower_shuffle_down(Lowering& l) {
  return shuffled(l, llvm::Intrinsic::nvvm_shfl_sync_down_i32, warp_size - 1);
}
Value* lower_shuffle_up(Lowering& l) {
  return shuffled(l, llvm::Intrinsic::nvvm_shfl_sync_up_i32, 0);
}
Value* lower_shuffle_xor(Lowering& l) {
  return shuffled(l, llvm::Intrinsic::nvvm_shfl_sync_bfly_i32, warp_size - 1);
}
Value* lower_ballot(Lowering& l) {
  return l.ir.CreateIntrinsic(llvm::Intrinsic::nvvm_vote_ballot_sync, {},
                              {whole_warp(l), l.argument(0)});
}

// ---- between blocks ----------------------------------------------------------------------------

Value* assembly(Lowering& l, OrderedAccess access, unsigned bits) {
  llvm::InlineAsm* const code = ordering_assembly(l.ir.getContext(), access, bits);
  llvm::CallInst* const call =
      l.ir.CreateCall(code->getFunctionType(), code, llvm::SmallVector<Value*>(l.call.args()));
  restrict_effects(*call, access);
  return call;
}
Value* lower_publish_i32(Lowering& l) {
  return assembly(l, OrderedAccess::Publish, 32);
}
Value* lower_publish_i64(Lowering& l) {
  return assembly(l, OrderedAccess::Publish, 64);
}
Value* lower_observe_i32(Lowering& l) {
  return assembly(l, OrderedAccess::Observe, 32);
}
Value* lower_observe_i64(Lowering& l) {
  return assembly(l, OrderedAccess::Observe, 64);
}
Value* lower_tell_i32(Lowering& l) {
  return assembly(l, OrderedAccess::Tell, 32);
}
Value* lower_tell_i64(Lowering& l) {
  return assembly(l, OrderedAccess::Tell, 64);
}
Value* lower_hear_i64(Lowering& l) {
  return assembly(l, OrderedAccess::Hear, 64);
}
Value* lower_fence(Lowering& l) {
  return assembly(l, OrderedAccess::Fence, 32);
}
Value* lower_poll(Lowering& l) {
  return assembly(l, OrderedAccess::Poll, 32);
}

// ---- the table ---------------------------------------------------------------------------------

/// A row of abstract_functions.def without a lowering does not compile.
constexpr Value* (*lowerings[])(Lowering&) = {
#define SINTER_GPU_FUNCTION(name, ...) lower_##name,
#include "gpu/kernels/abstract_functions.def"
#undef SINTER_GPU_FUNCTION
};

} // namespace

Value* read_thread_index(llvm::IRBuilderBase& ir) {
  return special_register(ir, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, most_threads);
}

void lower_abstract_functions(llvm::Module& module) {
  const auto rows = abstract_functions();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    llvm::Function* const function = module.getFunction(rows[i].symbol);
    if (!function) continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function->users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      Lowering lowering{llvm::IRBuilder<>(&call), call};
      Value* const result = lowerings[i](lowering);
      if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(result);
      call.eraseFromParent();
    }
    function->eraseFromParent();
  }
}

} // namespace sinter::gpu
