// Values that statements use: those in scope, and new ones.
#include "tests/generate/ir/function_generator.h"

#include <algorithm>
#include <utility>

namespace sinter::generate::of_ir {

Operand Generator::constant(ElementType element) {
  return number(element, static_cast<int>(random_.below(8)) - (is_signed(element) ? 3 : 0));
}

Operand Generator::scalar(ElementType element) {
  if (random_.chance(15)) return constant(element);
  const auto found =
      writer_.find([&](ValueId, const Type& type) { return type == scalar_type(element); });
  return found ? Operand(*found) : constant(element);
}

Operand Generator::operand(const Type& type) {
  if (type.is_scalar()) return scalar(type.element);
  const auto found =
      writer_.find([&](ValueId, const Type& candidate) { return candidate == type; });
  return found ? *found : filled(type);
}

ValueId Generator::filled(const Type& type) {
  Body body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    const ValueId i = writer_.parameter(i64, false);
    if (type.rank() > 1) return {filled(row_of(type))};
    return {primitive(*primitives::conversion(ElementType::I64, type.element), {i})};
  });
  return writer_.append_one(Soac{type.extents[0], {}, std::move(body), {MapGroup{}}}, type);
}

std::optional<ValueId> Generator::array(std::size_t least_rank) {
  return writer_.find(
      [&](ValueId, const Type& type) { return type.rank() >= least_rank && type.rank() <= 3; });
}

std::optional<ValueId> Generator::own_array() {
  const auto found = array();
  if (!found) return std::nullopt;
  if (writer_.may_consume(*found) && random_.chance(70)) return found;
  return writer_.append_one(Copy{*found}, Type(writer_.type(*found)));
}

ValueId Generator::primitive(const primitives::Primitive& primitive,
                             std::vector<Operand> arguments) {
  return writer_.append_one(Primitive{&primitive, std::move(arguments)},
                            scalar_type(primitive.result));
}

ValueId Generator::primitive(Op operation, ElementType element, std::vector<Operand> arguments) {
  return primitive(*primitives::find(operation, element), std::move(arguments));
}

Operand Generator::index_below(const Operand& extent) {
  return primitive(Op::Modulo, ElementType::I64, {scalar(ElementType::I64), extent});
}

Operand Generator::extent() {
  if (random_.chance(20)) return Operand::i64(static_cast<std::int64_t>(random_.below(4)));
  const auto found = array();
  return found ? writer_.type(*found).extents[0] : Operand::i64(3);
}

bool Generator::is_indexable(const Type& type, std::size_t count) const {
  return std::all_of(type.extents.begin(),
                     type.extents.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const Operand& extent) { return writer_.is_positive(extent); });
}

} // namespace sinter::generate::of_ir
