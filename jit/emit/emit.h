// Emission of LLVM IR for one kernel: the header that engines see; LLVM's own headers stay behind
// it.  (The folder's page says what the parts are.)
#pragma once

#include "jit/gate/float_mode.h"
#include "jit/ir/array_layout.h"
#include "jit/ir/groups.h"
#include "jit/ir/ir.h"

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

class TargetHooks;

struct EmitOptions {
  unsigned lanes = 0; ///< 0: what the types and the machine suggest; else a power of two up to 64
  FloatMode floats = FloatMode::Exact;
  ir::ArrayLayouts layouts; ///< of the function's parameters; for what is missing: any strides
  /// In front of the entry points' names.
  std::string symbol_prefix = "kernel_";
  /// The target; never null, and there as long as emission goes on.
  const TargetHooks* hooks = nullptr;
  /// Little code, which is soon generated: what would have several versions has one.  The bits are
  /// the same.
  bool is_compact = false;
  /// The functions are seen in their module only, and calls of them are always inlined: for entry
  /// points of other shapes around them.
  bool is_inlined = false;
  /// `end` is always `begin` + 1: there is no loop over a chunk.
  bool has_chunks_of_one = false;
  /// So many extents has the index space, if it has one, as that of other code for the same
  /// launches; 0: as suits.
  std::size_t index_count = 0;
};

/// A kernel's functions in a module.  They have the types and meanings of kernel_abi.h.
struct EmittedFunctions {
  /// Symbol names; empty if absent.
  std::string run, combine, finish, conclude, deal, accumulate;
  unsigned lanes = 1;
  /// How many of its indices a kernel's elements are computed for at once, if that is worth it; 1
  /// if lanes run along something inside, or there are none.
  unsigned lanes_along_index = 1;
  ir::Skeleton skeleton = ir::Skeleton::Sequential;
  /// The index space is the product of these extents: one (the SOAC's), or more where nested maps
  /// became one space (`begin` and `end` then count innermost elements).  Constants or parameters
  /// of the function.  Empty for sequential kernels.
  std::vector<ir::Operand> index_space;
  /// What the target has no code for, if there is something: the functions are of no use then.
  std::optional<std::string> refusal;
};

/// A kernel as LLVM IR.
struct EmittedKernel : EmittedFunctions {
  EmittedKernel();
  EmittedKernel(EmittedKernel&&) noexcept;
  EmittedKernel& operator=(EmittedKernel&&) noexcept;
  ~EmittedKernel();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// Why the function cannot be emitted, or nothing.
std::optional<std::string> cannot_emit(const ir::Function& function);

/// Emits a kernel for which `cannot_emit` had no objection.
EmittedKernel emit_kernel(const ir::Function& function, const EmitOptions& options);
/// Which rule of LLVM's the module breaks, if one: a fault of emission.
std::optional<std::string> broken_rule(const EmittedKernel& kernel);
/// Emits it into a module of the caller's, which may have other kernels with other prefixes.
EmittedFunctions emit_functions(llvm::Module& module, const ir::Function& function,
                                const EmitOptions& options);

/// For each result of a kernel, the parameter whose memory becomes the result's (a destination that
/// is consumed, directly or through a loop's state): the code writes there, through the parameter's
/// own pointer and strides, and reads no word of `KernelFrame::results` for it.  The others are
/// scalars or arrays that the launcher allocates row-major.
std::vector<std::optional<std::size_t>> results_in_place(const ir::Function& function);

} // namespace sinter::jit
