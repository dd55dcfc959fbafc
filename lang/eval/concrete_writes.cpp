// Concrete arrays: writes by index.  All are sequential, so where indices collide the last write
// stays; writes out of bounds are ignored.
#include "lang/eval/concrete_domain.h"

#include "lang/core/core.h"

#include <array>

namespace sinter::eval {

namespace {

/// Index lists of one to three numbers, from an array of i64 or of tuples of i64.
class IndexReader {
public:
  IndexReader(const ArrayRef& array, std::size_t dimensions)
      : array_(array), dimensions_(dimensions) {}
  std::int64_t count() const { return array_->shape.front(); }
  /// The index list at a position if it lies within `bounds`, else nothing.
  std::optional<std::span<const std::int64_t>> at(std::int64_t position,
                                                  std::span<const std::int64_t> bounds) {
    for (std::size_t d = 0; d < dimensions_; ++d) {
      const Leaf& leaf = array_->leaves[d];
      index_[d] =
          load_scalar(leaf.element, leaf.buffer->data(), leaf.offset + position * leaf.strides[0])
              .as<std::int64_t>();
      if (index_[d] < 0 || index_[d] >= bounds[d]) return std::nullopt;
    }
    return std::span<const std::int64_t>(index_.data(), dimensions_);
  }

private:
  const ArrayRef& array_;
  std::size_t dimensions_;
  std::array<std::int64_t, 3> index_{};
};

void require_equal_lengths(const ArrayRef& indices, const ArrayRef& values) {
  if (indices->shape.front() != values->shape.front())
    throw RuntimeError(FailureKind::Program,
                       "arrays of different lengths: " + std::to_string(indices->shape.front()) +
                           " indices and " + std::to_string(values->shape.front()) + " values");
}

} // namespace

// ---- scatter -----------------------------------------------------------------------------------

Value ConcreteDomain::scatter(std::span<Value> arguments, std::size_t dimensions,
                              ConcreteSite& site) {
  Running running = start();
  require_equal_lengths(arguments[1].array(), arguments[2].array());
  ArrayRef target = writable(memory_, std::move(arguments[0].array()));
  IndexReader indices(arguments[1].array(), dimensions);
  for (std::int64_t i = 0; i < indices.count(); ++i) {
    if (i == running.ask_at) [[unlikely]] {
      constexpr std::array<std::size_t, 2> elements = {1, 2};
      arguments[0] = std::move(target);
      if (auto rest = take_over(running, arguments, elements, i, indices.count(), site))
        return std::move(*rest);
      target = writable(memory_, std::move(arguments[0].array()));
    }
    if (i % poll_interval == 0) site.poll();
    if (auto index = indices.at(i, target->shape))
      set_element(memory_, *target, *index, get_element(arguments[2].array(), i));
  }
  return target;
}

Value ConcreteDomain::apply_Scatter(std::span<Value> arguments, ConcreteSite& site) {
  return scatter(arguments, 1, site);
}
Value ConcreteDomain::apply_Scatter2d(std::span<Value> arguments, ConcreteSite& site) {
  return scatter(arguments, 2, site);
}
Value ConcreteDomain::apply_Scatter3d(std::span<Value> arguments, ConcreteSite& site) {
  return scatter(arguments, 3, site);
}

// ---- histograms --------------------------------------------------------------------------------

/// Arguments: race factor (ignored), bins, operator, neutral element (ignored), indices, values.
Value ConcreteDomain::histogram(std::span<Value> arguments, std::size_t dimensions,
                                ConcreteSite& site) {
  Running running = start();
  const Value& operation = arguments[2];
  require_equal_lengths(arguments[4].array(), arguments[5].array());
  ArrayRef bins = writable(memory_, std::move(arguments[1].array()));
  IndexReader indices(arguments[4].array(), dimensions);
  std::array<Value, 2> operands;
  for (std::int64_t i = 0; i < indices.count(); ++i) {
    if (i == running.ask_at) [[unlikely]] {
      constexpr std::array<std::size_t, 2> elements = {4, 5};
      operands = {};
      arguments[1] = std::move(bins);
      if (auto rest = take_over(running, arguments, elements, i, indices.count(), site))
        return std::move(*rest);
      bins = writable(memory_, std::move(arguments[1].array()));
    }
    auto index = indices.at(i, bins->shape);
    if (!index) continue;
    operands[0] = get_element(bins, *index);
    operands[1] = get_element(arguments[5].array(), i);
    set_element(memory_, *bins, *index, site.call(operation, operands));
  }
  return bins;
}

Value ConcreteDomain::apply_Histogram1d(std::span<Value> arguments, ConcreteSite& site) {
  return histogram(arguments, 1, site);
}
Value ConcreteDomain::apply_Histogram2d(std::span<Value> arguments, ConcreteSite& site) {
  return histogram(arguments, 2, site);
}
Value ConcreteDomain::apply_Histogram3d(std::span<Value> arguments, ConcreteSite& site) {
  return histogram(arguments, 3, site);
}

// ---- accumulators ------------------------------------------------------------------------------

/// Threads an accumulator through a function over the elements: `function(accumulator, element)`.
Value ConcreteDomain::stream(std::span<Value> function_and_elements, ConcreteAccumulator start,
                             ConcreteSite& site) {
  const Value& function = function_and_elements[0];
  const ArrayRef& elements = function_and_elements[1].array();
  auto state = std::make_shared<ConcreteAccumulator>(std::move(start));
  std::array<Value, 2> operands;
  operands[0] = Value::accumulator(state);
  for (std::int64_t i = 0; i < elements->shape.front(); ++i) {
    operands[1] = get_element(elements, i);
    operands[0] = site.call(function, operands);
  }
  return std::move(state->array);
}

Value ConcreteDomain::apply_ScatterStream(std::span<Value> arguments, ConcreteSite& site) {
  ArrayRef target = writable(memory_, std::move(arguments[0].array()));
  return stream(arguments.subspan(1), ConcreteAccumulator{std::move(target), Value()}, site);
}

Value ConcreteDomain::apply_HistogramStream(std::span<Value> arguments, ConcreteSite& site) {
  ArrayRef target = writable(memory_, std::move(arguments[0].array()));
  return stream(arguments.subspan(3),
                ConcreteAccumulator{std::move(target), std::move(arguments[1])}, site);
}

Value ConcreteDomain::apply_AccumulatorWrite(std::span<Value> arguments, ConcreteSite& site) {
  ConcreteAccumulator& state = *arguments[0].accumulator().state;
  const std::int64_t index = arguments[1].scalar().as<std::int64_t>();
  if (index < 0 || index >= state.array->shape.front()) return std::move(arguments[0]);
  if (state.combine.is_function()) {
    std::array<Value, 2> operands = {get_element(state.array, index), std::move(arguments[2])};
    arguments[2] = site.call(state.combine, operands);
  }
  set_element(memory_, *state.array, index, arguments[2]);
  return std::move(arguments[0]);
}

} // namespace sinter::eval
