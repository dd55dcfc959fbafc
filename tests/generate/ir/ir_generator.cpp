#include "tests/generate/ir/ir_generator.h"

#include "tests/generate/ir/function_generator.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sinter::generate {

namespace of_ir {

Function Generator::run() {
  const ValueId n = writer_.parameter(i64, true), m = writer_.parameter(i64, true);
  const std::vector<std::vector<Operand>> shapes = {{n}, {m}, {n, m}, {m, n}, {n}};
  for (const std::vector<Operand>& shape : shapes)
    writer_.parameter({random_.pick(elements_), shape}, true);
  for (int i = 0; i < 3; ++i)
    writer_.parameter(scalar_type(random_.pick(elements_)), true);
  statements(options_.statements);
  std::vector<Operand> results;
  for (std::size_t count = random_.between(1, 4); results.size() < count;)
    results.push_back(*writer_.find([](ValueId, const Type&) { return true; }));
  return writer_.finish(std::move(results));
}

void Generator::statements(std::size_t count) {
  static constexpr Write simple[] = {
      &Generator::arithmetic, &Generator::arithmetic, &Generator::conversion, &Generator::select,
      &Generator::element,    &Generator::view,       &Generator::fresh};
  static constexpr Write nested[] = {&Generator::branch,
                                     &Generator::loop,
                                     &Generator::soac,
                                     &Generator::soac,
                                     &Generator::soac,
                                     &Generator::soac,
                                     &Generator::filter_or_partition};
  static constexpr Write consuming[] = {&Generator::update, &Generator::update_slice,
                                        &Generator::scatter, &Generator::histogram};
  for (std::size_t i = 0; i < count; ++i) {
    const bool nests = writer_.depth() <= options_.depth;
    const std::size_t choice = random_.below(100);
    if (options_.checks && !is_in_post_ && choice < 2)
      check();
    else if (choice == 2)
      chosen_bits();
    else if (options_.streams && soacs_ == 0 && !is_in_post_ && choice >= 95)
      stream();
    else if (options_.updates && choice < 20)
      (this->*consuming[random_.below(nests ? 4 : 2)])();
    else if (nests && choice < 60)
      (this->*nested[random_.below(std::size(nested))])();
    else
      (this->*simple[random_.below(std::size(simple))])();
  }
}

void Generator::few_statements() {
  statements(random_.below(5));
}

} // namespace of_ir

using namespace of_ir;

Function random_function(Random& random, const IrOptions& options) {
  return Generator(random, options).run();
}

std::vector<DenseValue> random_arguments(const Function& function, Random& random,
                                         std::size_t largest_extent) {
  const auto scalar = [&](ElementType element) {
    return number(element, static_cast<int>(random.below(9)) - (is_unsigned(element) ? 0 : 4))
        .scalar();
  };
  std::vector<bool> is_extent(function.values.size(), false);
  for (ValueId parameter : function.body.parameters)
    for (const Operand& extent : function.type(parameter).extents)
      if (extent.is_value()) is_extent[extent.value().index] = true;
  std::vector<Scalar> scalars(function.values.size());
  std::vector<DenseValue> arguments;
  for (ValueId parameter : function.body.parameters) {
    const Type& type = function.type(parameter);
    if (type.is_scalar()) {
      scalars[parameter.index] =
          is_extent[parameter.index]
              ? Scalar::of(static_cast<std::int64_t>(random.below(largest_extent + 1)))
              : scalar(type.element);
      arguments.push_back(scalars[parameter.index]);
      continue;
    }
    DenseArray array{type.element, {}, {}};
    std::int64_t count = 1;
    for (const Operand& extent : type.extents) {
      const Scalar size = extent.is_constant() ? extent.scalar() : scalars[extent.value().index];
      array.extents.push_back(size.as<std::int64_t>());
      count *= array.extents.back();
    }
    for (std::int64_t i = 0; i < count; ++i)
      array.elements.push_back(scalar(type.element));
    arguments.push_back(std::move(array));
  }
  return arguments;
}

} // namespace sinter::generate
