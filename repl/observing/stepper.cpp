#include "repl/observing/stepper.h"

#include "lang/base/prelude_files.h"
#include "repl/observing/visible_variables.h"

#include <utility>

namespace sinter::repl {

namespace {

bool is_of_prelude(const SourceMap& sources, Span span) {
  return !span.is_known() || is_in_prelude(sources, span);
}

} // namespace

Stepper::Stepper(const SourceMap& sources, Representations& representations, Stop stop)
    : sources_(sources), representations_(representations), stop_(std::move(stop)) {}

void Stepper::set_mode(Mode mode) {
  mode_ = mode;
  depth_ = 0;
}

std::optional<Value> Stepper::call(const core::Function&, std::span<const Value>, std::span<Value>,
                                   Watch& watch) {
  if (mode_ == Mode::Off) return std::nullopt;
  watch.site = this;
  ++depth_;
  return std::nullopt;
}

bool Stepper::stops_at(const core::Expr& expr) {
  if (mode_ == Mode::Off || is_of_prelude(sources_, expr.span)) return false;
  reached_ = &expr;
  return mode_ == Mode::Into || depth_ <= 0;
}

void Stepper::stop(const BreakPlace& place) {
  if (place.calls.empty()) return stop_(place, {}, {});
  const RunningCall& call = place.calls.front();
  VisibleVariables visible = visible_variables(sources_, representations_, call, place.span);
  BreakPlace with_variables = place;
  with_variables.variables = std::move(visible.variables);
  with_variables.variables_type = visible.type;
  const bool enters = call.function && call.body == reached_;
  if (enters) with_variables.span = call.function->span;
  // Whatever comes is counted from this call.
  stop_(with_variables, enters ? call.function->name : std::string(), visible.lost);
}

void Stepper::interpreted(const Watch&) noexcept {
  --depth_;
}

} // namespace sinter::repl
