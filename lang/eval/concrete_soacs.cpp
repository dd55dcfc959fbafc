// Concrete arrays: functions of the program applied to elements.
//
// Every operation runs over the elements in order, and reductions and scans combine them in the one
// order that sizes give (fold_order.h), so what a program means never depends on how the work is
// split.  Operators that are plain scalar primitives are applied to the leaves directly.
#include "lang/eval/concrete_domain.h"

#include "lang/core/core.h"
#include "lang/primitives/fold_order.h"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace sinter::eval {

namespace {

/// The scalar primitive that a function value is, if it is no more than that.
const primitives::Primitive* scalar_primitive(const Value& function) {
  const FunctionObject<Concrete>& object = function.function();
  return object.arguments.empty() ? object.function->primitive : nullptr;
}

/// The scalars of a one-dimensional array, if it is one.  They are asked for when the first one is
/// read, for compiled code may take all of it over before.
struct ScalarElements {
  explicit ScalarElements(const ArrayRef& array) {
    if (array->shape.size() != 1 || !array->element->is_scalar()) return;
    leaf_ = &array->leaves.front();
    stride_ = leaf_->strides[0];
  }
  explicit operator bool() const { return leaf_ != nullptr; }
  Scalar operator[](std::int64_t i) {
    if (!first_) [[unlikely]]
      first_ = first_element(*leaf_);
    return load_scalar(leaf_->element, first_, i * stride_);
  }

private:
  const Leaf* leaf_ = nullptr;
  const std::byte* first_ = nullptr;
  std::int64_t stride_ = 0;
};

/// Whether values of the type may hide extents: payloads of constructors that they do not have.
bool hides_extents(const Representation* type) {
  if (type->is_sum()) return extent_count(type) > 0;
  if (type->is_array()) return hides_extents(type->array().element);
  if (type->is_record())
    for (const FieldRepresentation& field : type->record().fields)
      if (hides_extents(field.type)) return true;
  return false;
}

/// All the result's extents, where elements might not show them; else none.
Extents extents_if_needed(ConcreteSite& site, const Representation* type, std::int64_t count) {
  Extents result;
  if (count == 0 || hides_extents(type)) result = extents_without_elements(site);
  return result;
}
std::span<const std::int64_t> without_first(const Extents& extents) {
  std::span<const std::int64_t> all = extents;
  return all.empty() ? all : all.subspan(1);
}

std::int64_t length(const Value& array) {
  return array.array()->shape.front();
}

std::int64_t common_length(std::span<Value> arrays) {
  for (const Value& array : arrays)
    if (length(array) != length(arrays.front()))
      throw RuntimeError("shape-mismatch",
                         "arrays of different lengths: " + std::to_string(length(arrays.front())) +
                             " and " + std::to_string(length(array)));
  return length(arrays.front());
}

} // namespace

// ---- map ---------------------------------------------------------------------------------------

Value ConcreteDomain::apply_Map(std::span<Value> arguments, std::size_t, ConcreteSite& site) {
  Running running = start();
  const Value& function = arguments[0];
  std::span<Value> arrays = arguments.subspan(1);
  const std::int64_t count = common_length(arrays);
  const Representation* element = indexed(representations_, site.type(), 1);
  const Extents known = extents_if_needed(site, element, count);
  ArrayBuilder builder(memory_, element, count, without_first(known));
  std::array<Value, 5> elements;
  auto apply = [&](std::int64_t i) {
    for (std::size_t k = 0; k < arrays.size(); ++k)
      elements[k] = get_element(arrays[k].array(), i);
    return site.call(function, std::span<Value>(elements.data(), arrays.size()));
  };
  if (running.fails_at < count) apply(running.fails_at); // throws the error that it is known to be
  for (std::int64_t i = 0; i < count; ++i) {
    if (i == running.ask_at) [[unlikely]] {
      constexpr std::array<std::size_t, 5> positions = {1, 2, 3, 4, 5};
      if (auto rest = take_over(running, arguments, std::span(positions.data(), arrays.size()), i,
                                count, site)) {
        builder.append_all(rest->array());
        break;
      }
    }
    builder.append(apply(i));
  }
  return builder.finish();
}

