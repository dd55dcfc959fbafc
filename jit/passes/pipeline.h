// Passes: functions from IR to equal but better IR.
//
// One file each; a header comment shows before and after in IR text and names its source.  A pass
// that is not legal does not fire; none makes asymptotic cost worse.  This folder knows the IR
// only.  In which order they run is said in passes.def.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/pass_options.h"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::jit {

#define SINTER_PASS(name, function) void function(ir::Function&);
#define SINTER_CPU_PASS(name, function) void function(ir::Function&);
#define SINTER_CPU_VECTOR_PASS(name, function) void function(ir::Function&, const VectorRegisters&);
#define SINTER_DEVICE_PASS(name, function) void function(ir::Function&);
#include "jit/passes/passes.def"
#undef SINTER_PASS
#undef SINTER_CPU_PASS
#undef SINTER_CPU_VECTOR_PASS
#undef SINTER_DEVICE_PASS

struct Pass {
  std::string_view name;
  void (*run)(ir::Function&, const VectorRegisters&);
};

/// In the order in which they run, those of places at the end.
std::span<const Pass> all_passes();
/// Those over whole functions, and then the processor's own.
std::span<const Pass> host_passes();
/// Those over whole functions.
std::span<const Pass> common_passes();
/// The processor's own, over kernels.
std::span<const Pass> cpu_passes();
/// A device's own, over kernels.
std::span<const Pass> device_passes();

/// Throws std::logic_error if the function breaks a rule of the IR; `before`, if it is not null, is
/// what it was made of, to be shown.
void require_rules(const ir::Function& function, std::string_view after,
                   const ir::Function* before = nullptr);

/// One run of something that changes a function: times it, keeps its texts and checks what it
/// leaves as the options ask.
class PassScope {
public:
  PassScope(const PassOptions& options, std::string_view name, const ir::Function& function);
  /// It has run.  Throws as require_rules, if the options ask for that.
  PassRecord finish();

private:
  const PassOptions& options_;
  const ir::Function& function_;
  PassRecord record_;
  std::optional<ir::Function> before_; ///< where it is verified
  std::chrono::steady_clock::time_point began_;
};

/// Runs the passes that the options ask for, by name or of the pipeline; what each did.  `between`
/// is called before each, and may throw to end it.  Throws as PassScope.
std::vector<PassRecord> optimise(ir::Function& function, const PassOptions& options = {},
                                 const std::function<void()>& between = {},
                                 std::span<const Pass> pipeline = common_passes());
/// Runs the processor's own passes, or a device's, over a kernel; what each did, if any changed it
/// or was to be shown.
std::vector<PassRecord> prepare_for_cpu(ir::Function& kernel, const PassOptions& options);
std::vector<PassRecord> prepare_for_device(ir::Function& kernel, const PassOptions& options);

} // namespace sinter::jit
