#include "jit/emit/analysis.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "lang/base/overloaded.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sinter::jit {

// ---- uniformity --------------------------------------------------------------------------------

Uniformity::Uniformity(const ir::Function& function)
    : function_(function), varying_(function.values.size()), tables_(literal_tables(function)) {}

bool Uniformity::varies(const ir::Operand& operand) const {
  return operand.is_value() && varying_[operand.value().index];
}

bool Uniformity::mark(ir::ValueId value, bool varies) {
  if (!varies || varying_[value.index]) return false;
  varying_[value.index] = true;
  return true;
}

bool Uniformity::mark_all(std::span<const ir::ValueId> values) {
  bool changed = false;
  for (ir::ValueId value : values)
    changed |= mark(value, true);
  return changed;
}

void Uniformity::analyse(const ir::Body& body) {
  mark_all(body.parameters);
  visit(body);
}

void Uniformity::visit(const ir::Body& body) {
  for (const ir::Statement& statement : body.statements)
    visit(statement);
}

void Uniformity::visit(const ir::Statement& statement) {
  const auto& results = statement.results;
  /// A loop's state is varying where its initial value, its next value or an extent is.
  const auto loop = [&](const std::vector<ir::Operand>& initial, const ir::Body& body,
                        const ir::Body* condition, std::size_t first, bool diverges) {
    const auto vary = [&](std::size_t i) {
      bool changed = mark(body.parameters[first + i], true) | mark(results[i], true);
      if (condition) changed |= mark(condition->parameters[i], true);
      return changed;
    };
    for (std::size_t i = 0; i < initial.size(); ++i)
      if (diverges || varies(initial[i]) || !function_.type(initial[i]).is_scalar()) vary(i);
    for (bool changed = true; changed;) {
      changed = false;
      if (condition) visit(*condition);
      const bool ends_apart = condition && varies(condition->results[0]);
      visit(body);
      for (std::size_t i = 0; i < initial.size(); ++i)
        if (ends_apart || varies(body.results[i])) changed |= vary(i);
    }
  };
  std::visit(
      Overloaded{
          [&](const ir::If& op) {
            visit(op.then_body);
            visit(op.else_body);
            for (std::size_t i = 0; i < results.size(); ++i)
              mark(results[i], varies(op.condition) || varies(op.then_body.results[i]) ||
                                   varies(op.else_body.results[i]));
          },
          [&](const ir::For& op) { loop(op.initial, op.body, nullptr, 1, varies(op.bound)); },
          [&](const ir::While& op) { loop(op.initial, op.body, &op.condition, 0, false); },
          [&](const ir::Soac& op) {
            for (std::size_t i = 0; i < op.inputs.size(); ++i)
              mark(op.body.parameters[i + 1], varies(op.inputs[i]));
            visit(op.body);
            ir::for_each_body(op, [&](const ir::Body& body) {
              if (&body == &op.body) return;
              mark_all(body.parameters);
              visit(body);
            });
            mark_all(results);
          },
          [&](const ir::ArrayLiteral& op) {
            bool any = !tables_[results[0].index];
            for (const ir::Operand& element : op.elements)
              any = any || varies(element) || !function_.type(element).is_scalar();
            mark(results[0], any);
          },
          [&](const auto& op) {
            const ir::OperationRow& row = ir::row_of(statement.operation);
            // (Memory that is written is each lane's own.)
            bool any = row.has(ir::laws::Fresh) || row.has(ir::laws::Overwrites) ||
                       (row.has(ir::laws::View) && !row.has(ir::laws::Strided));
            ir::for_each_operand(op, [&](const ir::Operand& operand) { any |= varies(operand); });
            // (Of bodies that nothing is known about, everything may.)
            ir::for_each_body(op, [&](const ir::Body& body) {
              any = true;
              analyse(body);
            });
            for (ir::ValueId result : results)
              mark(result, any);
          },
      },
      statement.operation);
}

// ---- tables ------------------------------------------------------------------------------------

