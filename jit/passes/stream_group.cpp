#include "jit/passes/stream_group.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

template <typename T>
bool is_among(const std::vector<T>& list, const T& one) {
  return std::ranges::find(list, one) != list.end();
}

bool have_no_rows(const Function& function, const std::vector<Operand>& operands) {
  return std::ranges::all_of(
      operands, [&](const Operand& operand) { return function.type(operand).is_scalar(); });
}

/// Grows a group from its first member on, without some statements.
class GroupGrowth {
public:
  GroupGrowth(const Function& function, const AliasClasses& aliases, const Body& body,
              const std::set<std::size_t>& without)
      : function_(function), aliases_(aliases), body_(body), without_(without) {}

  StreamGroup run(std::size_t first) {
    const auto* soac = std::get_if<Soac>(&body_.statements[first].operation);
    if (!soac) return {};
    group_.extent = soac->extent;
    spaces_ = {soac->extent};
    if (!may_be_member(body_.statements[first], *soac)) return {};
    add(first, *soac);
    for (std::size_t at = first + 1; at < body_.statements.size(); ++at)
      if (!go_past(at)) break;
    std::erase_if(group_.late, [&](std::size_t at) { return at > group_.members.back(); });
    return std::move(group_);
  }

private:
  /// A statement joins, or stays before or behind the group; false where the group ends.
  bool go_past(std::size_t at) {
    const Statement& statement = body_.statements[at];
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (soac && !without_.contains(at) && reads_member(*soac) && may_be_member(statement, *soac)) {
      add(at, *soac);
      return true;
    }
    if (!consumed_values(function_, statement.operation).empty()) return false;
    const std::vector<ValueId> used = free_values(function_, statement);
    const bool is_late =
        std::ranges::any_of(used, [&](ValueId value) { return is_known_late(value); });
    // Nothing fails before what failed before it, and nothing runs before its check.
    if (may_fail(statement.operation) && (is_late || may_fail_)) return false;
    if (is_late) {
      group_.late.push_back(at);
      late_.insert(statement.results.begin(), statement.results.end());
    }
    return true;
  }

  bool reads_member(const Soac& soac) const {
    return std::ranges::any_of(soac.inputs,
                               [&](ValueId input) { return is_among(group_.inside, input); });
  }
  /// Whether it is known only when all pieces are.
  bool is_known_late(ValueId value) const { return made_.contains(value) || late_.contains(value); }

  bool may_be_member(const Statement& statement, const Soac& soac) const {
    if (!is_among(spaces_, soac.extent) || soac.groups.empty()) return false;
    if (may_fail(statement.operation) && may_fail_) return false;
    for (ValueId input : soac.inputs) {
      const Type& type = function_.type(input);
      if (type.rank() != 1) return false;
      const bool is_inside = is_among(group_.inside, input);
      if (is_inside ? type.extents[0] != soac.extent
                    : soac.extent != group_.extent || is_known_late(input))
        return false;
    }
    if (!have_no_rows(function_, soac.body.results)) return false;
    const auto is_there = [&](const Operand& operand) {
      return operand.is_constant() || !is_known_late(operand.value());
    };
    bool are_there = true;
    for_each_body(statement.operation, [&](const Body& inner) {
      for (ValueId value : free_values(function_, inner))
        are_there = are_there && !is_known_late(value);
    });
    for (const Group& group : soac.groups) {
      for_each_operand(group,
                       [&](const Operand& operand) { are_there = are_there && is_there(operand); });
      if (against_pieces(function_, group, soac.extent != group_.extent) || !may_write(soac, group))
        return false;
    }
    return are_there;
  }

  /// Nobody reads what the group writes into, piece after piece.
  bool may_write(const Soac& soac, const Group& group) const {
    for (const Operand& destination : destinations(group)) {
      if (!group_.late.empty()) return false; // it may be read there
      const std::uint32_t written = aliases_.of(destination.value());
      const auto is_written = [&](ValueId value) {
        return !function_.type(value).is_scalar() && aliases_.of(value) == written;
      };
      if (std::ranges::any_of(soac.inputs, is_written) || std::ranges::any_of(read_, is_written) ||
          std::ranges::any_of(written_, is_written))
        return false;
    }
    return true;
  }

