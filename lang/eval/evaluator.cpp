#include "lang/eval/evaluator.h"

#include "lang/eval/concrete_domain.h"
#include "lang/eval/native_stack.h"
#include "lang/eval/walker.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

namespace sinter {

struct Evaluator::Implementation {
  EvaluationContext context;
  eval::ConcreteDomain domain;

  explicit Implementation(EvaluationContext given)
      : context(std::move(given)),
        domain(*context.memory, *context.representations, context.accelerator) {
    if (!context.trace)
      context.trace = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
  }

  template <typename... Arguments>
  Value run(Arguments&&... arguments) {
    return with_walker([&](auto& walker) { return walker.run(arguments...); });
  }
  template <typename Action>
  Value with_walker(Action&& action) {
    if (context.accelerator) context.accelerator->begin_evaluation();
    return within_evaluation(action);
  }
  template <typename Action>
  Value within_evaluation(Action&& action) {
    Value result;
    eval::NativeStack stack;
    stack.run([&] {
      eval::Walker<eval::ConcreteDomain> walker(domain, context, stack.limit());
      // The walker stops at what is raised from now on; this is for what was raised just before.
      InterruptSource::Reason reason =
          context.interrupt ? context.interrupt->reason() : InterruptSource::Reason::None;
      if (reason != InterruptSource::Reason::None) throw interruption(reason);
      result = action(walker);
    });
    return result;
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

Value Evaluator::call(const core::Function& function, std::vector<Value> arguments) {
  return implementation_->run(function, std::span<Value>(arguments));
}

Value Evaluator::apply(const Value& function, std::vector<Value> arguments) {
  return implementation_->with_walker(
      [&](auto& walker) { return walker.apply(function, arguments, Span()); });
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
