// Forecasts of whole evaluations: what is known of sizes is followed through the program.
//
// Each expression is looked at about once, for all elements and iterations that it will be
// evaluated for; of values no more is known than numbers that the program names, extents, and which
// function is meant.
#include "lang/base/overloaded.h"
#include "lang/core/children.h"
#include "lang/eval/forecast.h"
#include "lang/eval/forecast_costs.h"
#include "lang/values/array.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::eval {

using namespace costs;
using primitives::ArrayOperation;

namespace {

/// So many expressions are followed; what is left then is guessed without sizes.
constexpr int most_expressions = 4000;
/// Functions that call each other so deep.
constexpr std::size_t most_calls = 64;

constexpr std::int64_t unknown_extent = -1;

/// What is known of a value before there is one.
struct Outline {
  std::optional<Scalar> scalar;
  std::vector<std::int64_t> extents;        ///< of an array, one for each dimension; else empty
  std::vector<Outline> parts;               ///< fields of a record; captures, then arguments
  const core::Function* function = nullptr; ///< of a function

  static Outline number(std::int64_t value) { return {Scalar::of(value), {}, {}, nullptr}; }
  static Outline array(std::vector<std::int64_t> extents) {
    return {std::nullopt, std::move(extents), {}, nullptr};
  }
  std::int64_t extent(std::size_t dimension) const {
    return dimension < extents.size() ? extents[dimension] : unknown_extent;
  }
  Outline element() const {
    return extents.empty() ? Outline()
                           : array(std::vector<std::int64_t>(extents.begin() + 1, extents.end()));
  }
  std::int64_t integer() const { return scalar ? scalar->as<std::int64_t>() : unknown_extent; }
};

double count_of(std::int64_t extent) {
  return extent == unknown_extent ? unknown_count : static_cast<double>(extent);
}

double elements_of(const Outline& array) {
  double count = 1;
  for (const std::int64_t extent : array.extents)
    count *= count_of(extent);
  return count;
}

/// What is still known of a value in the middle of a loop that began with it.
Outline without_numbers(Outline outline) {
  outline.scalar.reset();
  for (Outline& part : outline.parts)
    part = without_numbers(std::move(part));
  return outline;
}

Outline outline_of(const Value& value) {
  switch (value.kind()) {
  case Value::Kind::Scalar: {
    Outline outline;
    outline.scalar = value.scalar();
    return outline;
  }
  case Value::Kind::Array: {
    const auto& shape = value.array()->shape;
    return Outline::array({shape.begin(), shape.end()});
  }
  case Value::Kind::Record: {
    Outline outline;
    for (const Value& field : value.fields())
      outline.parts.push_back(outline_of(field));
    return outline;
  }
  case Value::Kind::Function: {
    Outline outline;
    outline.function = value.function().function;
    for (const Value& capture : value.function().captures)
      outline.parts.push_back(outline_of(capture));
    for (const Value& argument : value.function().arguments)
      outline.parts.push_back(outline_of(argument));
    return outline;
  }
  default:
    return {};
  }
}

/// Walks over a program; what it finds adds up.
class Walk {
public:
  Walk(Forecaster& forecaster, const KnownGlobal& global)
      : forecaster_(forecaster), global_(global) {}

  Forecast forecast() const { return {bounded(nanoseconds_), static_cast<std::uint64_t>(bytes_)}; }

  Outline call(const core::Function& function, std::vector<Outline> given) {
    if (function.primitive) return spend_and_apply(*function.primitive, given, function);
    spend(per_call);
    const bool is_deep =
        calls_.size() >= most_calls || std::ranges::find(calls_, &function) != calls_.end();
    if (is_deep || !function.body) return {};
    if (!knows_anything(given) || expressions_ > most_expressions) { // nothing to follow
      if (times_ > 0) spend(static_cast<double>(forecaster_.call(function)));
      return {};
    }
    Frame frame{std::vector<Outline>(function.frame_size), {}};
    const auto arguments = given.begin() + function.capture_count;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      bind(*function.parameters[i], arguments[static_cast<std::ptrdiff_t>(i)], frame);
    given.resize(function.capture_count);
    frame.captures = std::move(given);
    calls_.push_back(&function);
    Outline result = follow(*function.body, frame);
    calls_.pop_back();
    return result;
  }

  Outline expression(const core::Expr& expr, std::size_t slots) {
    Frame frame{std::vector<Outline>(slots), {}};
    return follow(expr, frame);
  }

private:
  struct Frame {
    std::vector<Outline> slots, captures;
  };

