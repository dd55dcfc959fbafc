#include "jit/emit/rows_of_loops.h"

#include <algorithm>

namespace sinter::jit {

using primitives::Operation;

namespace {

bool has(const std::vector<ir::ValueId>& values, ir::ValueId value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool is_made_inside(const ir::Body& body, ir::ValueId value) {
  return has(body.parameters, value) ||
         std::any_of(body.statements.begin(), body.statements.end(),
                     [&](const ir::Statement& statement) { return has(statement.results, value); });
}

bool is_index(ElementType type) {
  return type == ElementType::I32 || type == ElementType::I64;
}

/// An index of a loop's body: the loop's, or what that is added to.
struct PlaceAlong {
  std::optional<ir::Operand> base;
  bool is_narrow = false;
};

std::optional<PlaceAlong> place_along(const ir::Body& body, const ir::Operand& index) {
  if (!index.is_value()) return std::nullopt;
  if (index.value() == body.parameters[0]) return PlaceAlong{};
  const auto made = std::find_if(
      body.statements.begin(), body.statements.end(),
      [&](const ir::Statement& statement) { return has(statement.results, index.value()); });
  if (made == body.statements.end()) return std::nullopt;
  const auto* const op = std::get_if<ir::Primitive>(&made->operation);
  if (!op) return std::nullopt;
  const primitives::Primitive& primitive = *op->primitive;
  if (!is_index(primitive.operand) || !is_index(primitive.result)) return std::nullopt;
  std::optional<PlaceAlong> place;
  if (primitive.operation == Operation::Convert) {
    place = place_along(body, op->arguments[0]);
  } else if (primitive.operation == Operation::Add) {
    for (std::size_t i = 0; i < 2 && !place; ++i) {
      const ir::Operand& other = op->arguments[1 - i];
      if (other.is_value() && is_made_inside(body, other.value())) continue;
      place = place_along(body, op->arguments[i]);
      if (place && place->base) return std::nullopt;
      if (place) place->base = other;
    }
  }
  if (place && primitive.result == ElementType::I32) place->is_narrow = true;
  return place;
}

/// Whether the value is an element of an array, or comes from one by conversions.
bool is_element(const ir::Body& body, const ir::Operand& operand) {
  if (!operand.is_value()) return false;
  const std::vector<ir::ValueId>& parameters = body.parameters;
  if (std::find(parameters.begin() + 1, parameters.end(), operand.value()) != parameters.end())
    return true;
  const auto made = std::ranges::find_if(body.statements, [&](const ir::Statement& statement) {
    return !statement.results.empty() && ir::Operand(statement.results[0]) == operand;
  });
  if (made == body.statements.end()) return false;
  if (const auto* const primitive = std::get_if<ir::Primitive>(&made->operation))
    return primitive->primitive->operation == Operation::Convert &&
           is_element(body, primitive->arguments[0]);
  return std::holds_alternative<ir::Index>(made->operation);
}

} // namespace

std::vector<RowOfLoop> rows_of_loop(const ir::For& loop) {
  std::vector<RowOfLoop> rows;
  if (!is_index(loop.index_type)) return rows;
  for (const ir::Statement& statement : loop.body.statements) {
    const auto* const read = std::get_if<ir::Index>(&statement.operation);
    if (!read || read->indices.size() != 1 || is_made_inside(loop.body, read->array)) continue;
    if (const std::optional<PlaceAlong> place = place_along(loop.body, read->indices[0]))
      rows.push_back({statement.results[0], read->array, place->base, place->is_narrow});
  }
  return rows;
}

bool goes_along_parts(const ir::Body& body) {
  return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
    const auto* const loop = std::get_if<ir::For>(&statement.operation);
    return loop && std::ranges::any_of(rows_of_loop(*loop), [&](const RowOfLoop& row) {
             return row.base && is_element(body, *row.base);
           });
  });
}

} // namespace sinter::jit
