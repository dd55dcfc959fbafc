// A kernel of a region in the versions that its arguments ask for.
#pragma once

#include "jit/runtime/backend.h"
#include "jit/runtime/plan.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sinter::jit {

class WalkedKernel;

/// Compiles its function when it is first launched, once for each pattern of arguments that are
/// row-major; what the backend does not take is walked.  Thread-safe.
class VersionedKernel {
public:
  /// `span` tells where the kernel's work stands in the program.
  VersionedKernel(ir::Function function, Span span, std::optional<std::string> rejection,
                  Backend& backend, const CompileOptions& options);
  ~VersionedKernel();

  Outcome launch(std::vector<Datum> arguments, const RunContext& context);
  /// As Kernel::repeat; of the kernel that was launched last.
  std::optional<Outcome> repeat(Repetition& repetition, const RunContext& context);
  /// Compiles for row-major arguments, unless that has been done.
  void compile();
  /// Brings what is compiled to the second tier, and all versions that are still to come.
  void promote();
  const ir::Function& function() const { return *function_; }
  Span span() const { return span_; }
  /// Why it is not compiled, if so.
  std::optional<std::string> rejection() const;
  /// Of the version for row-major arguments.
  KernelFacts facts() const;
  /// How many it was compiled in: one for each pattern of arguments that was met.
  std::size_t version_count() const;
  double compile_milliseconds() const;
  LaunchStatistics launches() const;
  /// The machine code of the version for row-major arguments; empty if it is walked.
  std::string assembly();
  /// If it is walked: the plan, which may have kernels of its own.  Else null.
  const Plan* walked_plan() const;

private:
  struct Version {
    std::vector<bool> dense;
    std::shared_ptr<Kernel> kernel;
    bool fits(const std::vector<Datum>& arguments) const;
  };
  /// The kernel that was launched last, if it fits; else null.
  Kernel* latest(const std::vector<Datum>& arguments) const;
  /// The version for that pattern, compiled if there is none (null if there are enough).  Throws
  /// Interrupted.
  std::shared_ptr<Kernel> version(const std::vector<bool>& dense, const RunContext& context);
  std::shared_ptr<Kernel> compile_version(const std::vector<bool>& dense,
                                          const RunContext& context);
  struct Interrupted {};
  Outcome launch(Kernel& kernel, std::vector<Datum> arguments, const RunContext& context);

  /// With more patterns than this, arguments are copied rather than code made.
  static constexpr std::size_t version_limit = 6;

  /// Shared with what is still being compiled when nobody waits for it any more.
  std::shared_ptr<const ir::Function> function_;
  Span span_;
  Backend& backend_;
  CompileOptions options_;
  mutable std::mutex mutex_; ///< of all below
  std::optional<std::string> rejection_;
  std::shared_ptr<WalkedKernel> walked_;                 ///< if rejected
  std::vector<std::unique_ptr<const Version>> versions_; ///< kept until the end
  double compile_milliseconds_ = 0;
  // Not of the mutex:
  std::atomic<const Version*> latest_{nullptr};
  std::atomic<std::uint64_t> launches_{0}, nanoseconds_{0}, moved_bytes_{0};
  std::atomic<std::uint64_t> last_nanoseconds_{0}; ///< of the last launch that was timed
};

} // namespace sinter::jit
