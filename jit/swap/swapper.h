// The accelerator: decides offer by offer whether compiled code takes the work, and what is to be
// compiled.
//
// Each offer belongs to a site (profile.h); a site has a region for each combination of input
// layouts that it met (region.h).  What happens to an offer:
// - a compiled region runs, if that is expected to take less time than interpreting;
// - where there is none yet, one is made: at once in Mode::Jit, by chance in Mode::Mixed, and in
//   Mode::Auto as the policy says (policy.h);
// - otherwise the evaluator does the work, and the time that it takes is counted.
// Work in progress (a loop between two iterations, an operation between two elements) is offered
// again: what it is projected to take still decides there.  In Mode::Auto each offer is an occasion
// to let a candidate around it begin again (candidates.cpp).
#pragma once

#include "jit/runtime/compile_threads.h"
#include "jit/swap/compile_queue.h"
#include "jit/swap/late_promotion.h"
#include "jit/swap/offers.h"
#include "jit/swap/policy.h"
#include "jit/swap/profile.h"
#include "jit/swap/targets.h"
#include "lang/eval/forecast.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>

namespace sinter::jit {

class Swapper final : public HotSwap {
public:
  /// `remark`: what the user should be told about the JIT.
  Swapper(const SwapOptions& options, SwapContext session, MakeExecutable make,
          std::string remark = {});
  ~Swapper() override;

  void configure(const SwapOptions& options) override;
  void wait() override;
  bool is_busy() override;
  Report report(const ReportOptions& options = {}) const override;
  void clear_report() override;
  std::string remark() const override { return remark_; }

  void begin_evaluation() override;
  void repeat_evaluation() override;
  void enter(const syntax::Attribute& attribute) override;
  void leave(const syntax::Attribute& attribute) noexcept override;
  std::optional<Value> begin_again(Candidate& candidate) override;
  void ahead(const eval::Forecast& forecast, Candidate* around) override;
  std::optional<Value> expression(const eval::ExpressionPlace<Concrete>& place,
                                  Watch& watch) override;
  bool stands_ready_for(const core::Function& function) const override;
  std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                            std::span<Value> arguments, Watch& watch) override;
  std::optional<Value> array_operation(primitives::ArrayOperation operation,
                                       eval::Site<Concrete>& site, std::span<Value> arguments,
                                       Watch& watch) override;
  std::int64_t rest_from(primitives::ArrayOperation operation, eval::Site<Concrete>& site,
                         std::span<const Value> arguments, std::int64_t done, std::int64_t count,
                         Watch& watch) override;
  void interpreted(const Watch& watch) noexcept override;
  std::optional<Value> loop(const eval::LoopPlace<Concrete>& place, Value& state, Scalar next,
                            Scalar bound, const Value* elements, std::int64_t iterations,
                            Watch& watch) override;

private:
  /// How much an offer asks for a region to be made, and why in words.
  struct Demand {
    bool is_urgent = false; ///< whatever the site has taken so far; in Mode::Auto too, at once
    bool is_wanted = false; ///< the same, but in Mode::Auto in the background
    std::string why = {};   ///< of an urgent or a wanted one in Mode::Auto
    std::int64_t interpreted = 0;    ///< nanoseconds that the evaluator would take, as far as known
    bool is_worth_launching = false; ///< if there is a region; an urgent one is in any case
    bool is_worth_optimising = false; ///< in the second tier at once, if the tiers are automatic
  };

  // swapper.cpp: what the evaluator offers
  /// What a forecast of a whole evaluation asks for; nothing if it is small.
  static Demand demand_for(const eval::Forecast& ahead);
  /// What it asks for that an earlier process made code for it; asked again, nothing.
  Demand demand_by_precedent(Site& site, const Occasion& occasion);
  Site& site_of(const core::Function& function);
  Site& site_of(const core::Expr& expression);
  Site& site_of(primitives::ArrayOperation operation, const eval::Site<Concrete>& site);
  Site& met(const SiteKey& key) { return profile_.site(key, evaluation_); }
  const FrameInputs& inputs_of(const core::Expr& expression);
  /// Notes what it is that the evaluator begins now.
  void watch_from_now(Watch& watch, Site& site, std::uint64_t work);
  /// Nanoseconds of that, but for waiting until something was compiled.
  std::int64_t interpreted_since(const Watch& watch) const;
  /// The mode that holds for what runs now.
  Mode mode() const;
  /// An offer that stands where the evaluator is.
  Offer here(Offer offer) const {
    offer.is_unsafe = unsafe_depth_ > 0;
    return offer;
  }
  bool chance(unsigned one_in) { return random_() % one_in == 0; }

  // candidates.cpp: what may begin again
  /// Lets the outermost candidate begin again for which the policy asks, if there is code for it:
  /// throws Restart.
  void reconsider(const eval::Forecast& ahead, Candidate* around);
  /// The same by chance, for tests.
  void reconsider_by_chance(Candidate* around);
  CandidateFacts facts_of(const Candidate& candidate, std::int64_t now) const;
  /// All that is to be done in a candidate.
  eval::Forecast whole(const Candidate& candidate);
  /// Whether there is code for a candidate as a whole; if it is but wanted, it may be coming then.
  bool has_code(Candidate& candidate, const Demand& demand);
  /// Whether code is being made in the background for a candidate, or has been; and for one around
  /// some work.
  bool is_coming_for(const Candidate& candidate) const;
  bool is_coming_around(const Candidate* around) const;
  Offer offer_of(Candidate& candidate);
  /// Whether a call that is running around the work is going to be compiled as a whole if it runs
  /// often.
  bool belongs_to_call(const Candidate* around) const;

