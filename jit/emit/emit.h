// Emission of LLVM IR for one kernel: the header that engines see; LLVM's own headers stay behind
// it.  (The folder's page says what the parts are.)
#pragma once

#include "jit/ir/ir.h"
#include "jit/runtime/backend.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace sinter::jit {

struct EmitOptions {
  unsigned lanes = 0; ///< 0: what the types and the machine suggest; else a power of two up to 64
  FloatMode floats = FloatMode::Exact;
  /// For each parameter of the function: an array there is row-major without gaps.
  std::vector<bool> dense;
  /// In front of the entry points' names.
  std::string symbol_prefix = "kernel_";
  bool has_avx512 = false; ///< F, BW, DQ and VL
  bool has_avx2 = false;   ///< and FMA and F16C
  /// Little code, which is soon generated: what would have several versions has one.  The bits are
  /// the same.
  bool is_compact = false;
};

/// A kernel as LLVM IR.  The entry points have the types and meanings of kernel_abi.h.
struct EmittedKernel {
  EmittedKernel();
  EmittedKernel(EmittedKernel&&) noexcept;
  EmittedKernel& operator=(EmittedKernel&&) noexcept;
  ~EmittedKernel();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::string run, combine, finish; ///< symbol names; empty if absent
  unsigned lanes = 1;
  std::string skeleton; ///< "map", "reduce", "scan", "scatter", "histogram", "filter", "sequential"
  /// External data symbols that the module refers to beside the `sinter_*` functions of
  /// kernel_abi.h (rows of the primitive table), and their addresses.  The names are the same in
  /// every process, so that objects can be cached.
  std::vector<std::pair<std::string, const void*>> symbols;
  /// The index space is the product of these extents: one (the SOAC's), or more where nested maps
  /// became one space (`begin` and `end` then count innermost elements).  Constants or parameters
  /// of the function.  Empty for sequential kernels.
  std::vector<ir::Operand> index_space;
};

/// Why the function cannot be emitted, or nothing.
std::optional<std::string> cannot_emit(const ir::Function& function);

/// Emits a kernel for which `cannot_emit` had no objection.
EmittedKernel emit_kernel(const ir::Function& function, const EmitOptions& options);

/// For each result of a kernel, the parameter whose memory becomes the result's (a destination that
/// is consumed, directly or through a loop's state): the code writes there, through the parameter's
/// own pointer and strides, and reads no word of `KernelFrame::results` for it.  The others are
/// scalars or arrays that the launcher allocates row-major.
std::vector<std::optional<std::size_t>> results_in_place(const ir::Function& function);

} // namespace sinter::jit
