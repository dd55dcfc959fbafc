// Traces entry points and runs the traces with the IR's evaluator: what tests of tracing share.
#pragma once

#include "jit/ir/evaluate.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/pipeline.h"
#include "jit/trace/trace.h"
#include "lang/eval/forecast.h"
#include "lang/values/elements.h"
#include "repl/session/session.h"
#include "src/testing/cases.h"
#include "src/testing/programs.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sinter::test {

/// The evaluator's arrays from the interpreter's.
inline ir::DenseValue to_ir(const jit::Datum& datum) {
  if (const auto* scalar = std::get_if<Scalar>(&datum)) return *scalar;
  const Leaf& leaf = std::get<Leaf>(datum);
  ir::DenseArray array{leaf.element, {leaf.extents.begin(), leaf.extents.end()}, {}};
  std::int64_t count = 1;
  for (std::int64_t extent : leaf.extents)
    count *= extent;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, at = leaf.offset;
    for (std::size_t d = leaf.extents.size(); d-- > 0;) {
      at += rest % leaf.extents[d] * leaf.strides[d];
      rest /= leaf.extents[d];
    }
    array.elements.push_back(load_scalar(leaf.element, leaf.buffer->contents(), at));
  }
  return array;
}

/// And back.
inline jit::Datum from_ir(MemoryBudget& memory, Representations& table,
                          const ir::DenseValue& datum) {
  if (const auto* scalar = std::get_if<Scalar>(&datum)) return *scalar;
  const ir::DenseArray& array = std::get<ir::DenseArray>(datum);
  ArrayRef made = allocate_array(memory, table.scalar(array.element),
                                 Extents(std::span<const std::int64_t>(array.extents)));
  Leaf& leaf = made->leaves.front();
  for (std::size_t i = 0; i < array.elements.size(); ++i)
    store_scalar(array.element, leaf.buffer->overwrite(), static_cast<std::int64_t>(i),
                 array.elements[i]);
  return std::move(leaf);
}

/// What became of an entry point with some arguments.
struct Traced {
  std::optional<jit::Untraceable> refusal;
  std::string problem;        ///< the IR is not well formed
  std::string ir;             ///< as text
  std::size_t written = 0;    ///< statements, those included that were given up again
  std::optional<Value> value; ///< what the trace computes; nothing if a check failed
  std::string failure;        ///< the check's message
  /// The check is that of recursion that became a loop, waits for a constant, or met a size that
  /// compiled code does not have: from there on the interpreter decides.
  bool is_left_to_interpreter = false;
};

/// What becomes of a global that has not been computed.
enum class Uncomputed {
  Awaited, ///< the session computes it once a trace or its run needs it
  InPlace, ///< the trace computes it
};

/// Traces a call; the session computes globals that the trace wants, but those that fail.
inline jit::TraceOutcome trace_call(repl::Session& session, const core::Function& function,
                                    const std::vector<jit::Layout>& layouts, Uncomputed globals) {
  jit::TraceOptions options;
  options.global = [&](const core::Global& global) {
    return session.evaluator().shared_global(global);
  };
  eval::Forecaster work;
  std::set<const core::Global*> in_place;
  if (globals == Uncomputed::Awaited)
    options.can_await = [&](const core::Global& global) {
      return !in_place.contains(&global) && work.has_work(*global.body);
    };
  while (true) {
    jit::TraceOutcome traced =
        jit::trace(jit::CallTarget{&function, 0}, layouts, session.representations(), options);
    const auto* wanted = std::get_if<jit::WantedGlobal>(&traced);
    if (!wanted) return traced;
    try {
      session.evaluator().evaluate(*wanted->global);
    } catch (const RuntimeError&) {
      in_place.insert(wanted->global);
    }
  }
}

/// The rules that a trace's function breaks, or with all passes run, one of them; "" if none.
inline std::string broken_rule(ir::Function& function, bool is_optimised) {
  if (auto problem = ir::verify(function)) return *problem;
  if (!is_optimised) return "";
  try {
    jit::optimise(function, {.verify = true});
    return "";
  } catch (const std::logic_error& broken) {
    return broken.what();
  }
}

/// Computes the globals that a check has asked for; whether that went well.
inline bool compute_awaited(repl::Session& session, const jit::TracedRegion& region,
                            const std::string& message) {
  try {
    for (const jit::AwaitedGlobal& awaited : region.awaited)
      if (awaited.message == message) session.evaluator().evaluate(*awaited.global);
    return true;
  } catch (const RuntimeError&) {
    return false;
  }
}

/// `is_optimised`: with all passes run, and the function verified after each.
inline Traced run_traced(repl::Session& session, const core::Function& function,
                         const std::vector<Value>& arguments, bool is_optimised = false,
                         bool is_run = true, Uncomputed globals = Uncomputed::Awaited) {
  Traced result;
  std::vector<jit::Layout> layouts;
  std::vector<jit::Datum> places;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    layouts.push_back(
        jit::layout_of(arguments[i], function.parameters[i]->type, session.representations()));
    jit::take_apart(arguments[i], layouts.back(), places);
  }
  jit::TraceOutcome traced = trace_call(session, function, layouts, globals);
  if (auto* refusal = std::get_if<jit::Untraceable>(&traced)) {
    result.refusal = *refusal;
    return result;
  }
  jit::TracedRegion& region = std::get<jit::TracedRegion>(traced);
  result.written = region.written;
  result.problem = broken_rule(region.trace.function, is_optimised);
  result.ir = ir::print(region.trace.function);
  if (!result.problem.empty() || !is_run) return result;
  for (const auto& [global, layout] : region.globals)
    jit::take_apart(*session.evaluator().global(*global), layout, places);
  std::vector<ir::DenseValue> inputs;
  for (const jit::Datum& place : places)
    inputs.push_back(to_ir(place));
  ir::Evaluation evaluation = ir::evaluate(region.trace.function, std::move(inputs));
  if (auto* site = std::get_if<std::uint32_t>(&evaluation)) {
    const ir::FailureSite& failure = region.trace.function.failures[*site];
    if (failure.kind == FailureKind::Deferred) {
      // Some path does need a constant; the next trace has it.  (Where it fails, so does the path.)
      if (compute_awaited(session, region, failure.message))
        return run_traced(session, function, arguments, is_optimised, is_run, globals);
      result.is_left_to_interpreter = true;
      return result;
    }
    result.failure = failure.message;
    result.is_left_to_interpreter =
        failure.kind == FailureKind::StackLimit || failure.kind == FailureKind::OutOfMemory;
    return result;
  }
  std::vector<jit::Datum> outputs;
  for (const ir::DenseValue& datum : std::get<std::vector<ir::DenseValue>>(evaluation))
    outputs.push_back(from_ir(session.memory(), session.representations(), datum));
  std::size_t next = 0;
  result.value = jit::put_together(region.trace.result, outputs, next);
  return result;
}

} // namespace sinter::test
