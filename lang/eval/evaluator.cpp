#include "lang/eval/evaluator.h"

#include "lang/base/anew.h"
#include "lang/eval/concrete_domain.h"
#include "lang/eval/debug_domain.h"
#include "lang/eval/native_stack.h"
#include "lang/eval/walker.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <utility>

namespace sinter {

namespace {

/// Counts events, and in a repeated evaluation passes over those that have been.
class Repeatable {
public:
  void repeat() { passed_over_ = std::exchange(seen_, 0); }
  bool is_new() { return ++seen_ > passed_over_; }

private:
  std::uint64_t seen_ = 0, passed_over_ = 0;
};

/// Whether the evaluator's own error is about what the program did, and not about how far the
/// evaluation came.
bool is_of_program(const RuntimeError& error) {
  return error.kind == FailureKind::Program || error.kind == FailureKind::StackLimit;
}

} // namespace

struct Evaluator::Implementation {
  EvaluationContext context;
  eval::DebugDomain domain; ///< as the ordinary one where nothing is tested
  Repeatable traced, stopped;
  eval::NativeStacks stacks;
  eval::ValueStacks<eval::ConcreteDomain::Values> value_stacks;

  explicit Implementation(EvaluationContext given) : context(std::move(given)), domain(context) {
    if (!context.trace)
      context.trace = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
    context.trace = [this, show = std::move(context.trace)](const std::string& text) {
      if (!domain.assumptions().is_testing() && traced.is_new()) show(text);
    };
    if (context.breakpoint)
      context.breakpoint = [this, stop = std::move(context.breakpoint)](const BreakPlace& place) {
        if (!domain.assumptions().is_testing() && stopped.is_new()) stop(place);
      };
  }

  template <typename... What>
  Value run(What&... what) {
    const auto evaluate = [&] {
      return within_evaluation([&](auto& walker) { return walker.run(what...); });
    };
    return evaluated(evaluate, evaluate);
  }

  /// `again` evaluates once more, from the same inputs.
  template <typename Evaluate, typename Again>
  Value evaluated(Evaluate&& evaluate, Again&& again) {
    if (!context.accelerator) return evaluate();
    context.accelerator->begin_evaluation();
    // (Who looks around may evaluate something meanwhile.)
    const Anew anew_traced(traced), anew_stopped(stopped);
    std::optional<RuntimeError> first;
    try {
      return evaluate();
    } catch (const RuntimeError& error) {
      if (!error.is_provisional) throw;
      first = error;
    }
    context.accelerator->repeat_evaluation();
    traced.repeat();
    stopped.repeat();
    const Anew no_steps(context.steps); // they have been gone through
    try {
      return again();
    } catch (const RuntimeError& error) {
      // (A size that was too much for compiled code need not be too much.)
      if (is_of_program(error) || first->kind == FailureKind::OutOfMemory) throw;
      throw *first;
    }
  }

  /// What `action` makes of a walker on a stack with this limit.
  template <typename Action>
  auto walked(Action&& action, const std::byte* stack_limit) {
    const eval::ValueStacks<eval::ConcreteDomain::Values>::Loan values(value_stacks);
    const auto walk = [&](auto& walker) {
      // The walker stops at what is raised from now on; this is for what was raised just before.
      const InterruptSource::Reason reason =
          context.interrupt ? context.interrupt->reason() : InterruptSource::Reason::None;
      if (reason != InterruptSource::Reason::None) throw interruption(reason);
      return action(walker);
    };
    if (context.debugging != Debugging::Off || context.chunking.kind != Chunking::Kind::Whole) {
      eval::Walker<eval::DebugDomain> walker(domain, context, values.stack(), stack_limit);
      return walk(walker);
    }
    eval::Walker<eval::ConcreteDomain> walker(domain, context, values.stack(), stack_limit);
    return walk(walker);
  }

  template <typename Action>
  Value within_evaluation(Action&& action) {
    Value result;
    const Anew candidates(domain.innermost_candidate());
    stacks.run([&](const std::byte* stack_limit) {
      result = walked(std::forward<Action>(action), stack_limit);
    });
    return result;
  }

  Value called(const core::Function& function, std::span<Value> arguments) {
    // (To hand over to a stack of its own takes as long as much of what is compiled.)
    if (domain.stands_ready_for(function)) {
      const Anew candidates(domain.innermost_candidate());
      const auto taken = [&](auto& walker) { return walker.run_taken(function, arguments); };
      if (std::optional<Value> result = walked(taken, nullptr)) return *std::move(result);
    }
    return within_evaluation([&](auto& walker) { return walker.run(function, arguments); });
  }
};

bool has_function(const Value& value) {
  if (value.kind() == Value::Kind::Function) return true;
  if (value.kind() != Value::Kind::Record && value.kind() != Value::Kind::Sum) return false;
  return std::ranges::any_of(value.fields(), has_function);
}

Evaluator::Evaluator(const core::Program&, EvaluationContext context)
    : implementation_(std::make_unique<Implementation>(std::move(context))) {}

Evaluator::~Evaluator() = default;

Value Evaluator::evaluate(const core::Toplevel& toplevel) {
  return implementation_->run(toplevel);
}

Value Evaluator::evaluate(const core::Global& global) {
  return implementation_->run(global);
}

void Evaluator::compute(const core::Global& global) {
  implementation_->within_evaluation([&](auto& walker) { return walker.run(global); });
}

Value Evaluator::call(const core::Function& function, const std::vector<Value>& arguments) {
  return call(function, std::vector<Value>(arguments), [&] { return arguments; });
}

Value Evaluator::call(const core::Function& function, std::vector<Value>&& arguments,
                      const Arguments& again) {
  const auto call = [&] { return implementation_->called(function, arguments); };
  return implementation_->evaluated(call, [&] {
    if (!again) throw RuntimeError(FailureKind::Unsupported, "the arguments are used up");
    arguments = again();
    return call();
  });
}

Value Evaluator::apply(const Value& function, std::vector<Value> arguments) {
  const auto apply = [&] {
    return implementation_->within_evaluation(
        [&](auto& walker) { return walker.apply(function, arguments, Span()); });
  };
  return implementation_->evaluated(apply, []() -> Value {
    throw RuntimeError(FailureKind::Unsupported, "the arguments are used up");
  });
}

void Evaluator::define(const core::Global& global, Value value) {
  assert(!implementation_->domain.globals().find(global));
  implementation_->domain.global(global, [&] { return std::move(value); });
}

void Evaluator::set_accelerator(Accelerator* accelerator) {
  implementation_->context.accelerator = accelerator;
  implementation_->domain.set_accelerator(accelerator);
}

void Evaluator::set_steps(StepObserver* steps) {
  implementation_->context.steps = steps;
  implementation_->domain.set_may_begin_again(steps == nullptr);
}

void Evaluator::set_debugging(Debugging debugging) {
  implementation_->context.debugging = debugging;
}

void Evaluator::forget(const core::Global& global) {
  implementation_->domain.globals().reset(global);
}

void Evaluator::inherit(const Evaluator& former, std::span<const Span> names) {
  implementation_->domain.globals().inherit(
      former.implementation_->domain.globals(), names,
      [](const Value& value) { return !has_function(value); });
}

const Value* Evaluator::global(const core::Global& global) const {
  return implementation_->domain.globals().peek(global);
}

std::optional<Value> Evaluator::shared_global(const core::Global& global) const {
  return implementation_->domain.globals().shared(global);
}

} // namespace sinter
