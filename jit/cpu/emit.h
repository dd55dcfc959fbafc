// Emission of LLVM IR for one kernel: the header that the engine sees; LLVM's own headers stay
// behind it.
//
// The parts: emit_lanes (values for W lanes: uniform, linear, varying; memory, masks),
// emit_primitives (the lowering table of scalar operations; what takes more than an instruction:
// emit_division, emit_elementary), emit_analysis (what varies between lanes, whose memory a value
// is), emit_plan and emit_cost (which index the lanes run along), emit_width (how many they are),
// emit_body (statements, branches, loops), emit_soac (SOACs inside and outside of lanes),
// emit_groups (what becomes of their elements, with emit_map, emit_reduce, emit_scan, emit_scatter,
// emit_histogram and emit_filter), emit_combine (operators), emit_fold (reductions and scans whose
// order shows; by tiles: emit_fold_tile, of a row: emit_fold_row, that select by an order of
// values: emit_select), emit_turned (lanes that each go along a row of memory), emit_rows (what is
// computed along such rows), index_predicates and emit_pieces (ranges in which conditions on the
// index keep their value), emit_destinations (elements that go to other places than their index),
// kernel_shape (what is parallel), skeletons (what chunks leave behind) and emit_kernel (the entry
// points that kernel_abi.h demands).
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
