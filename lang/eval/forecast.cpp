#include "lang/eval/forecast.h"

#include "lang/core/children.h"
#include "lang/eval/forecast_costs.h"
#include "lang/values/array.h"

#include <algorithm>
#include <optional>

namespace sinter::eval {

namespace costs {

using primitives::ArrayOperation;

std::optional<Applied> applied_by(ArrayOperation operation) {
  using enum ArrayOperation;
  switch (operation) {
  case Map:
  case Map2:
  case Map3:
  case Map4:
  case Map5:
  case Flatmap:
  case Filter:
    return Applied{0, 1};
  case Reduce:
  case ReduceCommutative:
  case Scan:
    return Applied{0, 2};
  case Partition:
    return Applied{1, 2};
  case Histogram1d:
  case Histogram2d:
  case Histogram3d:
    return Applied{2, 4};
  case ScatterStream:
    return Applied{1, 2};
  case HistogramStream:
    return Applied{3, 4};
  default:
    return std::nullopt;
  }
}

bool gives_elements(ArrayOperation operation) {
  using enum ArrayOperation;
  return operation == Map || operation == Map2 || operation == Map3 || operation == Map4 ||
         operation == Map5 || operation == Scan || operation == Filter;
}

bool is_view(ArrayOperation operation) {
  using enum ArrayOperation;
  return operation == Flatten || operation == Unflatten || operation == Transpose ||
         operation == Zip || operation == Zip3 || operation == Zip4 || operation == Zip5 ||
         operation == Unzip || operation == Unzip3 || operation == Unzip4 || operation == Unzip5 ||
         operation == FlatIndex2d || operation == FlatIndex3d || operation == FlatIndex4d ||
         operation == AccumulatorWrite;
}

std::size_t bytes_of_element(const Representation* array) {
  if (!array->is_array()) return 0;
  std::size_t bytes = 0;
  for (const LeafLayout& leaf : array->array().element->leaves)
    if (!leaf.is_unit) bytes += byte_size(leaf.element);
  return bytes;
}

} // namespace costs

using namespace costs;

namespace {

using primitives::ArrayOperation;

bool writes_in_place(ArrayOperation operation) {
  using enum ArrayOperation;
  return operation == Scatter || operation == Scatter2d || operation == Scatter3d ||
         operation == Histogram1d || operation == Histogram2d || operation == Histogram3d ||
         operation == ScatterStream || operation == HistogramStream || operation == FlatUpdate2d ||
         operation == FlatUpdate3d || operation == FlatUpdate4d;
}

/// The function that an expression names, if it does.
const core::Function* named_function(const core::Expr& expr) {
  if (const auto* named = std::get_if<core::FunctionValue>(&expr.node)) return named->function;
  if (const auto* closure = std::get_if<core::Closure>(&expr.node)) return closure->function;
  return nullptr;
}

/// How often a loop goes round.
double trips(const core::Loop& loop) {
  if (const auto* form = std::get_if<core::ForLess>(&loop.form))
    if (const auto* bound = std::get_if<core::Constant>(&form->bound->node))
      return static_cast<double>(std::max<std::int64_t>(bound->value.as<std::int64_t>(), 0));
  return unknown_count;
}

/// To copy so much costs next to nothing.
constexpr std::uint64_t cheap_to_copy = std::uint64_t{1} << 20;

bool has_accumulator(const Value& value) {
  switch (value.kind()) {
  case Value::Kind::Accumulator:
    return true;
  case Value::Kind::Record:
  case Value::Kind::Sum:
    return std::ranges::any_of(value.fields(), has_accumulator);
  case Value::Kind::Function:
    return std::ranges::any_of(value.function().captures, has_accumulator) ||
           std::ranges::any_of(value.function().arguments, has_accumulator);
  default:
    return false;
  }
}

/// Bytes of the arrays in a value that nobody else owns.
std::uint64_t bytes_of_own(const Value& value) {
  std::uint64_t bytes = 0;
  if (value.kind() == Value::Kind::Array) {
    for (const Leaf& leaf : value.array()->leaves)
      if (value.unique() && leaf.buffer.unique())
        bytes += elements_in(value) * byte_size(leaf.element);
  } else if (value.kind() == Value::Kind::Record || value.kind() == Value::Kind::Sum) {
    for (const Value& field : value.fields())
      bytes += bytes_of_own(field);
  }
  return bytes;
}

} // namespace

std::uint64_t elements_in(const Value& value) {
  switch (value.kind()) {
  case Value::Kind::Array: {
    std::uint64_t count = 1;
    for (std::int64_t extent : value.array()->leaves.front().extents)
      count *= static_cast<std::uint64_t>(extent);
    return count;
  }
  case Value::Kind::Record:
  case Value::Kind::Sum:
    return elements_in(value.fields());
  default:
    return 0;
  }
}

std::uint64_t elements_in(std::span<const Value> values) {
  std::uint64_t count = 0;
  for (const Value& value : values)
    count += elements_in(value);
  return count;
}

bool Forecaster::has_work(const core::Function& function) {
  // While a function is being searched, a call of itself adds nothing.
  auto [at, is_new] = work_.try_emplace(&function, false);
  if (!is_new) return at->second;
  const bool found = function.body && has_work(*function.body);
  return work_[&function] = found;
}

bool Forecaster::has_work(const core::Expr& expr) {
  if (std::holds_alternative<core::ArrayCall>(expr.node) ||
      std::holds_alternative<core::Loop>(expr.node) ||
      std::holds_alternative<core::Range>(expr.node))
    return true;
  if (const core::Function* function = named_function(expr))
    if (has_work(*function)) return true;
  bool found = false;
  core::for_each_child(expr, [&](const core::Expr& child) { found = found || has_work(child); });
  return found;
}

bool Forecaster::may_update(const core::Function& function) {
  auto [at, is_new] = updates_.try_emplace(&function, false);
  if (!is_new) return at->second;
  auto updates = [&](auto&& self, const core::Expr& expr) -> bool {
    if (std::holds_alternative<core::Update>(expr.node)) return true;
    if (const auto* operation = std::get_if<core::ArrayCall>(&expr.node))
      if (writes_in_place(operation->operation)) return true;
    // (What an unknown function does is seen only where it is named.)
    if (const auto* call = std::get_if<core::Apply>(&expr.node))
      if (!named_function(*call->function)) return true;
    if (const core::Function* named = named_function(expr))
      if (may_update(*named)) return true;
    bool found = false;
    core::for_each_child(expr,
                         [&](const core::Expr& child) { found = found || self(self, child); });
    return found;
  };
  const bool found = function.body && updates(updates, *function.body);
  return updates_[&function] = found;
}

bool Forecaster::can_keep(const core::Function& function, std::span<const Value> arguments) {
  return std::ranges::all_of(arguments, [&](const Value& value) {
    return !has_accumulator(value) &&
           (bytes_of_own(value) < cheap_to_copy || !may_update(function));
  });
}

std::int64_t Forecaster::call(const core::Function& function) {
  auto [at, is_new] = calls_.try_emplace(&function, bounded(per_call));
  if (!is_new) return at->second; // a recursion: one round
  const std::int64_t body = function.body ? expression(*function.body) : 0;
  return calls_[&function] = bounded(per_call + static_cast<double>(body));
}

std::int64_t Forecaster::expression(const core::Expr& expr) {
  const auto of = [&](const core::Expr& part) { return static_cast<double>(expression(part)); };
  double sum = per_node;
  if (const auto* branch = std::get_if<core::If>(&expr.node)) {
    const double then_branch = of(*branch->then_branch), else_branch = of(*branch->else_branch);
    return bounded(sum + of(*branch->condition) + std::min(then_branch, else_branch));
  }
  if (const auto* match = std::get_if<core::Match>(&expr.node)) {
    double least = longest;
    for (const core::Case& branch : match->cases)
      least = std::min(least, of(*branch.body));
    return bounded(sum + of(*match->scrutinee) + least);
  }
  if (const auto* loop = std::get_if<core::Loop>(&expr.node)) {
    sum += of(*loop->initial);
    return bounded(sum + trips(*loop) * (per_node + of(*loop->body)));
  }
  if (const auto* apply = std::get_if<core::Apply>(&expr.node)) {
    for (const core::Expr* argument : apply->arguments)
      sum += of(*argument);
    if (const core::Function* known = named_function(*apply->function))
      return bounded(sum + static_cast<double>(call(*known)));
    return bounded(sum + per_call);
  }
  if (const auto* operation = std::get_if<core::ArrayCall>(&expr.node)) {
    sum += per_operation;
    const std::optional<Applied> applied = applied_by(operation->operation);
    const core::Function* function =
        applied ? named_function(*operation->arguments[applied->function]) : nullptr;
    if (function) sum += unknown_count * static_cast<double>(call(*function));
    for (const core::Expr* argument : operation->arguments)
      sum += of(*argument);
    return bounded(sum);
  }
  if (std::holds_alternative<core::Range>(expr.node)) sum += per_operation;
  core::for_each_child(expr, [&](const core::Expr& child) { sum += of(child); });
  return bounded(sum);
}

Forecast Forecaster::filled(std::int64_t count, std::size_t bytes) {
  const double all = static_cast<double>(count) * static_cast<double>(bytes);
  return {bounded(per_operation + all * per_byte_filled),
          static_cast<std::uint64_t>(std::min(all, longest))};
}

Forecast Forecaster::operation(ArrayOperation operation, const Representation* result,
                               std::span<const Value> arguments) {
  if (is_view(operation)) return {bounded(per_operation), 0};
  if (operation == ArrayOperation::Replicate) {
    const std::int64_t count = std::max<std::int64_t>(arguments[0].scalar().as<std::int64_t>(), 0);
    const double each = static_cast<double>(std::max<std::uint64_t>(elements_in(arguments[1]), 1) *
                                            bytes_of_element(result));
    return filled(1,
                  static_cast<std::size_t>(std::min(static_cast<double>(count) * each, longest)));
  }
  if (const std::optional<Applied> applied = applied_by(operation)) {
    const std::int64_t count = arguments[applied->array].array()->shape.front();
    const Value& function = arguments[applied->function];
    const core::Function* applied_function = function.function().function;
    const double each = applied_function->primitive
                            ? per_element_combined
                            : per_element_applied + static_cast<double>(call(*applied_function));
    Forecast forecast;
    forecast.nanoseconds = bounded(per_operation + static_cast<double>(count) * each);
    if (gives_elements(operation))
      forecast.bytes = static_cast<std::uint64_t>(count) * bytes_of_element(result);
    return forecast;
  }
  return {bounded(per_operation + static_cast<double>(elements_in(arguments)) * per_element_moved),
          0};
}

} // namespace sinter::eval
