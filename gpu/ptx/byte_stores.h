// Stores of many bytes at once, which LLVM would take apart.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::gpu {

/// Stores of 8 or 16 lanes of bytes become stores of 2 or 4 words: code generation makes one access
/// of those, and several of lanes of bytes.
void store_bytes_as_words(llvm::Function& function);

} // namespace sinter::gpu
