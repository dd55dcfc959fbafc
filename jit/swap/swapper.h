// The accelerator: decides offer by offer whether compiled code takes the work, and what is to be
// compiled.
//
// Each offer belongs to a site (profile.h); a site has a region for each combination of input
// layouts that it met (region.h).  What happens to an offer:
// - a compiled region runs, if that is expected to take less time than interpreting;
// - where there is none yet, one is made: at once in Mode::Jit, by chance in Mode::Mixed, and in
//   Mode::Auto in the background, once the site is hot;
// - otherwise the evaluator does the work, and the time that it takes is counted.
// Work in progress (a loop between two iterations, an operation between two elements) is offered
// again: what it is projected to take still decides there.
#pragma once

#include "jit/runtime/compile_threads.h"
#include "jit/swap/compile_queue.h"
#include "jit/swap/profile.h"
#include "jit/swap/targets.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <unordered_map>

namespace sinter::jit {

class Swapper final : public HotSwap {
public:
  Swapper(const SwapOptions& options, SwapContext session, MakeExecutable make);
  ~Swapper() override;

  void configure(const SwapOptions& options) override;
  void wait() override;
  Report report(const ReportOptions& options = {}) const override;
  void clear_report() override;

  void begin_evaluation() override;
  void repeat_evaluation() override;
  void enter(const syntax::Attribute& attribute) override;
  void leave(const syntax::Attribute& attribute) noexcept override;
  std::optional<Value> expression(const eval::ExpressionPlace<Concrete>& place,
                                  Watch& watch) override;
  std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                            std::span<Value> arguments, Watch& watch) override;
  std::optional<Value> array_operation(primitives::ArrayOperation operation,
                                       eval::Site<Concrete>& site, std::span<Value> arguments,
                                       Watch& watch) override;
  std::int64_t rest_from(primitives::ArrayOperation operation, eval::Site<Concrete>& site,
                         std::span<const Value> arguments, std::int64_t done,
                         std::int64_t count) override;
  void interpreted(const Watch& watch) noexcept override;
  std::optional<Value> loop(const eval::LoopPlace<Concrete>& place, Value& state, Scalar next,
                            Scalar bound, const Value* elements, std::int64_t iterations) override;

private:
  /// An offer's inputs: whichever it is, `layouts` says what they look like, `take` gives them,
  /// moved from where they stand if `is_moved`, and `target` is what would be traced.
  struct Offer {
    Site& site;
    std::uint64_t work;
    std::function<std::vector<Layout>()> layouts;
    std::function<std::vector<Value>(bool is_moved)> take;
    std::function<Target()> target;
    std::int64_t rest = 0; ///< nanoseconds that interpreting it is projected to take, if known
  };

  std::vector<Layout> operation_layouts(const eval::Site<Concrete>& site,
                                        std::span<const Value> arguments);
  Site& site_of(primitives::ArrayOperation operation, const eval::Site<Concrete>& site);
  /// The result if compiled code takes the offer.  `fails_at` is told where the code failed.
  std::optional<Value> take(const Offer& offer, bool is_urgent, std::int64_t* fails_at = nullptr);
  /// The region for an offer, made if it is time to; null if there is none to be used.
  std::shared_ptr<Region> region_for(const Offer& offer, bool is_urgent);
  /// Why a region is made for an offer with that key, in words.
  std::string reason_to_compile(const Site& site, const RegionKey& key, bool is_urgent) const;
  /// Why nothing was made for a site.
  std::string reason_to_interpret(const Site& site) const;
  Site& met(const SiteKey& key) { return profile_.site(key, evaluation_); }
  bool is_worth_launching(const Offer& offer, const Region& region) const;
  /// `is_outdated` is told whether the region ended as it needed a global that is there now.
  std::optional<Value> run_region(Region& region, const Offer& offer, std::int64_t* fails_at,
                                  bool& is_outdated);
  /// Whether a region is to leave its inputs as they are, for the evaluator to evaluate it if a
  /// check fails.
  bool keeps_inputs(const Region& region, const Site& site) const;
  /// What is known of a failure that the evaluator cannot evaluate.
  RuntimeError failure_of(const Region& region, const ir::FailureSite& site) const;
  /// The mode that holds for what runs now.
  Mode mode() const;
  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  void evict_if_full();
  /// At once or in the background, as the mode says.
  void compile(const std::shared_ptr<Region>& region);

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
  /// Returns when the work is done; throws RuntimeError as soon as the evaluation is interrupted.
  /// Then it goes on in the background.
  void wait_for(CompileThreads::Work work);
  /// Asks for the second tier if the offer is a reason to.
  void promote_if_worth_it(const std::shared_ptr<Region>& region, const Offer& offer);

  SwapOptions options_;
  SwapContext session_;
  RegionCompiler compiler_;
  Profile profile_;
  WorkFinder work_;
  std::unordered_map<const core::Expr*, FrameInputs> loop_inputs_;
  Region::Globals uncomputable_; ///< globals whose computation failed
  std::minstd_rand random_;
  std::uint32_t epoch_ = 0;      ///< of the interrupt source when the evaluation began
  bool must_take_ = false;       ///< the next operation is a rest that was asked for
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
  CompileQueue queue_;             ///< last, as these threads end first
};

} // namespace sinter::jit
