#include "repl/stepper.h"

#include "repl/reach.h"

#include <algorithm>
#include <utility>

namespace sinter::repl {

namespace {

bool is_of_prelude(const SourceMap& sources, Span span) {
  return !span.is_known() || sources.name(span.file).starts_with("/prelude");
}

/// The name that a parameter has in the text: "x" of `(x: i32)`.  Empty for other patterns.
std::string parameter_name(const SourceMap& sources, const core::Pattern& pattern) {
  if (!std::holds_alternative<core::SlotPattern>(pattern.node)) return {};
  std::string_view text = sources.text(pattern.span);
  const std::size_t begin = text.find_first_not_of("( \t");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return std::string(text.substr(0, text.find_first_of(" \t:)")));
}

} // namespace

Stepper::Stepper(const SourceMap& sources, Representations& representations, Stop stop)
    : sources_(sources), representations_(representations), stop_(std::move(stop)) {}

void Stepper::set_mode(Mode mode) {
  mode_ = mode;
  depth_ = 0;
}

std::optional<Value> Stepper::call(const core::Function& function, std::span<const Value>,
                                   std::span<Value> arguments, Watch& watch) {
  if (mode_ == Mode::Off) return std::nullopt;
  watch.site = this;
  ++depth_;
  if (is_of_prelude(sources_, function.span) || mode_ == Mode::Over) return std::nullopt;
  std::vector<FieldRepresentation> fields;
  std::vector<std::pair<std::string, std::size_t>> named;
  for (std::size_t i = function.hidden_sizes; i < arguments.size(); ++i)
    if (std::string name = parameter_name(sources_, *function.parameters[i]); !name.empty())
      named.emplace_back(std::move(name), i);
  std::sort(named.begin(), named.end());
  Value variables = Value::record_of_size(named.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    fields.push_back({named[i].first, function.parameters[named[i].second]->type});
    variables.fields()[i] = arguments[named[i].second];
  }
  BreakPlace place{
      function.span, {}, std::move(variables), representations_.record(std::move(fields)), {}};
  stop_(place, function.name); // from now on this call is what steps are counted from
  return std::nullopt;
}

bool Stepper::stops_at(const core::Expr& expr) {
  if (mode_ == Mode::Off || is_of_prelude(sources_, expr.span)) return false;
  return mode_ == Mode::Into || depth_ <= 0;
}

void Stepper::stop(const BreakPlace& place) {
  BreakPlace with_variables = place;
  if (!place.calls.empty()) {
    Reach reach = variables_in_reach(sources_, representations_, place.calls.front(), place.span);
    with_variables.variables = std::move(reach.variables);
    with_variables.variables_type = reach.type;
  }
  stop_(with_variables, {});
}

void Stepper::interpreted(const Watch&) noexcept {
  --depth_;
}

} // namespace sinter::repl
