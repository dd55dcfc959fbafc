// Runs regions on offers, and says what becomes of a run that does not end with a value.
//
// Must not know: when a region is made (regions.h).
#pragma once

#include "jit/swap/regions.h"

#include <cstdint>
#include <optional>

namespace sinter::jit {

class Runner {
public:
  Runner(Situation& situation, Regions& regions, Compilations& compilations, WantedGlobals& globals)
      : situation_(situation), regions_(regions), compilations_(compilations), globals_(globals) {}

  void begin_evaluation() { failed_site_ = nullptr; }
  /// The result if compiled code takes the offer.  `fails_at` is told where the code failed.
  /// Throws RuntimeError where the evaluator cannot go on.
  std::optional<Value> take(Offer& offer, const Demand& demand, const Candidate* around,
                            std::int64_t* fails_at = nullptr);

private:
  /// One run of a region.
  struct Run {
    const std::shared_ptr<Region>& region;
    Offer& offer;
    const bool keeps;         ///< the inputs: the evaluator may go on from them
    bool is_outdated = false; ///< it ended as it needed a global that is there now
  };
  std::optional<Value> result_of(Run& run, std::int64_t* fails_at);
  /// What holds while code runs.
  RunContext context();
  /// Notes the end of a run without a value; throws if the evaluator cannot go on.
  void end(Run& run, const Stopped& stopped, std::int64_t* fails_at);
  /// The same, where a check has failed.
  void fail(Run& run, const Stopped& stopped, std::int64_t* fails_at);
  /// Whether a region is to leave its inputs as they are, for the evaluator to evaluate it if a
  /// check fails.
  bool keeps_inputs(const Region& region, const Site& site) const;
  /// What is known of a failure that the evaluator cannot evaluate.
  RuntimeError failure_of(const Region& region, const ir::FailureSite& site) const;

  Situation& situation_;
  Regions& regions_;
  Compilations& compilations_;
  WantedGlobals& globals_;
  std::uint64_t runs_ = 0; ///< for the regions' ages
  /// Where inputs were given away to compiled code that failed, and at which offer of the attempt.
  const Site* failed_site_ = nullptr;
  std::uint64_t failed_offer_ = 0;
};

} // namespace sinter::jit