namespace {

void find_other_uses(const ir::Function& function, const ir::Body& body,
                     std::vector<bool>& tables) {
  const auto escapes = [&](const ir::Operand& operand) {
    if (operand.is_value()) tables[operand.value().index] = false;
  };
  for (const ir::Statement& statement : body.statements) {
    const auto* index = std::get_if<ir::Index>(&statement.operation);
    const bool reads_element = index && function.type(statement.results[0]).is_scalar();
    if (std::holds_alternative<ir::ArrayLiteral>(statement.operation) &&
        function.type(statement.results[0]).rank() == 1)
      tables[statement.results[0].index] = true;
    if (!reads_element) ir::for_each_operand(statement.operation, escapes);
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { find_other_uses(function, inner, tables); });
  }
  std::for_each(body.results.begin(), body.results.end(), escapes);
}

} // namespace

std::vector<bool> literal_tables(const ir::Function& function) {
  std::vector<bool> tables(function.values.size());
  find_other_uses(function, function.body, tables);
  return tables;
}

// ---- loops -------------------------------------------------------------------------------------

std::vector<bool> lockstep_states(const Uniformity& uniformity, const ir::While& loop) {
  const auto& parameters = loop.body.parameters;
  std::vector<bool> is_lockstep;
  for (const ir::Operand& initial : loop.initial)
    is_lockstep.push_back(!uniformity.varies(initial));
  // States lose the property until it holds for all that are left together.
  for (bool changed = true; changed;) {
    changed = false;
    std::unordered_map<std::uint32_t, bool> differs; // of what the body defines
    for (std::size_t i = 0; i < parameters.size(); ++i)
      differs[parameters[i].index] = !is_lockstep[i];
    const auto operand_differs = [&](const ir::Operand& operand) {
      if (operand.is_constant()) return false;
      const auto found = differs.find(operand.value().index);
      return found != differs.end() ? found->second : uniformity.varies(operand);
    };
    for (const ir::Statement& statement : loop.body.statements) {
      bool result = !ir::is_scalar_operation(statement.operation);
      ir::for_each_operand(statement.operation, [&](const ir::Operand& operand) {
        result = result || operand_differs(operand);
      });
      for (const ir::ValueId value : statement.results)
        differs[value.index] = result;
    }
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (is_lockstep[i] && operand_differs(loop.body.results[i])) {
        is_lockstep[i] = false;
        changed = true;
      }
  }
  return is_lockstep;
}

// ---- branches ----------------------------------------------------------------------------------

bool is_cheap(const ir::Body& body) {
  constexpr std::size_t most_statements = 12;
  if (body.statements.size() > most_statements) return false;
  for (const ir::Statement& statement : body.statements)
    if (!ir::is_scalar_operation(statement.operation)) return false;
  return true;
}

// ---- uses --------------------------------------------------------------------------------------

namespace {

void note_uses(const ir::Function& function, const ir::Body& body, std::vector<bool>& used) {
  const auto note = [&](const ir::Operand& operand) {
    if (operand.is_value()) used[operand.value().index] = true;
  };
  for (const ir::ValueId parameter : body.parameters)
    for (const ir::Operand& extent : function.type(parameter).extents)
      note(extent);
  for (const ir::Statement& statement : body.statements) {
    ir::for_each_use(function, statement, note);
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { note_uses(function, inner, used); });
  }
  for (const ir::Operand& result : body.results)
    note(result);
}

} // namespace

std::vector<bool> used_values(const ir::Function& function) {
  std::vector<bool> used(function.values.size());
  note_uses(function, function.body, used);
  return used;
}

// ---- memory ------------------------------------------------------------------------------------

