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

class PlannedExecutable final : public Executable {
public:
  PlannedExecutable(ir::Function function, Backend& backend, const CompileOptions& options)
      : function_(std::move(function)), backend_(backend),
        plan_(make_plan(function_, KernelPolicy::Compile, backend, options)) {}

  Outcome run(std::vector<Datum> arguments, const RunContext& context) override {
    assert(context.memory);
    auto begin = std::chrono::steady_clock::now();
    Machine machine(plan_, context, &backend_);
    Outcome outcome = run_machine(machine, std::move(arguments));
    runs_.fetch_add(1, std::memory_order_relaxed);
    launches_.fetch_add(machine.launches(), std::memory_order_relaxed);
    run_nanoseconds_.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now() - begin)
                                   .count(),
                               std::memory_order_relaxed);
    return outcome;
  }

  void compile_all() override {
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels)
      kernel->compile();
  }

  const ir::Function& function() const override { return function_; }

  ExecutableStatistics statistics() const override {
    ExecutableStatistics result;
    result.runs = runs_;
    result.run_milliseconds = static_cast<double>(run_nanoseconds_) * 1e-6;
    result.kernel_launches = launches_;
    result.soacs = count_soacs(function_.body);
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels) {
      result.compile_milliseconds += kernel->compile_milliseconds();
      if (!kernel->rejection()) result.compiled_soacs += count_soacs(kernel->function().body);
    }
    return result;
  }

  std::vector<KernelDescription> kernels() const override {
    std::vector<KernelDescription> result;
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels)
      result.push_back({ir::print(kernel->function()), kernel->rejection().value_or(std::string()),
                        kernel->facts()});
    return result;
  }

private:
  Outcome run_machine(Machine& machine, std::vector<Datum> arguments) const {
    try {
      return machine.run(plan_.body, std::move(arguments));
    } catch (const RuntimeError& error) {
      // What else memory says, about a size that is no size, the interpreter has to word.
      return Stopped{error.kind == FailureKind::OutOfMemory ? Stopped::Why::OutOfMemory
                                                            : Stopped::Why::Failed,
                     0,
                     {}};
    }
  }

  ir::Function function_;
  Backend& backend_;
  Plan plan_;
  std::atomic<std::uint64_t> runs_{0}, launches_{0};
  std::atomic<std::int64_t> run_nanoseconds_{0};
};

} // namespace

std::shared_ptr<Executable> make_executable(ir::Function function, Backend& backend,
                                            const CompileOptions& options) {
  return std::make_shared<PlannedExecutable>(std::move(function), backend, options);
}

} // namespace sinter::jit
