// Maps: a thread for each element, or for some that lie together.
#pragma once

#include "jit/emit/emit.h"
#include "jit/ir/ir.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace sinter::gpu {

/// The code of a thread, in a module.
struct MapThread {
  std::string function;                 ///< `i64 NAME(ptr frame, i64 grid)`, which is inlined
  unsigned lanes = 1;                   ///< elements of a thread, along the innermost extent
  std::vector<ir::Operand> index_space; ///< extents, outermost first; at most most_grid_rank
  std::optional<std::string> refusal;   ///< as EmittedFunctions has it
};

/// Of a kernel whose SOAC has maps alone.
bool is_map(const ir::Function& function);
MapThread emit_map(llvm::Module& module, const ir::Function& function,
                   const jit::EmitOptions& options);

} // namespace sinter::gpu
