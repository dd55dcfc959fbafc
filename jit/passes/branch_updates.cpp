#include "jit/passes/branch_updates.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sinter::jit {

using namespace ir;
using Statements = std::vector<Statement>;

namespace {

/// The last statement of the branch, if it gives the branch's only result from an array of outside.
const Update* update_in(const Body& branch) {
  if (branch.statements.empty() || branch.results.size() != 1) return nullptr;
  const Statement& last = branch.statements.back();
  const auto* update = std::get_if<Update>(&last.operation);
  return update && branch.results[0] == Operand(last.results[0]) &&
                 !is_defined_in(branch, update->array)
             ? update
             : nullptr;
}

/// Takes out of the branch what its indices are computed by, as far as that may run always.
void take_indices(Body& branch, const std::vector<Operand>& indices, Statements& out) {
  std::vector<Operand> wanted = indices;
  std::vector<std::size_t> taken;
  for (std::size_t i = branch.statements.size(); i-- > 0;) {
    const Statement& each = branch.statements[i];
    const OperationRow& row = row_of(each.operation);
    if (each.results.size() != 1 || std::ranges::count(wanted, Operand(each.results[0])) == 0)
      continue;
    if (!row.has(laws::Scalar) || !row.has(laws::Total)) return;
    for_each_operand(each.operation, [&](const Operand& operand) { wanted.push_back(operand); });
    taken.push_back(i);
  }
  for (auto i = taken.rbegin(); i != taken.rend(); ++i)
    out.push_back(branch.statements[*i]);
  for (const std::size_t i : taken)
    branch.statements.erase(branch.statements.begin() + static_cast<std::ptrdiff_t>(i));
}

} // namespace

std::optional<Statements> update_always(Function& function, const Statement& statement,
                                        Facts& facts, ValueId number) {
  const If& choice = std::get<If>(statement.operation);
  const bool is_then = update_in(choice.then_body) != nullptr;
  const Body& other = is_then ? choice.else_body : choice.then_body;
  Body branch = is_then ? choice.then_body : choice.else_body;
  const Update* const found = update_in(branch);
  if (!found || other.results != std::vector{Operand(found->array)} || !other.statements.empty() ||
      !function.type(found->value).is_scalar())
    return std::nullopt;
  Update update = *found;
  branch.statements.pop_back();

  Statements out;
  take_indices(branch, update.indices, out);
  const Facts::Mark mark = facts.mark();
  for (const Statement& each : out)
    facts.define(each);
  bool is_there = true;
  for (std::size_t i = 0; i < update.indices.size(); ++i)
    is_there = is_there && !is_defined_in(branch, update.indices[i]) &&
               facts.is_within(update.indices[i], function.type(update.array).extents[i]);
  const bool is_own = std::ranges::any_of(
      update.indices, [&](const Operand& index) { return facts.changes_with(index, number); });
  facts.back_to(mark);
  if (!is_there || !is_own) return std::nullopt;

  StatementWriter writer(function, statement.span);
  branch.results = {update.value};
  Body old;
  old.results = {writer.element(update.array, update.indices, old.statements)};
  const ValueId chosen = writer.value(function.type(update.value));
  out.push_back({{chosen},
                 is_then ? If{choice.condition, std::move(branch), std::move(old)}
                         : If{choice.condition, std::move(old), std::move(branch)},
                 statement.span});
  update.value = chosen;
  out.push_back({statement.results, std::move(update), statement.span});
  return out;
}

} // namespace sinter::jit
