#include "jit/runtime/executable.h"

#include "jit/ir/print.h"
#include "jit/ir/walk.h"
#include "jit/runtime/machine.h"
#include "jit/runtime/plan.h"
#include "jit/runtime/versioned_kernel.h"
#include "lang/base/runtime_error.h"

#include <atomic>
#include <cassert>
#include <chrono>

namespace sinter::jit {

namespace {

std::uint64_t count_soacs(const ir::Body& body) {
  std::uint64_t count = 0;
  for (const ir::Statement& statement : body.statements) {
    count += std::holds_alternative<ir::Soac>(statement.operation);
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { count += count_soacs(inner); });
  }
  return count;
}

/// Those of a plan, and inside those that are walked.
template <typename Visit>
void for_each_kernel(const Plan& plan, Visit&& visit) {
  for (const std::unique_ptr<VersionedKernel>& kernel : plan.kernels) {
    visit(*kernel);
    if (const Plan* inner = kernel->walked_plan()) for_each_kernel(*inner, visit);
  }
}

/// SOACs of a plan that are fills, and those inside of kernels that are walked.
std::uint64_t count_fills(const Plan& plan) {
  std::uint64_t count = plan.filled_soacs;
  for_each_kernel(plan, [&](const VersionedKernel& kernel) {
    if (const Plan* inner = kernel.walked_plan()) count += inner->filled_soacs;
  });
  return count;
}

class PlannedExecutable final : public Executable {
public:
  PlannedExecutable(ir::Function function, Backend& backend, const CompileOptions& options)
      : function_(std::move(function)), backend_(backend), stop_(options.stop),
        plan_(make_plan(function_, KernelPolicy::Compile, backend, options)) {}

  Outcome run(std::vector<Datum> arguments, const RunContext& context) override {
    assert(context.memory);
    auto begin = std::chrono::steady_clock::now();
    Machine machine(plan_, context, &backend_);
    Outcome outcome = run_machine(machine, std::move(arguments));
    runs_.fetch_add(1, std::memory_order_relaxed);
    launches_.fetch_add(machine.launches(), std::memory_order_relaxed);
    copied_bytes_.fetch_add(machine.copied_bytes(), std::memory_order_relaxed);
    run_nanoseconds_.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now() - begin)
                                   .count(),
                               std::memory_order_relaxed);
    return outcome;
  }

  void compile_all() override {
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels)
      if (!stop_.stop_requested()) kernel->compile();
  }

  void promote() override {
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels)
      if (!stop_.stop_requested()) kernel->promote();
  }

  bool is_kept() const override {
    bool are_all = true;
    for_each_kernel(plan_, [&](const VersionedKernel& kernel) {
      if (!kernel.rejection()) are_all = are_all && kernel.facts().is_kept;
    });
    return are_all;
  }

  const ir::Function& function() const override { return function_; }

  ExecutableStatistics statistics() const override {
    ExecutableStatistics result;
    result.runs = runs_;
    result.run_milliseconds = static_cast<double>(run_nanoseconds_) * 1e-6;
    result.kernel_launches = launches_;
    result.soacs = count_soacs(function_.body);
    result.moved_bytes = copied_bytes_;
    result.compiled_soacs = count_fills(plan_);
    for_each_kernel(plan_, [&](VersionedKernel& kernel) {
      if (kernel.walked_plan()) return;
      result.compile_milliseconds += kernel.compile_milliseconds();
      result.compiled_soacs += count_soacs(kernel.function().body);
      result.moved_bytes += kernel.launches().moved_bytes;
    });
    return result;
  }

  std::vector<KernelDescription> kernels(bool with_assembly) const override {
    std::vector<KernelDescription> result;
    for_each_kernel(plan_, [&](VersionedKernel& kernel) {
      KernelDescription& description = result.emplace_back();
      description.span = kernel.span();
      description.ir = ir::print(kernel.function());
      description.not_compiled = kernel.rejection().value_or(std::string());
      description.versions = kernel.version_count();
      description.facts = kernel.facts();
      description.launches = kernel.launches();
      if (with_assembly) description.assembly = kernel.assembly();
    });
    return result;
  }

private:
  Outcome run_machine(Machine& machine, std::vector<Datum> arguments) const {
    try {
      return machine.run(plan_.body, std::move(arguments));
    } catch (const RuntimeError& error) {
      Stopped stopped = Stopped::by(error);
      stopped.span = machine.where();
      return stopped;
    }
  }

  ir::Function function_;
  Backend& backend_;
  std::stop_token stop_;
  Plan plan_;
  std::atomic<std::uint64_t> runs_{0}, launches_{0}, copied_bytes_{0};
  std::atomic<std::int64_t> run_nanoseconds_{0};
};

} // namespace

std::shared_ptr<Executable> make_executable(ir::Function function, Backend& backend,
                                            const CompileOptions& options) {
  return std::make_shared<PlannedExecutable>(std::move(function), backend, options);
}

} // namespace sinter::jit
