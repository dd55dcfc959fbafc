#include "lang/eval/wide_domain.h"

#include "lang/base/plugin.h"
#include "lang/core/core.h"
#include "lang/eval/changed_floats.h"
#include "lang/primitives/fold_order.h"
#include "lang/values/elements.h"

namespace sinter::eval {

std::unique_ptr<WideNumbers> make_wide_numbers(unsigned digits, MemoryBudget& memory) {
  auto make = reinterpret_cast<WideNumbers* (*)(unsigned, MemoryBudget*)>(
      open_plugin("sinter_wide", "sinter_make_wide_numbers"));
  return std::unique_ptr<WideNumbers>(make(digits, &memory));
}

Value WideDomain::widen(const Value& value, const Representation* type) {
  return change_floats(memory_, value, type, [this](ElementType element, Scalar scalar) {
    return numbers_->widen(element, scalar);
  });
}

Value WideDomain::narrow(const Value& value, const Representation* type) const {
  return change_floats(memory_, value, type, [this](ElementType element, Scalar scalar) {
    return numbers_->narrow(element, scalar);
  });
}

Value WideDomain::array_operation(primitives::ArrayOperation operation, std::span<Value> arguments,
                                  ConcreteSite& site) {
  using Operation = primitives::ArrayOperation;
  if (operation == Operation::Equal || operation == Operation::NotEqual) {
    const bool is_equal = equal(arguments[0], arguments[1], site.argument_type(0));
    return Scalar::of(is_equal == (operation == Operation::Equal));
  }
  if (std::optional<Value> result = fold(operation, arguments, site)) return std::move(*result);
  return ConcreteDomain::array_operation(operation, arguments, site);
}

/// Reductions and scans of floats by a plain primitive, which the ordinary domain applies itself.
std::optional<Value> WideDomain::fold(primitives::ArrayOperation operation,
                                      std::span<Value> arguments, ConcreteSite& site) {
  using Operation = primitives::ArrayOperation;
  const bool is_scan = operation == Operation::Scan;
  if (!is_scan && operation != Operation::Reduce && operation != Operation::ReduceCommutative)
    return std::nullopt;
  const FunctionObject<Concrete>& function = arguments[0].function();
  const primitives::Primitive* known = function.function->primitive;
  const ArrayRef& array = arguments[2].array();
  if (!known || !function.arguments.empty() || !is_float(known->operand) ||
      array->shape.size() != 1 || !array->element->is_scalar())
    return std::nullopt;
  const Scalar neutral = arguments[1].scalar();
  const auto combine = [&](Scalar left, Scalar right) {
    return primitive(*known, left, right, {});
  };
  const auto for_each_element = [&](const auto& visit) {
    for (std::int64_t i = 0; i < array->shape.front(); ++i) {
      if (i % 1024 == 0) site.poll();
      visit(get_element(array, i).scalar());
    }
  };
  if (is_scan) {
    ArrayBuilder prefixes(memory_, array->element, array->shape.front());
    primitives::RunningScan scan(neutral, combine);
    for_each_element([&](Scalar element) { prefixes.append(scan.push(std::move(element))); });
    return Value(prefixes.finish());
  }
  primitives::RunningFold fold(neutral, combine);
  for_each_element([&](Scalar element) { fold.push(std::move(element)); });
  return Value(std::move(fold).result());
}

bool WideDomain::equal(const Value& a, const Value& b, const Representation* type) const {
  if (type->is_scalar())
    return is_float(type->scalar()) ? numbers_->are_equal(a.scalar(), b.scalar())
                                    : a.scalar() == b.scalar();
  if (type->is_array()) {
    if (!(array_extents(a.array()) == array_extents(b.array()))) return false;
    const Representation* element = indexed(representations_, type, 1);
    for (std::int64_t i = 0; i < a.array()->shape.front(); ++i)
      if (!equal(get_element(a.array(), i), get_element(b.array(), i), element)) return false;
    return true;
  }
  if (type->is_sum() && a.tag() != b.tag()) return false;
  for (std::size_t i = 0; i < a.fields().size(); ++i)
    if (!equal(a.fields()[i], b.fields()[i],
               type->is_sum() ? type->sum().constructors[a.tag()].payload[i]
                              : type->record().fields[i].type))
      return false;
  return true;
}

} // namespace sinter::eval
