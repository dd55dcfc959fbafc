#include "emitted_kernels.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/ptx/lower_functions.h"
#include "jit/cpu/cpu_hooks.h"
#include "jit/emit/emit.h"
#include "jit/emit/kernel_abi.h"
#include "jit/ir/walk.h"
#include "lang/primitives/operand_types.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace sinter::gpu {

namespace {

using llvm::Value;

constexpr unsigned chunk_places = 16;

std::size_t argument_words(const ir::Function& function) {
  std::size_t words = 0;
  for (const ir::ValueId parameter : function.body.parameters)
    words += 1 + function.type(parameter).rank();
  return words;
}

/// The entry point around an emitted function.
class Wrapper {
public:
  Wrapper(llvm::Module& module, std::size_t arguments, std::size_t results)
      : module_(module), ir_(module.getContext()), arguments_(arguments), results_(results) {
    std::vector<llvm::Type*> words(arguments + results + chunk_places + 2, ir_.getInt64Ty());
    entry_ = llvm::Function::Create(llvm::FunctionType::get(ir_.getVoidTy(), words, false),
                                    llvm::Function::ExternalLinkage, "kernel", module);
  }

  void build(llvm::Function& run, bool is_sequential) {
    ir_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", entry_));
    Value* const results = array(arguments_, results_);
    Value* const frame = make_frame(results);
    if (is_sequential) {
      ir_.CreateCall(&run, {frame, ir_.getInt64(0), ir_.getInt64(1), ir_.getInt64(0)});
    } else {
      loop(run, frame);
    }
    // Scalar results are words of the frame.
    for (std::size_t r = 0; r < results_; ++r) {
      Value* const word = ir_.CreateLoad(ir_.getInt64Ty(), slot(results, r));
      Value* const place = ir_.CreateIntToPtr(entry_->getArg(arguments_ + r), ir_.getPtrTy(1));
      if (is_sequential) ir_.CreateStore(word, place);
    }
    ir_.CreateRetVoid();
  }
  const llvm::Function& entry() const { return *entry_; }

private:
  Value* call(AbstractFunction function) {
    const AbstractFunctionRow& row = row_of(function);
    return ir_.CreateCall(module_.getOrInsertFunction(
        llvm::StringRef(row.symbol.data(), row.symbol.size()), type_of(row, ir_.getContext())));
  }
  Value* slot(Value* array, std::size_t i) {
    return ir_.CreateConstGEP1_64(ir_.getInt64Ty(), array, i);
  }
  /// `count` words from a parameter on, in memory.
  Value* array(std::size_t first, std::size_t count) {
    Value* const words =
        ir_.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), std::max<std::size_t>(count, 1)));
    for (std::size_t i = 0; i < count; ++i)
      ir_.CreateStore(entry_->getArg(static_cast<unsigned>(first + i)), slot(words, i));
    return words;
  }
  Value* make_frame(Value* results) {
    Value* const frame =
        ir_.CreateAlloca(llvm::ArrayType::get(ir_.getInt8Ty(), sizeof(jit::KernelFrame)));
    llvm::cast<llvm::AllocaInst>(frame)->setAlignment(llvm::Align(8));
    const auto set = [&](std::size_t offset, Value* value) {
      ir_.CreateStore(value, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), frame, offset));
    };
    const std::size_t places = arguments_ + results_;
    Value* const count = entry_->getArg(static_cast<unsigned>(places + chunk_places));
    set(offsetof(jit::KernelFrame, arguments), array(0, arguments_));
    set(offsetof(jit::KernelFrame, results), results);
    set(offsetof(jit::KernelFrame, partials), array(places, chunk_places));
    Value* const partial_strides =
        ir_.CreateAlloca(llvm::ArrayType::get(ir_.getInt64Ty(), chunk_places));
    for (unsigned i = 0; i < chunk_places; ++i)
      ir_.CreateStore(ir_.getInt64(8), slot(partial_strides, i));
    set(offsetof(jit::KernelFrame, partial_strides), partial_strides);
    set(offsetof(jit::KernelFrame, chunks), count);
    set(offsetof(jit::KernelFrame, streams_results), ir_.getInt64(0));
    set(offsetof(jit::KernelFrame, fold_unit), ir_.getInt64(1));
    set(offsetof(jit::KernelFrame, fold_begin), ir_.getInt64(0));
    set(offsetof(jit::KernelFrame, fold_units), count);
    Value* const epoch = entry_->getArg(static_cast<unsigned>(places + chunk_places + 1));
    set(offsetof(jit::KernelFrame, epoch), ir_.CreateIntToPtr(epoch, ir_.getPtrTy()));
    set(offsetof(jit::KernelFrame, start_epoch), ir_.getInt64(0));
    set(offsetof(jit::KernelFrame, failure), ir_.CreateIntToPtr(epoch, ir_.getPtrTy()));
    set(offsetof(jit::KernelFrame, arena), ir_.CreateIntToPtr(epoch, ir_.getPtrTy()));
    return frame;
  }
  /// for (i = thread; i < count; i += threads) run(frame, i, i + 1, i)
  void loop(llvm::Function& run, Value* frame) {
    const auto wide = [&](AbstractFunction function) {
      return ir_.CreateZExt(call(function), ir_.getInt64Ty());
    };
    Value* const size = wide(AbstractFunction::block_size);
    Value* const first = ir_.CreateAdd(ir_.CreateMul(wide(AbstractFunction::block_index_x), size),
                                       wide(AbstractFunction::thread_index));
    Value* const step = ir_.CreateMul(wide(AbstractFunction::grid_size_x), size);
    Value* const count =
        entry_->getArg(static_cast<unsigned>(arguments_ + results_ + chunk_places));
    llvm::BasicBlock* const before = ir_.GetInsertBlock();
    const auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(module_.getContext(), name, entry_);
    };
    llvm::BasicBlock *head = block("head"), *body = block("body"), *after = block("after");
    ir_.CreateBr(head);
    ir_.SetInsertPoint(head);
    llvm::PHINode* const i = ir_.CreatePHI(ir_.getInt64Ty(), 2);
    i->addIncoming(first, before);
    ir_.CreateCondBr(ir_.CreateICmpSLT(i, count), body, after);
    ir_.SetInsertPoint(body);
    ir_.CreateCall(&run, {frame, i, ir_.CreateAdd(i, ir_.getInt64(1)), i});
    i->addIncoming(ir_.CreateAdd(i, step), body);
    ir_.CreateBr(head);
    ir_.SetInsertPoint(after);
  }

  llvm::Module& module_;
  llvm::IRBuilder<> ir_;
  std::size_t arguments_, results_;
  llvm::Function* entry_ = nullptr;
};

