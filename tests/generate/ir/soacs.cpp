// SOACs that consume nothing.
#include "tests/generate/ir/function_generator.h"

#include <algorithm>
#include <utility>

namespace sinter::generate::of_ir {

Body Generator::soac_body(const Operand& extent, const std::vector<ValueId>& inputs,
                          const std::function<std::vector<Operand>()>& write) {
  return writer_.body(Ownership::Own, [&] {
    writer_.assume_positive(extent); // else the body does not run
    writer_.parameter(i64, false);
    for (ValueId input : inputs)
      writer_.parameter(row_of(writer_.type(input)), false);
    ++soacs_;
    few_statements();
    std::vector<Operand> results = write();
    --soacs_;
    return results;
  });
}

std::vector<ValueId> Generator::inputs_of(const Operand& extent) {
  std::vector<ValueId> inputs;
  for (std::size_t count = random_.below(3); inputs.size() < count;) {
    const auto input = writer_.find([&](ValueId, const Type& type) {
      return !type.is_scalar() && type.rank() <= 3 && type.extents[0] == extent;
    });
    if (!input) break;
    inputs.push_back(*input);
  }
  return inputs;
}

void Generator::soac() {
  const Operand extent = this->extent();
  const std::vector<ValueId> inputs = inputs_of(extent);
  struct Planned {
    std::size_t kind; ///< 0 map, 1 reduce, 2 scan
    Operator operation;
    std::optional<PlannedPost> post;
    std::vector<Before> before;
  };
  std::vector<Planned> plan;
  for (std::size_t count = random_.between(1, 2); plan.size() < count;) {
    const std::size_t kind = random_.below(3);
    Planned planned{kind, {}};
    if (kind != 0) {
      const auto row = random_.chance(25) ? writer_.find([&](ValueId, const Type& type) {
        return type.rank() == 1 && is_number(type.element);
      })
                                          : std::nullopt;
      planned.operation = row                  ? row_operator(Type(writer_.type(*row)))
                          : random_.chance(25) ? composition()
                                               : scalar_operator(random_.pick(elements_));
      if (kind == 2 && !row && random_.chance(40)) planned.post = planned_post();
      if (options_.streams && soacs_ == 0 && !is_in_post_ && !row && random_.chance(30)) {
        Before& before = planned.before.emplace_back(Before{scalar(ElementType::Bool), {}});
        for (const Type& type : planned.operation.types)
          before.values.push_back(element_for(type));
      }
    }
    plan.push_back(std::move(planned));
  }
  std::vector<Type> types;
  Soac soac{extent, inputs, {}, {}};
  soac.body = soac_body(extent, inputs, [&] {
    std::vector<Operand> results;
    for (const Planned& planned : plan) {
      if (planned.kind == 0) {
        const auto result = writer_.find([&](ValueId, const Type& type) {
          return type.rank() <= 2 && writer_.is_known_outside(type, 1);
        });
        results.push_back(*result);
        types.push_back(array_of(extent, Type(writer_.type(*result))));
      }
      for (const Type& type : planned.operation.types) {
        results.push_back(element_for(type));
        if (!planned.post) types.push_back(planned.kind == 1 ? type : array_of(extent, type));
      }
      if (!planned.post) continue;
      for (const ElementType element : planned.post->passed)
        results.push_back(scalar(element));
      const std::vector<Type> made = types_of(*planned.post, extent);
      types.insert(types.end(), made.begin(), made.end());
    }
    return results;
  });
  for (Planned& planned : plan) {
    Operator& operation = planned.operation;
    if (planned.kind == 0)
      soac.groups.push_back(MapGroup{});
    else if (planned.kind == 1)
      soac.groups.push_back(ReduceGroup{std::move(operation.neutral), std::move(operation.combine),
                                        operation.is_commutative && random_.chance(50),
                                        std::move(planned.before)});
    else
      soac.groups.push_back(ScanGroup{std::move(operation.neutral), std::move(operation.combine),
                                      std::move(planned.before),
                                      post(planned.post, operation.types)});
  }
  writer_.append(std::move(soac), types);
}

Generator::PlannedPost Generator::planned_post() {
  PlannedPost planned;
  while (planned.passed.size() < 2 && random_.chance(50))
    planned.passed.push_back(random_.pick(elements_));
  for (std::size_t count = random_.between(1, 2); planned.groups.size() < count;)
    if (random_.chance(50))
      planned.groups.emplace_back(random_.pick(elements_));
    else
      planned.groups.emplace_back(random_.chance(25) ? composition()
                                                     : scalar_operator(random_.pick(elements_)));
  return planned;
}

std::vector<Type> Generator::types_of(const PlannedPost& planned, const Operand& extent) {
  std::vector<Type> types;
  for (const auto& group : planned.groups)
    if (const auto* element = std::get_if<ElementType>(&group))
      types.push_back(array_of(extent, scalar_type(*element)));
    else
      types.insert(types.end(), std::get<Operator>(group).types.begin(),
                   std::get<Operator>(group).types.end());
  return types;
}

std::vector<Post> Generator::post(std::optional<PlannedPost>& planned,
                                  const std::vector<Type>& prefixes) {
  if (!planned) return {};
  Post post;
  post.value_count = static_cast<std::uint32_t>(planned->passed.size());
  post.body = writer_.body(Ownership::Own, [&] {
    writer_.parameter(i64, false);
    for (const Type& type : prefixes)
      writer_.parameter(type, false);
    for (const ElementType element : planned->passed)
      writer_.parameter(scalar_type(element), false);
    const bool outside = std::exchange(is_in_post_, true);
    few_statements();
    is_in_post_ = outside;
    std::vector<Operand> results;
    for (const auto& group : planned->groups)
      if (const auto* element = std::get_if<ElementType>(&group))
        results.push_back(scalar(*element));
      else
        for (const Type& type : std::get<Operator>(group).types)
          results.push_back(element_for(type));
    return results;
  });
  for (auto& group : planned->groups)
    if (std::holds_alternative<ElementType>(group)) {
      post.groups.push_back(MapGroup{});
    } else {
      Operator& operation = std::get<Operator>(group);
      post.groups.push_back(ReduceGroup{std::move(operation.neutral), std::move(operation.combine),
                                        operation.is_commutative && random_.chance(50)});
    }
  std::vector<Post> result;
  result.push_back(std::move(post));
  return result;
}

void Generator::filter_or_partition() {
  if (random_.chance(60))
    filter();
  else
    partition();
}

void Generator::filter() {
  const Operand extent = this->extent();
  const std::vector<ValueId> inputs = inputs_of(extent);
  const ValueId count = writer_.new_value(i64);
  std::vector<ValueId> results = {count};
  Body body = soac_body(extent, inputs, [&]() -> std::vector<Operand> {
    const Operand keeps = scalar(ElementType::Bool);
    const auto value = writer_.find([&](ValueId, const Type& type) {
      return type.rank() <= 2 && writer_.is_known_outside(type, 1);
    });
    results.push_back(writer_.new_value(array_of(count, Type(writer_.type(*value)))));
    return {keeps, *value};
  });
  writer_.append_defined(Soac{extent, inputs, std::move(body), {FilterGroup{1}}}, results);
}

void Generator::partition() {
  const Operand extent = this->extent();
  const std::vector<ValueId> inputs = inputs_of(extent);
  // Of elements' kinds only the lowest bits are left; there may be more kinds than elements have.
  const std::int32_t mask = (1 << random_.below(4)) - 1;
  Operand kinds = Operand::i64(mask + 1 + static_cast<std::int64_t>(random_.below(3)));
  if (random_.chance(30))
    kinds = primitive(
        Op::Add, ElementType::I64,
        {kinds, primitive(Op::And, ElementType::I64, {scalar(ElementType::I64), Operand::i64(3)})});
  std::vector<Type> types = {array_of(kinds, i64)};
  Body body = soac_body(extent, inputs, [&] {
    std::vector<Operand> results = {primitive(
        Op::And, ElementType::I32,
        {scalar(ElementType::I32), Operand::constant(ElementType::I32, Scalar::of(mask))})};
    for (std::size_t count = random_.below(3); results.size() <= count;) {
      const auto value = writer_.find([&](ValueId, const Type& type) {
        return type.rank() <= 2 && writer_.is_known_outside(type, 1);
      });
      results.push_back(*value);
      types.push_back(array_of(extent, Type(writer_.type(*value))));
    }
    return results;
  });
  const auto values = static_cast<std::uint32_t>(types.size() - 1);
  writer_.append(Soac{extent, inputs, std::move(body), {PartitionGroup{kinds, values}}}, types);
}

} // namespace sinter::generate::of_ir
