#include "jit/passes/nest_levels.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <unordered_set>

namespace sinter::jit {

using namespace ir;

namespace {

constexpr std::size_t most_soacs = 16; ///< each becomes a statement, or several

class LevelFinder {
public:
  explicit LevelFinder(const Function& function) : function_(function) {}

  std::optional<NestLevels> find(const Statement& statement) {
    const auto* map = std::get_if<Soac>(&statement.operation);
    if (!map || may_fail(statement.operation)) return std::nullopt;
    if (!std::ranges::all_of(map->groups, [](const Group& group) {
          return std::holds_alternative<MapGroup>(group);
        }))
      return std::nullopt;
    note(map->body);
    const bool is_fit = visit(map->body) && has_known_types(map->body.results);
    const bool is_worth = soacs_ > 1 || levels_.has_loops;
    if (!is_fit || !is_worth || soacs_ > most_soacs || !may_pay(*map)) return std::nullopt;
    return std::move(levels_);
  }

private:
  /// Values that the body defines, and the bodies of its loops: those that become statements.
  void note(const Body& body) {
    for (const ValueId parameter : body.parameters)
      inside_.insert(parameter.index);
    for (const Statement& each : body.statements) {
      for (const ValueId result : each.results)
        inside_.insert(result.index);
      if (const auto* loop = std::get_if<For>(&each.operation)) note(loop->body);
    }
  }
  bool is_known(const Operand& operand) const {
    return operand.is_constant() || !inside_.contains(operand.value().index);
  }
  bool has_known_types(const std::vector<Operand>& operands) const {
    return std::ranges::all_of(operands, [&](const Operand& operand) {
      const Type type = function_.type(operand);
      return std::ranges::all_of(type.extents,
                                 [&](const Operand& extent) { return is_known(extent); });
    });
  }
  static bool has_soac(const Body& body) {
    return std::ranges::any_of(body.statements, [](const Statement& each) {
      if (std::holds_alternative<Soac>(each.operation)) return true;
      bool result = false;
      for_each_body(each.operation, [&](const Body& inner) { result = result || has_soac(inner); });
      return result;
    });
  }

  /// By the sizes that are constants.
  bool may_pay(const Soac& map) const {
    const auto number = [](const Operand& extent, std::int64_t otherwise) {
      return extent.is_constant() ? extent.scalar().as<std::int64_t>() : otherwise;
    };
    return number(map.extent, 0) <= most_distributed &&
           std::ranges::any_of(levels_.extents, [&](const Operand& extent) {
             return number(extent, INT64_MAX) >= levels_.least_inside();
           });
  }

  bool visit(const Body& body) {
    return std::ranges::all_of(body.statements, [&](const Statement& each) { return visit(each); });
  }
  bool visit(const Statement& statement) {
    const std::vector<Operand> results(statement.results.begin(), statement.results.end());
    if (!has_known_types(results)) return false;
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) return visit(*soac);
    if (const auto* loop = std::get_if<For>(&statement.operation)) {
      // (Bounds that are states of a loop around are the same for all elements, or are not known.)
      levels_.has_loops = levels_.has_loops || has_soac(loop->body);
      return has_soac(loop->body) && is_known(loop->bound) && has_known_types(loop->initial) &&
             has_known_states(*loop) && visit(loop->body) && has_known_types(loop->body.results);
    }
    return is_scalar_operation(statement.operation) || is_strided_view(statement.operation);
  }
  bool has_known_states(const For& loop) const {
    return has_known_types({loop.body.parameters.begin(), loop.body.parameters.end()});
  }
  bool visit(const Soac& soac) {
    ++soacs_;
    if (!is_known(soac.extent) || !consumed_values(function_, Operation(soac)).empty())
      return false;
    if (std::ranges::find(levels_.extents, soac.extent) == levels_.extents.end())
      levels_.extents.push_back(soac.extent);
    return std::ranges::all_of(soac.groups, [](const Group& group) {
      return std::holds_alternative<MapGroup>(group) ||
             std::holds_alternative<ReduceGroup>(group) ||
             (std::holds_alternative<ScanGroup>(group) && !post_of(group));
    });
  }

  const Function& function_;
  NestLevels levels_;
  std::unordered_set<std::uint32_t> inside_;
  std::size_t soacs_ = 0;
};

} // namespace

std::optional<NestLevels> find_nest_levels(const Function& function, const Statement& statement) {
  return LevelFinder(function).find(statement);
}

} // namespace sinter::jit
