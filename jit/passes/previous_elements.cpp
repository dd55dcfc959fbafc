#include "jit/passes/previous_elements.h"

#include "jit/ir/walk.h"
#include "jit/passes/carried_states.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace sinter::jit {

using namespace ir;
using Statements = std::vector<Statement>;

void carry_previous_elements(Function& function, Statement& statement, Facts& facts,
                             Statements& out) {
  const For loop = std::get<For>(statement.operation);
  const CarriedStates states(function, loop);
  auto& changed = std::get<For>(statement.operation);
  for (std::size_t state = 0; state < loop.initial.size(); ++state) {
    const std::optional<PreviousElements> found = states.previous_elements(state);
    if (!found) continue;
    StatementWriter writer(function, statement.span);
    const auto& update = std::get<Update>(found->update->operation);
    const Type type = function.type(update.array);
    const std::optional<LinearForm> first =
        combine(found->at.offset, LinearForm{found->at.step, {}}, -1);
    if (!first) continue;
    Statements before;
    std::vector<Operand> indices = update.indices;
    indices[found->dimension] = writer.sum(*first, before);
    const Facts::Mark mark = facts.mark();
    for (const Statement& each : before)
      facts.define(each);
    bool is_there = true;
    for (std::size_t i = 0; i < indices.size(); ++i)
      is_there = is_there && facts.is_within(indices[i], type.extents[i]);
    if (!is_there) {
      facts.back_to(mark);
      continue;
    }
    std::ranges::move(before, std::back_inserter(out));
    const Operand initial = writer.element(loop.initial[state].value(), indices, out);
    facts.define(out.back());
    const Type number{type.element, {}};
    const ValueId previous = writer.value(number);
    function.values[previous.index].name = function.values[update.array.index].name;
    changed.initial.push_back(initial);
    changed.body.parameters.push_back(previous);
    changed.body.results.push_back(update.value);
    statement.results.push_back(writer.value(number));
    std::vector<Replacement> gone;
    for (const Statement* read : found->reads)
      gone.emplace_back(read->results[0], previous);
    erase_definitions(changed.body, gone);
    for (Operand& result : changed.body.results) // what is read may be written
      for (const Replacement& each : gone)
        if (result == Operand(each.first)) result = each.second;
    replace_uses(function, changed.body, gone);
    return carry_previous_elements(function, statement, facts, out); // of other states
  }
}

} // namespace sinter::jit
