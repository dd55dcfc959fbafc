// What a thread keeps in registers: the words of its kernel, and all that its code hands on.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace sinter::gpu {

/// Takes what is always inlined into whoever calls it, and removes it; makes registers of the
/// entry points' own arrays whose places are known.
void keep_in_registers(llvm::Module& module);

} // namespace sinter::gpu