  void add(std::size_t at, const Soac& soac) {
    const Statement& statement = body_.statements[at];
    group_.members.push_back(at);
    may_fail_ = may_fail_ || may_fail(statement.operation);
    for (ValueId input : soac.inputs)
      if (!is_among(group_.inside, input) && !is_among(group_.inputs, input))
        group_.inputs.push_back(input);
    for (const Group& group : soac.groups)
      for (const Operand& destination : destinations(group))
        written_.push_back(destination.value());
    for (ValueId value : free_values(function_, statement))
      if (!is_among(written_, value)) read_.push_back(value);
    made_.insert(statement.results.begin(), statement.results.end());
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t to) {
      if (std::holds_alternative<FilterGroup>(group)) spaces_.emplace_back(statement.results[to]);
    });
    for (ValueId result : piecewise_results(statement, soac))
      group_.inside.push_back(result);
  }

  /// Arrays over the member's extent, or over what it keeps.
  std::vector<ValueId> piecewise_results(const Statement& statement, const Soac& soac) const {
    std::vector<ValueId> arrays;
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t to) {
      if (!destinations(group).empty()) return;
      for (std::size_t i = 0; i < arity(group).results; ++i)
        if (const ValueId result = statement.results[to + i]; !function_.type(result).is_scalar())
          arrays.push_back(result);
    });
    return arrays;
  }

  const Function& function_;
  const AliasClasses& aliases_;
  const Body& body_;
  const std::set<std::size_t>& without_;
  StreamGroup group_;
  std::vector<Operand> spaces_;         ///< extents of members
  std::set<ValueId> made_;              ///< by members
  std::set<ValueId> late_;              ///< by what comes after them
  std::vector<ValueId> read_, written_; ///< from outside, whole or elementwise; destinations
  bool may_fail_ = false;               ///< a member
};

/// Values that others than the members use.
std::set<ValueId> used_by_others(const Function& function, const Body& body,
                                 const std::vector<std::size_t>& members) {
  std::set<ValueId> used;
  const auto use = [&](const Operand& operand) {
    if (operand.is_value()) used.insert(operand.value());
  };
  for (std::size_t at = 0; at < body.statements.size(); ++at) {
    if (is_among(members, at)) continue;
    const std::vector<ValueId> values = free_values(function, body.statements[at]);
    used.insert(values.begin(), values.end());
  }
  for (const Operand& result : body.results)
    use(result);
  return used;
}

} // namespace

std::optional<Reason> against_pieces(const Function& function, const Group& group, bool is_kept) {
  if (const auto* reduce = std::get_if<ReduceGroup>(&group)) {
    if (!have_no_rows(function, reduce->neutral)) return Reason::ElementsAreArrays;
    if (is_kept && order_shows(*reduce)) return Reason::FoldOrderShows;
  } else if (const auto* scan = std::get_if<ScanGroup>(&group)) {
    if (!have_no_rows(function, scan->neutral)) return Reason::ElementsAreArrays;
    if (is_kept && order_shows(*scan)) return Reason::FoldOrderShows;
    for (const Post& post : scan->post)
      for (const Group& of_post : post.groups)
        if (const auto against = against_pieces(function, of_post, is_kept)) return against;
  } else if (const auto* histogram = std::get_if<HistogramGroup>(&group)) {
    if (!have_no_rows(function, histogram->neutral)) return Reason::ElementsAreArrays;
    if (order_shows(*histogram)) return Reason::BinOrderShows;
  } else if (std::holds_alternative<PartitionGroup>(group)) {
    return Reason::PartitionedAsWhole;
  }
  return std::nullopt;
}

std::optional<StreamGroup> stream_group(const Function& function, const AliasClasses& aliases,
                                        const Body& body, std::size_t first) {
  std::set<std::size_t> without;
  // (Each turn leaves one more out.)
  while (true) {
    StreamGroup group = GroupGrowth(function, aliases, body, without).run(first);
    if (group.members.size() < 2) return std::nullopt;
    const std::set<ValueId> used = used_by_others(function, body, group.members);
    const auto leaves = [&](std::size_t member) {
      return std::ranges::any_of(body.statements[member].results, [&](ValueId result) {
        return is_among(group.inside, result) && used.contains(result);
      });
    };
    const auto leaving = std::ranges::find_if(group.members, leaves);
    if (leaving == group.members.end()) return group;
    if (*leaving == first) return std::nullopt;
    without.insert(*leaving);
  }
}

} // namespace sinter::jit
