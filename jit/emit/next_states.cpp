#include "jit/emit/next_states.h"

#include "jit/ir/consumption.h"
#include "jit/ir/groups.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace sinter::jit {

namespace {

using ir::Operand;

class StateFinder {
public:
  explicit StateFinder(const ir::Function& function) : function_(function), roots_(function) {
    look_at(function.body);
  }
  std::unordered_map<std::uint32_t, ir::ValueId> take() { return std::move(states_); }

private:
  void look_at(const ir::Body& body) {
    for (const ir::Statement& statement : body.statements) {
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { look_at(inner); });
      if (const auto* loop = std::get_if<ir::For>(&statement.operation))
        look_at_states(loop->body, 1);
      else if (const auto* loop = std::get_if<ir::While>(&statement.operation))
        look_at_states(loop->body, 0);
    }
  }

  void look_at_states(const ir::Body& body, std::size_t first) {
    for (std::size_t i = 0; i < body.results.size(); ++i) {
      const ir::ValueId state = body.parameters[first + i];
      if (function_.type(state).rank() == 1 && may_be_made_there(body, body.results[i], state))
        states_.emplace(body.results[i].value().index, state);
    }
  }

  bool may_be_made_there(const ir::Body& body, const Operand& next, ir::ValueId state) const {
    const auto maker = std::ranges::find_if(body.statements, [&](const ir::Statement& statement) {
      return std::ranges::count(statement.results, next.value()) > 0;
    });
    if (maker == body.statements.end() || !makes_once(*maker, next.value())) return false;
    const std::span later(maker + 1, body.statements.end());
    const bool is_read_later =
        std::ranges::any_of(later,
                            [&](const ir::Statement& statement) {
                              return reads(ir::free_values(function_, statement), state);
                            }) ||
        std::ranges::any_of(body.results, [&](const Operand& result) {
          return result.is_value() && roots_.may_overlap(result.value(), state);
        });
    return !is_read_later && reads_own_elements(std::get<ir::Soac>(maker->operation), state);
  }

  /// Whether the statement computes each element of that result once.
  static bool makes_once(const ir::Statement& statement, ir::ValueId result) {
    const auto* soac = std::get_if<ir::Soac>(&statement.operation);
    if (!soac) return false;
    bool is_map = false;
    ir::for_each_group(*soac, [&](const ir::Group& group, std::size_t, std::size_t at) {
      if (statement.results[at] == result) is_map = std::holds_alternative<ir::MapGroup>(group);
    });
    return is_map && ir::has_only<ir::MapGroup, ir::ReduceGroup>(*soac);
  }

  bool reads(std::span<const ir::ValueId> values, ir::ValueId array) const {
    return std::ranges::any_of(values,
                               [&](ir::ValueId value) { return roots_.may_overlap(value, array); });
  }

  /// By inputs that are the state itself, and by reads at the SOAC's index.
  bool reads_own_elements(const ir::Soac& soac, ir::ValueId state) const {
    for (ir::ValueId input : soac.inputs)
      if (input != state && roots_.may_overlap(input, state)) return false;
    for (const ir::Group& group : soac.groups)
      if (reads(group_values(group), state)) return false;
    return std::ranges::all_of(soac.body.statements, [&](const ir::Statement& statement) {
      const auto* read = std::get_if<ir::Index>(&statement.operation);
      if (read && read->array == state)
        return read->indices == std::vector<Operand>{soac.body.parameters[0]};
      return !reads(ir::free_values(function_, statement), state);
    });
  }
  std::vector<ir::ValueId> group_values(const ir::Group& group) const {
    std::vector<ir::ValueId> values;
    ir::for_each_operand(group, [&](const Operand& operand) {
      if (operand.is_value()) values.push_back(operand.value());
    });
    ir::for_each_body(group, [&](const ir::Body& body) {
      std::ranges::copy(ir::free_values(function_, body), std::back_inserter(values));
    });
    return values;
  }

  const ir::Function& function_;
  ir::Roots roots_;
  std::unordered_map<std::uint32_t, ir::ValueId> states_;
};

bool has_array_states(const ir::Function& function, const ir::Body& body) {
  return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
    const bool is_loop = std::holds_alternative<ir::For>(statement.operation) ||
                         std::holds_alternative<ir::While>(statement.operation);
    bool result = is_loop && std::ranges::any_of(statement.results, [&](ir::ValueId state) {
                    return function.type(state).rank() == 1;
                  });
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      result = result || has_array_states(function, inner);
    });
    return result;
  });
}

} // namespace

std::unordered_map<std::uint32_t, ir::ValueId> states_made_in_place(const ir::Function& function) {
  if (!has_array_states(function, function.body)) return {};
  return StateFinder(function).take();
}

} // namespace sinter::jit
