#include "lang/eval/real_difference.h"

#include "lang/base/chance.h"
#include "lang/eval/changed_floats.h"
#include "lang/eval/wide_evaluator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace sinter::eval {

namespace {

/// Units in the last place that pass for rounding: a law's side applies its operator twice.
constexpr double few_roundings = 8;
/// Units in the last place by which operands are moved: what a row of sums may be off by.
constexpr double moved_by = 16;
/// The part of the largest number that is no rounding, not even of an f16.
constexpr double gross_part = 1.0 / 16;
/// How much of a difference may change when operands are moved, if it is the operator's own.
constexpr double most_change = 0.25;
constexpr unsigned wide_digits = 50;
/// What rounding at so many digits stays below by far, relative to the largest number.
constexpr double wide_noise = 1e-35;

struct TypedScalar {
  ElementType type{};
  Scalar scalar;
};

double unit_in_last_place(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return 0x1p-10;
  case ElementType::F32:
    return 0x1p-23;
  default:
    return 0x1p-52;
  }
}

double number(const TypedScalar& scalar) {
  return with_cpp_type(scalar.type,
                       [&]<typename T>() { return static_cast<double>(scalar.scalar.as<T>()); });
}

/// Appends all scalars of a value; extents and constructors count as such, so that values of
/// different shapes differ in a scalar.
void append_scalars(const Value& value, const Representation* type, std::vector<TypedScalar>& out) {
  if (type->is_scalar()) {
    out.push_back({type->scalar(), value.scalar()});
  } else if (type->is_array()) {
    const Representation* element = type->array().element;
    const ArrayRef& array = value.array();
    out.push_back({ElementType::I64, Scalar::of(array->shape.front())});
    for (std::int64_t i = 0; i < array->shape.front(); ++i) {
      const Value part = get_element(array, i);
      append_scalars(part, part.is_array() ? type : element, out);
    }
  } else if (type->is_record()) {
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      append_scalars(value.fields()[i], type->record().fields[i].type, out);
  } else if (type->is_sum()) {
    out.push_back({ElementType::I64, Scalar::of(std::int64_t{value.tag()})});
    const ConstructorRepresentation& constructor = type->sum().constructors[value.tag()];
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      append_scalars(value.fields()[i], constructor.payload[i], out);
  }
}
std::vector<TypedScalar> scalars_of(const Value& value, const Representation* type) {
  std::vector<TypedScalar> scalars;
  append_scalars(value, type, scalars);
  return scalars;
}

/// How large the floats are that take part.
struct Scale {
  std::vector<double> of_component; ///< among the scalars at the same place
  double of_all = 0;

  /// How much the floats at a place may differ for rounding.
  double rounding(std::size_t component, ElementType type) const {
    const double size = of_component[component];
    return std::max(few_roundings * unit_in_last_place(type) * size, wide_noise * of_all);
  }
};

/// `components`: how many scalars the results have.  Values of other shapes than theirs tell
/// nothing of a single place, so they count at each.
Scale scale_of(std::span<const Value> operands,
               std::span<const Representation* const> operand_types, const Sides& sides,
               const Representation* type, std::size_t components) {
  Scale scale{std::vector<double>(components, 0.0), 0};
  const auto look_at_value = [&](const Value& value, const Representation* value_type) {
    const std::vector<TypedScalar> scalars = scalars_of(value, value_type);
    double largest = 0;
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      if (!is_float(scalars[i].type)) continue;
      const double size = std::abs(number(scalars[i]));
      if (!std::isfinite(size)) continue;
      largest = std::max(largest, size);
      if (scalars.size() == components) {
        double& known = scale.of_component[i];
        known = std::max(known, size);
      }
    }
    scale.of_all = std::max(scale.of_all, largest);
    if (scalars.size() != components)
      for (double& known : scale.of_component)
        known = std::max(known, largest);
  };
  for (std::size_t i = 0; i < operands.size(); ++i)
    look_at_value(operands[i], operand_types[i]);
  const auto look_at = [&](const Value& value) { look_at_value(value, type); };
  std::ranges::for_each(sides.between, look_at);
  look_at(sides.left);
  look_at(sides.right);
  return scale;
}

/// A number from 0.5 to 1 with a sign.
double next_move(RepeatableChance& chance) {
  const std::uint64_t bits = chance.next();
  const double size = 0.5 + static_cast<double>(bits >> 12) * 0x1p-53;
  return bits & 1 ? size : -size;
}

Scalar moved(ElementType type, Scalar scalar, RepeatableChance& chance) {
  const double factor = 1 + next_move(chance) * moved_by * unit_in_last_place(type);
  return with_cpp_type(type, [&]<typename T>() {
    const T changed = static_cast<T>(static_cast<double>(scalar.as<T>()) * factor);
    return Scalar::of(changed);
  });
}

} // namespace

