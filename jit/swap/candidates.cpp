// Which of the calls and expressions that are running begin again as compiled code.
#include "jit/swap/swapper.h"

#include <algorithm>

namespace sinter::jit {

namespace {

/// Without a reason candidates are looked at so often, in nanoseconds.
constexpr std::int64_t between_looks = 1'000'000;
/// And for no larger part of the time than this one (of a deep recursion there are many).
constexpr std::int64_t looking_share = 20;
/// What has run for long does not keep more.
constexpr std::uint64_t most_kept_elements = std::uint64_t{1} << 17;

void refuse(Accelerator::Candidate& candidate) {
  candidate.may_begin_again = false;
  candidate.arguments.clear();
}

} // namespace

CandidateFacts Swapper::facts_of(const Candidate& candidate, std::int64_t now) const {
  CandidateFacts facts;
  facts.may_begin_again = candidate.may_begin_again;
  facts.running = now - std::max(candidate.began, opened_) - (waited_ - candidate.waited);
  facts.interpreted = now - candidate.began - (waited_ - candidate.waited) - (ran_ - candidate.ran);
  if (is_coming_for(candidate)) switch (coming_->state()) {
    case Region::State::Waiting:
      facts.code = CandidateFacts::Code::Coming;
      break;
    case Region::State::Stalled: // whoever takes it sees to that
    case Region::State::Compiled:
      facts.code = CandidateFacts::Code::There;
      break;
    case Region::State::Rejected:
      facts.may_begin_again = false;
      break;
    }
  return facts;
}

void Swapper::reconsider(const eval::Forecast& ahead, Candidate* around) {
  if (!around) return;
  const std::int64_t began = now();
  if (!is_worth_compiling(ahead) && began < reconsider_at_) return;
  std::vector<Candidate*> candidates; // outermost first
  for (Candidate* candidate = around; candidate; candidate = candidate->around) {
    candidates.push_back(candidate);
    if (candidate->is_constant) break;
  }
  std::ranges::reverse(candidates);
  std::vector<CandidateFacts> facts;
  for (const Candidate* candidate : candidates)
    facts.push_back(facts_of(*candidate, began));
  while (const std::optional<Decision> decision = decide(ahead, facts)) {
    Candidate& candidate = *candidates[decision->candidate];
    if (has_code(candidate,
                 {.is_urgent = decision->waits,
                  .is_wanted = true,
                  .why = decision->why,
                  .interpreted = facts[decision->candidate].interpreted + ahead.nanoseconds,
                  .is_worth_optimising =
                      is_worth_optimising(ahead) || is_worth_optimising(whole(candidate))}))
      throw Restart{&candidate};
    if (!decision->waits && is_coming_for(candidate)) break;
    facts[decision->candidate].may_begin_again = false;
    refuse(candidate);
  }
  const std::int64_t ended = now();
  // What has run for long hardly begins again: it need not keep large arrays.
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (facts[i].running > long_enough && facts[i].code == CandidateFacts::Code::None &&
        eval::elements_in(candidates[i]->arguments) > most_kept_elements)
      refuse(*candidates[i]);
  reconsider_at_ = ended + std::max(between_looks, looking_share * (ended - began));
}

void Swapper::reconsider_by_chance(Candidate* around) {
  for (; around; around = around->around) {
    if (around->may_begin_again && chance(8)) {
      if (has_code(*around, {true})) throw Restart{around};
      refuse(*around);
    }
    if (around->is_constant) return;
  }
}

eval::Forecast Swapper::whole(const Candidate& candidate) {
  return candidate.function
             ? forecaster_.call(*candidate.function, candidate.captures, candidate.arguments,
                                session_.global)
             : forecaster_.evaluation(*candidate.place->expr, candidate.place->slots.size(),
                                      session_.global);
}

Offer Swapper::offer_of(Candidate& candidate) {
  const core::Function* function = candidate.function;
  Offer offer =
      function ? Offer::call(site_of(*function), *function, candidate.captures, candidate.arguments)
               : Offer::expression(site_of(*candidate.place->expr),
                                   inputs_of(*candidate.place->expr), *candidate.place);
  offer.is_unsafe = candidate.is_unsafe;
  return offer;
}

bool Swapper::has_code(Candidate& candidate, const Demand& demand) {
  Offer offer = offer_of(candidate);
  if (!offer.is_possible()) return false;
  if (region_for(offer, demand, candidate.around)) return true;
  if (demand.is_urgent) return false;
  coming_ = region_of(offer);
  coming_for_ = {&candidate, candidate.began};
  return false;
}

bool Swapper::is_coming_for(const Candidate& candidate) const {
  return coming_ && coming_for_ == std::pair(&candidate, candidate.began);
}

bool Swapper::is_coming_around(const Candidate* around) const {
  for (; around; around = around->around) {
    if (is_coming_for(*around))
      return around->may_begin_again && coming_->state() != Region::State::Rejected;
    if (around->is_constant) break;
  }
  return false;
}

std::optional<Value> Swapper::begin_again(Candidate& candidate) {
  Offer offer = offer_of(candidate);
  return take(offer, {true}, candidate.around);
}

bool Swapper::belongs_to_call(const Candidate* around) const {
  if (is_coming_around(around)) return true;
  for (const std::int64_t present = now(); around; around = around->around) {
    if (around->function && around->may_begin_again &&
        facts_of(*around, present).running <= long_enough)
      return true;
    if (around->is_constant) break;
  }
  return false;
}

} // namespace sinter::jit
