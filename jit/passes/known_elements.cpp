#include "jit/passes/known_elements.h"

#include "jit/ir/groups.h"

#include <algorithm>
#include <optional>

namespace sinter::jit {

using namespace ir;

namespace {

/// What the input's element is inside of the body, if that needs no input.
std::optional<Operand> element_without_input(const Soac& soac, std::size_t input,
                                             const Knowledge& known) {
  const ValueId array = soac.inputs[input];
  if (const KnownElement* element = known.known_element(array))
    return element->at(soac.body.parameters[0]);
  const auto first = std::find(soac.inputs.begin(), soac.inputs.end(), array);
  const auto position = static_cast<std::size_t>(first - soac.inputs.begin());
  if (position < input) return soac.body.parameters[position + 1];
  return std::nullopt;
}

/// Whether the value is there before the body runs, and stays as it is.
bool is_from_outside(const Operand& element, const Soac& soac, const Knowledge& known) {
  if (element.is_constant()) return true;
  const auto is_it = [&](ValueId value) { return element == Operand(value); };
  const auto defines_it = [&](const Statement& statement) {
    return std::any_of(statement.results.begin(), statement.results.end(), is_it);
  };
  const Body& body = soac.body;
  return std::none_of(body.parameters.begin(), body.parameters.end(), is_it) &&
         std::none_of(body.statements.begin(), body.statements.end(), defines_it) &&
         !known.is_overwritten(element.value());
}

/// `map (\x -> x) xs` is `xs`, where nobody overwrites either.
void note_identity(const Soac& soac, const Operand& element, ValueId result, Knowledge& known) {
  for (std::size_t i = 0; i < soac.inputs.size(); ++i)
    if (element == Operand(soac.body.parameters[i + 1]) && !known.is_overwritten(soac.inputs[i]))
      known.substitution.set(result, soac.inputs[i]);
}

void note_mapped(const Soac& soac, const Operand& element, ValueId result, Knowledge& known) {
  if (known.is_overwritten(result) || !known.has_same_extents(element, result, 1)) return;
  if (element == Operand(soac.body.parameters[0]))
    known.element_of_each.insert_or_assign(result.index, KnownElement{true, {}});
  else if (is_from_outside(element, soac, known))
    known.element_of_each.insert_or_assign(result.index, KnownElement{false, element});
  else
    note_identity(soac, element, result, known);
}

} // namespace

void drop_known_inputs(Soac& soac, Knowledge& known) {
  for (std::size_t i = soac.inputs.size(); i-- > 0;) {
    const ValueId element = soac.body.parameters[i + 1];
    if (known.is_overwritten(element)) continue;
    const auto value = element_without_input(soac, i, known);
    if (!value) continue;
    known.substitution.set(element, *value);
    erase_at(soac.inputs, i);
    erase_at(soac.body.parameters, i + 1);
  }
}

void share_elements(const Soac& soac, Knowledge& known) {
  for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
    const ValueId element = soac.body.parameters[i + 1];
    if (known.is_overwritten(element)) continue;
    if (auto key = SharedValues::key(Index{soac.inputs[i], {soac.body.parameters[0]}},
                                     known.function.type(element)))
      known.shared.add(std::move(*key), element);
  }
}

void note_elements(const Soac& soac, const Statement& statement, Knowledge& known) {
  for_each_group(soac, [&](const Group& group, std::size_t from, std::size_t to) {
    if (std::holds_alternative<MapGroup>(group))
      note_mapped(soac, soac.body.results[from], statement.results[to], known);
  });
}

} // namespace sinter::jit
