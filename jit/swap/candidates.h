// The calls and expressions that are running and may begin again: what is known of them, and for
// which one code is coming.
//
// Must not know: how code is asked for, and which candidate begins again (restarts.h).
#pragma once

#include "jit/swap/policy.h"
#include "jit/swap/region.h"
#include "jit/swap/situation.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sinter::jit {

using Candidate = Accelerator::Candidate;

class Candidates {
public:
  explicit Candidates(const Situation& situation) : situation_(situation) {}

  void begin_evaluation() { coming_.reset(); }
  /// Those around some work, as far as they matter to it, outermost first.
  static std::vector<Candidate*> all_around(Candidate* around);
  CandidateFacts facts_of(const Candidate& candidate, std::int64_t now) const;
  /// From now on a region is being made in the background for a candidate: the only one.
  void expect(std::shared_ptr<Region> region, const Candidate& candidate);
  /// Whether code is being made so for a candidate, or has been; and for one around some work.
  bool is_coming_for(const Candidate& candidate) const;
  bool is_coming_around(const Candidate* around) const;
  /// Whether a call that is running around the work is going to be compiled as a whole if it runs
  /// often.
  bool has_call_around(const Candidate* around) const;

private:
  const Situation& situation_;
  const std::int64_t opened_ = Accelerator::now(); ///< since then there has been a JIT
  /// What is being made, and for which candidate: where that is, and when it began.
  std::shared_ptr<Region> coming_;
  const Candidate* coming_for_ = nullptr;
  std::int64_t coming_since_ = 0;
};

} // namespace sinter::jit