  // runner.cpp: regions for offers, and what becomes of their runs
  /// The result if compiled code takes the offer.  `fails_at` is told where the code failed.
  std::optional<Value> take(Offer& offer, const Demand& demand, const Candidate* around,
                            std::int64_t* fails_at = nullptr);
  /// Whether it can be worth its while to look for a region.
  bool may_have_region(const Site& site, const Demand& demand) const {
    return mode() != Mode::Auto || demand.is_urgent || demand.is_wanted || !site.regions.empty() ||
           site.is_hot();
  }
  RegionKey key_of(const Offer& offer) const;
  /// Tells later processes that a region is made for it, if that is worth a note, and that the
  /// evaluation as a whole may be worth it: even if this one ends before the code is there, the
  /// next had better have it.
  void note(Region& region, const Offer& offer, const Demand& demand) const;
  /// The region that was made for such offers, whatever became of it; null: none.
  std::shared_ptr<Region> region_of(const Offer& offer) const;
  /// The region for an offer, made if it is time to; null if there is none to be used.
  std::shared_ptr<Region> region_for(const Offer& offer, const Demand& demand,
                                     const Candidate* around);
  /// `is_outdated` is told whether the region ended as it needed a global that is there now.
  std::optional<Value> run_region(const std::shared_ptr<Region>& region, Offer& offer,
                                  std::int64_t* fails_at, bool& is_outdated);
  /// Runs it; where it may run for long in its first tier, watched.
  RegionOutcome run_watched(const std::shared_ptr<Region>& region, std::vector<Value> inputs,
                            const RunContext& context);
  /// Whether a region is to leave its inputs as they are, for the evaluator to evaluate it if a
  /// check fails.
  bool keeps_inputs(const Region& region, const Site& site) const;
  /// What is known of a failure that the evaluator cannot evaluate.
  RuntimeError failure_of(const Region& region, const ir::FailureSite& site) const;
  void evict_if_full();
  /// At once or in the background.
  void compile(const std::shared_ptr<Region>& region, bool is_at_once, const Demand& demand);
  /// Returns when the work is done; throws RuntimeError as soon as the evaluation is interrupted.
  /// Then it goes on in the background.
  void wait_for(CompileThreads::Work work);
  /// Asks for the second tier if what it has run so far is a reason to.
  void promote_if_worth_it(const std::shared_ptr<Region>& region);

  // report.cpp
  /// Why a region is made for an offer with that key, in words.
  std::string reason_to_compile(const Site& site, const RegionKey& key, const Demand& demand) const;
  /// Why nothing was made for a site.
  std::string reason_to_interpret(const Site& site) const;

  // swapper_globals.cpp: globals that regions need and that the evaluator has not computed
  /// Lets the evaluator compute a global, and tells whether it has a value.  Throws RuntimeError if
  /// the evaluation is interrupted.
  bool compute(const core::Global& global);
  /// The same for what a failing check of the region waits for.
  bool compute_awaited(const CompiledRegion& region, const ir::FailureSite& failure);
  /// Whether a global that the region waits for has been computed.
  bool is_outdated(const Region& region) const;
  /// A region that takes another's place at a site, and is to be compiled.
  std::shared_ptr<Region> renewed(Site& site, const std::shared_ptr<Region>& old);

  SwapOptions options_;
  SwapContext session_;
  std::string remark_;
  RegionCompiler compiler_;
  Profile profile_;
  eval::Forecaster forecaster_;
  std::unordered_map<const core::Expr*, FrameInputs> loop_inputs_, expression_inputs_;
  Region::Globals uncomputable_; ///< globals whose computation failed
  std::minstd_rand random_;
  std::uint32_t epoch_ = 0;        ///< of the interrupt source when the evaluation began
  bool must_take_ = false;         ///< the next operation is a rest that was asked for
  bool is_in_parts_ = false;       ///< by precedent, code is made for parts of the evaluation
  std::int64_t opened_ = now();    ///< since then there has been a JIT
  std::int64_t reconsider_at_ = 0; ///< not before then, for the sake of the time that has passed
  /// What is being made in the background for a candidate that is running, and which one that is:
  /// where it is, and when it began.
  std::shared_ptr<Region> coming_;
  std::pair<const Candidate*, std::int64_t> coming_for_;
  /// Nanoseconds that compiled code has run, and that the evaluation has waited for it to be made.
  std::int64_t ran_ = 0, waited_ = 0;
  std::int64_t began_ = 0;       ///< the evaluation, in nanoseconds
  std::int64_t keeps_until_ = 0; ///< in a repeated evaluation: until when it keeps all inputs
  bool is_repeated_ = false;
  std::uint64_t attempt_ = 0; ///< counts evaluations and their repetitions
  /// Where inputs were given away to compiled code that failed, and at which offer of the attempt.
  const Site* failed_site_ = nullptr;
  std::uint64_t failed_offer_ = 0;
  /// How many expressions with these attributes are around what runs.
  unsigned interpret_depth_ = 0, accelerate_depth_ = 0, unsafe_depth_ = 0;
  std::uint64_t runs_ = 0;         ///< of compiled regions, for their ages
  std::uint64_t evaluation_ = 0;   ///< counts them
  std::size_t region_count_ = 0;   ///< that sites hold
  CompileThreads compile_threads_; ///< where the evaluation waits for what is compiled
  CompileQueue queue_;             ///< at the end, as these threads end first
  LatePromotion late_promotion_;
};

} // namespace sinter::jit
