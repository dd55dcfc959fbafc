#include "gpu/ptx/lower.h"

#include "gpu/device/device.h"
#include "gpu/kernels/abstract_functions.h"
#include "gpu/ptx/byte_stores.h"
#include "gpu/ptx/code_generator.h"
#include "gpu/ptx/lower_functions.h"
#include "gpu/ptx/lowerable.h"
#include "gpu/ptx/passes.h"
#include "gpu/ptx/rules.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace sinter::gpu {

namespace {

[[noreturn]] void refuse(const std::string& words) {
  throw DeviceError(DeviceError::Kind::NoCode, words);
}

/// The function of an entry point: `void NAME(i64 or ptr addrspace(1), …)`.
llvm::Function& entry_function(llvm::Module& module, const EntryPoint& entry) {
  llvm::Function* const function = module.getFunction(entry.name);
  if (!function || function->isDeclaration())
    refuse("the module has no function `" + entry.name + "`");
  const bool takes_words = llvm::all_of(function->args(), [](const llvm::Argument& argument) {
    const llvm::Type* const type = argument.getType();
    return type->isIntegerTy(64) ||
           (type->isPointerTy() && type->getPointerAddressSpace() == global_space);
  });
  if (!function->getReturnType()->isVoidTy() || function->isVarArg() || !takes_words ||
      function->arg_size() != entry.words)
    refuse("`" + entry.name + "` is no entry point of " + std::to_string(entry.words) + " words");
  if (entry.threads == 0 || entry.threads > most_threads)
    refuse("a block of `" + entry.name + "` has " + std::to_string(entry.threads) + " threads");
  return *function;
}

void annotate(llvm::Module& module, llvm::Function& function, const char* what, unsigned number) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Metadata* const row[] = {llvm::ValueAsMetadata::get(&function),
                                 llvm::MDString::get(context, what),
                                 llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                     llvm::Type::getInt32Ty(context), number))};
  module.getOrInsertNamedMetadata("nvvm.annotations")->addOperand(llvm::MDNode::get(context, row));
}

/// So many blocks a multiprocessor has at once if threads take the registers that they may have; no
/// more than all architectures have threads for.
unsigned blocks_at_once(const EntryPoint& entry) {
  constexpr unsigned registers = 64 << 10;
  return std::clamp(registers / (entry.registers * entry.threads), 1u,
                    std::max(most_threads / entry.threads, 1u));
}

/// Entry points become kernels, all other functions disappear in them.
void make_kernels(llvm::Module& module, const std::vector<EntryPoint>& entries) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::OptimizeForSize);
    function.removeFnAttr(llvm::Attribute::MinSize);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  for (const EntryPoint& entry : entries) {
    llvm::Function& function = entry_function(module, entry);
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setDSOLocal(false);
    function.setCallingConv(llvm::CallingConv::PTX_Kernel);
    annotate(module, function, "kernel", 1);
    annotate(module, function, "maxntidx", entry.threads);
    annotate(module, function, "minctasm", blocks_at_once(entry));
  }
}

/// Prefetching has no meaning here.
void remove_hints(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.getIntrinsicID() != llvm::Intrinsic::prefetch) continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users()))
      llvm::cast<llvm::CallInst>(user)->eraseFromParent();
    function.eraseFromParent();
  }
}

void remove_unused(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.use_empty() && (function.isDeclaration() || function.hasInternalLinkage()))
      function.eraseFromParent();
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty()) variable.eraseFromParent();
  }
}

} // namespace

PtxText to_ptx(const GpuModule& gpu_module, unsigned compute_capability) {
  const unsigned architecture = architecture_for(compute_capability);
  if (const auto reason = not_lowerable(*gpu_module.module)) refuse(*reason);
  const std::unique_ptr<llvm::Module> module = llvm::CloneModule(*gpu_module.module);
  const std::unique_ptr<llvm::TargetMachine> machine = make_ptx_machine(architecture);
  module->setTargetTriple(machine->getTargetTriple().str());
  module->setDataLayout(machine->createDataLayout());
  forget_targets(*module);
  remove_hints(*module);
  make_kernels(*module, gpu_module.entries);
  lower_abstract_functions(*module);
  remove_unused(*module);
  optimise_for_ptx(*module, gpu_module.entries, *machine);
  remove_unused(*module);
  for (llvm::Function& function : *module) {
    if (function.isDeclaration()) continue;
    release_polled_words(function);
    keep_zero_signs(function);
    widen_small_extrema(function);
    store_bytes_as_words(function);
  }
  // Passes may have made something else of what could be lowered.
  if (const auto reason = not_lowerable(*module)) refuse(*reason);
  return {generate_ptx(*module, *machine), architecture};
}

} // namespace sinter::gpu
