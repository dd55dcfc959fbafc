// Masks as wide as what they choose between, for processors that have no registers for masks.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::jit {

/// Without registers for masks a comparison of vectors leaves lanes of ones and zeros, as wide as
/// what was compared, and a choice takes such lanes; but what LLVM has of type <N x i1> across
/// blocks, or of more lanes than a register has, it packs into bytes after each comparison and
/// unpacks before each choice.  This makes masks that are carried over blocks, and what is computed
/// from several of them, vectors of integers of the width that most of their comparisons and
/// choices have.  To come last of all that looks at LLVM's IR: others would undo it.
void widen_masks(llvm::Function& function);

} // namespace sinter::jit
