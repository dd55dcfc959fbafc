#include "jit/swap/region_compiler.h"

#include "jit/ir/operations.h"
#include "jit/ir/print.h"
#include "jit/ir/walk.h"
#include "jit/passes/pipeline.h"
#include "jit/reasons/reasons.h"
#include "lang/eval/forecast.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <stdexcept>

namespace sinter::jit {

namespace {

/// Adds the time until its end to a sum of milliseconds.
class Stopwatch {
public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  ~Stopwatch() {
    sum_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_)
                .count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

private:
  double& sum_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

bool may_fail(const ir::Function& function) {
  return std::any_of(function.body.statements.begin(), function.body.statements.end(),
                     [](const ir::Statement& s) { return ir::may_fail(s.operation); });
}

/// Whether a parameter is overwritten; views of parameters count as parameters.
bool consumes_parameters(const ir::Function& function) {
  std::vector<bool> is_input(function.values.size(), false);
  for (ir::ValueId parameter : function.body.parameters)
    is_input[parameter.index] = true;
  for (const ir::Statement& statement : function.body.statements) {
    for (ir::ValueId value : ir::consumed_values(function, statement.operation))
      if (is_input[value.index]) return true;
    const bool is_view = ir::is_view(statement.operation);
    if (!is_view) continue;
    for (ir::ValueId source : ir::free_values(function, statement.operation))
      if (is_input[source.index] && !function.type(source).is_scalar())
        for (ir::ValueId result : statement.results)
          is_input[result.index] = true;
  }
  return false;
}

} // namespace

unsigned first_tier(const SwapOptions& options) {
  if (options.floats == FloatMode::Contract)
    return 2; // which products are contracted, the optimiser decides
  switch (options.tier) {
  case Tier::First:
    return 1;
  case Tier::Second:
    return 2;
  case Tier::Automatic:
    break;
  }
  return options.mode == Mode::Jit ? 2 : 1;
}

RegionCompiler::RegionCompiler(SwapContext session, MakeExecutable make)
    : session_(std::move(session)), make_(std::move(make)) {}

CompiledRegion RegionCompiler::compiled(TracedRegion traced, const DeviceChoice& device,
                                        const SwapOptions& options, CompileTimes& times) const {
  CompiledRegion result;
  result.result = std::move(traced.trace.result);
  result.globals = std::move(traced.globals);
  result.awaited = std::move(traced.awaited);
  ir::Function function = std::move(traced.trace.function);
  if (options.keep_ir) result.traced_ir = ir::print(function);
  {
    Stopwatch watch(times.optimising);
    PassOptions passes = options.passes();
    if (passes.verify) require_rules(function, "tracing");
    result.passes = optimise(function, passes, [&] {
      if (stop_.stop_requested()) throw std::runtime_error("the session ended");
    });
  }
  result.may_fail = may_fail(function);
  result.asks_evaluator =
      std::ranges::any_of(function.failures, [](const ir::FailureSite& failure) {
        return failure.kind == FailureKind::StackLimit || failure.kind == FailureKind::Deferred;
      });
  result.consumes = consumes_parameters(function);
  CompileOptions compile_options;
  compile_options.floats = options.floats;
  compile_options.lanes = options.lanes;
  compile_options.least_inside = options.least_inside;
  compile_options.piece = options.piece;
  if (options.specialises_at_once) compile_options.specialisation = Specialisation::AtOnce;
  compile_options.device = device;
  compile_options.tier = first_tier(options);
  compile_options.takes_better = options.tier == Tier::Automatic && options.mode == Mode::Auto;
  compile_options.stop = stop_.get_token();
  compile_options.passes = options.passes();
  Stopwatch watch(times.compiling);
  result.executable = make_(std::move(function), compile_options);
  if (options.keep_ir) result.optimised_ir = ir::print(result.executable->function());
  const std::vector<PassRecord> of_kernels = result.executable->passes();
  result.passes.insert(result.passes.end(), of_kernels.begin(), of_kernels.end());
  result.may_be_promoted = compile_options.tier < 2 && options.tier == Tier::Automatic;
  return result;
}

void RegionCompiler::compile(Region& region, const SwapOptions& options,
                             const std::byte* stack_limit) const {
  CompileTimes times;
  auto reject = [&](const std::string& why) { region.reject({why, region.span}, times); };
  try {
    TraceOptions trace_options;
    trace_options.global = session_.global;
    trace_options.is_unsafe = region.key.is_unsafe;
    trace_options.is_marked = region.key.is_marked;
    trace_options.device = region.key.device;
    trace_options.stack_limit = stack_limit;
    eval::Forecaster forecaster;
    if (session_.compute_global)
      trace_options.can_await = [&](const core::Global& global) {
        return !region.in_place.contains(&global) && forecaster.has_work(*global.body);
      };
    TraceOutcome traced;
    {
      Stopwatch watch(times.tracing);
      traced =
          trace(region.key.target, region.key.inputs, *session_.representations, trace_options);
    }
    if (auto* untraceable = std::get_if<Untraceable>(&traced)) {
      note_in_parts(region);
      region.reject(std::move(*untraceable), times);
      return;
    }
    if (const auto* wanted = std::get_if<WantedGlobal>(&traced)) {
      region.stall(*wanted->global, times);
      return;
    }
    CompiledRegion result =
        compiled(std::move(std::get<TracedRegion>(traced)), region.key.device, options, times);
    region.publish(std::move(result), times);
    // (What is left out at the end of a process, the next one makes.)
    if (!region.compiled().executable->is_kept() && !stop_.stop_requested())
      forget_precedent(region);
  } catch (const AbsentDevice& error) {
    region.reject({words(Reason::NoSuchDevice, {name(region.key.device), error.what()}),
                   region.span, false, backend_id},
                  times);
  } catch (const RuntimeError& error) {
    reject(error.message);
  } catch (const std::bad_alloc&) {
    reject(words(Reason::NoMemoryToCompile));
  } catch (const std::exception& error) {
    // (Whoever asks for the rules to be checked is not to overlook it.)
    region.breaks_rules = options.verify;
    reject(words(Reason::CompilerFault, {error.what()}));
  }
}

void RegionCompiler::forget_precedent(const Region& region) const {
  if (session_.precedents && region.occasion.is_known())
    session_.precedents->forget(region.occasion);
}

void RegionCompiler::note_in_parts(const Region& region) const {
  if (session_.precedents && region.occasion.is_known())
    session_.precedents->note_in_parts(region.occasion);
}

void RegionCompiler::promote(Region& region) const {
  try {
    if (region.compiled().may_be_promoted) region.compiled().executable->promote();
    region.compiled().executable->make_wanted();
    region.note_promoted();
  } catch (const std::exception& error) {
    region.stay_in_first_tier(error.what());
  }
}

} // namespace sinter::jit
