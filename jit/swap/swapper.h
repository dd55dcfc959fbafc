// The accelerator: what the evaluator offers, and whether compiled code takes it.
//
// Each offer belongs to a site (profile.h); a site has a region for each combination of input
// layouts that it met (region.h).  What happens to an offer:
// - a compiled region runs, if that is expected to take less time than interpreting;
// - where there is none yet, one is made: at once in Mode::Jit, by chance in Mode::Mixed, and in
//   Mode::Auto as the policy says (policy.h);
// - otherwise the evaluator does the work, and the time that it takes is counted.
// Work in progress (a loop between two iterations, an operation between two elements) is offered
// again: what it is projected to take still decides there.  In Mode::Auto each offer is an occasion
// to let a candidate around it begin again (restarts.h).
//
// This class only says how much each kind of offer asks for (demand.h).
//
// Must not know: how regions are made (regions.h) and run (runner.h), and what is told of them.
#pragma once

#include "jit/pieces/pieces.h"
#include "jit/swap/restarts.h"
#include "jit/swap/runner.h"

#include <cstdint>
#include <string>

namespace sinter::jit {

class Swapper final : public HotSwap {
public:
  /// `remarks`: what the user should be told about the JIT by now; may be empty.
  Swapper(const SwapOptions& options, SwapContext session, MakeExecutable make,
          std::function<std::vector<std::string>()> remarks = {});

  void configure(const SwapOptions& options) override;
  void wait() override { compilations_.wait(); }
  bool is_busy() override { return compilations_.is_busy(); }
  Report report(const ReportOptions& options = {}) const override;
  void clear_report() override;
  std::vector<MarkReport> examine(const MarkQuestion& question) override {
    return examine_marks(question, situation_.options, situation_.session, compiler_.make());
  }
  std::unique_ptr<PieceProgram> in_pieces(const core::Function& function) override {
    return make_piece_program(function, situation_.options, situation_.session, compiler_.make());
  }
  std::vector<std::string> remarks() const override {
    return remarks_ ? remarks_() : std::vector<std::string>();
  }

  void begin_evaluation() override;
  void repeat_evaluation() override;
  void enter(const core::Attributed& attributed) override;
  void leave(const core::Attributed& attributed) noexcept override;
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
  Mode mode() const { return situation_.mode(); }
  /// An offer that stands where the evaluator is.
  Offer here(Offer offer) const;
  /// Notes what it is that the evaluator begins now.
  void watch_from_now(Watch& watch, Site& site, std::uint64_t work) const;
  /// Throws if the offer is what a mark demands that is not as the mark demands it.
  void require(const Offer& offer, const core::Attributed& mark, const Candidate* around);
  /// What these ask for in Mode::Auto.
  Demand demand_of_call(Site& site, const core::Function& function, std::span<const Value> captures,
                        std::span<const Value> arguments, const Candidate* around);
  Demand demand_of_operation(primitives::ArrayOperation operation,
                             const eval::Site<Concrete>& place, const Site& site,
                             std::span<const Value> arguments, Watch& watch);
  Demand demand_of_evaluation(Site& site, const eval::ExpressionPlace<Concrete>& place,
                              const Candidate* around);
  /// Nanoseconds that the rest of a loop is projected to take, with so many iterations to do if
  /// they are counted.
  std::int64_t rest_of_loop(const core::Loop& loop, std::int64_t iterations,
                            std::optional<double> to_do, Watch& watch);
  std::optional<Value> expression_in_auto(const eval::ExpressionPlace<Concrete>& place,
                                          const FrameInputs& inputs, Watch& watch);

  Situation situation_;
  const std::function<std::vector<std::string>()> remarks_;
  eval::Forecaster forecaster_;
  RegionCompiler compiler_; ///< before the sites, as what it made ends before it
  Sites sites_;
  DemandByPrecedent demand_by_precedent_;
  WantedGlobals globals_;
  Candidates candidates_;
  Compilations compilations_; ///< after the sites, as its threads end before their regions
  Regions regions_;
  Runner runner_;
  Restarts restarts_;
  bool must_take_ = false; ///< the next operation is a rest that was asked for
};

} // namespace sinter::jit
