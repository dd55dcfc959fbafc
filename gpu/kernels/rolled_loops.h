// Loops that nobody is to unroll, neither LLVM nor the device's assembler.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace sinter::gpu {

/// The loop whose last block that is, which leads back to its beginning.
void keep_loop_rolled(llvm::BasicBlock& last);
/// All loops that the function has by now; not those of functions that it calls.
void keep_loops_rolled(llvm::Function& function);

} // namespace sinter::gpu
