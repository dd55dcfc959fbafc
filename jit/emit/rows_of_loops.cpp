#include "jit/emit/rows_of_loops.h"

#include "jit/ir/walk.h"

#include <algorithm>

namespace sinter::jit {

using primitives::Operation;

namespace {

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
  const ir::Statement* const made = statement_of(body, index);
  const auto* const op = made ? std::get_if<ir::Primitive>(&made->operation) : nullptr;
  if (!op) return std::nullopt;
  const primitives::Primitive& primitive = *op->primitive;
  if (!is_index(primitive.operand) || !is_index(primitive.result)) return std::nullopt;
  std::optional<PlaceAlong> place;
  if (primitive.operation == Operation::Convert) {
    place = place_along(body, op->arguments[0]);
  } else if (primitive.operation == Operation::Add) {
    for (std::size_t i = 0; i < 2 && !place; ++i) {
      const ir::Operand& other = op->arguments[1 - i];
      if (ir::is_defined_in(body, other)) continue;
      place = place_along(body, op->arguments[i]);
      if (place && place->base) return std::nullopt;
      if (place) place->base = other;
    }
  }
  if (place && primitive.result == ElementType::I32) place->is_narrow = true;
  return place;
}

} // namespace

const ir::Statement* statement_of(const ir::Body& body, const ir::Operand& operand) {
  const auto made = std::ranges::find_if(body.statements, [&](const ir::Statement& statement) {
    return std::ranges::any_of(statement.results,
                               [&](ir::ValueId result) { return ir::Operand(result) == operand; });
  });
  return made == body.statements.end() ? nullptr : &*made;
}

ir::Operand unconverted(const ir::Body& body, const ir::Operand& operand) {
  const ir::Statement* const made = statement_of(body, operand);
  const auto* const op = made ? std::get_if<ir::Primitive>(&made->operation) : nullptr;
  return op && op->primitive->operation == Operation::Convert && is_integer(op->primitive->operand)
             ? unconverted(body, op->arguments[0])
             : operand;
}

std::vector<RowOfLoop> rows_of_loop(const ir::For& loop) {
  std::vector<RowOfLoop> rows;
  if (!is_index(loop.index_type)) return rows;
  for (const ir::Statement& statement : loop.body.statements) {
    const auto* const read = std::get_if<ir::Index>(&statement.operation);
    if (!read || read->indices.size() != 1 || ir::is_defined_in(loop.body, read->array)) continue;
    if (const std::optional<PlaceAlong> place = place_along(loop.body, read->indices[0]))
      rows.push_back({statement.results[0], read->array, place->base, place->is_narrow});
  }
  return rows;
}

bool goes_along_parts(const ir::Body& body) {
  const auto is_element = [&](const ir::Operand& operand) {
    const ir::Operand element = unconverted(body, operand);
    const ir::Statement* const made = statement_of(body, element);
    return made ? std::holds_alternative<ir::Index>(made->operation)
                : ir::is_defined_in(body, element) && element != ir::Operand(body.parameters[0]);
  };
  return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
    const auto* const loop = std::get_if<ir::For>(&statement.operation);
    return loop && std::ranges::any_of(rows_of_loop(*loop), [&](const RowOfLoop& row) {
             return row.base && is_element(*row.base);
           });
  });
}

} // namespace sinter::jit
