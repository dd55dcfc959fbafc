#include "jit/passes/exclusive_sums.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/counted_elements.h"

#include <algorithm>
#include <variant>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// One of a SOAC's results: by which group it is made, of which of the body's results.
struct Made {
  const Soac* soac = nullptr;
  const Group* group = nullptr;
  Operand element;
};

/// Nothing if something else makes it, or a group of several results.
std::optional<Made> made_by_soac(std::span<const Body* const> around, Operand array) {
  const Statement* statement = definition_around(around, array);
  // (A copy has the same elements.)
  while (const auto* copy = statement ? std::get_if<Copy>(&statement->operation) : nullptr) {
    array = copy->array;
    statement = definition_around(around, array);
  }
  const auto* soac = statement ? std::get_if<Soac>(&statement->operation) : nullptr;
  if (!soac) return std::nullopt;
  std::optional<Made> made;
  for_each_group(*soac, [&](const Group& group, std::size_t body_result, std::size_t result) {
    const GroupArity size = arity(group);
    const bool is_known = array.is_value() && size.results == 1 && size.body_results == 1;
    if (is_known && statement->results[result] == array.value())
      made = Made{soac, &group, soac->body.results[body_result]};
  });
  return made;
}

bool is_sum(const Group& group) {
  const auto* scan = std::get_if<ScanGroup>(&group);
  if (!scan || scan->neutral != std::vector{Operand::i64(0)} || !scan->before.empty() ||
      !scan->post.empty())
    return false;
  const primitives::Primitive* combine = component_operation(scan->combine, 0);
  return combine && combine->operation == ScalarOperation::Add;
}

/// The array whose element at the SOAC's index it is.
std::optional<ValueId> own_element(const Soac& soac, const Operand& element) {
  if (!element.is_value()) return std::nullopt;
  for (std::size_t i = 0; i < soac.inputs.size(); ++i)
    if (soac.body.parameters[1 + i] == element.value()) return soac.inputs[i];
  const auto* index = defining<Index>(soac.body.statements, element);
  if (!index || index->indices != std::vector{Operand(soac.body.parameters[0])})
    return std::nullopt;
  return index->array;
}

/// The array whose element before the SOAC's index it is, and 0 for the first.
std::optional<ValueId> element_before(const Soac& soac, const Operand& element) {
  const auto& statements = soac.body.statements;
  const Operand position = soac.body.parameters[0];
  const auto* branch = defining<If>(statements, element);
  if (!branch || definition_in(statements, element)->results.size() != 1) return std::nullopt;
  const auto* is_first =
      arguments_of(statements, branch->condition, ScalarOperation::Equal, ElementType::I64);
  if (!is_first || *is_first != std::vector{position, Operand::i64(0)} ||
      branch->then_body.results[0] != Operand::i64(0) || !branch->then_body.statements.empty() ||
      may_fail(branch->else_body))
    return std::nullopt;
  const auto& inside = branch->else_body.statements;
  const auto* index = defining<Index>(inside, branch->else_body.results[0]);
  if (!index || index->indices.size() != 1 ||
      (!is_one_less(inside, index->indices[0], position) &&
       !is_one_less(statements, index->indices[0], position)))
    return std::nullopt;
  return index->array;
}

/// The array whose sums up to each element these are.
std::optional<ValueId> summed_up_to(std::span<const Body* const> around, const Operand& sums) {
  const std::optional<Made> made = made_by_soac(around, sums);
  if (!made || !is_sum(*made->group)) return std::nullopt;
  return own_element(*made->soac, made->element);
}

} // namespace

std::optional<ValueId> summed_before(std::span<const Body* const> around, const Operand& sums) {
  const std::optional<Made> made = made_by_soac(around, sums);
  if (!made) return std::nullopt;
  if (is_sum(*made->group)) return element_before(*made->soac, made->element);
  if (!std::holds_alternative<MapGroup>(*made->group)) return std::nullopt;
  if (const auto ends = element_before(*made->soac, made->element))
    return summed_up_to(around, *ends);
  const auto* difference = arguments_of(made->soac->body.statements, made->element,
                                        ScalarOperation::Subtract, ElementType::I64);
  if (!difference) return std::nullopt;
  const auto ends = own_element(*made->soac, (*difference)[0]);
  const auto elements = own_element(*made->soac, (*difference)[1]);
  const auto summed = ends ? summed_up_to(around, *ends) : std::nullopt;
  return summed && elements == summed ? elements : std::nullopt;
}

} // namespace sinter::jit