  static bool knows_anything(const std::vector<Outline>& outlines) {
    return std::ranges::any_of(outlines, [](const Outline& outline) {
      return outline.scalar || outline.function || !outline.extents.empty() ||
             knows_anything(outline.parts);
    });
  }

  void spend(double nanoseconds) {
    nanoseconds_ = std::min(nanoseconds_ + times_ * nanoseconds, longest);
  }
  /// (Inside of an operation on elements memory comes back before the next one.)
  void fill(double bytes) {
    spend(bytes * per_byte_filled);
    if (is_outside_) bytes_ = std::min(bytes_ + bytes, longest);
  }

  /// Follows something as often as that.
  template <typename Inner>
  Outline repeated(double times, bool is_operation, Inner&& inner) {
    const double before = std::exchange(times_, std::min(times_ * times, longest));
    const bool was_outside = std::exchange(is_outside_, is_outside_ && !is_operation);
    Outline result = inner();
    times_ = before;
    is_outside_ = was_outside;
    return result;
  }

  /// Follows all of them and counts the cheapest; what is known of its result.
  template <typename Branches>
  Outline cheapest(const Branches& branches) {
    const double before = nanoseconds_, bytes_before = bytes_;
    double least = longest, least_bytes = 0;
    Outline result;
    bool is_first = true;
    for (const auto& branch : branches) {
      nanoseconds_ = before;
      bytes_ = bytes_before;
      Outline outline = branch();
      if (is_first || nanoseconds_ < least) {
        least = nanoseconds_;
        least_bytes = bytes_;
        result = without_numbers(std::move(outline));
      }
      is_first = false;
    }
    nanoseconds_ = is_first ? before : least;
    bytes_ = is_first ? bytes_before : least_bytes;
    return result;
  }

  // ---- sizes and patterns ----

  static std::int64_t read(const Outline& value, const core::SizePath& path) {
    const Outline* at = &value;
    for (const std::uint32_t field : path.fields) {
      if (field >= at->parts.size() || at->function) return unknown_extent;
      at = &at->parts[field];
    }
    return at->extent(path.dimension);
  }
  static void bind_sizes(const std::vector<core::SizeBinding>& sizes, const Outline& value,
                         Frame& frame) {
    for (const core::SizeBinding& size : sizes)
      if (const std::int64_t extent = read(value, size.path); extent != unknown_extent)
        frame.slots[size.slot] = Outline::number(extent);
  }
  void bind(const core::Pattern& pattern, const Outline& value, Frame& frame) {
    bind_sizes(pattern.sizes, value, frame);
    std::visit(Overloaded{[&](const core::SlotPattern& slot) { frame.slots[slot.slot] = value; },
                          [&](const core::RecordPattern& record) {
                            for (std::size_t i = 0; i < record.fields.size(); ++i)
                              bind(*record.fields[i],
                                   i < value.parts.size() ? value.parts[i] : Outline(), frame);
                          },
                          [&](const core::SumPattern& sum) {
                            for (const core::Pattern* part : sum.payload)
                              bind(*part, {}, frame);
                          },
                          [](const auto&) {}},
               pattern.node);
  }

  /// A value of a type whose extents are expressions.
  Outline sized(const core::SizedType& type, Frame& frame) {
    std::size_t next = 0;
    const auto extent = [&] {
      const core::Expr* expr = next < type.extents.size() ? type.extents[next] : nullptr;
      ++next;
      if (!expr) return unknown_extent;
      const double before = std::exchange(times_, 0.0);
      const Outline known = follow(*expr, frame);
      times_ = before;
      return std::max(known.integer(), unknown_extent);
    };
    const auto make = [&](auto&& self, const Representation* representation) -> Outline {
      Outline outline;
      if (representation->is_array()) {
        for (std::uint32_t i = 0; i < representation->array().rank; ++i)
          outline.extents.push_back(extent());
        next += representation->array().element->extent_count;
      } else if (representation->is_record()) {
        for (const FieldRepresentation& field : representation->record().fields)
          outline.parts.push_back(self(self, field.type));
      } else {
        next += representation->extent_count;
      }
      return outline;
    };
    return type.representation ? make(make, type.representation) : Outline();
  }

  // ---- expressions ----

