#include "jit/pieces/index_interval.h"

#include <algorithm>

namespace sinter::jit {

namespace {

/// Further away nothing counts as near.
constexpr std::int64_t farthest = std::int64_t{1} << 32;

std::optional<Interval> near_enough(Interval interval) {
  if (interval.low < -farthest || interval.high > farthest) return std::nullopt;
  return interval;
}

std::optional<Interval> sum(const Interval& a, const Interval& b) {
  if (a.is_relative && b.is_relative) return std::nullopt;
  return near_enough({a.low + b.low, a.high + b.high, a.is_relative || b.is_relative});
}

std::optional<Interval> difference(const Interval& a, const Interval& b) {
  if (b.is_relative && !a.is_relative) return std::nullopt;
  return near_enough({a.low - b.high, a.high - b.low, a.is_relative && !b.is_relative});
}

/// Of two numbers of which one is taken.
std::optional<Interval> either(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  if (!a || !b || a->is_relative != b->is_relative) return std::nullopt;
  return Interval{std::min(a->low, b->low), std::max(a->high, b->high), a->is_relative};
}

/// The greater of a number and a constant that is not above the least index.
std::optional<Interval> above_begin(const Interval& number, const Interval& constant) {
  if (!number.is_relative || constant.is_relative || constant.high > 0) return std::nullopt;
  return Interval{number.low, std::max<std::int64_t>(number.high, 0), true};
}

} // namespace

std::optional<Interval> IndexIntervals::of(const ir::Operand& operand) const {
  if (operand.is_constant()) {
    if (operand.element() != ElementType::I64) return std::nullopt;
    const std::int64_t number = operand.scalar().as<std::int64_t>();
    return near_enough({number, number});
  }
  const auto known = known_.find(operand.value().index);
  if (known == known_.end()) return std::nullopt;
  return known->second;
}

std::optional<Interval> IndexIntervals::below_end(const ir::Operand& number,
                                                  const ir::Operand& end) const {
  const std::optional<Interval> interval = of(number);
  if (!interval || !interval->is_relative || end.is_constant()) return std::nullopt;
  // (Where n + c is the lesser one, it is at least the element's index.)
  const std::optional<std::int64_t> distance = behind_end_(end.value());
  if (!distance || *distance < -1) return std::nullopt;
  return Interval{std::min<std::int64_t>(interval->low, 0), interval->high, true};
}

std::optional<Interval> IndexIntervals::of(const ir::Primitive& primitive) const {
  using primitives::Operation;
  if (primitive.primitive->operand != ElementType::I64 || primitive.arguments.size() != 2)
    return std::nullopt;
  const ir::Operand& left = primitive.arguments[0];
  const ir::Operand& right = primitive.arguments[1];
  const std::optional<Interval> a = of(left), b = of(right);
  switch (primitive.primitive->operation) {
  case Operation::Add:
    return a && b ? sum(*a, *b) : std::nullopt;
  case Operation::Subtract:
    return a && b ? difference(*a, *b) : std::nullopt;
  case Operation::Minimum: {
    std::optional<Interval> result = below_end(left, right);
    return result ? result : below_end(right, left);
  }
  case Operation::Maximum: {
    if (!a || !b) return std::nullopt;
    std::optional<Interval> result = above_begin(*a, *b);
    return result ? result : above_begin(*b, *a);
  }
  default:
    return std::nullopt;
  }
}

void IndexIntervals::enter(const ir::Statement& statement) {
  const auto count_up = [&](ir::ValueId index, const ir::Operand& bound) {
    const std::optional<Interval> extent = of(bound);
    if (extent && !extent->is_relative && extent->high >= 1) set(index, {0, extent->high - 1});
  };
  if (const auto* soac = std::get_if<ir::Soac>(&statement.operation))
    count_up(soac->body.parameters[0], soac->extent);
  if (const auto* loop = std::get_if<ir::For>(&statement.operation))
    if (loop->index_type == ElementType::I64) count_up(loop->body.parameters[0], loop->bound);
}

void IndexIntervals::define(const ir::Statement& statement) {
  const auto note = [&](ir::ValueId value, const std::optional<Interval>& interval) {
    if (interval) set(value, *interval);
  };
  if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
    note(statement.results[0], of(*primitive));
  if (const auto* select = std::get_if<ir::Select>(&statement.operation))
    note(statement.results[0], either(of(select->then_value), of(select->else_value)));
  if (const auto* branch = std::get_if<ir::If>(&statement.operation))
    for (std::size_t i = 0; i < statement.results.size(); ++i)
      note(statement.results[i],
           either(of(branch->then_body.results[i]), of(branch->else_body.results[i])));
}

} // namespace sinter::jit
