// Calls of abstract functions in a kernel's module.
#pragma once

#include "gpu/kernels/abstract_functions.h"

#include <initializer_list>

namespace llvm {
class CallInst;
class FunctionType;
class IRBuilderBase;
class LLVMContext;
class Module;
class Value;
} // namespace llvm

namespace sinter::gpu {

/// The type that a declaration of the function has.
llvm::FunctionType* type_of(const AbstractFunctionRow& row, llvm::LLVMContext& context);

/// A call of it, which is declared if it is not yet.
llvm::CallInst* call_abstract(llvm::IRBuilderBase& ir, llvm::Module& module,
                              AbstractFunction function,
                              std::initializer_list<llvm::Value*> arguments = {});

} // namespace sinter::gpu
