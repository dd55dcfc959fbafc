// Which numbers are surely no signalling NaNs.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::jit {

/// Takes RANGE of AVX-512 out where its two operands are one, which makes a signalling NaN a quiet
/// one, if that is a result of arithmetic: those are quiet.
void drop_quieting(llvm::Function& function);

} // namespace sinter::jit
