// How much an offer asks for compiled code, and why.
//
// Must not know: what is made of a demand (regions.h).
#pragma once

#include "jit/gate/precedents.h"
#include "jit/swap/profile.h"
#include "lang/eval/forecast.h"

#include <cstdint>
#include <string>

namespace sinter::jit {

struct Demand {
  bool is_urgent = false;       ///< whatever the site has taken so far; in Mode::Auto too, at once
  bool is_wanted = false;       ///< the same, but in Mode::Auto in the background
  std::string why = {};         ///< of an urgent or a wanted one in Mode::Auto, in words
  std::int64_t interpreted = 0; ///< nanoseconds that the evaluator would take, as far as known
  bool is_worth_launching = false;  ///< if there is a region; an urgent one is in any case
  bool is_worth_optimising = false; ///< in the second tier at once, if the tiers are automatic
};

/// What the forecast of a whole evaluation asks for; nothing if it is small.
Demand demand_for(const eval::Forecast& whole);
/// What an operation or a loop asks for that is about to begin.
Demand demand_before(const eval::Forecast& ahead);
/// What the rest of one that is running asks for.
Demand demand_for_rest(const eval::Forecast& rest);
/// What it asks for in any case, when it comes as it was asked for.
Demand demand_for_asked_rest();

/// What is asked for since an earlier process made code for it.
class DemandByPrecedent {
public:
  /// `precedents`: null if there are none.
  explicit DemandByPrecedent(Precedents* precedents) : precedents_(precedents) {}

  void begin_evaluation() { is_in_parts_ = false; }
  /// What that is for an occasion at a site; asked again, nothing.
  Demand operator()(Site& site, const Occasion& occasion);
  /// Whether code was made for parts of the evaluation, as far as has been asked.
  bool is_in_parts() const { return is_in_parts_; }

private:
  Precedents* precedents_;
  bool is_in_parts_ = false;
};

} // namespace sinter::jit
