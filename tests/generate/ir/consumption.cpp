// What overwrites an array.
#include "tests/generate/ir/function_generator.h"

#include <algorithm>
#include <utility>

namespace sinter::generate::of_ir {

void Generator::update() {
  const auto array = own_array();
  if (!array) return;
  const Type type = writer_.type(*array);
  const auto write = [&] {
    std::vector<Operand> indices;
    for (const Operand& extent : type.extents)
      indices.push_back(index_below(extent));
    const Operand value = scalar(type.element);
    return writer_.append_one(Update{*array, std::move(indices), value}, type);
  };
  if (is_indexable(type, type.rank())) {
    const ValueId result = write();
    writer_.consume(*array);
    if (random_.chance(50)) writer_.append_one(Copy{result}, type);
    return;
  }
  // Where there may be no element, in a branch; the other hands the array on.
  if (type.rank() > 1) return;
  const ValueId is_there =
      primitive(Op::Less, ElementType::I64, {Operand::i64(0), type.extents[0]});
  Body then_body = writer_.body(Ownership::Branch, [&]() -> std::vector<Operand> {
    writer_.assume_positive(type.extents[0]);
    return {write()};
  });
  Body else_body =
      writer_.body(Ownership::Branch, [&]() -> std::vector<Operand> { return {*array}; });
  writer_.consume(*array);
  writer_.append_one(If{is_there, std::move(then_body), std::move(else_body)}, type);
}

void Generator::update_slice() {
  const auto array = own_array();
  if (!array) return;
  const Type type = writer_.type(*array);
  const auto value = writer_.find([&](ValueId candidate, const Type& other) {
    return other == type && !writer_.may_overlap(candidate, *array);
  });
  if (!value) return;
  UpdateSlice update{*array, {}, *value};
  for (const Operand& extent : type.extents) {
    const ValueId last = primitive(Op::Subtract, ElementType::I64, {extent, Operand::i64(1)});
    update.dimensions.push_back({last, Operand::i64(-1)});
  }
  writer_.consume(*array);
  writer_.append_one(std::move(update), type);
}

void Generator::scatter() {
  const auto destination = own_array();
  if (!destination) return;
  const Type type = writer_.type(*destination);
  const auto indices = static_cast<std::uint32_t>(random_.between(1, type.rank()));
  const Type value{type.element, {type.extents.begin() + indices, type.extents.end()}};
  writer_.consume(*destination);
  const Operand extent = this->extent();
  const std::vector<ValueId> inputs = inputs_of(extent);
  Body body = soac_body(extent, inputs, [&] {
    std::vector<Operand> results;
    for (std::uint32_t i = 0; i < indices; ++i)
      results.push_back(scalar(ElementType::I64));
    results.push_back(operand(value));
    return results;
  });
  writer_.append_one(Soac{extent, inputs, std::move(body), {ScatterGroup{*destination, indices}}},
                     type);
}

void Generator::histogram() {
  const auto destination = own_array();
  if (!destination) return;
  const Type type = writer_.type(*destination);
  if (type.rank() > 2) return;
  // The destination's own elements must be small whole numbers too.
  const ElementType element = type.element;
  if (is_float(element)) return;
  Operator operation = type.rank() == 1     ? scalar_operator(element)
                       : is_number(element) ? row_operator(row_of(type))
                                            : Operator{};
  if (operation.neutral.empty()) return;
  writer_.consume(*destination);
  const Operand extent = this->extent();
  const std::vector<ValueId> inputs = inputs_of(extent);
  Body body = soac_body(extent, inputs, [&]() -> std::vector<Operand> {
    const Operand bin = scalar(ElementType::I64);
    return {bin, element_for(operation.types[0])};
  });
  writer_.append_one(
      Soac{extent,
           inputs,
           std::move(body),
           {HistogramGroup{
               {*destination}, std::move(operation.neutral), std::move(operation.combine), 1}}},
      type);
}

} // namespace sinter::generate::of_ir
