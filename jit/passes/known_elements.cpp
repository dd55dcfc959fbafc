#include "jit/passes/known_elements.h"

#include "jit/ir/groups.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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

/// Arrays of more elements are not kept apart.
constexpr std::size_t most_elements = 64;

using Elements = std::vector<std::optional<Operand>>;

/// Where the array has one constant extent that is not too large.
std::optional<std::size_t> small_extent(ValueId array, const Knowledge& known) {
  const Type& type = known.function.type(array);
  if (type.rank() != 1 || !type.extents[0].is_constant()) return std::nullopt;
  const auto extent = type.extents[0].scalar().as<std::int64_t>();
  if (extent < 1 || extent > static_cast<std::int64_t>(most_elements)) return std::nullopt;
  return static_cast<std::size_t>(extent);
}

/// All that is known of the array's elements; of one whose extent is not known or too large,
/// nothing.
std::optional<Elements> elements_of(ValueId array, const Knowledge& known) {
  const auto found = known.elements.find(array.index);
  if (found != known.elements.end()) return found->second;
  const std::optional<std::size_t> extent = small_extent(array, known);
  if (!extent) return std::nullopt;
  Elements elements(*extent);
  if (const KnownElement* each = known.known_element(array))
    for (std::size_t i = 0; i < *extent; ++i)
      elements[i] = each->at(Operand::i64(static_cast<std::int64_t>(i)));
  return elements;
}

std::optional<std::size_t> position(const std::vector<Operand>& indices, std::size_t extent) {
  if (indices.size() != 1 || !indices[0].is_constant()) return std::nullopt;
  const auto at = indices[0].scalar().as<std::int64_t>();
  if (at < 0 || at >= static_cast<std::int64_t>(extent)) return std::nullopt;
  return static_cast<std::size_t>(at);
}

/// `map (\x -> x) xs` is `xs`, where nobody overwrites either.
void note_identity(const Soac& soac, const Operand& element, ValueId result, Knowledge& known) {
  for (std::size_t i = 0; i < soac.inputs.size(); ++i)
    if (element == Operand(soac.body.parameters[i + 1]) && !known.is_overwritten(soac.inputs[i]))
      known.substitution.set(result, soac.inputs[i]);
}

void note_mapped(const Soac& soac, const Operand& element, ValueId result, Knowledge& known) {
  if (known.is_overwritten(result)) {
    // (What it begins with, for those who overwrite it.)
    const std::optional<std::size_t> extent = small_extent(result, known);
    if (extent && known.function.type(element).is_scalar() && is_from_outside(element, soac, known))
      known.elements.insert_or_assign(result.index, Elements(*extent, element));
    return;
  }
  if (!known.has_same_extents(element, result, 1)) return;
  if (element == Operand(soac.body.parameters[0]))
    known.element_of_each.insert_or_assign(result.index, KnownElement{true, {}});
  else if (is_from_outside(element, soac, known))
    known.element_of_each.insert_or_assign(result.index, KnownElement{false, element});
  else
    note_identity(soac, element, result, known);
}

} // namespace

void note_elements(const ArrayLiteral& literal, ValueId result, Knowledge& known) {
  if (!small_extent(result, known)) return;
  known.elements.insert_or_assign(result.index,
                                  Elements(literal.elements.begin(), literal.elements.end()));
}

void note_elements(const Update& update, ValueId result, Knowledge& known) {
  std::optional<Elements> elements = elements_of(update.array, known);
  if (!elements) return;
  if (const auto at = position(update.indices, elements->size()))
    (*elements)[*at] = update.value;
  else
    return; // any of them may be another one now
  known.elements.insert_or_assign(result.index, std::move(*elements));
}

void note_elements(const Copy& copy, ValueId result, Knowledge& known) {
  if (std::optional<Elements> elements = elements_of(copy.array, known))
    known.elements.insert_or_assign(result.index, std::move(*elements));
}

std::optional<Operand> noted_element(const Index& index, const Knowledge& known) {
  const auto found = known.elements.find(index.array.index);
  if (found == known.elements.end()) return std::nullopt;
  const auto at = position(index.indices, found->second.size());
  return at ? found->second[*at] : std::nullopt;
}

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