namespace {

const ir::Statement* definition(const ir::Body& body, ir::ValueId value, std::size_t& position) {
  for (const ir::Statement& statement : body.statements)
    for (std::size_t i = 0; i < statement.results.size(); ++i)
      if (statement.results[i] == value) {
        position = i;
        return &statement;
      }
  return nullptr;
}

/// Which destination the SOAC's result is, if any.
std::optional<ir::ValueId> destination(const ir::Soac& soac, std::size_t position) {
  std::optional<ir::ValueId> result;
  ir::for_each_group(soac, [&](const ir::Group& group, std::size_t, std::size_t first) {
    const std::span<const ir::Operand> destinations = ir::destinations(group);
    if (position >= first && position < first + destinations.size())
      result = destinations[position - first].value();
  });
  return result;
}

enum class Through : bool { InPlace, Views };

/// The values whose memory arrays may be.  What is found of one is kept: of arrays that many
/// branches, one behind the other, hand on, there are more ways to the first one than can be gone.
class Origins {
public:
  explicit Origins(Through through) : through_(through) {}

  const std::vector<ir::ValueId>& of(const ir::Body& body, ir::ValueId value) {
    const auto [known, is_new] = known_.try_emplace({&body, value});
    if (is_new) known->second = found(body, value);
    return known->second;
  }

private:
  std::vector<ir::ValueId> found(const ir::Body& body, ir::ValueId value) {
    std::size_t position = 0;
    const ir::Statement* const statement = definition(body, value, position);
    if (!statement) return {value};
    std::vector<ir::ValueId> from;
    const auto add = [&](ir::ValueId array) {
      for (const ir::ValueId origin : of(body, array))
        if (std::find(from.begin(), from.end(), origin) == from.end()) from.push_back(origin);
    };
    /// A loop's result has the initial value's memory if the body hands the state on in place.
    const auto add_state = [&](const std::vector<ir::Operand>& initial, const ir::Body& loop,
                               std::size_t first) {
      const ir::Operand& next = loop.results[position];
      if (initial[position].is_value() && next.is_value() &&
          in_place_origin(loop, next.value()) == loop.parameters[first + position])
        add(initial[position].value());
    };
    std::visit(Overloaded{
                   [&](const ir::Soac& op) {
                     if (const auto array = destination(op, position)) add(*array);
                   },
                   [&](const ir::For& op) { add_state(op.initial, op.body, 1); },
                   [&](const ir::While& op) { add_state(op.initial, op.body, 0); },
                   [&](const ir::If& op) {
                     for (const ir::Body* branch : {&op.then_body, &op.else_body})
                       if (const ir::Operand& result = branch->results[position]; result.is_value())
                         for (const ir::ValueId inside : of(*branch, result.value()))
                           add(inside);
                   },
                   [&](const auto&) {
                     const ir::OperationRow& row = ir::row_of(statement->operation);
                     if (row.has(ir::laws::Overwrites) ||
                         (through_ == Through::Views && row.has(ir::laws::View)))
                       add(ir::source_array(statement->operation));
                   },
               },
               statement->operation);
    if (from.empty()) return {value};
    return from;
  }

  Through through_;
  std::map<std::pair<const ir::Body*, ir::ValueId>, std::vector<ir::ValueId>> known_;
};

std::vector<ir::ValueId> origins(const ir::Body& body, ir::ValueId value, Through through) {
  return Origins(through).of(body, value);
}

} // namespace

bool may_be_memory_of_parameter(const ir::Body& body, ir::ValueId value) {
  const std::vector<ir::ValueId> from = origins(body, value, Through::Views);
  return std::any_of(from.begin(), from.end(), [&](ir::ValueId origin) {
    return std::find(body.parameters.begin(), body.parameters.end(), origin) !=
           body.parameters.end();
  });
}

bool may_be_view_of_parameter(const ir::Body& body, ir::ValueId value) {
  // (Both are traced in the same order.)
  return may_be_memory_of_parameter(body, value) &&
         origins(body, value, Through::Views) != origins(body, value, Through::InPlace);
}

ir::ValueId in_place_origin(const ir::Body& body, ir::ValueId value) {
  const std::vector<ir::ValueId> from = origins(body, value, Through::InPlace);
  return from.size() == 1 ? from[0] : value;
}

} // namespace sinter::jit
