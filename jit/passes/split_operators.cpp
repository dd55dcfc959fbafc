#include "jit/passes/split_operators.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using Components = std::vector<bool>; ///< some of an operator's, by position

void add(Components& to, const Components& more) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (more[i]) to[i] = true;
}

/// The components whose operands each of the operator's results depends on.
std::vector<Components> dependencies(const Function& function, const Body& combine) {
  const std::size_t count = combine.results.size();
  std::map<ValueId, Components> of;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    Components one(count, false);
    one[i % count] = true;
    of.emplace(combine.parameters[i], std::move(one));
  }
  for (const Statement& statement : combine.statements) {
    Components all(count, false);
    for (ValueId used : free_values(function, statement))
      if (const auto known = of.find(used); known != of.end()) add(all, known->second);
    for (ValueId result : statement.results)
      of.emplace(result, all);
  }
  std::vector<Components> result;
  for (const Operand& operand : combine.results) {
    const auto known = operand.is_value() ? of.find(operand.value()) : of.end();
    result.push_back(known == of.end() ? Components(count, false) : known->second);
  }
  return result;
}

/// The classes of components that meet, each in order, by their first ones; without those that no
/// needed one depends on.
std::vector<std::vector<std::size_t>> classes(const std::vector<Components>& dependencies,
                                              Components needed) {
  const std::size_t count = needed.size();
  for (bool changed = true; std::exchange(changed, false);)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; needed[i] && j < count; ++j)
        if (dependencies[i][j] && !needed[j]) needed[j] = changed = true;
  std::vector<std::size_t> first(count); // of the class
  std::iota(first.begin(), first.end(), 0U);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; needed[i] && j < count; ++j)
      if (dependencies[i][j] && first[i] != first[j]) {
        const auto [to, from] = std::minmax(first[i], first[j]);
        std::replace(first.begin(), first.end(), std::size_t{from}, std::size_t{to});
      }
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t head = 0; head < count; ++head) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < count; ++i)
      if (needed[i] && first[i] == head) members.push_back(i);
    if (!members.empty()) result.push_back(std::move(members));
  }
  return result;
}

/// The operator for some components, which depend on no others.
Body restricted(Function& function, const Body& combine, const std::vector<std::size_t>& members) {
  Body body = clone(function, combine);
  const std::size_t count = body.results.size();
  Body result;
  std::vector<bool> needed(function.values.size(), false);
  for (std::size_t i : members) {
    result.results.push_back(body.results[i]);
    if (body.results[i].is_value()) needed[body.results[i].value().index] = true;
  }
  for (std::size_t side : {std::size_t{0}, count})
    for (std::size_t i : members)
      result.parameters.push_back(body.parameters[side + i]);
  for (auto statement = body.statements.rbegin(); statement != body.statements.rend();
       ++statement) {
    if (std::ranges::none_of(statement->results,
                             [&](ValueId defined) { return needed[defined.index]; }))
      continue;
    for (ValueId used : free_values(function, *statement))
      needed[used.index] = true;
    result.statements.push_back(std::move(*statement));
  }
  std::ranges::reverse(result.statements);
  return result;
}

class Splitter {
public:
  explicit Splitter(Function& function) : function_(function), uses_(jit::count_uses(function)) {}

  void body(Body& body) {
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      if (auto* soac = std::get_if<Soac>(&statement.operation)) split(statement, *soac);
    }
  }

private:
  void split(Statement& statement, Soac& soac) {
    const std::vector<Operand> body_results = std::move(soac.body.results);
    const std::vector<ValueId> results = std::move(statement.results);
    std::vector<Group> groups = std::move(soac.groups);
    soac.body.results.clear();
    statement.results.clear();
    soac.groups.clear();
    std::size_t from = 0, to = 0;
    for (Group& group : groups) {
      const GroupArity size = arity(group);
      const auto keep = [&](std::size_t body_result, std::size_t result) {
        soac.body.results.push_back(body_results[from + body_result]);
        statement.results.push_back(results[to + result]);
      };
      const std::span<const ValueId> own = std::span(results).subspan(to, size.results);
      if (before_of(group) || // (what was before is whole)
          !(split_if<ReduceGroup>(group, own, soac, keep) ||
            split_if<ScanGroup>(group, own, soac, keep))) {
        for (std::size_t i = 0; i < size.body_results; ++i)
          soac.body.results.push_back(body_results[from + i]);
        statement.results.insert(statement.results.end(), own.begin(), own.end());
        soac.groups.push_back(std::move(group));
      }
      from += size.body_results;
      to += size.results;
    }
  }

  /// Whether the group is of that kind and has been split; each part's components go to `keep`.
  template <typename Kind, typename Keep>
  bool split_if(const Group& group, std::span<const ValueId> results, Soac& soac, Keep&& keep) {
    const auto* whole = std::get_if<Kind>(&group);
    if (!whole || whole->neutral.size() < 2 || post_of(group)) return false;
    if (may_fail(whole->combine)) return false;
    Components needed;
    for (ValueId result : results)
      needed.push_back(uses_[result.index] > 0);
    const auto parts = classes(dependencies(function_, whole->combine), needed);
    if (parts.empty() || (parts.size() == 1 && parts[0].size() == results.size())) return false;
    for (const std::vector<std::size_t>& members : parts) {
      Kind part = *whole;
      part.neutral.clear();
      for (std::size_t i : members) {
        part.neutral.push_back(whole->neutral[i]);
        keep(i, i);
      }
      part.combine = restricted(function_, whole->combine, members);
      soac.groups.push_back(std::move(part));
    }
    return true;
  }

  Function& function_;
  const std::vector<std::uint32_t> uses_;
};

} // namespace

void split_operators(Function& function) {
  Splitter(function).body(function.body);
}

} // namespace sinter::jit
