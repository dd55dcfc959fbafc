// Where the domain of ordinary values offers work to an accelerator.
#include "lang/eval/concrete_domain.h"

#include "lang/core/core.h"

#include <chrono>

namespace sinter {

std::int64_t Accelerator::now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace sinter

namespace sinter::eval {

std::optional<Value> ConcreteDomain::offer_call(const core::Function& function,
                                                const Value* captures, std::span<Value> arguments,
                                                Accelerator::Watch& watch) {
  return accelerator_->call(function, std::span<const Value>(captures, function.capture_count),
                            arguments, watch);
}

std::optional<Value> ConcreteDomain::offer_loop(const LoopPlace<Concrete>& place, Value& state,
                                                Scalar next, Scalar bound, const Value* elements,
                                                LoopOffers& offers) {
  return accelerator_->loop(place, state, next, bound, elements, offers.done(), offers.watch);
}

void ConcreteDomain::note_call(Accelerator::Candidate& candidate, const core::Function& function,
                               const Value* captures, std::span<const Value> arguments) {
  candidate.function = &function;
  candidate.captures = std::span<const Value>(captures, function.capture_count);
  candidate.arguments.assign(arguments.begin(), arguments.end());
}

Value ConcreteDomain::array_operation(primitives::ArrayOperation operation,
                                      std::span<Value> arguments, ConcreteSite& site) {
  if (!accelerator_) [[likely]] {
    running_ = {}; // nobody is left to be asked, should an operation before have left a question
    return interpret(operation, arguments, site);
  }
  Accelerator::Watch watch;
  watch.around = innermost_;
  if (std::optional<Value> result =
          accelerator_->array_operation(operation, site, arguments, watch))
    return std::move(*result);
  running_ = {operation, watch.ask_at, watch.fails_at, &watch};
  Value result = interpret(operation, arguments, site);
  if (watch.site) accelerator_->interpreted(watch);
  return result;
}

bool ConcreteDomain::wants_rest(Running& running, std::span<const Value> arguments,
                                std::int64_t count, ConcreteSite& site) {
  const std::int64_t done = running.ask_at;
  running.ask_at =
      accelerator_->rest_from(running.operation, site, arguments, done, count, *running.watch);
  if (running.ask_at != done) return false;
  running.ask_at = Accelerator::Watch::never; // it takes the rest now or never
  return true;
}

std::optional<Value> ConcreteDomain::offer_rest(const Running& running, std::span<Value> arguments,
                                                ConcreteSite& site) {
  Accelerator::Watch unwatched;
  unwatched.around = innermost_;
  return accelerator_->array_operation(running.operation, site, arguments, unwatched);
}

std::optional<Value> ConcreteDomain::take_over(Running& running, std::span<const Value> arguments,
                                               std::span<const std::size_t> arrays,
                                               std::int64_t done, std::int64_t count,
                                               ConcreteSite& site) {
  if (!wants_rest(running, arguments, count, site)) return std::nullopt;
  std::vector<Value> rest(arguments.begin(), arguments.end());
  for (std::size_t position : arrays)
    rest[position] = slice_view(arguments[position].array(), 0, done, count - done, 1);
  return offer_rest(running, rest, site);
}

} // namespace sinter::eval
