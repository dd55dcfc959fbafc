#include "gpu/kernels/calls.h"

#include "gpu/kernels/abstract_functions.h"

#include <vector>

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

namespace {

llvm::Type* type_of(AbstractType type, llvm::LLVMContext& context) {
  switch (type) {
  case AbstractType::Nothing:
    return llvm::Type::getVoidTy(context);
  case AbstractType::Bool:
    return llvm::Type::getInt1Ty(context);
  case AbstractType::I32:
    return llvm::Type::getInt32Ty(context);
  case AbstractType::I64:
    return llvm::Type::getInt64Ty(context);
  case AbstractType::Global:
    return llvm::PointerType::get(context, global_space);
  case AbstractType::Shared:
    return llvm::PointerType::get(context, shared_space);
  }
  __builtin_unreachable();
}

} // namespace

llvm::FunctionType* type_of(const AbstractFunctionRow& row, llvm::LLVMContext& context) {
  std::vector<llvm::Type*> parameters;
  for (const AbstractType parameter : row.parameters)
    parameters.push_back(type_of(parameter, context));
  return llvm::FunctionType::get(type_of(row.result, context), parameters, false);
}

llvm::CallInst* call_abstract(llvm::IRBuilderBase& ir, llvm::Module& module,
                              AbstractFunction function,
                              std::initializer_list<llvm::Value*> arguments) {
  const AbstractFunctionRow& row = row_of(function);
  const llvm::FunctionCallee callee = module.getOrInsertFunction(
      llvm::StringRef(row.symbol.data(), row.symbol.size()), type_of(row, module.getContext()));
  return ir.CreateCall(callee, llvm::ArrayRef<llvm::Value*>(arguments));
}

} // namespace sinter::gpu
