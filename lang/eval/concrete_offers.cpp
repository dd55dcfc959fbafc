// Where the domain of ordinary values offers work to an accelerator.
#include "lang/eval/concrete_domain.h"

#include "lang/core/core.h"

namespace sinter::eval {

std::optional<Value> ConcreteDomain::offer_call(const core::Function& function,
                                                const Value* captures, std::span<Value> arguments) {
  return accelerator_->call(function, std::span<const Value>(captures, function.capture_count),
                            arguments);
}

std::optional<Value> ConcreteDomain::offer_loop(const LoopPlace<Concrete>& place, Value& state,
                                                Scalar next, Scalar bound, const Value* elements) {
  return accelerator_->loop(place, state, next, bound, elements);
}

} // namespace sinter::eval
