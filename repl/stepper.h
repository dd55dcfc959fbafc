// Stops an evaluation at the next call, to go through it step by step.
#pragma once

#include "lang/base/source_map.h"
#include "lang/eval/evaluator.h"
#include "repl/observer.h"

#include <functional>
#include <string>

namespace sinter::repl {

/// Offered the calls of an evaluation, stops at those of functions that somebody wrote (not of the
/// prelude).
class Stepper final : public Observer {
public:
  enum class Mode {
    Off,
    Into, ///< stops at the next call
    Over, ///< stops at the next call that is not made inside of one that is passed over
  };
  using Stop = std::function<void(const BreakPlace&, const std::string& function)>;

  /// `representations` and `sources` outlive it.  `stop` may throw a RuntimeError.
  Stepper(const SourceMap& sources, Representations& representations, Stop stop);

  /// From the next call on.
  void set_mode(Mode mode);
  Mode mode() const { return mode_; }

  std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                            std::span<Value> arguments, Watch& watch) override;
  void interpreted(const Watch& watch) noexcept override;

private:
  const SourceMap& sources_;
  Representations& representations_;
  Stop stop_;
  Mode mode_ = Mode::Off;
  std::int64_t depth_ = 0; ///< calls since the mode was set, less those that have returned
};

} // namespace sinter::repl
