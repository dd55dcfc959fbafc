// Indices of gathers that stay as narrow as they are.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::jit {

/// A gather or scatter by 32-bit indices takes as many lanes at a time as there are elements in a
/// register; by 64-bit ones half as many, and their extension takes instructions.  LLVM sees that
/// indices were extended only where they are in the same block, which a check of bounds in between
/// ends.  So they are extended once more where they are used.  To come last of all that looks at
/// LLVM's IR: others would undo it.
void narrow_indices(llvm::Function& function);

} // namespace sinter::jit
