#include "jit/passes/kept_rows.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Whether it is worth doing a second time: no folds, nothing that goes round.
bool is_cheap(const Body& body) {
  return std::ranges::all_of(body.statements, [](const Statement& each) {
    return is_scalar_operation(each.operation) || std::holds_alternative<Index>(each.operation);
  });
}
bool may_be_done_again(const Statement& statement) {
  if (const auto* soac = std::get_if<Soac>(&statement.operation))
    return std::ranges::all_of(
               soac->groups,
               [](const Group& group) { return std::holds_alternative<MapGroup>(group); }) &&
           is_cheap(soac->body) && !may_fail(statement.operation);
  return is_scalar_operation(statement.operation) ||
         std::holds_alternative<Index>(statement.operation) || is_strided_view(statement.operation);
}

/// Whether elements of its own choice come to its arrays, in an order of its own.
bool chooses(const Group& group) {
  return std::holds_alternative<FilterGroup>(group) ||
         std::holds_alternative<PartitionGroup>(group);
}

/// Takes one statement apart.
class Gatherer : StatementWriter {
public:
  Gatherer(Function& function, const Statement& statement)
      : StatementWriter(function, statement.span), statement_(statement),
        soac_(std::get<Soac>(statement.operation)) {
    for (const Statement& each : soac_.body.statements)
      for (const ValueId result : each.results)
        definitions_.emplace(result.index, &each);
    for (std::size_t i = 1; i < soac_.body.parameters.size(); ++i)
      inputs_.emplace(soac_.body.parameters[i].index, soac_.inputs[i - 1]);
  }

  /// Nothing: it stays as it is.
  std::optional<Statements> run() {
    if (!consumed_values(function_, statement_.operation).empty()) return std::nullopt;
    Statement filters{{}, Soac{soac_.extent, soac_.inputs, soac_.body, {}}, span_};
    Soac& soac = std::get<Soac>(filters.operation);
    soac.body.results.clear();
    Statements rows;
    bool is_possible = true;
    for_each_group(soac_, [&](const Group& group, std::size_t body_result, std::size_t result) {
      const GroupArity size = arity(group);
      const auto taken = [&](const auto& all, std::size_t first, std::size_t count) {
        return std::span(all).subspan(first, count);
      };
      const auto elements = taken(soac_.body.results, body_result, size.body_results);
      const auto results = taken(statement_.results, result, size.results);
      const bool has_rows =
          chooses(group) && std::ranges::any_of(elements, [&](const Operand& element) {
            return !function_.type(element).is_scalar();
          });
      if (!has_rows) {
        soac.groups.push_back(group);
        std::ranges::copy(elements, std::back_inserter(soac.body.results));
        std::ranges::copy(results, std::back_inserter(filters.results));
        return;
      }
      is_possible = is_possible && add_choice(group, elements, results, filters, rows);
    });
    if (!is_possible || rows.empty()) return std::nullopt;
    Statements made;
    made.push_back(std::move(filters));
    std::ranges::move(rows, std::back_inserter(made));
    return made;
  }

private:
  /// A group: whether elements are kept, or of which kind they are, then what is put of each; their
  /// number, or one for each kind, then arrays.
  bool add_choice(const Group& whole, std::span<const Operand> elements,
                  std::span<const ValueId> results, Statement& filters, Statements& rows) {
    Soac& soac = std::get<Soac>(filters.operation);
    const auto* const partition = std::get_if<PartitionGroup>(&whole);
    const Operand count = partition ? soac_.extent : Operand(results[0]);
    std::uint32_t value_count = 1;
    soac.body.results.push_back(elements[0]);
    filters.results.push_back(results[0]);
    std::vector<std::size_t> arrays;
    for (std::size_t i = 1; i < elements.size(); ++i) {
      if (!function_.type(elements[i]).is_scalar()) {
        arrays.push_back(i);
        continue;
      }
      soac.body.results.push_back(elements[i]);
      filters.results.push_back(results[i]);
      ++value_count;
    }
    soac.body.results.emplace_back(soac_.body.parameters[0]);
    const ValueId indices = value({ElementType::I64, {count}});
    filters.results.push_back(indices);
    soac.groups.push_back(partition ? Group(PartitionGroup{partition->kinds, value_count})
                                    : Group(FilterGroup{value_count}));
    for (const std::size_t i : arrays)
      if (!add_rows(elements[i].value(), indices, count, results[i], rows)) return false;
    return true;
  }

  /// The rows at those indices.
  bool add_rows(ValueId row, ValueId indices, const Operand& count, ValueId result,
                Statements& rows) {
    Soac map;
    map.extent = count;
    map.inputs = {indices};
    map.groups = {MapGroup{}};
    const ValueId position = value({ElementType::I64, {}}), index = value({ElementType::I64, {}});
    map.body.parameters = {position, index};
    std::vector<Replacement> replaced = {{soac_.body.parameters[0], index}};
    if (const auto input = inputs_.find(row.index); input != inputs_.end()) {
      const std::vector<Operand> extents = function_.type(row).extents;
      map.body.results = {
          tabulate(extents, map.body.statements,
                   [&](const std::vector<ValueId>& inner, Statements& out) -> Operand {
                     std::vector<Operand> place = {index};
                     place.insert(place.end(), inner.begin(), inner.end());
                     return element(input->second, std::move(place), out);
                   })};
    } else {
      if (!add(row, index, map.body.statements, replaced)) return false;
      // (One from outside of the filter is the same for all.)
      const auto made = std::ranges::find(replaced, row, &Replacement::first);
      map.body.results = {made == replaced.end() ? Operand(row) : Operand(made->second)};
    }
    rows.push_back({{result}, std::move(map), span_});
    return true;
  }

  /// What a value is computed by, at that index.
  bool add(ValueId wanted, ValueId index, Statements& out, std::vector<Replacement>& replaced) {
    if (std::ranges::find(replaced, wanted, &Replacement::first) != replaced.end()) return true;
    if (const auto input = inputs_.find(wanted.index); input != inputs_.end()) {
      const ValueId there = value(function_.type(wanted));
      out.push_back({{there}, Index{input->second, {index}}, span_});
      replaced.emplace_back(wanted, there);
      return true;
    }
    const auto found = definitions_.find(wanted.index);
    if (found == definitions_.end()) return true; // of outside
    const Statement& statement = *found->second;
    if (!may_be_done_again(statement)) return false;
    for (const ValueId needed : free_values(function_, statement))
      if (!add(needed, index, out, replaced)) return false;
    out.push_back(clone(function_, statement, replaced));
    return true;
  }

  const Statement& statement_;
  const Soac& soac_;
  std::unordered_map<std::uint32_t, const Statement*> definitions_; ///< by what they define
  std::unordered_map<std::uint32_t, ValueId> inputs_;               ///< by elements
};

} // namespace

void gather_kept_rows(Function& function) {
  std::vector<Statement> before = std::move(function.body.statements);
  function.body.statements.clear();
  for (Statement& statement : before) {
    std::optional<std::vector<Statement>> made;
    if (const auto* soac = std::get_if<Soac>(&statement.operation);
        soac && std::ranges::any_of(soac->groups, chooses))
      made = Gatherer(function, statement).run();
    if (made)
      std::ranges::move(*made, std::back_inserter(function.body.statements));
    else
      function.body.statements.push_back(std::move(statement));
  }
}

} // namespace sinter::jit