std::int64_t scalar_count(const Value& value) {
  if (value.is_array()) {
    std::int64_t count = 0;
    for (const Leaf& leaf : value.array()->leaves)
      count += element_count(leaf.extents);
    return count;
  }
  if (value.kind() != Value::Kind::Record && value.kind() != Value::Kind::Sum) return 1;
  std::int64_t count = 1;
  for (const Value& field : value.fields())
    count += scalar_count(field);
  return count;
}

bool holds_floats(const Representation* type) {
  return std::ranges::any_of(type->leaves,
                             [](const LeafLayout& leaf) { return is_float(leaf.element); });
}

Likeness likeness(std::span<const Value> operands, const Sides& sides, const Representation* type) {
  return likeness(operands, std::vector<const Representation*>(operands.size(), type), sides, type);
}

Likeness likeness(std::span<const Value> operands,
                  std::span<const Representation* const> operand_types, const Sides& sides,
                  const Representation* type) {
  if (type->is_scalar() && !is_float(type->scalar()))
    return sides.left.scalar() == sides.right.scalar() ? Likeness::Same : Likeness::Unlike;
  const std::vector<TypedScalar> left = scalars_of(sides.left, type);
  const std::vector<TypedScalar> right = scalars_of(sides.right, type);
  if (left.size() != right.size()) return Likeness::Unlike;
  std::optional<Scale> scale;
  bool is_same = true;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].scalar == right[i].scalar) continue;
    if (!is_float(left[i].type)) return Likeness::Unlike;
    const double a = number(left[i]), b = number(right[i]);
    if (a == b || std::isnan(a) || std::isnan(b)) continue;
    if (!scale) scale = scale_of(operands, operand_types, sides, type, left.size());
    if (!(std::abs(a - b) <= scale->rounding(i, left[i].type))) return Likeness::Unlike;
    is_same = false;
  }
  return is_same ? Likeness::Same : Likeness::Rounded;
}

bool is_same(const Value& a, const Value& b, const Representation* type) {
  const auto are_same = [](const TypedScalar& left, const TypedScalar& right) {
    if (left.scalar == right.scalar) return true;
    if (!is_float(left.type)) return false;
    const double x = number(left), y = number(right);
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  return std::ranges::equal(scalars_of(a, type), scalars_of(b, type), are_same);
}

bool differs_grossly(std::span<const Value> operands,
                     std::span<const Representation* const> operand_types, const Sides& sides,
                     const Representation* type) {
  const std::vector<TypedScalar> left = scalars_of(sides.left, type);
  const std::vector<TypedScalar> right = scalars_of(sides.right, type);
  if (left.size() != right.size()) return false; // shapes may depend on rounding
  const double scale = scale_of(operands, operand_types, sides, type, left.size()).of_all;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!is_float(left[i].type)) continue;
    const double difference = std::abs(number(left[i]) - number(right[i]));
    if (std::isfinite(difference) && difference > gross_part * scale) return true;
  }
  return false;
}

struct RealDifference::Implementation {
  const EvaluationContext& context;
  const Representation* type; ///< of what functions come to
  /// Of each operand; empty: `type`.
  std::vector<const Representation*> operand_types;
  std::unique_ptr<WideEvaluator> wide; ///< null if there is none
  std::vector<Value> fixed;            ///< with wide numbers inside
  const primitives::Primitive* subtract =
      primitives::find(primitives::Operation::Subtract, ElementType::F64);

  Implementation(const EvaluationContext& given, const Globals& globals,
                 std::span<const Fixed> ordinary, std::vector<const Representation*> types,
                 const Representation* result)
      : context(given), type(result), operand_types(std::move(types)) {
    EvaluationContext own;
    own.representations = context.representations;
    own.memory = context.memory;
    own.interrupt = context.interrupt;
    own.sources = context.sources;
    own.trace = [](const std::string&) {}; // it was shown already
    try {
      wide = std::make_unique<WideEvaluator>(std::move(own), wide_digits);
    } catch (const std::runtime_error&) {
      return;
    }
    wide->take_from(globals);
    for (const Fixed& each : ordinary)
      fixed.push_back(wide->widen(each.value, each.type));
  }

  std::vector<const Representation*> types_of(std::span<const Value> operands) const {
    return operand_types.empty() ? std::vector<const Representation*>(operands.size(), type)
                                 : operand_types;
  }

  Sides sides(const Computations& computations, std::span<const Value> operands) {
    const std::vector<const Representation*> types = types_of(operands);
    std::vector<Value> widened;
    for (std::size_t i = 0; i < operands.size(); ++i)
      widened.push_back(wide->widen(operands[i], types[i]));
    Sides result;
    const ApplyFunction apply = [&](const Value& function, std::vector<Value> arguments) {
      Value applied = wide->apply(function, std::move(arguments));
      result.between.push_back(applied);
      return applied;
    };
    result.left = computations.left(apply, fixed, widened);
    result.right = computations.right(apply, fixed, widened);
    return result;
  }

