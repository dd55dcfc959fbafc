// What stands for each abstract function in PTX.
#pragma once

namespace llvm {
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace sinter::gpu {

/// Replaces all calls of abstract functions, and their declarations.  Goes before any pass: only
/// what calls become says what may not be moved, and how far.
void lower_abstract_functions(llvm::Module& module);

/// What stands for a thread's number in its block (i32).
llvm::Value* read_thread_index(llvm::IRBuilderBase& ir);

} // namespace sinter::gpu
