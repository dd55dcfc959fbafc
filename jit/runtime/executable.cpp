#include "jit/runtime/executable.h"

#include "jit/ir/print.h"
#include "jit/ir/walk.h"
#include "jit/passes/short_rounds.h"
#include "jit/runtime/machine.h"
#include "jit/runtime/plan.h"
#include "jit/runtime/prepare.h"
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
    if (std::holds_alternative<ir::Stream>(statement.operation) ||
        is_whole_loop(statement.operation))
      continue; // another way to do it
    count += std::holds_alternative<ir::Soac>(statement.operation);
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { count += count_soacs(inner); });
  }
  return count;
}

/// Those of a plan, and inside those that are walked; and those that are nothing but glue, too.
/// `visit` is told whether another kernel does the same.
template <typename Visit>
void for_each_in_plan(const Plan& plan, Visit&& visit, bool is_alternative = false) {
  for (const std::unique_ptr<VersionedKernel>& kernel : plan.kernels) {
    const bool is_other = is_alternative || kernel->is_late();
    visit(*kernel, is_other);
    for (const VersionedKernel::Walked& walked : kernel->walked())
      for_each_in_plan(*walked.plan, visit, is_other || walked.is_alternative);
  }
}

template <typename Visit>
void for_each_stream(const plan::Block& block, const Visit& visit) {
  for (const plan::Step& step : block.steps) {
    if (const auto* loop = std::get_if<plan::StreamLoop>(&step.action)) visit(*loop, step.span);
    for (const plan::Block& inner : step.blocks)
      for_each_stream(inner, visit);
  }
}

/// The kernels that are told about: glue is host-level code.
template <typename Visit>
void for_each_kernel(const Plan& plan, Visit&& visit) {
  for_each_in_plan(plan, [&](VersionedKernel& kernel, bool) {
    const bool was_never_wanted = kernel.is_late() && kernel.version_count() == 0;
    if (!kernel.is_glue_only() && !was_never_wanted) visit(kernel);
  });
}

class PlannedExecutable final : public Executable {
public:
  PlannedExecutable(ir::Function function, const Places& places, const CompileOptions& options)
      : function_(std::move(function)), places_(places), stop_(options.stop),
        prepared_(places_.is_host_alone() ? prepare_function(function_, places_.host(), options)
                                          : std::vector<PassRecord>()),
        plan_(make_plan(function_,
                        places_.is_host_alone() ? KernelPolicy::CompilePrepared
                                                : KernelPolicy::Compile,
                        places_, options)) {}

  Outcome run(std::vector<Datum> arguments, const RunContext& context) override {
    assert(context.memory);
    auto begin = std::chrono::steady_clock::now();
    Machine machine(plan_, context, places_);
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

  void make_wanted() override {
    for_each_in_plan(plan_, [&](VersionedKernel& kernel, bool) {
      if (!stop_.stop_requested()) kernel.make_wanted();
    });
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
    result.compiled_soacs = plan_.filled_soacs;
    for_each_in_plan(plan_, [&](VersionedKernel& kernel, bool is_alternative) {
      add_kernel(kernel, is_alternative, result);
    });
    return result;
  }

  std::vector<KernelDescription> kernels(bool with_assembly) const override {
    std::vector<KernelDescription> result;
    for_each_kernel(plan_, [&](VersionedKernel& kernel) {
      KernelDescription& description = result.emplace_back();
      description.span = kernel.span();
      description.ir = ir::print(kernel.prepared_function());
      description.not_compiled = kernel.rejection().value_or(std::string());
      if (description.not_compiled.empty()) description.refusals = kernel.refusals();
      description.versions = kernel.version_count();
      description.facts = kernel.facts();
      description.launches = kernel.launches();
      if (with_assembly) description.assembly = kernel.assembly();
    });
    return result;
  }

  std::vector<StreamDescription> streams() const override {
    std::vector<StreamDescription> result;
    for_each_stream(plan_.body, [&](const plan::StreamLoop& loop, Span span) {
      result.push_back({span, loop.pieces->totals()});
    });
    return result;
  }

  std::vector<Obstacle> obstacles() const override {
    std::vector<Obstacle> result;
    for_each_kernel(plan_, [&](VersionedKernel& kernel) {
      if (count_soacs(kernel.function().body) == 0) return;
      if (const std::optional<std::string> why = kernel.rejection()) {
        result.push_back({kernel.span(), {}, *why});
        return;
      }
      for (PlaceRefusal& refusal : kernel.refusals())
        if (refusal.place != places_.host().name())
          result.push_back({kernel.span(), std::move(refusal.place), std::move(refusal.why)});
    });
    return result;
  }

  std::vector<PassRecord> passes() const override {
    std::vector<PassRecord> result = prepared_;
    for_each_in_plan(plan_, [&](VersionedKernel& kernel, bool) {
      const std::vector<PassRecord> passes = kernel.passes();
      result.insert(result.end(), passes.begin(), passes.end());
    });
    return result;
  }

private:
  /// (SOACs are counted where they stand first.)
  static void add_kernel(const VersionedKernel& kernel, bool is_alternative,
                         ExecutableStatistics& result) {
    const std::vector<VersionedKernel::Walked> walked = kernel.walked();
    for (const VersionedKernel::Walked& one : walked) {
      if (!is_alternative && !one.is_alternative) result.compiled_soacs += one.plan->filled_soacs;
      if (!one.is_glue) return;
      // What counted as one launch was several.
      result.kernel_launches += one.launches - one.runs;
      result.moved_bytes += one.copied_bytes;
    }
    if (kernel.is_glue_only()) {
      if (is_alternative) return;
      // The SOACs that there are now are those of the kernels around which it is.
      result.soacs += count_soacs(kernel.prepared_function().body);
      result.soacs -= count_soacs(kernel.function().body);
      return;
    }
    result.compile_milliseconds += kernel.compile_milliseconds();
    if (!is_alternative) result.compiled_soacs += count_soacs(kernel.function().body);
    result.moved_bytes += kernel.launches().moved_bytes;
  }

  /// Waits for what is still going on, also after an error.
  Outcome run_machine(Machine& machine, std::vector<Datum> arguments) const {
    Outcome outcome = run_steps(machine, std::move(arguments));
    if (!places_.may_return_early()) return outcome;
    const auto* const stopped = std::get_if<Stopped>(&outcome);
    const bool is_interrupted = stopped && stopped->why == Stopped::Why::Interrupted;
    // (What failed elsewhere was launched before whatever ended the steps.)
    if (std::optional<Stopped> first = machine.finish(); first && !is_interrupted) return *first;
    return outcome;
  }

  Outcome run_steps(Machine& machine, std::vector<Datum> arguments) const {
    try {
      return machine.run(plan_.body, std::move(arguments));
    } catch (const RuntimeError& error) {
      Stopped stopped = Stopped::by(error);
      stopped.span = machine.where();
      return stopped;
    }
  }

  ir::Function function_;
  Places places_;
  std::stop_token stop_;
  std::vector<PassRecord> prepared_; ///< what prepared the function, for the only place
  Plan plan_;
  std::atomic<std::uint64_t> runs_{0}, launches_{0}, copied_bytes_{0};
  std::atomic<std::int64_t> run_nanoseconds_{0};
};

} // namespace

std::shared_ptr<Executable> make_executable(ir::Function function, const Places& places,
                                            const CompileOptions& options) {
  return std::make_shared<PlannedExecutable>(std::move(function), places, options);
}

} // namespace sinter::jit