Value ConcreteDomain::apply_Flatmap(std::span<Value> arguments, ConcreteSite& site) {
  const Value& function = arguments[0];
  const ArrayRef& array = arguments[1].array();
  const std::int64_t count = array->shape.front();
  const auto& fields = site.type()->record().fields;
  const Representation* piece_type = fields[3].type;
  const Representation* other = indexed(representations_, fields[4].type, 1);

  // The result's extents lie field after field.
  Extents all = extents_if_needed(site, site.type(), count);
  auto extents_of = [&](std::size_t wanted) -> std::span<const std::int64_t> {
    if (all.empty()) return {};
    std::size_t begin = 0;
    for (std::size_t i = 0; i < wanted; ++i)
      begin += extent_count(fields[i].type);
    return std::span<const std::int64_t>(all).subspan(begin, extent_count(fields[wanted].type));
  };

  std::vector<ArrayRef> pieces;
  // (Of elements that are nothing there may be any number.)
  constexpr std::int64_t most_reserved = 1 << 20;
  pieces.reserve(static_cast<std::size_t>(std::min(count, most_reserved)));
  std::span<const std::int64_t> other_extents = extents_of(4);
  ArrayBuilder others(memory_, other, count,
                      other_extents.empty() ? other_extents : other_extents.subspan(1));
  ArrayBuilder lengths(memory_, representations_.scalar(ElementType::I64), count);
  ArrayBuilder offsets(memory_, representations_.scalar(ElementType::I64), count);
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    Value element = get_element(array, i);
    Value pair = site.call(function, std::span<Value>(&element, 1));
    const ArrayRef& piece = pair.fields()[0].array();
    lengths.append(Scalar::of(piece->shape.front()));
    offsets.append(Scalar::of(total));
    total += piece->shape.front();
    pieces.push_back(piece);
    others.append(pair.fields()[1]);
  }
  ArrayBuilder flags(memory_, representations_.scalar(ElementType::Bool), total);
  for (const ArrayRef& piece : pieces)
    for (std::int64_t i = 0; i < piece->shape.front(); ++i)
      flags.append(Scalar::of(i == 0));
  ArrayRef joined;
  if (pieces.empty()) {
    Extents extents(extents_of(3));
    extents.front() = 0;
    joined = allocate_with_extents(memory_, piece_type, extents);
  } else {
    joined = concatenate(memory_, pieces);
  }
  Value result = Value::record_of_size(5);
  result.fields()[0] = lengths.finish();
  result.fields()[1] = flags.finish();
  result.fields()[2] = offsets.finish();
  result.fields()[3] = std::move(joined);
  result.fields()[4] = others.finish();
  return result;
}

// ---- reductions and scans ----------------------------------------------------------------------

// Which elements are combined first depends on how many there are: an accelerator that wants the
// rest is offered the whole again, and what has been combined is dropped.

Value ConcreteDomain::reduce(std::span<Value> arguments, ConcreteSite& site) {
  Running running = start();
  const Value& operation = arguments[0];
  const Value& neutral = arguments[1];
  const ArrayRef& array = arguments[2].array();
  const std::int64_t count = array->shape.front();
  if (ScalarElements elements(array); const auto* known = scalar_primitive(operation)) {
    primitives::RunningFold fold(neutral.scalar(), [&](Scalar left, Scalar right) {
      return primitive(*known, left, right, {});
    });
    for (std::int64_t i = 0; i < count; ++i) {
      if (i == running.ask_at) [[unlikely]]
        if (auto all = take_over(running, arguments, {}, i, count, site)) return std::move(*all);
      if (i % poll_interval == 0) site.poll();
      fold.push(elements[i]);
    }
    return std::move(fold).result();
  }
  primitives::RunningFold fold(neutral, [&](Value&& left, Value&& right) {
    std::array<Value, 2> operands = {std::move(left), std::move(right)};
    return site.call(operation, operands);
  });
  for (std::int64_t i = 0; i < count; ++i) {
    if (i == running.ask_at) [[unlikely]]
      if (auto all = take_over(running, arguments, {}, i, count, site)) return std::move(*all);
    fold.push(get_element(array, i));
  }
  return std::move(fold).result();
}

Value ConcreteDomain::apply_Reduce(std::span<Value> arguments, ConcreteSite& site) {
  return reduce(arguments, site);
}
Value ConcreteDomain::apply_ReduceCommutative(std::span<Value> arguments, ConcreteSite& site) {
  return reduce(arguments, site);
}

Value ConcreteDomain::apply_Scan(std::span<Value> arguments, ConcreteSite& site) {
  Running running = start();
  const Value& operation = arguments[0];
  const Value& neutral = arguments[1];
  const ArrayRef& array = arguments[2].array();
  const std::int64_t count = array->shape.front();
  if (count == 0) return array;
  const Representation* element = indexed(representations_, site.type(), 1);
  const Extents known_extents = extents_if_needed(site, element, count);
  ArrayBuilder builder(memory_, element, count, without_first(known_extents));
  if (ScalarElements elements(array); const auto* known = scalar_primitive(operation)) {
    primitives::RunningScan scan(neutral.scalar(), [&](Scalar left, Scalar right) {
      return primitive(*known, left, right, {});
    });
    for (std::int64_t i = 0; i < count; ++i) {
      if (i == running.ask_at) [[unlikely]]
        if (auto all = take_over(running, arguments, {}, i, count, site)) return std::move(*all);
      if (i % poll_interval == 0) site.poll();
      builder.append(scan.push(elements[i]));
    }
    return builder.finish();
  }
  primitives::RunningScan scan(neutral, [&](Value&& left, Value&& right) {
    std::array<Value, 2> operands = {std::move(left), std::move(right)};
    return site.call(operation, operands);
  });
  for (std::int64_t i = 0; i < count; ++i) {
    if (i == running.ask_at) [[unlikely]]
      if (auto all = take_over(running, arguments, {}, i, count, site)) return std::move(*all);
    builder.append(scan.push(get_element(array, i)));
  }
  return builder.finish();
}