/// Gives the host's functions bodies: words combined, or written through the first address.
void stand_for_host(llvm::Module& module) {
  llvm::IRBuilder<> ir(module.getContext());
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration()) {
      variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() || !function.getName().starts_with("sinter_") ||
        function.getName().starts_with("sinter_gpu_"))
      continue;
    ir.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", &function));
    Value* word = ir.getInt64(1);
    for (llvm::Argument& argument : function.args()) {
      llvm::Type* const integer =
          ir.getIntNTy(module.getDataLayout().getTypeSizeInBits(argument.getType()));
      Value* const bits =
          ir.CreateZExtOrTrunc(ir.CreateBitOrPointerCast(&argument, integer), ir.getInt64Ty());
      word = ir.CreateXor(ir.CreateMul(word, ir.getInt64(31)), bits);
    }
    llvm::Type* const result = function.getReturnType();
    if (result->isVoidTy()) {
      ir.CreateAtomicRMW(llvm::AtomicRMWInst::UMin, function.getArg(0), word, llvm::MaybeAlign(8),
                         llvm::AtomicOrdering::Monotonic);
      ir.CreateRetVoid();
    } else {
      Value* const bits = result->isFloatingPointTy()
                              ? ir.CreateTrunc(word, ir.getIntNTy(result->getScalarSizeInBits()))
                              : word;
      ir.CreateRet(ir.CreateBitOrPointerCast(bits, result));
    }
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// Only what the kernel calls is looked at.
void keep_only(llvm::Module& module, const llvm::Function& entry) {
  for (llvm::Function& function : module)
    if (&function != &entry && !function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (bool is_any = true; is_any;) {
    is_any = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module))
      if (&function != &entry && function.use_empty()) {
        function.eraseFromParent();
        is_any = true;
      }
  }
}

} // namespace