  /// How far the sides are apart in each scalar; 0 where a NaN says nothing.  (Of other scalars
  /// than floats it only matters whether they differ.)  Nothing if their shapes differ.
  std::optional<std::vector<double>> differences(const Sides& sides) {
    const std::vector<TypedScalar> left = scalars_of(sides.left, type);
    const std::vector<TypedScalar> right = scalars_of(sides.right, type);
    if (left.size() != right.size()) return std::nullopt;
    std::vector<double> result;
    for (std::size_t i = 0; i < left.size(); ++i) {
      double difference = left[i].scalar == right[i].scalar ? 0 : 1;
      if (difference != 0 && is_float(left[i].type)) {
        WideNumbers& numbers = wide->numbers();
        const Scalar wide_difference =
            numbers.apply(*subtract, left[i].scalar, right[i].scalar, {});
        difference = numbers.narrow(ElementType::F64, wide_difference).as<double>();
        if (std::isnan(difference)) difference = 0;
      }
      result.push_back(difference);
    }
    return result;
  }

  bool is_there(const Computations& computations, std::span<const Value> operands) {
    const std::vector<const Representation*> types = types_of(operands);
    const Sides here = sides(computations, operands);
    const auto found = differences(here);
    Sides narrowed{wide->narrow(here.left, type), wide->narrow(here.right, type), {}};
    for (const Value& value : here.between)
      narrowed.between.push_back(wide->narrow(value, type));

    std::vector<std::size_t> standing; // the scalars whose difference is no rounding so far
    if (found) {
      const std::vector<TypedScalar> scalars = scalars_of(narrowed.left, type);
      const Scale scale = scale_of(operands, types, narrowed, type, found->size());
      for (std::size_t i = 0; i < found->size(); ++i) {
        const ElementType element = scalars[i].type;
        const double rounding = is_float(element) ? scale.rounding(i, element) : 0;
        if (std::abs((*found)[i]) > rounding) standing.push_back(i);
      }
      if (standing.empty()) return false;
    }
    RepeatableChance chance;
    for (int attempt = 0; attempt < 2; ++attempt) {
      std::vector<Value> moved_operands;
      for (std::size_t i = 0; i < operands.size(); ++i)
        moved_operands.push_back(change_floats(
            *context.memory, operands[i], types[i],
            [&](ElementType element, Scalar scalar) { return moved(element, scalar, chance); }));
      const auto again = differences(sides(computations, moved_operands));
      if (!found || !again || found->size() != again->size()) {
        if (found || again) return false; // that shapes differ depends on rounding
        continue;
      }
      std::erase_if(standing, [&](std::size_t i) {
        const double before = (*found)[i], after = (*again)[i];
        return before != after && !(std::abs(after - before) <= most_change * std::abs(before));
      });
      if (standing.empty()) return false;
    }
    return true;
  }
};

RealDifference::RealDifference(const EvaluationContext& context, const Globals& globals,
                               const Value& function, const Representation* type)
    : RealDifference(context, globals,
                     std::array{Fixed{function, context.representations->function()}}, {}, type) {}

RealDifference::RealDifference(const EvaluationContext& context, const Globals& globals,
                               std::span<const Fixed> fixed,
                               std::vector<const Representation*> operand_types,
                               const Representation* type)
    : implementation_(std::make_unique<Implementation>(context, globals, fixed,
                                                       std::move(operand_types), type)) {}

RealDifference::~RealDifference() = default;

bool RealDifference::is_there(const Law& law, std::span<const Value> operands, const Sides& sides) {
  const auto side = [](Value (*way)(const Combine&, std::span<const Value>)) {
    return [way](const ApplyFunction& apply, std::span<const Value> fixed,
                 std::span<const Value> values) {
      return way(
          [&](const Value& a, const Value& b) {
            return apply(fixed.front(), {a, b});
          },
          values);
    };
  };
  return is_there(Computations{side(law.left), side(law.right)}, operands, sides);
}

bool RealDifference::is_there(const Computations& computations, std::span<const Value> operands,
                              const Sides& sides) {
  const auto is_far = [&] {
    return differs_grossly(operands, implementation_->types_of(operands), sides,
                           implementation_->type);
  };
  if (!implementation_->wide) return is_far();
  try {
    return implementation_->is_there(computations, operands);
  } catch (const RuntimeError& error) {
    if (error.kind != FailureKind::Program && error.kind != FailureKind::Unsupported) throw;
    return is_far();
  }
}

} // namespace sinter::eval
