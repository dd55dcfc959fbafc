// Multiplications that loops can do without.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::gpu {

/// In innermost loops, products of 64 bits that grow by the same number each time are kept as sums:
/// a multiplication of 64 bits is four instructions of a device.  (Of LLVM's own reduction of
/// strengths, which kernels go without, this is what is of use: that one keeps every address as a
/// sum by itself, in two registers each.)
///
///   before:  loop i: o = mul i, stride; use o
///   after:   loop i, o = phi [0], [o + stride]: use o
void keep_products_running(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

} // namespace sinter::gpu
