#include "jit/swap/demand.h"

#include "jit/reasons/reasons.h"
#include "jit/swap/policy.h"

#include <optional>

namespace sinter::jit {

namespace {

constexpr const char* rest_was_worth_it = "what was left of a long run was worth it";

} // namespace

Demand demand_for(const eval::Forecast& whole) {
  if (!is_worth_compiling(whole)) return {};
  return {.is_urgent = true,
          .why = reason(whole),
          .interpreted = whole.nanoseconds,
          .is_worth_optimising = is_worth_optimising(whole)};
}

Demand demand_before(const eval::Forecast& ahead) {
  Demand demand{.is_urgent = is_worth_compiling(ahead),
                .is_worth_optimising = is_worth_optimising(ahead)};
  if (demand.is_urgent) demand.why = "it was about to take " + milliseconds(ahead.nanoseconds);
  return demand;
}

Demand demand_for_rest(const eval::Forecast& rest) {
  Demand demand{.is_urgent = is_worth_compiling(rest),
                .is_worth_optimising = is_worth_optimising(rest)};
  if (demand.is_urgent) demand.why = rest_was_worth_it;
  return demand;
}

Demand demand_for_asked_rest() {
  return {.is_urgent = true, .why = rest_was_worth_it};
}

Demand DemandByPrecedent::operator()(Site& site, const Occasion& occasion) {
  if (!precedents_ || site.sought == occasion) return {};
  site.sought = occasion;
  const std::optional<Precedent> precedent = precedents_->find(occasion);
  if (!precedent) return {};
  is_in_parts_ = is_in_parts_ || precedent->is_in_parts;
  if (precedent->is_in_parts) return {};
  return {.is_urgent = is_worth_finding(*precedent),
          .is_wanted = true,
          .why = words(Reason::Precedent),
          .interpreted = precedent->nanoseconds};
}

} // namespace sinter::jit