GpuModule emitted_kernel(const ir::Function& function, HostCalls calls) {
  jit::EmitOptions options;
  options.lanes = 1;
  options.layouts = ir::all_dense(function.body.parameters.size());
  const jit::CpuHooks hooks(jit::facts_of(jit::VectorInstructions::Avx2)); // for its fma alone
  options.hooks = &hooks;
  jit::EmittedKernel emitted = jit::emit_kernel(function, options);
  llvm::Function* const run = emitted.module->getFunction(emitted.run);
  Wrapper wrapper(*emitted.module, argument_words(function), function.body.results.size());
  wrapper.build(*run, emitted.skeleton == ir::Skeleton::Sequential);
  keep_only(*emitted.module, wrapper.entry());
  if (calls == HostCalls::StoodFor) stand_for_host(*emitted.module);
  promise_global_addresses(*emitted.module);
  REQUIRE(!llvm::verifyModule(*emitted.module, &llvm::errs()));
  GpuModule result;
  result.entries = {{"kernel", static_cast<std::uint32_t>(wrapper.entry().arg_size()), 256}};
  result.context = std::move(emitted.context);
  result.module = std::move(emitted.module);
  return result;
}

namespace {

/// A function whose only statement is the SOAC of maps.
void finish_map(ir::Function& f, ir::ValueId count, ir::Soac soac) {
  ir::Statement statement;
  for (const ir::Operand& result : soac.body.results) {
    ir::Type type = f.type(result);
    type.extents.insert(type.extents.begin(), count);
    statement.results.push_back(f.add_value(std::move(type)));
    f.body.results.push_back(statement.results.back());
    soac.groups.emplace_back(ir::MapGroup{});
  }
  statement.operation = std::move(soac);
  f.body.statements = {std::move(statement)};
}

} // namespace

ir::Function map_of(const ir::Function& original) {
  ir::Function f = original;
  const ir::ValueId count = f.add_value({ElementType::I64, {}}, "count");
  ir::Soac soac;
  soac.extent = count;
  const ir::ValueId index = f.add_value({ElementType::I64, {}});
  soac.body.parameters = {index};
  std::vector<ir::Replacement> replacements;
  for (std::size_t p = 2; p < original.body.parameters.size(); ++p) { // behind two extents
    const ir::ValueId parameter = original.body.parameters[p];
    const ir::Type type = f.type(parameter);
    if (!type.is_scalar() || !is_number(type.element)) continue;
    const ir::ValueId converted = f.add_value(type), sum = f.add_value(type);
    soac.body.statements.push_back(
        {{converted},
         ir::Primitive{primitives::conversion(ElementType::I64, type.element), {index}},
         {}});
    soac.body.statements.push_back(
        {{sum},
         ir::Primitive{primitives::find(primitives::Operation::Add, type.element),
                       {parameter, converted}},
         {}});
    replacements.push_back({parameter, sum});
  }
  ir::Body inner;
  inner.statements = original.body.statements;
  inner.results = original.body.results;
  inner = ir::clone(f, inner, replacements);
  soac.body.statements.insert(soac.body.statements.end(), inner.statements.begin(),
                              inner.statements.end());
  const std::vector<ir::ValueId>& outer = original.body.parameters;
  for (const ir::Operand& result : inner.results) {
    const ir::Type& type = f.type(result);
    const bool is_outer = std::ranges::all_of(type.extents, [&](const ir::Operand& extent) {
      return extent.is_constant() || std::ranges::find(outer, extent.value()) != outer.end();
    });
    if (is_outer) soac.body.results.push_back(result);
  }
  f.body.parameters.insert(f.body.parameters.begin(), count);
  f.body.results.clear();
  finish_map(f, count, std::move(soac));
  return f;
}

} // namespace sinter::gpu
