// Masks of several registers' lanes as a mask for each register, for processors that have registers
// for masks.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::jit {

/// With registers for masks, a mask of 32 or 64 lanes has one of them, while what is compared and
/// chosen by it has several vector registers: where a loop carries it, LLVM joins what the
/// comparisons give, and takes it apart again for each choice, in every turn, by instructions that
/// few of a processor's units have.  This makes masks that are carried over blocks, and what is
/// computed from them, masks of so many lanes as a register of `register_bits` has of what most of
/// their comparisons and choices are about; comparisons under a mask are then one instruction.
/// To come last of all that looks at LLVM's IR: others would undo it.
void split_masks(llvm::Function& function, unsigned register_bits);

} // namespace sinter::jit
