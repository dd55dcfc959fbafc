#include "jit/swap/restarts.h"

#include <algorithm>
#include <vector>

namespace sinter::jit {

namespace {

/// Without a reason candidates are looked at so often, in nanoseconds.
constexpr std::int64_t between_looks = 1'000'000;
/// And for no larger part of the time than this one (of a deep recursion there are many).
constexpr std::int64_t looking_share = 20;
/// What has run for long does not keep more.
constexpr std::uint64_t most_kept_elements = std::uint64_t{1} << 17;

void refuse(Candidate& candidate) {
  candidate.may_begin_again = false;
  candidate.arguments.clear();
}

/// Whether it keeps large arrays though it hardly begins again, having run for long.
bool keeps_in_vain(const Candidate& candidate, const CandidateFacts& facts) {
  return facts.running > long_enough && facts.code == CandidateFacts::Code::None &&
         eval::elements_in(candidate.arguments) > most_kept_elements;
}

} // namespace

void Restarts::reconsider(const eval::Forecast& ahead, Candidate* around) {
  if (!around) return;
  const std::int64_t began = Accelerator::now();
  if (!is_worth_compiling(ahead) && began < reconsider_at_) return;
  const std::vector<Candidate*> candidates = Candidates::all_around(around);
  std::vector<CandidateFacts> facts;
  for (const Candidate* candidate : candidates)
    facts.push_back(candidates_.facts_of(*candidate, began));
  while (const std::optional<Decision> decision = decide(ahead, facts)) {
    Candidate& candidate = *candidates[decision->candidate];
    CandidateFacts& known = facts[decision->candidate];
    if (has_code(candidate, demand_of(*decision, known, ahead, candidate)))
      throw Accelerator::Restart{&candidate};
    if (!decision->waits && candidates_.is_coming_for(candidate)) break;
    known.may_begin_again = false;
    refuse(candidate);
  }
  const std::int64_t ended = Accelerator::now();
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (keeps_in_vain(*candidates[i], facts[i])) refuse(*candidates[i]);
  reconsider_at_ = ended + std::max(between_looks, looking_share * (ended - began));
}

Demand Restarts::demand_of(const Decision& decision, const CandidateFacts& facts,
                           const eval::Forecast& ahead, const Candidate& candidate) {
  return {.is_urgent = decision.waits,
          .is_wanted = true,
          .why = decision.why,
          .interpreted = facts.interpreted + ahead.nanoseconds,
          .is_worth_optimising =
              is_worth_optimising(ahead) || is_worth_optimising(whole(candidate))};
}

void Restarts::reconsider_by_chance(Candidate* around) {
  for (; around; around = around->around) {
    if (around->may_begin_again && situation_.chance(8)) {
      if (has_code(*around, {.is_urgent = true})) throw Accelerator::Restart{around};
      refuse(*around);
    }
    if (around->is_constant) return;
  }
}

eval::Forecast Restarts::whole(const Candidate& candidate) {
  const auto& global = situation_.session.global;
  return candidate.function ? forecaster_.call(*candidate.function, candidate.captures,
                                               candidate.arguments, global)
                            : forecaster_.evaluation(*candidate.place->expr,
                                                     candidate.place->slots.size(), global);
}

Offer Restarts::offer_of(Candidate& candidate) {
  const core::Function* function = candidate.function;
  Offer offer =
      function
          ? Offer::call(sites_.of(*function), *function, candidate.captures, candidate.arguments)
          : Offer::expression(sites_.of(*candidate.place->expr),
                              sites_.inputs_of(*candidate.place->expr), *candidate.place);
  offer.is_unsafe = candidate.is_unsafe;
  return offer;
}

bool Restarts::has_code(Candidate& candidate, const Demand& demand) {
  Offer offer = offer_of(candidate);
  if (!offer.is_possible()) return false;
  if (regions_.usable_for(offer, demand, candidate.around)) return true;
  if (demand.is_urgent) return false;
  candidates_.expect(regions_.known_for(offer), candidate);
  return false;
}

} // namespace sinter::jit
