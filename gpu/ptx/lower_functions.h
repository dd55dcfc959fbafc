// What stands for each abstract function in PTX.
#pragma once

namespace llvm {
class FunctionType;
class LLVMContext;
class Module;
} // namespace llvm

namespace sinter::gpu {

struct AbstractFunctionRow;

/// The type that a declaration of the function has.
llvm::FunctionType* type_of(const AbstractFunctionRow& row, llvm::LLVMContext& context);

/// Replaces all calls of abstract functions, and their declarations.  Goes before any pass: only
/// what calls become says what may not be moved, and how far.
void lower_abstract_functions(llvm::Module& module);

} // namespace sinter::gpu
