// Kernels of the IR as entry points of a device, and the ways in which that is done.
#pragma once

#include "gpu/kernels/gpu_module.h"
#include "gpu/skeletons/launch_plan.h"
#include "gpu/skeletons/scratch_sizes.h"
#include "jit/gate/float_mode.h"
#include "jit/ir/array_layout.h"
#include "jit/ir/groups.h"
#include "jit/ir/ir.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::gpu {

struct SkeletonOptions {
  ir::ArrayLayouts layouts; ///< as in EmitOptions
  jit::FloatMode floats = jit::FloatMode::Exact;
  /// By parameter, if there are some: a scalar whose word is not its value but the address of a
  /// word that has it, in the device's memory.
  std::vector<bool> is_pending = {};
};

/// A kernel's entry points, and how they are launched.
struct KernelEntries {
  GpuModule module;
  bool are_complete = false; ///< else `complete` has something to do
  std::string_view word;     ///< of the row in skeletons.def
  ir::Skeleton skeleton = ir::Skeleton::Sequential;
  std::vector<ir::Operand> index_space; ///< as EmittedFunctions have it
  Planner plan;
  bool uses_scratch = false; ///< may do so
  ScratchSizes scratch;      ///< what it takes then
};

/// Why a function has no entry points, or nothing: it is asked before they are made.
std::optional<std::string> has_no_entries(const ir::Function& function);

/// Of a parallel kernel, not complete where all else is known without that.  Throws
/// std::runtime_error if emission has no code for it on a device.
KernelEntries plan_entries(const ir::Function& function, const SkeletonOptions& options);

/// Leaves the entry points of those names, and makes of these what a device loads: what takes most
/// of emission's time.
void complete(KernelEntries& entries, const std::vector<std::string>& names,
              const ir::Function& function, const SkeletonOptions& options);

/// Both, for all entry points.
KernelEntries make_entries(const ir::Function& function, const SkeletonOptions& options);

/// Of the row with that word alone; nothing if it does not take the function.
std::optional<KernelEntries> make_entries_by(std::string_view word, const ir::Function& function,
                                             const SkeletonOptions& options);

/// Of the first row behind that one that takes it, as rows give it: for a row that has a better way
/// at some sizes only.
KernelEntries make_entries_after(std::string_view word, const ir::Function& function,
                                 const SkeletonOptions& options);

/// Further entry points, of the entries' module, that do the whole work in another way: code is
/// made of those that launches turn out to take.
void add_alternative(KernelEntries& entries, std::vector<EntryPoint> points);

// The rows.  What they give has a module with code that is not in registers yet; nothing: the
// function is another row's.
#define SINTER_GPU_SKELETON(word)                                                                  \
  std::optional<KernelEntries> make_##word(const ir::Function& function,                           \
                                           const SkeletonOptions& options);
#include "gpu/skeletons/skeletons.def"
#undef SINTER_GPU_SKELETON

} // namespace sinter::gpu
