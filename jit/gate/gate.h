// The gate: the accelerator that the evaluator sees.  It opens the JIT's plugin and passes every
// offer on once that is there.  In Mode::Auto a policy decides when to open it (opening.h), from
// the forecast of what is about to be done, or what is projected from what has been done, from the
// time that has gone into work that could be compiled, and from what earlier processes have found
// out (precedents.h).  What begins before the JIT is there can
// begin again as compiled code afterwards (jit/swap/policy.h).
#pragma once

#include "jit/gate/hot_swap.h"
#include "jit/gate/opening.h"
#include "lang/eval/forecast.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace sinter::jit {

/// Makes the JIT, or throws std::runtime_error with the reason why there is none.  The default
/// opens `sinter_jit_plugin.so` beside the executable.
using OpenJit =
    std::function<std::unique_ptr<HotSwap>(const SwapOptions& options, const SwapContext& context)>;
std::unique_ptr<HotSwap> open_plugin(const SwapOptions& options, const SwapContext& context);

/// One per session.  Used by the thread that evaluates alone.
///
/// Whatever happens behind it is not stopped by a poll: the JIT looks itself for the wish to stop,
/// where nothing is left half done by it.
class Gate final : public Accelerator {
public:
  /// `warn` gets one line if the JIT cannot be opened; then everything is interpreted.  It also
  /// gets what there is to be told about a JIT that was opened.
  Gate(SwapOptions options, SwapContext context, std::function<void(const std::string&)> warn,
       OpenJit open = open_plugin);
  ~Gate() override;

  const SwapOptions& options() const { return options_; }
  void configure(const SwapOptions& options);
  /// Opens the JIT now, if it is not open; null if it cannot be.
  HotSwap* open();
  /// The JIT if it is open already.
  HotSwap* opened();
  /// Whether the JIT is being opened, or compiles: `close`, and the end, would have to wait.
  bool is_busy();
  /// Lets the JIT go with all that it has compiled, before the program ends that it was made from;
  /// it is opened again when it is needed.  Not while something is evaluated.
  void close();
  /// Warns of what there is to be told by now and was not told before.
  void tell_remarks();

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
  /// The JIT, if an offer with work should be passed on; opens it if it is time to.
  HotSwap* behind(const eval::Forecast& ahead = {}, const Occasion& occasion = {});
  /// Notes that something begins that nothing is around; gives what earlier processes are to be
  /// asked about, if they are to be.
  Occasion begun(const Occasion& occasion);
  /// What earlier processes know of it; asked for again, nothing.
  std::optional<Precedent> precedent(const Occasion& occasion);
  /// Notes how much time has passed in what is interpreted.
  void look_at_clock();
  void open_in_background();
  /// Whether what begins may become a candidate.
  bool is_waiting() const { return options_.mode == Mode::Auto && !unavailable_; }
  void opened_now(std::unique_ptr<HotSwap> jit, const std::string& error);

  SwapOptions options_;
  SwapContext context_;
  std::function<void(const std::string&)> warn_;
  OpenJit open_;
  std::unique_ptr<HotSwap> jit_;
  std::vector<std::string> told_; ///< of the JIT's remarks
  eval::Forecaster forecaster_;   ///< of the time before the JIT is there
  Occasion occasion_;             ///< the last that earlier processes were asked about
  bool unavailable_ = false;
  std::vector<const core::Attributed*> entered_; ///< around what runs, outermost first
  std::uint32_t offers_ = 0;                     ///< since the clock was looked at
  std::int64_t looked_ = 0;                      ///< at the clock, or when the evaluation began
  std::int64_t interpreted_ = 0; ///< nanoseconds, in all evaluations, as far as looked at

  // The background thread's: it fills in `arrived_` or `error_`, then sets `done_`.
  std::thread opener_;
  std::unique_ptr<HotSwap> arrived_;
  std::string error_;
  std::atomic<bool> done_{false};
};

} // namespace sinter::jit
