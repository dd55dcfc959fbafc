#include "jit/swap/candidates.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

std::vector<Candidate*> Candidates::all_around(Candidate* around) {
  std::vector<Candidate*> candidates;
  for (; around; around = around->around) {
    candidates.push_back(around);
    if (around->is_constant) break;
  }
  std::ranges::reverse(candidates);
  return candidates;
}

CandidateFacts Candidates::facts_of(const Candidate& candidate, std::int64_t now) const {
  const TimeAccount& time = situation_.time;
  CandidateFacts facts;
  facts.may_begin_again = candidate.may_begin_again;
  facts.running = now - std::max(candidate.began, opened_) - (time.waited - candidate.waited);
  facts.interpreted = time.interpreted_since(candidate, now);
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

void Candidates::expect(std::shared_ptr<Region> region, const Candidate& candidate) {
  coming_ = std::move(region);
  coming_for_ = &candidate;
  coming_since_ = candidate.began;
}

bool Candidates::is_coming_for(const Candidate& candidate) const {
  return coming_ && coming_for_ == &candidate && coming_since_ == candidate.began;
}

bool Candidates::is_coming_around(const Candidate* around) const {
  for (; around; around = around->around) {
    if (is_coming_for(*around))
      return around->may_begin_again && coming_->state() != Region::State::Rejected;
    if (around->is_constant) break;
  }
  return false;
}

bool Candidates::has_call_around(const Candidate* around) const {
  if (is_coming_around(around)) return true;
  for (const std::int64_t present = Accelerator::now(); around; around = around->around) {
    if (around->function && around->may_begin_again &&
        facts_of(*around, present).running <= long_enough)
      return true;
    if (around->is_constant) break;
  }
  return false;
}

} // namespace sinter::jit
