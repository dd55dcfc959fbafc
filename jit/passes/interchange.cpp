#include "jit/passes/interchange.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/column_loops.h"
#include "jit/passes/cost.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// What a round may compute besides its map, in additions (ir/costs.h).
constexpr unsigned most_besides = 16;
/// Fewer elements, if their number is known, are written out instead, in one loop for all of them.
constexpr std::int64_t least_elements = 64;

/// A loop whose state goes through a map, element by element.
class CarriedMap {
public:
  CarriedMap(Function& function, const Statement& statement)
      : function_(function), statement_(statement), loop_(std::get<For>(statement.operation)) {}

  /// The map of loops; nothing if the loop is another one.
  std::optional<Statement> interchanged() {
    if (!find_map() || !has_long_state() || !carries_elements() || !goes_by_blocks() ||
        costs_more() || may_fail(statement_.operation))
      return std::nullopt;
    return write();
  }

private:
  /// The only SOAC of the body, a map, amid scalar code and reads.
  bool find_map() {
    for (const Statement& each : loop_.body.statements) {
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        if (map_) return false;
        map_ = soac;
        map_statement_ = &each;
      } else if (!is_scalar_operation(each.operation) &&
                 !std::holds_alternative<ir::Index>(each.operation)) {
        return false;
      }
    }
    return map_ && std::all_of(map_->groups.begin(), map_->groups.end(), [](const Group& group) {
             return std::holds_alternative<MapGroup>(group);
           });
  }

  /// The state are arrays of numbers, of the map's extent.
  bool has_long_state() const {
    const Operand& extent = map_->extent;
    if (extent.is_constant() && extent.scalar().as<std::int64_t>() < least_elements) return false;
    return state_count() > 0 &&
           std::all_of(states_begin(), loop_.body.parameters.end(), [&](ValueId state) {
             const Type& type = function_.type(state);
             return type.rank() == 1 && type.extents[0] == extent;
           });
  }
  std::size_t state_count() const { return loop_.body.parameters.size() - 1; }
  std::vector<ValueId>::const_iterator states_begin() const {
    return loop_.body.parameters.begin() + 1;
  }
  bool is_state(ValueId value) const {
    return std::find(states_begin(), loop_.body.parameters.end(), value) !=
           loop_.body.parameters.end();
  }

  /// Each next state is a result of the map, which alone reads the state, at its own index.
  bool carries_elements() const {
    for (const Operand& result : loop_.body.results)
      if (!result.is_value() || !position_in_map(result.value())) return false;
    bool elsewhere = false;
    const auto note = [&](const Operand& operand) {
      if (!operand.is_value()) return;
      const ValueId value = operand.value();
      elsewhere = elsewhere || is_state(value) || position_in_map(value);
    };
    for (const Statement& each : loop_.body.statements)
      if (&each != map_statement_) for_each_operand(each.operation, note);
    for (ValueId value : free_values(function_, map_->body))
      note(value);
    return !elsewhere;
  }
  std::optional<std::size_t> position_in_map(ValueId result) const {
    const std::vector<ValueId>& results = map_statement_->results;
    const auto at = std::find(results.begin(), results.end(), result);
    if (at == results.end()) return std::nullopt;
    return static_cast<std::size_t>(at - results.begin());
  }

  /// Whether the map of loops is what blocks are made for (tiled_nest.h): scalar code, and reads
  /// at the round's number and the element's, or without the element's.  Others would walk down
  /// columns of memory that no block holds.
  bool goes_by_blocks() const {
    const auto is_column = [&](const ir::Index& read, const std::vector<Operand>& indices) {
      const Operand round = loop_.body.parameters[0], element = map_->body.parameters[0];
      return function_.type(read.array).rank() == 2 &&
             (indices == std::vector{round, element} || indices == std::vector{element, round});
    };
    for (ValueId input : map_->inputs) {
      if (is_state(input)) continue;
      const ir::Index* const row = read_of(input);
      if (!row || row->indices.size() != 1 ||
          !is_column(*row, {row->indices[0], map_->body.parameters[0]}))
        return false;
    }
    return std::all_of(
        map_->body.statements.begin(), map_->body.statements.end(), [&](const Statement& each) {
          const auto* read = std::get_if<ir::Index>(&each.operation);
          if (!read) return is_scalar_operation(each.operation);
          const auto& indices = read->indices;
          const bool by_element = std::find(indices.begin(), indices.end(),
                                            Operand(map_->body.parameters[0])) != indices.end();
          return !by_element || is_column(*read, indices);
        });
  }
  /// The read of the round that gives the value.
  const ir::Index* read_of(ValueId value) const {
    for (const Statement& each : loop_.body.statements)
      if (const auto* read = std::get_if<ir::Index>(&each.operation);
          read && each.results[0] == value)
        return read;
    return nullptr;
  }

  bool costs_more() const {
    unsigned besides = 0;
    for (const Statement& each : loop_.body.statements)
      if (&each != map_statement_) besides += cost(each);
    return besides > most_besides;
  }

  Statement write() {
    Soac soac{map_->extent, {}, {{function_.add_value({ElementType::I64, {}})}, {}, {}}, {}};
    const ValueId element = soac.body.parameters[0];
    For inner{loop_.bound, loop_.index_type, {}, {}};
    inner.body = round(element);
    for (std::size_t i = 0; i < state_count(); ++i) {
      const Type type{function_.type(states_begin()[static_cast<std::ptrdiff_t>(i)]).element, {}};
      soac.inputs.push_back(loop_.initial[i].value());
      soac.body.parameters.push_back(function_.add_value(type));
      inner.initial.emplace_back(soac.body.parameters.back());
      soac.body.results.emplace_back(function_.add_value(type));
      soac.groups.emplace_back(MapGroup{});
    }
    std::vector<ValueId> results;
    for (const Operand& result : soac.body.results)
      results.push_back(result.value());
    soac.body.statements.push_back({std::move(results), std::move(inner), statement_.span});
    return {statement_.results, std::move(soac), statement_.span};
  }

  /// What a round does for one element.
  Body round(ValueId element) {
    Body body;
    body.parameters = {loop_.body.parameters[0]};
    std::vector<Replacement> known = {{map_->body.parameters[0], Operand(element)}};
    for (auto state = states_begin(); state != loop_.body.parameters.end(); ++state)
      body.parameters.push_back(function_.add_value({function_.type(*state).element, {}}));
    Body of_map = map_->body;
    for (const Statement& each : loop_.body.statements) {
      if (&each != map_statement_) {
        body.statements.push_back(each);
        continue;
      }
      for (std::size_t i = 0; i < map_->inputs.size(); ++i)
        known.emplace_back(of_map.parameters[i + 1], read(map_->inputs[i], element, body));
      replace_uses(function_, of_map, known);
      std::move(of_map.statements.begin(), of_map.statements.end(),
                std::back_inserter(body.statements));
    }
    for (const Operand& result : loop_.body.results)
      body.results.push_back(of_map.results[*position_in_map(result.value())]);
    return body;
  }

  /// The element of an input of the map: the state's number, or a read.
  Operand read(ValueId input, ValueId element, Body& body) {
    const auto state = std::find(states_begin(), loop_.body.parameters.end(), input);
    if (state != loop_.body.parameters.end())
      return body.parameters[static_cast<std::size_t>(state - loop_.body.parameters.begin())];
    ir::Index index{input, {element}};
    if (const ir::Index* const row = read_of(input)) {
      index.array = row->array;
      index.indices = row->indices;
      index.indices.emplace_back(element);
    }
    Type type = function_.type(input);
    type.extents.erase(type.extents.begin());
    const ValueId result = function_.add_value(std::move(type));
    body.statements.push_back({{result}, std::move(index), map_statement_->span});
    return result;
  }

  Function& function_;
  const Statement& statement_;
  const For& loop_;
  const Soac* map_ = nullptr;
  const Statement* map_statement_ = nullptr;
};

/// `is_inside`: of a SOAC's body.
void interchange(Function& function, Body& body, bool is_inside) {
  for (Statement& statement : body.statements) {
    const bool is_soac = std::holds_alternative<Soac>(statement.operation);
    for_each_body(statement.operation,
                  [&](Body& inner) { interchange(function, inner, is_inside || is_soac); });
    if (!is_inside || !std::holds_alternative<For>(statement.operation)) continue;
    if (std::optional<Statement> map = CarriedMap(function, statement).interchanged())
      statement = std::move(*map);
  }
}

} // namespace

void interchange(Function& function) {
  interchange_column_loops(function);
  interchange(function, function.body, false);
}

} // namespace sinter::jit