// ---- selection ---------------------------------------------------------------------------------

namespace {

/// Some of the numbers below an extent, in memory that the budget counts.
class Marks {
public:
  Marks(MemoryBudget& memory, std::int64_t extent)
      : extent_(extent),
        words_(Buffer::allocate_zeroed(memory, static_cast<std::size_t>((extent + 63) / 64 * 8))),
        data_(reinterpret_cast<std::uint64_t*>(words_->overwrite())) {}
  void set(std::int64_t i) {
    data_[i / 64] |= std::uint64_t{1} << (i % 64);
    ++count_;
  }
  /// How many there are.
  std::int64_t count() const { return count_; }
  template <typename Action>
  void for_each(Action&& action) const {
    for (std::int64_t begin = 0; begin < extent_; begin += 64)
      for (std::uint64_t left = data_[begin / 64]; left != 0; left &= left - 1)
        action(begin + std::countr_zero(left));
  }

private:
  std::int64_t extent_, count_ = 0;
  BufferRef words_;
  std::uint64_t* data_;
};

/// As many numbers, in memory that the budget counts.
template <typename T>
class Numbers {
public:
  Numbers(MemoryBudget& memory, std::int64_t count)
      : buffer_(Buffer::allocate(memory, static_cast<std::size_t>(count) * sizeof(T))),
        data_(reinterpret_cast<T*>(buffer_->overwrite())) {}
  T& operator[](std::int64_t i) { return data_[i]; }

private:
  BufferRef buffer_;
  T* data_;
};

} // namespace

Value ConcreteDomain::apply_Filter(std::span<Value> arguments, ConcreteSite& site) {
  Running running = start();
  const ArrayRef& array = arguments[1].array();
  const std::int64_t count = array->shape.front();
  Marks kept(memory_, count);
  ArrayRef kept_by_rest;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i == running.ask_at) [[unlikely]] {
      constexpr std::array<std::size_t, 1> elements = {1};
      if (auto rest = take_over(running, arguments, elements, i, count, site)) {
        kept_by_rest = std::move(rest->array());
        break;
      }
    }
    Value element = get_element(array, i);
    if (truth(site.call(arguments[0], std::span<Value>(&element, 1)).scalar())) kept.set(i);
  }
  const Representation* element = indexed(representations_, site.type(), 1);
  const Extents extents = array_extents(array);
  ArrayBuilder builder(memory_, element, kept.count(), without_first(extents));
  kept.for_each([&](std::int64_t i) { builder.append(get_element(array, i)); });
  if (!kept_by_rest) return builder.finish();
  return concatenate(memory_, std::array<ArrayRef, 2>{builder.finish(), std::move(kept_by_rest)});
}

/// A stable counting sort by class.
Value ConcreteDomain::apply_Partition(std::span<Value> arguments, ConcreteSite& site) {
  const std::int64_t classes = arguments[0].scalar().as<std::int32_t>();
  const ArrayRef& array = arguments[2].array();
  const std::int64_t count = array->shape.front();
  Numbers<std::int32_t> chosen(memory_, count);
  // By class, where its next element goes; first, how many it has.
  std::vector<std::int64_t> places(static_cast<std::size_t>(std::max<std::int64_t>(classes, 0)));
  for (std::int64_t i = 0; i < count; ++i) {
    Value element = get_element(array, i);
    const std::int64_t one =
        site.call(arguments[1], std::span<Value>(&element, 1)).scalar().as<std::int64_t>();
    if (one < 0 || one >= classes)
      throw RuntimeError("index-out-of-bounds", "partition: class " + std::to_string(one) +
                                                    " is not among the " + std::to_string(classes) +
                                                    " classes");
    chosen[i] = static_cast<std::int32_t>(one);
    ++places[static_cast<std::size_t>(one)];
  }
  const Extents extents = array_extents(array);
  ArrayBuilder sizes(memory_, representations_.scalar(ElementType::I64),
                     static_cast<std::int64_t>(places.size()));
  std::int64_t before = 0;
  for (std::int64_t& place : places) {
    sizes.append(Scalar::of(place));
    before += std::exchange(place, before);
  }
  Numbers<std::int64_t> order(memory_, count);
  for (std::int64_t i = 0; i < count; ++i)
    order[places[static_cast<std::size_t>(chosen[i])]++] = i;
  ArrayBuilder sorted(memory_, indexed(representations_, site.type()->record().fields[0].type, 1),
                      count, without_first(extents));
  for (std::int64_t i = 0; i < count; ++i)
    sorted.append(get_element(array, order[i]));
  Value result = Value::record_of_size(2);
  result.fields()[0] = sorted.finish();
  result.fields()[1] = sizes.finish();
  return result;
}

} // namespace sinter::eval
