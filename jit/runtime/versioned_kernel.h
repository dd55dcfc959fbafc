// A kernel of a region in the versions that its arguments ask for.
#pragma once

#include "jit/runtime/backend.h"
#include "jit/runtime/plan.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sinter::jit {

/// Compiles its function when it is first launched, once for each pattern of arguments that are
/// row-major; what the backend does not take is walked.  Thread-safe.
class VersionedKernel {
public:
  VersionedKernel(ir::Function function, std::optional<std::string> rejection, Backend& backend,
                  const CompileOptions& options);

  Outcome launch(std::vector<Datum> arguments, const RunContext& context);
  /// Compiles for row-major arguments, unless that has been done.
  void compile();
  const ir::Function& function() const { return function_; }
  /// Why it is not compiled, if so.
  std::optional<std::string> rejection() const;
  /// Of the version for row-major arguments.
  KernelFacts facts() const;
  double compile_milliseconds() const;

private:
  struct Version {
    std::vector<bool> dense;
    std::shared_ptr<Kernel> kernel;
  };
  std::shared_ptr<Kernel> version(const std::vector<bool>& dense);
  std::shared_ptr<Kernel> compile_version(const std::vector<bool>& dense);

  /// With more patterns than this, arguments are copied rather than code made.
  static constexpr std::size_t version_limit = 6;

  ir::Function function_;
  Backend& backend_;
  CompileOptions options_;
  mutable std::mutex mutex_; ///< of all below
  std::optional<std::string> rejection_;
  std::shared_ptr<Kernel> walked_; ///< if rejected
  std::vector<Version> versions_;
  double compile_milliseconds_ = 0;
};

/// A kernel that is walked, statement by statement.  Its inner kernels are compiled if the policy
/// says so.
std::unique_ptr<Kernel> make_walked_kernel(const ir::Function& function, KernelPolicy policy,
                                           Backend& backend, const CompileOptions& options);

} // namespace sinter::jit
