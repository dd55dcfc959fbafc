#include "jit/passes/rows_before.h"

#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

using Values = std::unordered_set<std::uint32_t>;

/// Which of the body's statements before `at` compute the values.
std::vector<bool> computing(const Function& function, const Body& body, std::size_t at,
                            const std::vector<ValueId>& needed) {
  Values wanted;
  for (const ValueId value : needed)
    wanted.insert(value.index);
  std::vector<bool> result(body.statements.size());
  for (std::size_t i = at; i-- > 0;) {
    const Statement& statement = body.statements[i];
    result[i] = std::ranges::any_of(statement.results,
                                    [&](ValueId value) { return wanted.contains(value.index); });
    if (!result[i]) continue;
    for (const ValueId value : free_values(function, statement))
      wanted.insert(value.index);
  }
  return result;
}

/// The values of the statements that are taken out which the others use.
std::vector<ValueId> kept_values(const Function& function, const Body& body,
                                 const std::vector<bool>& taken) {
  Values used;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (!taken[i])
      for (const ValueId value : free_values(function, body.statements[i]))
        used.insert(value.index);
  for (const Operand& result : body.results)
    if (result.is_value()) used.insert(result.value().index);
  std::vector<ValueId> kept;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i])
      for (const ValueId value : body.statements[i].results)
        if (used.contains(value.index)) kept.push_back(value);
  return kept;
}

/// Whether the sizes of the values are known outside of the body.
bool have_sizes(const Function& function, const Body& body, const std::vector<ValueId>& values) {
  return std::ranges::all_of(values, [&](ValueId value) {
    return std::ranges::all_of(function.type(value).extents, [&](const Operand& extent) {
      return extent.is_constant() || !is_defined_in(body, extent);
    });
  });
}

} // namespace

std::optional<RowsBefore> compute_rows_before(Function& function, const Statement& statement,
                                              std::size_t at, const std::vector<ValueId>& needed) {
  const Soac& whole = std::get<Soac>(statement.operation);
  const std::vector<bool> taken = computing(function, whole.body, at, needed);
  const std::vector<ValueId> kept = kept_values(function, whole.body, taken);
  if (kept.empty() || !have_sizes(function, whole.body, kept)) return std::nullopt;

  Soac before{whole.extent, whole.inputs, {whole.body.parameters, {}, {}}, {}};
  Soac rest{
      whole.extent, whole.inputs, {whole.body.parameters, {}, whole.body.results}, whole.groups};
  std::vector<Statement> copies;
  RowsBefore result{{{}, {}, statement.span}, {statement.results, {}, statement.span}};
  for (std::size_t i = 0; i < taken.size(); ++i) {
    (taken[i] ? before : rest).body.statements.push_back(whole.body.statements[i]);
    if (i < at && !taken[i]) ++result.at;
  }
  const std::vector<ValueId> overwritten = consumed_values(function, Soac{rest});
  for (const ValueId value : kept) {
    Type type = function.type(value);
    type.extents.insert(type.extents.begin(), whole.extent);
    result.before.results.push_back(function.add_value(std::move(type)));
    before.body.results.emplace_back(value);
    rest.inputs.push_back(result.before.results.back());
    rest.body.parameters.push_back(value);
    if (std::ranges::count(overwritten, value) == 0) continue;
    // (A row of what is kept stays as it is.)
    ValueId& row = rest.body.parameters.back();
    row = function.add_value(function.type(value));
    copies.push_back({{value}, Copy{row}, statement.span});
  }
  result.at += copies.size();
  rest.body.statements.insert(rest.body.statements.begin(), std::make_move_iterator(copies.begin()),
                              std::make_move_iterator(copies.end()));
  before.groups.assign(kept.size(), MapGroup{});
  before.body = clone(function, before.body);
  result.before.operation = std::move(before);
  result.rest.operation = std::move(rest);
  return result;
}

Operand kept_elements(Function& function, const RowsBefore& rows, std::vector<Statement>& out) {
  using primitives::Operation;
  StatementWriter writer(function, rows.before.span);
  std::int64_t scalars = 0; // of each row
  std::optional<Operand> of_arrays;
  for (const ValueId kept : rows.before.results) {
    const std::vector<Operand> extents = function.type(kept).extents;
    if (extents.size() == 1) {
      ++scalars;
      continue;
    }
    Operand elements = extents[1];
    for (std::size_t d = 2; d < extents.size(); ++d)
      elements = writer.scalar(Operation::Multiply, elements, extents[d], out);
    of_arrays = of_arrays ? writer.scalar(Operation::Add, *of_arrays, elements, out) : elements;
  }
  if (!of_arrays) return Operand::i64(scalars);
  if (scalars == 0) return *of_arrays;
  return writer.scalar(Operation::Add, *of_arrays, Operand::i64(scalars), out);
}

} // namespace sinter::jit
