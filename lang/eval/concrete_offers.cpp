// Where the domain of ordinary values offers work to an accelerator.
#include "lang/eval/concrete_domain.h"

#include "lang/core/core.h"

namespace sinter::eval {

std::optional<Value> ConcreteDomain::offer_call(const core::Function& function,
                                                const Value* captures, std::span<Value> arguments,
                                                Accelerator::Watch& watch) {
  return accelerator_->call(function, std::span<const Value>(captures, function.capture_count),
                            arguments, watch);
}

std::optional<Value> ConcreteDomain::offer_loop(const LoopPlace<Concrete>& place, Value& state,
                                                Scalar next, Scalar bound, const Value* elements,
                                                std::int64_t iterations) {
  return accelerator_->loop(place, state, next, bound, elements, iterations);
}

Value ConcreteDomain::array_operation(primitives::ArrayOperation operation,
                                      std::span<Value> arguments, ConcreteSite& site) {
  if (!accelerator_) [[likely]]
    return interpret(operation, arguments, site);
  Accelerator::Watch watch;
  if (std::optional<Value> result =
          accelerator_->array_operation(operation, site, arguments, watch))
    return std::move(*result);
  Value result = interpret(operation, arguments, site);
  if (watch.site) accelerator_->interpreted(watch);
  return result;
}

} // namespace sinter::eval
