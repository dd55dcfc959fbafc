// Which of the calls and expressions that are running begins again as compiled code: the policy
// (policy.h) is asked, and code for what it says.
//
// Must not know: how regions are made or run.
#pragma once

#include "jit/swap/regions.h"
#include "jit/swap/sites.h"
#include "lang/eval/forecast.h"

#include <cstdint>

namespace sinter::jit {

class Restarts {
public:
  Restarts(Situation& situation, Sites& sites, eval::Forecaster& forecaster, Candidates& candidates,
           Regions& regions)
      : situation_(situation), sites_(sites), forecaster_(forecaster), candidates_(candidates),
        regions_(regions) {}

  void begin_evaluation() { reconsider_at_ = 0; }
  /// Lets the outermost candidate begin again for which the policy asks, if there is code for it:
  /// throws Restart.
  void reconsider(const eval::Forecast& ahead, Candidate* around);
  /// The same by chance, for tests.
  void reconsider_by_chance(Candidate* around);
  /// A candidate as a whole.
  Offer offer_of(Candidate& candidate);

private:
  /// What the policy's decision asks for, for a candidate with these facts.
  Demand demand_of(const Decision& decision, const CandidateFacts& facts,
                   const eval::Forecast& ahead, const Candidate& candidate);
  /// All that is to be done in a candidate.
  eval::Forecast whole(const Candidate& candidate);
  /// Whether there is code for a candidate as a whole; if it is but wanted, it may be coming then.
  bool has_code(Candidate& candidate, const Demand& demand);

  Situation& situation_;
  Sites& sites_;
  eval::Forecaster& forecaster_;
  Candidates& candidates_;
  Regions& regions_;
  std::int64_t reconsider_at_ = 0; ///< not before then, for the sake of the time that has passed
};

} // namespace sinter::jit
