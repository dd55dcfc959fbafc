#include "lang/eval/wide_evaluator.h"

#include "lang/eval/native_stack.h"
#include "lang/eval/walker.h"
#include "lang/eval/wide_domain.h"

#include <cstdio>

namespace sinter {

struct WideEvaluator::Implementation {
  EvaluationContext context;
  eval::WideDomain domain;
  eval::NativeStacks stacks;
  eval::ValueStacks<eval::WideDomain::Values> value_stacks;

  Implementation(EvaluationContext given, unsigned digits)
      : context(std::move(given)), domain(*context.memory, *context.representations, digits) {
    if (!context.trace)
      context.trace = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
  }

  template <typename Action>
  Value walked(Action&& action) {
    Value result;
    stacks.run([&](const std::byte* stack_limit) {
      const eval::ValueStacks<eval::WideDomain::Values>::Loan values(value_stacks);
      eval::Walker<eval::WideDomain> walker(domain, context, values.stack(), stack_limit);
      result = action(walker);
    });
    return result;
  }
  template <typename... Arguments>
  Value run(Arguments&&... arguments) {
    return walked([&](auto& walker) { return walker.run(arguments...); });
  }
};

WideEvaluator::WideEvaluator(EvaluationContext context, unsigned digits)
    : implementation_(std::make_unique<Implementation>(std::move(context), digits)) {}

WideEvaluator::~WideEvaluator() = default;

Value WideEvaluator::call(const core::Function& function, std::vector<Value> arguments,
                          const std::vector<const Representation*>& types) {
  Implementation& self = *implementation_;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = self.domain.widen(arguments[i], types[i]);
  return self.run(function, std::span<Value>(arguments));
}

Value WideEvaluator::apply(const Value& function, std::vector<Value> arguments) {
  return implementation_->walked(
      [&](auto& walker) { return walker.apply(function, arguments, Span()); });
}

Value WideEvaluator::evaluate(const core::Toplevel& toplevel) {
  return implementation_->run(toplevel);
}

void WideEvaluator::define(const core::Global& global, Value value) {
  implementation_->domain.define(global, std::move(value));
}

void WideEvaluator::take_from(const eval::Globals& known) {
  implementation_->domain.take_from(known);
}

Value WideEvaluator::widen(const Value& value, const Representation* type) {
  return implementation_->domain.widen(value, type);
}

Value WideEvaluator::narrow(const Value& value, const Representation* type) const {
  return implementation_->domain.narrow(value, type);
}

const eval::WideNumbers& WideEvaluator::numbers() const {
  return implementation_->domain.numbers();
}

eval::WideNumbers& WideEvaluator::numbers() {
  return implementation_->domain.numbers();
}

} // namespace sinter
