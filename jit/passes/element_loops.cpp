#include "jit/passes/element_loops.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// What a round may compute besides its map, in additions (ir/costs.h).
constexpr unsigned most_besides_elements = 16;
/// So many parts of memory a processor goes along at a time.
constexpr std::int64_t most_streams = 16;

/// A host's loop that carries arrays through a map of maps.
class ElementLoop {
public:
  ElementLoop(Function& function, const Statement& statement)
      : function_(function), statement_(statement), loop_(std::get<For>(statement.operation)) {}

  std::optional<Statement> interchanged() {
    if (loop_.is_parallel || !find_map() || !find_levels() || !carries_elements() ||
        !has_few_streams())
      return std::nullopt;
    return write();
  }

private:
  struct Level {
    const Soac* soac = nullptr;
    const Statement* statement = nullptr;
  };

  // ---- what a round is

  /// The only SOAC of the round, amid code that is next to nothing and cannot fail.
  bool find_map() {
    unsigned besides = 0;
    for (const Statement& each : loop_.body.statements) {
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        if (!levels_.empty()) return false;
        levels_.push_back({soac, &each});
      } else if (is_scalar_operation(each.operation) || is_strided_view(each.operation)) {
        besides += cost(each);
      } else {
        return false;
      }
    }
    return !levels_.empty() && besides <= most_besides_elements;
  }
  /// Maps one in the other, as many as the state has dimensions.
  bool find_levels() {
    if (loop_.initial.empty()) return false;
    const std::size_t rank = function_.type(loop_.body.parameters[1]).rank();
    for (std::size_t state = 0; state < loop_.initial.size(); ++state)
      if (function_.type(parameter(state)).rank() != rank) return false;
    if (rank == 0) return false;
    while (levels_.size() < rank)
      if (!find_inner()) return false;
    const Body& innermost = levels_.back().soac->body;
    return std::ranges::all_of(
               levels_, [](const Level& level) { return has_only<MapGroup>(*level.soac); }) &&
           std::ranges::all_of(innermost.statements,
                               [&](const Statement& each) { return is_code(each); }) &&
           std::ranges::all_of(innermost.results, [&](const Operand& result) {
             return function_.type(result).is_scalar();
           });
  }
  bool find_inner() {
    const Body& body = levels_.back().soac->body;
    Level inner;
    unsigned besides = 0;
    for (const Statement& each : body.statements) {
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        if (inner.soac) return false;
        inner = {soac, &each};
      } else if (is_scalar_operation(each.operation) || is_strided_view(each.operation)) {
        besides += cost(each);
      } else {
        return false;
      }
    }
    // Rows of one length: known outside of the loop, as the states' extents are.
    if (!inner.soac || besides > most_besides_elements) return false;
    if (body.results.size() != inner.statement->results.size() ||
        !std::ranges::equal(body.results, inner.statement->results, {}, {},
                            [](ValueId value) { return Operand(value); }))
      return false;
    levels_.push_back(inner);
    return true;
  }
  /// Of an element: computes, and reads; branches of such.
  static bool is_code(const Statement& statement) {
    if (const auto* choice = std::get_if<If>(&statement.operation))
      return std::ranges::all_of(choice->then_body.statements, is_code) &&
             std::ranges::all_of(choice->else_body.statements, is_code);
    return is_scalar_operation(statement.operation) || is_strided_view(statement.operation);
  }

  // ---- whether rounds need their own elements alone

  ValueId parameter(std::size_t state) const { return loop_.body.parameters[state + 1]; }
  std::optional<std::size_t> state_of(ValueId value) const {
    for (std::size_t state = 0; state < loop_.initial.size(); ++state)
      if (parameter(state) == value) return state;
    return std::nullopt;
  }

  /// Each next state is a result of the map, of the same extents; states are read at the element's
  /// own place.
  bool carries_elements() {
    const std::vector<ValueId>& made = levels_[0].statement->results;
    for (std::size_t state = 0; state < loop_.initial.size(); ++state) {
      const Operand& next = loop_.body.results[state];
      if (!next.is_value() || std::ranges::count(made, next.value()) == 0) return false;
      const Type& type = function_.type(parameter(state));
      for (std::size_t level = 0; level < levels_.size(); ++level)
        if (type.extents[level] != levels_[level].soac->extent) return false;
    }
    for (std::size_t i = 0; i < made.size(); ++i)
      if (std::ranges::count(loop_.body.results, Operand(made[i])) == 0) return false;
    // What stands for a state, and how many of its dimensions are gone.
    std::vector<std::pair<ValueId, std::size_t>> rows;
    for (std::size_t state = 0; state < loop_.initial.size(); ++state)
      rows.emplace_back(parameter(state), 0);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const Soac& soac = *levels_[level].soac;
      const std::size_t known = rows.size();
      for (std::size_t i = 0; i < soac.inputs.size(); ++i)
        for (std::size_t r = 0; r < known; ++r)
          if (rows[r].first == soac.inputs[i]) {
            if (rows[r].second != level) return false;
            rows.emplace_back(soac.body.parameters[i + 1], level + 1);
          }
    }
    const Body& round = loop_.body;
    return reads_in_place(round, rows) && std::ranges::all_of(levels_, [&](const Level& level) {
             return reads_in_place(level.soac->body, rows);
           });
  }
  bool reads_in_place(const Body& body, const std::vector<std::pair<ValueId, std::size_t>>& rows) {
    for (const Statement& each : body.statements) {
      const auto is_level = [&](const Level& level) { return level.statement == &each; };
      if (std::ranges::any_of(levels_, is_level)) continue; // its inputs are known
      const auto* const read = std::get_if<ir::Index>(&each.operation);
      bool is_in_place = true;
      for (const auto& known : rows) {
        const ValueId row = known.first;
        if (known.second == levels_.size()) continue;
        if (read && read->array == row) {
          is_in_place = is_in_place && is_own_place(*read, known.second);
          continue;
        }
        for_each_operand(each.operation, [&](const Operand& operand) {
          is_in_place = is_in_place && operand != Operand(row);
        });
      }
      if (!is_in_place) return false;
      bool is_inside = true;
      for_each_body(each.operation, [&](const Body& inner) {
        is_inside = is_inside && reads_in_place(inner, rows);
      });
      if (!is_inside) return false;
    }
    return true;
  }
  /// Whether it reads the element at hand of what has lost so many dimensions.
  bool is_own_place(const ir::Index& read, std::size_t gone) const {
    if (gone + read.indices.size() != levels_.size()) return false;
    for (std::size_t i = 0; i < read.indices.size(); ++i)
      if (read.indices[i] != Operand(index_of(gone + i))) return false;
    return true;
  }
  ValueId index_of(std::size_t level) const { return levels_[level].soac->body.parameters[0]; }

  /// What a value depends on: the round, and which of the levels' indices.
  struct Dependence {
    bool on_round = false;
    std::uint32_t levels = 0; ///< as bits
    void add(const Dependence& other) {
      on_round = on_round || other.on_round;
      levels |= other.levels;
    }
  };
  using Dependences = std::unordered_map<std::uint32_t, Dependence>; ///< by value

  /// Whether no two elements read anything that the other one does not, and that another round does
  /// not: rounds read the same from outside, or what elements with an index in common all read; or
  /// there are few rounds.
  bool has_few_streams() const {
    if (loop_.bound.is_constant() && loop_.bound.scalar().as<std::int64_t>() <= most_streams)
      return true;
    Dependences known = {{loop_.body.parameters[0].index, {true, 0}}};
    return reads_together(loop_.body, known);
  }
  bool is_stream(const Dependence& read) const {
    return read.on_round && read.levels + 1 == std::uint32_t{1} << levels_.size();
  }
  bool reads_together(const Body& body, Dependences& known) const {
    const auto of = [&](const Operand& operand) {
      const auto found = operand.is_value() ? known.find(operand.value().index) : known.end();
      return found == known.end() ? Dependence{} : found->second;
    };
    for (const Statement& each : body.statements) {
      Dependence all;
      for_each_operand(each.operation, [&](const Operand& operand) { all.add(of(operand)); });
      const auto level = std::ranges::find(levels_, &each, &Level::statement);
      if (level != levels_.end()) {
        const auto bit = std::uint32_t{1} << static_cast<std::uint32_t>(level - levels_.begin());
        const Soac& soac = *level->soac;
        known[soac.body.parameters[0].index].levels = bit;
        for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
          Dependence element = of(soac.inputs[i]);
          element.levels |= bit;
          if (is_stream(element)) return false;
          known[soac.body.parameters[i + 1].index] = element;
        }
      } else if (is_strided_view(each.operation) && is_stream(all)) {
        return false;
      }
      bool is_together = true;
      for_each_body(each.operation, [&](const Body& inner) {
        is_together = is_together && reads_together(inner, known);
        for (const Operand& result : inner.results)
          all.add(of(result));
      });
      if (!is_together) return false;
      for (const ValueId result : each.results)
        known[result.index] = all;
    }
    return true;
  }

  // ---- what stands for it

  Statement write() {
    const std::size_t count = loop_.initial.size();
    // The round of an element: all that a round does, one level after the other.
    std::vector<Replacement> known;
    Body round{{loop_.body.parameters[0]}, {}, {}};
    std::vector<ValueId> elements; // of the states, by state
    for (std::size_t state = 0; state < count; ++state) {
      elements.push_back(function_.add_value({function_.type(parameter(state)).element, {}}));
      round.parameters.push_back(elements.back());
    }
    std::vector<ValueId> indices;
    for (std::size_t level = 0; level < levels_.size(); ++level)
      indices.push_back(function_.add_value({ElementType::I64, {}}));
    // What inputs' elements are read of: an array, at the indices of the levels so far.
    struct Seen {
      ValueId value, array;
      std::size_t gone = 0;
    };
    std::vector<Seen> seen;
    const auto append = [&](const Body& body) {
      for (const Statement& each : body.statements) {
        const auto is_level = [&](const Level& level) { return level.statement == &each; };
        if (std::ranges::any_of(levels_, is_level)) continue;
        round.statements.push_back(each);
      }
    };
    append(loop_.body);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const Soac& soac = *levels_[level].soac;
      known.emplace_back(index_of(level), Operand(indices[level]));
      for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
        const auto row = std::ranges::find(seen, soac.inputs[i], &Seen::value);
        const Seen source = row == seen.end() ? Seen{soac.inputs[i], soac.inputs[i], level} : *row;
        const ValueId element = soac.body.parameters[i + 1];
        seen.push_back({element, source.array, source.gone});
        if (const auto state = state_of(source.array)) {
          if (level + 1 == levels_.size()) known.emplace_back(element, Operand(elements[*state]));
          continue;
        }
        std::vector<Operand> places(indices.begin() + static_cast<std::ptrdiff_t>(source.gone),
                                    indices.begin() + static_cast<std::ptrdiff_t>(level) + 1);
        round.statements.push_back(
            {{element}, ir::Index{source.array, std::move(places)}, statement_.span});
      }
      append(soac.body);
    }
    const Body& innermost = levels_.back().soac->body;
    for (const Operand& next : loop_.body.results) {
      const auto& made = levels_[0].statement->results;
      const auto at = std::ranges::find(made, next.value()) - made.begin();
      round.results.push_back(innermost.results[static_cast<std::size_t>(at)]);
    }
    read_elements(round, elements, known);
    replace_uses(function_, round, known);

    // The loop, and the maps around it.
    For inner{loop_.bound, loop_.index_type, {}, clone(function_, round)};
    std::vector<ValueId> initial, results;
    for (std::size_t state = 0; state < count; ++state) {
      const Type type = function_.type(elements[state]);
      initial.push_back(function_.add_value(type));
      results.push_back(function_.add_value(type));
      inner.initial.emplace_back(initial.back());
    }
    Statement statement{results, std::move(inner), statement_.span};
    for (std::size_t level = levels_.size(); level-- > 0;) {
      Soac soac{levels_[level].soac->extent, {}, {{indices[level]}, {}, {}}, {}};
      std::vector<ValueId> rows, made;
      for (std::size_t state = 0; state < count; ++state) {
        soac.body.parameters.push_back(initial[state]);
        soac.body.results.emplace_back(results[state]);
        soac.groups.emplace_back(MapGroup{});
        Type type = function_.type(initial[state]);
        type.extents.insert(type.extents.begin(), soac.extent);
        rows.push_back(level == 0 ? loop_.initial[state].value() : function_.add_value(type));
        made.push_back(level == 0 ? statement_.results[state] : function_.add_value(type));
        soac.inputs.push_back(rows.back());
      }
      soac.body.statements.push_back(std::move(statement));
      statement = {made, std::move(soac), statement_.span};
      initial = rows;
      results = made;
    }
    return statement;
  }
  /// Reads of states by index are the element of the loop.
  void read_elements(Body& body, const std::vector<ValueId>& elements,
                     std::vector<Replacement>& known) const {
    std::vector<Statement> kept;
    for (Statement& each : body.statements) {
      for_each_body(each.operation, [&](Body& inner) { read_elements(inner, elements, known); });
      const auto* const read = std::get_if<ir::Index>(&each.operation);
      const std::optional<std::size_t> state = read ? state_at(read->array) : std::nullopt;
      if (state)
        known.emplace_back(each.results[0], Operand(elements[*state]));
      else
        kept.push_back(std::move(each));
    }
    body.statements = std::move(kept);
  }
  /// Of a state, or of a row of one.
  std::optional<std::size_t> state_at(ValueId array) const {
    for (const Level& level : levels_)
      for (std::size_t i = 0; i < level.soac->inputs.size(); ++i)
        if (level.soac->body.parameters[i + 1] == array) return state_at(level.soac->inputs[i]);
    return state_of(array);
  }

  Function& function_;
  const Statement& statement_;
  const For& loop_;
  std::vector<Level> levels_; ///< from the outermost on
};

/// Of the host's level.
void write_loops_of_elements(Function& function, Body& body) {
  for (Statement& statement : body.statements) {
    if (std::holds_alternative<Soac>(statement.operation)) continue;
    if (std::holds_alternative<For>(statement.operation))
      if (std::optional<Statement> map = ElementLoop(function, statement).interchanged()) {
        statement = std::move(*map);
        continue;
      }
    for_each_body(statement.operation,
                  [&](Body& inner) { write_loops_of_elements(function, inner); });
  }
}

} // namespace

void write_loops_of_elements(Function& function) {
  write_loops_of_elements(function, function.body);
}

} // namespace sinter::jit
