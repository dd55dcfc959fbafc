// Functions of a kernel's module in the making, which entry points call: the kernel's parameters
// are bound there, and what stands before its SOAC has been done.
#pragma once

#include "jit/emit/body.h"
#include "jit/emit/plan.h"
#include "jit/ir/array_layout.h"
#include "jit/ir/ir.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace sinter::gpu {

/// Scalars that belong together, of the types that they have in memory (a bool is an i8).
using Components = std::vector<llvm::Value*>;

/// `i64 name(ptr frame, i64 words …, ptr pointers …)`; always inlined.  `body.finish()` ends it:
/// it gives 0, or something else where a check failed.
struct EnteredFunction {
  llvm::Function* function;
  jit::BodyEmitter body;

  llvm::Value* frame() const { return function->getArg(0); }
  llvm::Value* argument(unsigned number) const { return function->getArg(1 + number); }
};

class KernelAround {
public:
  /// `function` is a parallel kernel, and outlives this; `layouts` as in SkeletonOptions.
  KernelAround(jit::KernelModule& kernel, const ir::Function& function, ir::ArrayLayouts layouts);
  std::unique_ptr<EnteredFunction> enter(const std::string& name, unsigned words,
                                         unsigned pointers) const;

private:
  jit::KernelModule& kernel_;
  const ir::Function& function_;
  ir::ArrayLayouts layouts_;
  jit::LanePlan plan_;
};

inline constexpr std::int64_t component_bytes = 8; ///< of a slot in such a function's memory
/// Component number `i` of what lies there.
jit::ArrayView component_slot(jit::LaneBuilder& b, llvm::Value* components, std::size_t i,
                              ElementType type);
std::vector<jit::Emitted> loaded_components(jit::LaneBuilder& b, llvm::Value* components,
                                            const std::vector<ElementType>& types);

} // namespace sinter::gpu
