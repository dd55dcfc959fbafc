// Operators of reductions, scans and histograms: associative exactly.
#include "tests/generate/ir/function_generator.h"

#include <algorithm>
#include <utility>

namespace sinter::generate::of_ir {

Generator::Operator Generator::scalar_operator(ElementType element) {
  Op operation = Op::Or;
  Operand neutral = number(element, 0);
  if (is_float(element)) {
    operation = Op::Add;
  } else if (is_number(element)) {
    switch (random_.below(4)) {
    case 0:
      operation = Op::Multiply;
      neutral = number(element, 1);
      break;
    case 1:
      operation = Op::Xor;
      break;
    default:
      operation = Op::Add;
    }
  }
  Body combine = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    const ValueId a = writer_.parameter(scalar_type(element), false);
    const ValueId b = writer_.parameter(scalar_type(element), false);
    return {primitive(operation, element, {a, b})};
  });
  return {{neutral}, {scalar_type(element)}, std::move(combine)};
}

Generator::Operator Generator::composition() {
  const ElementType element = random_.chance(50) ? ElementType::I64 : ElementType::I32;
  const Type type = scalar_type(element);
  Body combine = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    const ValueId a = writer_.parameter(type, false), b = writer_.parameter(type, false);
    const ValueId c = writer_.parameter(type, false), d = writer_.parameter(type, false);
    const ValueId slope = primitive(Op::Multiply, element, {a, c});
    const ValueId scaled = primitive(Op::Multiply, element, {b, c});
    return {slope, primitive(Op::Add, element, {scaled, d})};
  });
  return {{number(element, 1), number(element, 0)}, {type, type}, std::move(combine), false};
}

Generator::Operator Generator::row_operator(const Type& row) {
  const ValueId zero = zeros(row);
  Body combine = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    const ValueId a = writer_.parameter(row, false), b = writer_.parameter(row, false);
    Body add = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      const Type element = row_of(row);
      writer_.parameter(i64, false);
      const ValueId x = writer_.parameter(element, false);
      const ValueId y = writer_.parameter(element, false);
      return {primitive(Op::Add, row.element, {x, y})};
    });
    return {writer_.append_one(Soac{row.extents[0], {a, b}, std::move(add), {MapGroup{}}}, row)};
  });
  return {{zero}, {row}, std::move(combine)};
}

ValueId Generator::zeros(const Type& type) {
  Body body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    writer_.parameter(i64, false);
    return {number(type.element, 0)};
  });
  return writer_.append_one(Soac{type.extents[0], {}, std::move(body), {MapGroup{}}}, type);
}

Operand Generator::element_for(const Type& type) {
  const Operand value = operand(type);
  if (!is_float(type.element) || !options_.exact_sums) return value;
  const ElementType small = ElementType::I8;
  if (type.is_scalar()) {
    const ValueId cut = primitive(*primitives::conversion(type.element, small), {value});
    return primitive(*primitives::conversion(small, type.element), {cut});
  }
  Body body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    writer_.parameter(i64, false);
    const ValueId x = writer_.parameter(row_of(type), false);
    const ValueId cut = primitive(*primitives::conversion(type.element, small), {x});
    return {primitive(*primitives::conversion(small, type.element), {cut})};
  });
  return writer_.append_one(Soac{type.extents[0], {value.value()}, std::move(body), {MapGroup{}}},
                            type);
}

} // namespace sinter::generate::of_ir
