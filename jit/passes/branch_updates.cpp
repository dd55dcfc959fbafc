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

/// Where the branch has the updates that give one of its results from an array of outside, in
/// order; empty if something else does.
std::vector<std::size_t> updates_in(const Body& branch, std::size_t result) {
  std::vector<std::size_t> places;
  Operand next = branch.results[result];
  for (std::size_t i = branch.statements.size(); i-- > 0;) {
    const Statement& each = branch.statements[i];
    if (std::ranges::count(each.results, next) == 0) continue;
    const auto* update = std::get_if<Update>(&each.operation);
    if (!update) return {};
    places.push_back(i);
    next = update->array;
  }
  std::ranges::reverse(places);
  return places;
}

/// The type of what lies at so many indices of an array.
Type part_type(const Function& function, ValueId array, std::size_t indices) {
  Type type = function.type(array);
  type.extents.erase(type.extents.begin(),
                     type.extents.begin() + static_cast<std::ptrdiff_t>(indices));
  return type;
}

/// Takes those of a result out of the branch, and what reads the element that the last one before
/// it has written; empty if something else needs what one of them leaves, or if they are of rows
/// that must not be copied.
std::vector<Update> take_updates(Function& function, Body& branch, std::size_t result,
                                 bool copies_rows) {
  const std::vector<std::size_t> places = updates_in(branch, result);
  std::vector<bool> is_taken(branch.statements.size());
  for (std::size_t place : places) {
    const Statement& statement = branch.statements[place];
    const Update update = std::get<Update>(statement.operation);
    if (!copies_rows && !function.type(update.value).is_scalar()) return {};
    is_taken[place] = true;
    for (std::size_t i = place + 1; i < branch.statements.size(); ++i) {
      const Statement& by = branch.statements[i];
      const auto* read = std::get_if<Index>(&by.operation);
      if (read && read->array == statement.results[0] && read->indices == update.indices) {
        is_taken[i] = true;
        replace_uses(function, branch, std::vector<Replacement>{{by.results[0], update.value}});
      } else if (std::ranges::count(places, i) == 0 &&
                 std::ranges::count(free_values(function, by), statement.results[0]) > 0) {
        return {};
      }
    }
  }
  std::vector<Update> updates;
  updates.reserve(places.size());
  for (std::size_t place : places)
    updates.push_back(std::get<Update>(branch.statements[place].operation));
  Statements left;
  for (std::size_t i = 0; i < branch.statements.size(); ++i)
    if (!is_taken[i]) left.push_back(std::move(branch.statements[i]));
  branch.statements = std::move(left);
  return updates;
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
                                        Facts& facts, const RoundOfBranches& round) {
  const If& choice = std::get<If>(statement.operation);
  if (statement.results.empty()) return std::nullopt;
  const bool is_then = !updates_in(choice.then_body, 0).empty();
  const Body& other = is_then ? choice.else_body : choice.then_body;
  if (!other.statements.empty()) return std::nullopt;
  Body branch = is_then ? choice.then_body : choice.else_body;
  std::vector<std::vector<Update>> updates; // by result
  for (std::size_t r = 0; r < statement.results.size(); ++r) {
    updates.push_back(take_updates(function, branch, r, round.copies_rows));
    if (updates.back().empty() || other.results[r] != Operand(updates.back()[0].array))
      return std::nullopt;
  }

  Statements out;
  std::vector<Operand> indices;
  for (const std::vector<Update>& of_result : updates)
    for (const Update& update : of_result)
      indices.insert(indices.end(), update.indices.begin(), update.indices.end());
  take_indices(branch, indices, out);
  const Facts::Mark mark = facts.mark();
  for (const Statement& each : out)
    facts.define(each);
  const auto is_own_and_there = [&](const Update& update, ValueId array) {
    for (std::size_t i = 0; i < update.indices.size(); ++i)
      if (is_defined_in(branch, update.indices[i]) ||
          (!round.is_told && !facts.is_within(update.indices[i], function.type(array).extents[i])))
        return false;
    return std::ranges::any_of(update.indices, [&](const Operand& index) {
      return facts.changes_with(index, round.number);
    });
  };
  const bool are_own_and_there =
      std::ranges::all_of(updates, [&](const std::vector<Update>& of_result) {
        return std::ranges::all_of(of_result, [&](const Update& update) {
          return is_own_and_there(update, of_result[0].array);
        });
      });
  facts.back_to(mark);
  if (!are_own_and_there) return std::nullopt;

  StatementWriter writer(function, statement.span);
  Body old;
  branch.results.clear();
  std::vector<ValueId> chosen;
  for (std::vector<Update>& of_result : updates)
    for (Update& update : of_result) {
      branch.results.push_back(update.value);
      // (A row's sizes may be its branch's own, which are the array's.)
      const ValueId array = of_result[0].array;
      const Type type = part_type(function, array, update.indices.size());
      ValueId before = writer.value(type);
      old.statements.push_back({{before}, Index{array, update.indices}, statement.span});
      if (!type.is_scalar()) { // a view of what is going to be overwritten
        const ValueId row = std::exchange(before, writer.value(type));
        old.statements.push_back({{before}, Copy{row}, statement.span});
      }
      old.results.emplace_back(before);
      chosen.push_back(writer.value(type));
      update.value = chosen.back();
    }
  out.push_back({std::move(chosen),
                 is_then ? If{choice.condition, std::move(branch), std::move(old)}
                         : If{choice.condition, std::move(old), std::move(branch)},
                 statement.span});
  for (std::size_t r = 0; r < updates.size(); ++r)
    for (std::size_t i = 0; i < updates[r].size(); ++i) {
      if (i > 0) updates[r][i].array = out.back().results[0];
      const bool is_last = i + 1 == updates[r].size();
      const ValueId result =
          is_last ? statement.results[r] : writer.value(function.type(statement.results[r]));
      out.push_back({{result}, std::move(updates[r][i]), statement.span});
    }
  return out;
}

} // namespace sinter::jit
