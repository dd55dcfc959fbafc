#include "jit/ir/nests.h"

#include "jit/ir/walk.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace sinter::ir {

namespace {

bool uses(const Function& function, const Body& body, ValueId value) {
  const auto is_used_by = [&](const Statement& statement) {
    const std::vector<ValueId> used = free_values(function, statement);
    return std::ranges::find(used, value) != used.end();
  };
  return std::ranges::any_of(body.statements, is_used_by) ||
         std::ranges::find(body.results, Operand(value)) != body.results.end();
}

} // namespace

bool is_blind_to_rows(const Function& function, const Body& around, const Soac& inner) {
  assert(!around.parameters.empty() && !inner.body.parameters.empty()); // indices
  const ValueId number = around.parameters[0];
  const auto is_row = [&](ValueId value) {
    return std::find(around.parameters.begin() + 1, around.parameters.end(), value) !=
           around.parameters.end();
  };
  if (around.statements.size() != 1 || !std::ranges::all_of(inner.inputs, is_row)) return false;
  const std::vector<ValueId> inside = free_values(function, inner.body);
  return !uses(function, inner.body, inner.body.parameters[0]) &&
         std::ranges::none_of(inside,
                              [&](ValueId value) { return value == number || is_row(value); });
}

} // namespace sinter::ir
