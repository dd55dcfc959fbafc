// Concrete arrays: writes by index.  All are sequential, so where indices collide the last write
// stays; writes out of bounds are ignored.  Bins of histograms take their values in the order that
// sizes give (fold_order.h).
#include "lang/eval/concrete_domain.h"

#include "lang/core/core.h"
#include "lang/primitives/fold_order.h"

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
      index_[d] = load_scalar(leaf.element, leaf.buffer->contents(),
                              leaf.offset + position * leaf.strides[0])
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

std::span<const std::int64_t> first(const Extents& shape, std::size_t dimensions) {
  return std::span<const std::int64_t>(shape).first(dimensions);
}

/// Calls `visit(indices)` for all indices below one to three bounds, in row-major order.
template <typename Visit>
void for_each_index(std::span<const std::int64_t> bounds, Visit&& visit) {
  std::array<std::int64_t, 3> index{};
  for (std::int64_t i = 0; i < element_count(bounds); ++i) {
    std::int64_t rest = i;
    for (std::size_t d = bounds.size(); d-- > 0; rest /= bounds[d])
      index[d] = rest % bounds[d];
    visit(std::span<const std::int64_t>(index.data(), bounds.size()));
  }
}

void require_equal_lengths(const ArrayRef& indices, const ArrayRef& values) {
  if (indices->shape.front() != values->shape.front())
    throw RuntimeError("shape-mismatch",
                       "arrays of different lengths: " + std::to_string(indices->shape.front()) +
                           " indices and " + std::to_string(values->shape.front()) + " values");
}

} // namespace

// ---- scatter -----------------------------------------------------------------------------------

Value ConcreteDomain::apply_Scatter(std::span<Value> arguments, std::size_t dimensions,
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

// ---- histograms --------------------------------------------------------------------------------

/// Arguments: race factor (ignored), bins, operator, neutral element, indices, values.
Value ConcreteDomain::apply_Histogram(std::span<Value> arguments, std::size_t dimensions,
                                      ConcreteSite& site) {
  Running running = start();
  const Value& operation = arguments[2];
  const ArrayRef& values = arguments[5].array();
  require_equal_lengths(arguments[4].array(), values);
  IndexReader indices(arguments[4].array(), dimensions);
  const std::int64_t count = indices.count();
  auto combine = [&](ArrayRef& bins, std::span<const std::int64_t> index, Value value) {
    std::array<Value, 2> operands = {get_element(bins, index), std::move(value)};
    set_element(memory_, *bins, index, site.call(operation, operands));
  };
  const std::int64_t bin_count = element_count(first(arguments[1].array()->shape, dimensions));
  const primitives::Segments cut = primitives::segments(count, bin_count);
  if (cut.count == 1) {
    ArrayRef bins = writable(memory_, std::move(arguments[1].array()));
    for (std::int64_t i = 0; i < count; ++i) {
      if (i == running.ask_at) [[unlikely]] {
        // No fewer elements are cut into segments, so the rest can be taken by itself.
        constexpr std::array<std::size_t, 2> elements = {4, 5};
        arguments[1] = std::move(bins);
        if (auto rest = take_over(running, arguments, elements, i, count, site))
          return std::move(*rest);
        bins = writable(memory_, std::move(arguments[1].array()));
      }
      if (auto index = indices.at(i, bins->shape)) combine(bins, *index, get_element(values, i));
    }
    return bins;
  }
  // Who wants the rest is offered the whole: then the bins are needed as they were.
  ArrayRef bins = running.may_be_asked() ? arguments[1].array() : std::move(arguments[1].array());
  bins = writable(memory_, std::move(bins));
  ArrayRef own = allocate_with_extents(memory_, site.type(), array_extents(bins), false);
  for (std::int64_t begin = 0; begin < count; begin += cut.length) {
    for_each_index(first(bins->shape, dimensions), [&](std::span<const std::int64_t> index) {
      set_element(memory_, *own, index, arguments[3]);
    });
    for (std::int64_t i = begin; i < std::min(begin + cut.length, count); ++i) {
      if (i == running.ask_at) [[unlikely]]
        if (auto all = take_over(running, arguments, {}, i, count, site)) return std::move(*all);
      if (auto index = indices.at(i, bins->shape)) combine(own, *index, get_element(values, i));
    }
    for_each_index(first(bins->shape, dimensions), [&](std::span<const std::int64_t> index) {
      combine(bins, index, get_element(own, index));
    });
  }
  return bins;
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