  Outline follow(const core::Expr& expr, Frame& frame) {
    if (!is_known_at_once(expr) && ++expressions_ > most_expressions) {
      if (times_ > 0) spend(static_cast<double>(forecaster_.expression(expr)));
      return {};
    }
    spend(per_node);
    return std::visit([&](const auto& node) { return follow(node, expr, frame); }, expr.node);
  }
  static bool is_known_at_once(const core::Expr& expr) {
    return std::holds_alternative<core::Constant>(expr.node) ||
           std::holds_alternative<core::Local>(expr.node) ||
           std::holds_alternative<core::Captured>(expr.node) ||
           std::holds_alternative<core::FunctionValue>(expr.node);
  }
  std::vector<Outline> follow(const std::vector<const core::Expr*>& exprs, Frame& frame) {
    std::vector<Outline> outlines;
    for (const core::Expr* expr : exprs)
      outlines.push_back(follow(*expr, frame));
    return outlines;
  }

  /// Whatever is not known better: its parts, one after the other.
  template <typename Node>
  Outline follow(const Node&, const core::Expr& expr, Frame& frame) {
    core::for_each_child(expr, [&](const core::Expr& child) { follow(child, frame); });
    return {};
  }
  Outline follow(const core::Constant& node, const core::Expr&, Frame&) {
    Outline outline;
    outline.scalar = node.value;
    return outline;
  }
  Outline follow(const core::Bytes& node, const core::Expr&, Frame&) {
    return Outline::array({static_cast<std::int64_t>(node.bytes.size())});
  }
  Outline follow(const core::Local& node, const core::Expr&, Frame& frame) {
    return frame.slots[node.slot];
  }
  Outline follow(const core::Captured& node, const core::Expr&, Frame& frame) {
    return node.index < frame.captures.size() ? frame.captures[node.index] : Outline();
  }
  Outline follow(const core::GlobalValue& node, const core::Expr&, Frame&) {
    if (!global_) return {};
    const std::optional<Value> value = global_(*node.global);
    return value ? outline_of(*value) : Outline();
  }
  Outline follow(const core::FunctionValue& node, const core::Expr&, Frame&) {
    Outline outline;
    outline.function = node.function;
    return outline;
  }
  Outline follow(const core::Closure& node, const core::Expr&, Frame& frame) {
    Outline outline;
    outline.function = node.function;
    outline.parts = follow(node.captures, frame);
    return outline;
  }
  Outline follow(const core::Let& node, const core::Expr&, Frame& frame) {
    bind(*node.pattern, follow(*node.value, frame), frame);
    return follow(*node.body, frame);
  }
  Outline follow(const core::BindSizes& node, const core::Expr&, Frame& frame) {
    Outline value = follow(*node.value, frame);
    bind_sizes(node.bindings, value, frame);
    return value;
  }
  Outline follow(const core::Apply& node, const core::Expr&, Frame& frame) {
    std::vector<Outline> arguments = follow(node.arguments, frame);
    return applied(follow(*node.function, frame), std::move(arguments));
  }
  Outline follow(const core::PrimitiveCall& node, const core::Expr&, Frame& frame) {
    return applied(*node.primitive, follow(node.arguments, frame));
  }
  Outline follow(const core::If& node, const core::Expr&, Frame& frame) {
    const Outline condition = follow(*node.condition, frame);
    if (condition.scalar)
      return follow(condition.scalar->as<bool>() ? *node.then_branch : *node.else_branch, frame);
    const auto branch = [&](const core::Expr* expr) {
      return [this, expr, &frame] { return follow(*expr, frame); };
    };
    return cheapest(std::vector{branch(node.then_branch), branch(node.else_branch)});
  }
  Outline follow(const core::Match& node, const core::Expr&, Frame& frame) {
    const Outline value = follow(*node.scrutinee, frame);
    const auto branch = [&](const core::Case& one) {
      return [this, &one, &value, &frame] {
        bind(*one.pattern, value, frame);
        return follow(*one.body, frame);
      };
    };
    std::vector<decltype(branch(node.cases.front()))> branches;
    for (const core::Case& one : node.cases)
      branches.push_back(branch(one));
    return cheapest(branches);
  }
  Outline follow(const core::Loop& node, const core::Expr&, Frame& frame) {
    Outline state = follow(*node.initial, frame);
    double trips = unknown_count;
    if (const auto* form = std::get_if<core::ForLess>(&node.form)) {
      const Outline bound = follow(*form->bound, frame);
      if (bound.scalar) trips = count_of(std::max<std::int64_t>(bound.integer(), 0));
      frame.slots[form->slot] = {};
    } else if (const auto* elements = std::get_if<core::ForIn>(&node.form)) {
      const Outline array = follow(*elements->array, frame);
      trips = count_of(array.extent(0));
      bind(*elements->pattern, array.element(), frame);
    }
    if (trips == 0) return state;
    state = without_numbers(std::move(state));
    bind(*node.pattern, state, frame);
    bind_sizes(node.sizes, state, frame);
    return without_numbers(repeated(trips, false, [&] {
      if (const auto* form = std::get_if<core::While>(&node.form)) follow(*form->condition, frame);
      return follow(*node.body, frame);
    }));
  }
  Outline follow(const core::Record& node, const core::Expr&, Frame& frame) {
    Outline outline;
    outline.parts = follow(node.fields, frame);
    return outline;
  }
  Outline follow(const core::Project& node, const core::Expr&, Frame& frame) {
    Outline record = follow(*node.record, frame);
    if (record.function || node.field >= record.parts.size()) return {};
    return std::move(record.parts[node.field]);
  }
  Outline follow(const core::ArrayLiteral& node, const core::Expr&, Frame& frame) {
    const std::vector<Outline> elements = follow(node.elements, frame);
    std::vector<std::int64_t> extents = {static_cast<std::int64_t>(elements.size())};
    if (!elements.empty())
      extents.insert(extents.end(), elements[0].extents.begin(), elements[0].extents.end());
    return Outline::array(std::move(extents));
  }
  Outline follow(const core::Index& node, const core::Expr&, Frame& frame) {
    const Outline array = follow(*node.array, frame);
    Outline result;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const core::IndexPart& part = node.parts[i];
      const auto known = [&](const core::Expr* expr, std::int64_t otherwise) {
        return expr ? follow(*expr, frame).integer() : otherwise;
      };
      if (!part.is_slice) {
        follow(*part.index, frame);
        continue;
      }
      const std::int64_t begin = known(part.begin, 0), end = known(part.end, array.extent(i));
      const bool is_known = begin >= 0 && end >= begin && !part.stride;
      result.extents.push_back(is_known ? end - begin : unknown_extent);
    }
    for (std::size_t i = node.parts.size(); i < array.extents.size(); ++i)
      result.extents.push_back(array.extents[i]);
    return result;
  }
  Outline follow(const core::Update& node, const core::Expr& expr, Frame& frame) {
    Outline value = without_numbers(follow(*node.value, frame));
    core::for_each_child(expr, [&](const core::Expr& child) {
      if (&child != node.value) follow(child, frame);
    });
    return value;
  }
  Outline follow(const core::Range& node, const core::Expr& expr, Frame& frame) {
    spend(per_operation);
    const Outline first = follow(*node.first, frame), end = follow(*node.end, frame);
    Outline second;
    if (node.second) second = follow(*node.second, frame);
    if (!first.scalar || !end.scalar || (node.second && !second.scalar))
      return Outline::array({unknown_extent});
    const std::int64_t step = node.second
                                  ? second.integer() - first.integer()
                                  : std::int64_t{node.kind == syntax::RangeEnd::DownTo ? -1 : 1};
    const double distance =
        static_cast<double>(end.integer()) - static_cast<double>(first.integer()) +
        (node.kind == syntax::RangeEnd::Inclusive ? static_cast<double>(step) : 0);
    const double count =
        step == 0 ? 0 : std::clamp(distance / static_cast<double>(step), 0.0, longest);
    fill(count * static_cast<double>(bytes_of_element(expr.type)));
    return Outline::array({static_cast<std::int64_t>(count)});
  }
  Outline follow(const core::Coerce& node, const core::Expr&, Frame& frame) {
    return follow(*node.value, frame);
  }
  Outline follow(const core::Assert& node, const core::Expr&, Frame& frame) {
    follow(*node.condition, frame);
    return follow(*node.body, frame);
  }
  Outline follow(const core::Attributed& node, const core::Expr&, Frame& frame) {
    return follow(*node.body, frame);
  }

