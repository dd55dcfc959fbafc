#include "jit/passes/carried_elements.h"

#include "jit/ir/walk.h"
#include "jit/passes/carried_states.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sinter::jit {

using namespace ir;
using Statements = std::vector<Statement>;

namespace {

/// Of the reads of the array: each gives the number.
void find_reads(const Body& body, ValueId array, ValueId number, std::vector<Replacement>& found) {
  for (const Statement& statement : body.statements) {
    const auto* read = std::get_if<Index>(&statement.operation);
    if (read && read->array == array) found.emplace_back(statement.results[0], number);
    for_each_body(statement.operation,
                  [&](const Body& inner) { find_reads(inner, array, number, found); });
  }
}

Operand resolved(Operand operand, const std::vector<Replacement>& gone) {
  for (;;) {
    const auto known = operand.is_value()
                           ? std::ranges::find(gone, operand.value(), &Replacement::first)
                           : gone.end();
    if (known == gone.end()) return operand;
    operand = known->second;
  }
}

bool is_there(const Function& function, const Update& update, Facts& facts) {
  const Type& type = function.type(update.array);
  for (std::size_t i = 0; i < update.indices.size(); ++i)
    if (!facts.is_within(update.indices[i], type.extents[i])) return false;
  return true;
}

} // namespace

std::optional<Statements> carry_elements(Function& function, const Statement& statement,
                                         Facts& facts) {
  const For& loop = std::get<For>(statement.operation);
  const CarriedStates states(function, loop);
  StatementWriter writer(function, statement.span);
  Statements before, after;
  For changed = loop;
  std::vector<ValueId> results = statement.results;
  std::vector<Replacement> gone; // values of statements that go, and what stands for them
  for (std::size_t state = 0; state < loop.initial.size(); ++state) {
    const Statement* const found = states.fixed_element(state);
    if (!found || !is_there(function, std::get<Update>(found->operation), facts)) continue;
    const auto& update = std::get<Update>(found->operation);
    const ValueId array = loop.initial[state].value();
    const ValueId number = writer.value(function.type(update.value));
    function.values[number.index].name = function.values[update.array.index].name;
    find_reads(loop.body, update.array, number, gone);
    gone.emplace_back(found->results[0], update.value);
    changed.initial[state] = writer.element(array, update.indices, before);
    changed.body.parameters[state + 1] = number;
    results[state] = writer.value(function.type(update.value));
    after.push_back({{statement.results[state]},
                     Update{array, update.indices, results[state]},
                     statement.span});
  }
  if (gone.empty()) return std::nullopt;
  erase_definitions(changed.body, gone);
  for (Replacement& each : gone) // a round may write what it has read
    each.second = resolved(each.second, gone);
  for (Operand& result : changed.body.results)
    result = resolved(result, gone);
  replace_uses(function, changed.body, gone);
  Statements all = std::move(before);
  all.push_back({std::move(results), std::move(changed), statement.span});
  std::ranges::move(after, std::back_inserter(all));
  return all;
}

} // namespace sinter::jit
