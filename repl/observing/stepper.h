// Goes through an evaluation step by step.
#pragma once

#include "lang/base/source_map.h"
#include "lang/eval/evaluator.h"
#include "repl/observing/observer.h"

#include <functional>
#include <string>
#include <vector>

namespace sinter::repl {

/// Offered the calls and the steps of an evaluation, stops at those in what somebody wrote (not in
/// the prelude).
class Stepper final : public Observer, public StepObserver {
public:
  enum class Mode {
    Off,
    Into, ///< stops at the next step or call
    Over, ///< stops at the next step that is not inside of a call that is passed over
  };
  /// `function`: that a call of it begins; empty at a step.  `lost`: see VisibleVariables.
  using Stop = std::function<void(const BreakPlace&, const std::string& function,
                                  const std::vector<std::string>& lost)>;

  /// `representations` and `sources` outlive it.  `stop` may throw a RuntimeError.
  Stepper(const SourceMap& sources, Representations& representations, Stop stop);

  /// From the next step on.
  void set_mode(Mode mode);
  Mode mode() const { return mode_; }

  std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                            std::span<Value> arguments, Watch& watch) override;
  void interpreted(const Watch& watch) noexcept override;
  bool stops_at(const core::Expr& expr) override;
  void stop(const BreakPlace& place) override;

private:
  const SourceMap& sources_;
  Representations& representations_;
  Stop stop_;
  Mode mode_ = Mode::Off;
  std::int64_t depth_ = 0; ///< calls since the mode was set, less those that have returned
  const core::Expr* reached_ = nullptr; ///< the step that was offered last
};

} // namespace sinter::repl
