// What stands for each abstract function in PTX.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace sinter::gpu {

/// Replaces all calls of abstract functions, and their declarations.  Goes before any pass: only
/// what calls become says what may not be moved, and how far.
void lower_abstract_functions(llvm::Module& module);

} // namespace sinter::gpu