  // ---- applications ----

  static Outline applied(const primitives::Primitive& primitive,
                         const std::vector<Outline>& operands) {
    Scalar known[3];
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].scalar || i >= 3) return {};
      known[i] = *operands[i].scalar;
    }
    if (primitive.is_defined && !primitive.is_defined(known[0], known[1])) return {};
    Outline result;
    result.scalar = primitive.apply(known[0], known[1], known[2]);
    return result;
  }
  Outline spend_and_apply(const primitives::Primitive& primitive, const std::vector<Outline>& given,
                          const core::Function& function) {
    spend(per_element_combined);
    return function.capture_count == 0 ? applied(primitive, given) : Outline();
  }

  Outline applied(Outline function, std::vector<Outline> arguments) {
    if (!function.function) {
      spend(per_call);
      return {};
    }
    const core::Function& callee = *function.function;
    const std::size_t wanted = callee.capture_count + callee.parameters.size();
    std::vector<Outline> given = std::move(function.parts);
    std::size_t next = 0;
    while (given.size() < wanted && next < arguments.size())
      given.push_back(std::move(arguments[next++]));
    if (given.size() < wanted) { // of a part of its arguments
      function.parts = std::move(given);
      return function;
    }
    Outline result = call(callee, std::move(given));
    if (next == arguments.size()) return result;
    arguments.erase(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(next));
    return applied(std::move(result), std::move(arguments));
  }

  Outline follow(const core::ArrayCall& node, const core::Expr& expr, Frame& frame) {
    spend(per_operation);
    const std::vector<Outline> arguments = follow(node.arguments, frame);
    Outline result = sized(node.result, frame);
    if (is_view(node.operation)) return result;
    if (node.operation == ArrayOperation::Replicate) {
      fill(elements_of(result) * static_cast<double>(bytes_of_element(expr.type)));
      return result;
    }
    const std::optional<Applied> applies = applied_by(node.operation);
    if (!applies) {
      for (const Outline& argument : arguments)
        if (!argument.extents.empty()) spend(elements_of(argument) * per_element_moved);
      return result;
    }
    const std::int64_t count = arguments[applies->array].extent(0);
    const Outline made =
        repeated(count_of(count), true, [&] { return element_of(node, *applies, arguments); });
    if (gives_elements(node.operation)) complete(result, count, made);
    if (gives_elements(node.operation))
      fill(elements_of(result) * static_cast<double>(bytes_of_element(expr.type)));
    return result;
  }
  /// What the function of an operation makes of one element.
  Outline element_of(const core::ArrayCall& node, const Applied& applies,
                     const std::vector<Outline>& arguments) {
    std::vector<Outline> elements;
    for (std::size_t i = applies.array; i < arguments.size(); ++i)
      elements.push_back(arguments[i].element());
    if (takes_two(node.operation)) elements = {elements.back(), elements.back()};
    const Outline& function = arguments[applies.function];
    const bool is_primitive = function.function && function.function->primitive;
    if (!is_primitive) spend(per_element_applied);
    // (Of streams the accumulator comes first.)
    if (node.operation == ArrayOperation::ScatterStream ||
        node.operation == ArrayOperation::HistogramStream)
      elements.insert(elements.begin(), Outline());
    return applied(function, std::move(elements));
  }
  static bool takes_two(ArrayOperation operation) {
    using enum ArrayOperation;
    return operation == Reduce || operation == ReduceCommutative || operation == Scan ||
           operation == Histogram1d || operation == Histogram2d || operation == Histogram3d;
  }
  /// Extents that no expression names, as far as arguments and elements tell.
  static void complete(Outline& array, std::int64_t count, const Outline& element) {
    for (std::size_t i = 0; i < array.extents.size(); ++i)
      if (array.extents[i] == unknown_extent)
        array.extents[i] = i == 0 ? count : element.extent(i - 1);
  }

  Forecaster& forecaster_;
  const KnownGlobal& global_;
  double nanoseconds_ = 0, bytes_ = 0;
  double times_ = 1;       ///< how often what is followed now will be evaluated
  bool is_outside_ = true; ///< of functions that are applied to elements
  int expressions_ = 0;
  std::vector<const core::Function*> calls_; ///< that are being followed
};

} // namespace

Forecast Forecaster::evaluation(const core::Expr& expr, std::size_t slots,
                                const KnownGlobal& global) {
  Walk walk(*this, global);
  walk.expression(expr, slots);
  return walk.forecast();
}

Forecast Forecaster::call(const core::Function& function, std::span<const Value> captures,
                          std::span<const Value> arguments, const KnownGlobal& global) {
  Walk walk(*this, global);
  std::vector<Outline> given;
  for (const Value& capture : captures)
    given.push_back(outline_of(capture));
  for (const Value& argument : arguments)
    given.push_back(outline_of(argument));
  walk.call(function, std::move(given));
  return walk.forecast();
}

Forecast Forecaster::first_call(const core::Function& function, std::span<const Value> captures,
                                std::span<const Value> arguments, const KnownGlobal& global) {
  std::vector<std::uint64_t> sizes;
  for (const Value& argument : arguments)
    sizes.push_back(argument.kind() == Value::Kind::Scalar ? argument.scalar().bits
                                                           : elements_in(argument));
  if (last_call_ == &function && sizes == last_sizes_) return {};
  last_call_ = &function;
  last_sizes_ = std::move(sizes);
  return call(function, captures, arguments, global);
}

} // namespace sinter::eval
