#include "jit/passes/column_loops.h"

#include "jit/ir/operations.h"
#include "jit/ir/size_facts.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using Statements = std::vector<Statement>;

namespace {

/// What a round may compute besides its maps, in additions (ir/costs.h).
constexpr unsigned most_besides = 16;
/// A carried array may have so many rows more than there are rounds.
constexpr std::int64_t most_rows_besides = 8;

/// What stands before a loop on the host's level.
struct Surroundings {
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete; // the facts know where the definitions are
  Surroundings& operator=(const Surroundings&) = delete;

  std::unordered_map<std::uint32_t, ir::Operation> scalars; ///< what defines them
  std::unordered_map<std::uint32_t, ValueId> turned; ///< transposed matrices, by what they show
  std::unordered_set<std::uint32_t> computed;        ///< maps over indices alone
  SizeFacts sizes{[this](ValueId value) -> const ir::Operation* {
    const auto found = scalars.find(value.index);
    return found == scalars.end() ? nullptr : &found->second;
  }};

  void note(const Statement& statement) {
    if (is_scalar_operation(statement.operation))
      scalars.emplace(statement.results[0].index, statement.operation);
    else if (const auto* check = std::get_if<Check>(&statement.operation))
      sizes.assume(check->condition);
    else if (const auto* view = std::get_if<Transpose>(&statement.operation);
             view && view->permutation == std::vector<std::uint32_t>{1, 0})
      turned.emplace(statement.results[0].index, view->array);
    else if (const auto* soac = std::get_if<Soac>(&statement.operation);
             soac && soac->inputs.empty() && has_only<MapGroup>(*soac))
      for (const ValueId result : statement.results)
        computed.insert(result.index);
  }
  /// What the matrix shows the columns of, if it is transposed.
  std::optional<ValueId> behind(ValueId matrix) const {
    const auto found = turned.find(matrix.index);
    if (found == turned.end()) return std::nullopt;
    return found->second;
  }
};

/// A loop whose rounds map over columns.
class ColumnLoop : StatementWriter {
public:
  /// `before`: the statements of the same body that stand before it.
  ColumnLoop(Function& function, const Statement& statement, const Surroundings& around,
             const Statements& before)
      : StatementWriter(function, statement.span), statement_(statement),
        loop_(std::get<For>(statement.operation)), around_(around), before_(before) {}

  /// What defines the same results; nothing if the loop is another one.
  std::optional<Statements> interchanged(const std::vector<std::uint32_t>& uses) {
    note_inside(loop_.body);
    if (loop_.is_parallel || may_fail(statement_.operation) || !find_extent() || !take_states() ||
        !take_round() || !gives_states() || !is_worth_it(uses))
      return std::nullopt;
    return write();
  }

private:
  // ---- what is taken

  void note_inside(const Body& body) {
    for (const ValueId each : body.parameters)
      inside_.insert(each.index);
    for (const Statement& each : body.statements) {
      for (const ValueId result : each.results)
        inside_.insert(result.index);
      for_each_body(each.operation, [&](const Body& inner) { note_inside(inner); });
    }
  }
  bool is_outside(ValueId array) const {
    return !inside_.contains(array.index) || behind_.contains(array.index);
  }
  /// What the matrix shows the columns of, if it is transposed: there, or in the round.
  std::optional<ValueId> behind(ValueId matrix) const {
    const auto found = behind_.find(matrix.index);
    return found == behind_.end() ? around_.behind(matrix) : std::optional(found->second);
  }

  /// That of the maps.
  bool find_extent() {
    for (const Statement& each : loop_.body.statements)
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        extent_ = soac->extent;
        return true;
      }
    return false;
  }
  bool is_extent(const Operand& size) const { return around_.sizes.are_equal(size, extent_); }
  bool is_row_type(const Type& type) const {
    return type.rank() == 1 && is_extent(type.extents[0]);
  }

  bool take_states() {
    for (std::size_t i = 0; i < loop_.initial.size(); ++i) {
      const ValueId state = loop_.body.parameters[i + 1];
      const Type& type = function_.type(state);
      if (is_row_type(type)) {
        rows_.insert(state.index);
        initial_.push_back(loop_.initial[i].value());
      } else if (type.rank() == 2 && is_extent(type.extents[0]) && has_rounds(type.extents[1]) &&
                 (writes_columns() || !is_extent(type.extents[1]))) {
        tables_.insert(state.index);
        standing_.insert(state.index);
        initial_.push_back(loop_.initial[i].value());
      } else if (type.rank() == 2 && is_extent(type.extents[1]) && has_rounds(type.extents[0])) {
        tables_.insert(state.index);
        const ValueId initial = before_copies(loop_.initial[i].value());
        if (behind(initial))
          across_.insert(initial.index);
        else if (!around_.computed.contains(initial.index))
          return false;
        initial_.push_back(initial);
      } else {
        return false;
      }
    }
    return !loop_.initial.empty();
  }
  bool writes_columns() const {
    return std::ranges::any_of(loop_.body.statements, [](const Statement& each) {
      return std::holds_alternative<UpdateSlice>(each.operation);
    });
  }
  /// Whether nearly all rows may be written.
  bool has_rounds(const Operand& rows) const { return has_rounds(rows, loop_.bound); }
  bool has_rounds(const Operand& rows, const Operand& bound) const {
    if (around_.sizes.are_equal(rows, bound)) return true;
    if (bound.is_constant()) return false;
    const auto found = around_.scalars.find(bound.value().index);
    if (found == around_.scalars.end()) return false;
    // (None, if there would be less than none.)
    if (const auto* const choice = std::get_if<Select>(&found->second))
      return (choice->then_value == Operand::i64(0) && has_rounds(rows, choice->else_value)) ||
             (choice->else_value == Operand::i64(0) && has_rounds(rows, choice->then_value));
    const auto* const sum = std::get_if<ir::Primitive>(&found->second);
    if (!sum || sum->primitive != &row(primitives::Operation::Add, ElementType::I64)) return false;
    const Operand &from = sum->arguments[0], &by = sum->arguments[1];
    return by.is_constant() && around_.sizes.are_equal(from, rows) &&
           by.scalar().as<std::int64_t>() <= 0 &&
           by.scalar().as<std::int64_t>() >= -most_rows_besides;
  }
  /// What the array is a copy of, if that is as it was.
  ValueId before_copies(ValueId array) const {
    for (auto each = before_.rbegin(); each != before_.rend(); ++each) {
      if (const auto* copy = std::get_if<Copy>(&each->operation); copy && each->results[0] == array)
        array = copy->array;
      else if (!consumed_values(function_, each->operation).empty())
        break;
    }
    return array;
  }

  /// Whether it writes a whole column of a table whose rows are elements, with a row.
  bool is_column_write(const UpdateSlice& update) const {
    const auto is_whole = [](const Slice::Dimension& each) {
      return each.stride == Operand::i64(1);
    };
    return is_standing(update.array) && stood_.contains(update.value.index) &&
           update.dimensions.size() == 2 && std::ranges::all_of(update.dimensions, is_whole) &&
           update.dimensions[0].begin == Operand::i64(0);
  }
  /// Whether it makes a column of a row.
  bool is_column(const Reshape& view, const Type& type) const {
    return is_row(view.array) && type.rank() == 2 && is_extent(type.extents[0]) &&
           type.extents[1] == Operand::i64(1);
  }

  /// Whether it shows the columns of a table whose rows are elements.
  bool is_turned(ValueId value) const { return turned_.contains(value.index); }
  bool is_standing(ValueId table) const { return standing_.contains(table.index); }
  bool is_row(ValueId value) const { return rows_.contains(value.index); }
  bool is_table(ValueId value) const { return tables_.contains(value.index); }
  bool is_carried(const Operand& operand) const {
    return operand.is_value() &&
           (is_row(operand.value()) || is_table(operand.value()) || is_turned(operand.value()) ||
            stood_.contains(operand.value().index));
  }
  bool reads_carried(const ir::Operation& operation) const {
    bool found = false;
    for_each_operand(operation,
                     [&](const Operand& operand) { found = found || is_carried(operand); });
    return found;
  }

  /// Whether it uses what the round has transposed.
  bool shows_columns(const ir::Operation& operation) const {
    bool found = false;
    for_each_operand(operation, [&](const Operand& operand) {
      found = found || (operand.is_value() && behind_.contains(operand.value().index));
    });
    return found;
  }

  /// Whether the round is of maps, rows, and scalar code; notes which values are what.
  bool take_round() {
    unsigned besides = 0;
    for (const Statement& each : loop_.body.statements) {
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        if (!take(*soac)) return false;
        for (const ValueId result : each.results)
          rows_.insert(result.index);
        continue;
      }
      if (const auto* copy = std::get_if<Copy>(&each.operation)) {
        if (!is_row(copy->array)) return false;
        rows_.insert(each.results[0].index);
        continue;
      }
      if (const auto* update = std::get_if<Update>(&each.operation)) {
        if (!is_table(update->array) || is_standing(update->array) || update->indices.size() != 1 ||
            !update->value.is_value() || !is_row(update->value.value()))
          return false;
        tables_.insert(each.results[0].index);
        continue;
      }
      if (const auto* view = std::get_if<Reshape>(&each.operation)) {
        if (!is_column(*view, function_.type(each.results[0]))) return false;
        stood_.emplace(each.results[0].index, view->array);
        continue;
      }
      if (const auto* view = std::get_if<Transpose>(&each.operation)) {
        if (view->permutation != std::vector<std::uint32_t>{1, 0}) return false;
        if (is_standing(view->array))
          turned_.emplace(each.results[0].index, view->array);
        else if (is_outside(view->array))
          behind_.emplace(each.results[0].index, view->array);
        else
          return false;
        continue;
      }
      if (const auto* update = std::get_if<UpdateSlice>(&each.operation)) {
        if (!is_column_write(*update)) return false;
        tables_.insert(each.results[0].index);
        standing_.insert(each.results[0].index);
        continue;
      }
      if (const auto* index = std::get_if<ir::Index>(&each.operation);
          index && is_row_type(function_.type(each.results[0]))) {
        if (!take_row(*index)) return false;
        rows_.insert(each.results[0].index);
        continue;
      }
      const bool is_scalar = is_scalar_operation(each.operation) ||
                             (std::holds_alternative<ir::Index>(each.operation) &&
                              function_.type(each.results[0]).is_scalar());
      if (!is_scalar || reads_carried(each.operation)) return false;
      besides += cost(each);
    }
    return besides <= most_besides;
  }
  /// A row of something.
  bool take_row(const ir::Index& index) {
    if (is_table(index.array)) return !is_standing(index.array);
    if (is_turned(index.array)) return true;
    if (function_.type(index.array).rank() != 2) return false;
    note_read(index.array, false);
    return true;
  }
  /// `by_rows`: its first index is the element's, not its last.
  void note_read(ValueId matrix, bool by_rows) {
    const bool is_across = by_rows != behind(matrix).has_value();
    (is_across ? across_ : along_).insert(matrix.index);
  }

  /// A map of scalars.
  bool take(const Soac& soac) {
    if (!is_extent(soac.extent) || !has_only<MapGroup>(soac)) return false;
    for (const Operand& result : soac.body.results)
      if (!function_.type(result).is_scalar()) return false;
    for (const ValueId input : soac.inputs) {
      if ((is_carried(input) && !is_row(input)) || behind_.contains(input.index)) return false;
      if (!is_row(input) && function_.type(input).rank() > 1) note_read(input, true);
    }
    return take(soac.body, soac.body.parameters[0]);
  }
  /// Code of a map: of what is carried, it reads what stands at its own index.
  bool take(const Body& body, const Operand& element) {
    for (const Statement& each : body.statements) {
      if (const auto* index = std::get_if<ir::Index>(&each.operation)) {
        const std::vector<Operand>& at = index->indices;
        if (is_carried(index->array)) {
          if (at.size() != function_.type(index->array).rank() ||
              (is_standing(index->array) ? at.front() : at.back()) != element)
            return false;
        } else if (shows_columns(each.operation) && at.size() != 2) {
          return false;
        } else if (at.size() >= 2 && is_outside(index->array)) {
          if (at.back() == element && at.size() == 2)
            note_read(index->array, false);
          else if (at.front() == element)
            note_read(index->array, true);
        }
      } else if (reads_carried(each.operation) || shows_columns(each.operation) ||
                 std::holds_alternative<Soac>(each.operation)) {
        // (Threads may have more to do inside of it.)
        return false;
      }
      bool is_taken = true;
      for_each_body(each.operation, [&](const Body& inner) {
        is_taken = is_taken &&
                   std::ranges::none_of(
                       inner.results, [&](const Operand& result) { return is_carried(result); }) &&
                   take(inner, element);
      });
      if (!is_taken) return false;
    }
    return true;
  }

  /// What the next round is given is of the same kind.
  bool gives_states() const {
    for (std::size_t i = 0; i < loop_.body.results.size(); ++i) {
      const Operand& result = loop_.body.results[i];
      if (!result.is_value()) return false;
      const bool is_kept =
          is_row(loop_.body.parameters[i + 1]) ? is_row(result.value()) : is_table(result.value());
      if (!is_kept) return false;
    }
    return true;
  }

  bool is_worth_it(const std::vector<std::uint32_t>& uses) const {
    std::size_t turned = 0;
    for (std::size_t i = 0; i < statement_.results.size(); ++i) {
      const ValueId result = statement_.results[i];
      const ValueId state = loop_.body.parameters[i + 1];
      if (is_table(state) && !is_standing(state) && result.index < uses.size() &&
          uses[result.index] > 0)
        ++turned;
    }
    return !across_.empty() && along_.empty() && turned <= across_.size();
  }

  // ---- what is made

  Statements write() {
    map_.extent = extent_;
    element_ = value({ElementType::I64, {}});
    map_.body.parameters = {element_};
    For loop{loop_.bound, loop_.index_type, {}, {}};
    loop.body.parameters = {loop_.body.parameters[0]};
    for (std::size_t i = 0; i < initial_.size(); ++i)
      take_state(loop_.body.parameters[i + 1], initial_[i], loop);
    write_round(loop.body);
    std::vector<ValueId> last;
    for (const Operand& state : loop.initial) {
      last.push_back(value(function_.type(state)));
      map_.body.results.emplace_back(last.back());
      map_.groups.emplace_back(MapGroup{});
    }
    map_.body.statements.push_back({last, std::move(loop), span_});

    Statements views;
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < last.size(); ++i) {
      const Type type = function_.type(last[i]);
      ValueId result = statement_.results[i];
      if (!type.is_scalar() && !is_standing(loop_.body.parameters[i + 1])) {
        result = value(array_type(extent_, type));
        views.push_back({{statement_.results[i]}, Transpose{result, {1, 0}}, span_});
      }
      results.push_back(result);
    }
    Statements out;
    out.push_back({std::move(results), std::move(map_), span_});
    std::ranges::move(views, std::back_inserter(out));
    return out;
  }

  /// Its column, or its number, before the first round.
  void take_state(ValueId state, ValueId initial, For& loop) {
    const Type type = function_.type(state);
    if (is_row(state)) {
      loop.initial.emplace_back(given(initial));
      numbers_.emplace(state.index, value({type.element, {}}));
      loop.body.parameters.push_back(numbers_.at(state.index).value());
      return;
    }
    const bool stands = is_standing(state);
    const Type column{type.element, {type.extents[stands ? 1 : 0]}};
    const std::optional<ValueId> behind = stands ? initial : this->behind(initial);
    if (behind && (stands || is_extent(function_.type(*behind).extents[0]))) {
      const ValueId copied = value(column);
      map_.body.statements.push_back({{copied}, Copy{given(*behind)}, span_});
      loop.initial.emplace_back(copied);
    } else {
      const auto number = [&](ValueId at, Statements& out) {
        return std::vector<Operand>{element(initial, {at, element_}, out)};
      };
      loop.initial.emplace_back(map(column.extents[0], map_.body.statements, number)[0]);
    }
    columns_.emplace(state.index, value(column));
    loop.body.parameters.push_back(columns_.at(state.index));
  }
  /// The element of an array of outside that the map is given.
  ValueId given(ValueId array) {
    const auto at = std::ranges::find(map_.inputs, array) - map_.inputs.begin();
    if (at == std::ssize(map_.inputs)) {
      Type type = function_.type(array);
      type.extents.erase(type.extents.begin());
      map_.inputs.push_back(array);
      map_.body.parameters.push_back(value(std::move(type)));
    }
    return map_.body.parameters[static_cast<std::size_t>(at) + 1];
  }

  void write_round(Body& round) {
    for (const Statement& each : loop_.body.statements) {
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        write_map(*soac, each, round.statements);
      } else if (const auto* copy = std::get_if<Copy>(&each.operation)) {
        numbers_.emplace(each.results[0].index, numbers_.at(copy->array.index));
      } else if (const auto* update = std::get_if<Update>(&each.operation)) {
        const ValueId column = columns_.at(update->array.index);
        const ValueId result = value(function_.type(column));
        columns_.emplace(each.results[0].index, result);
        const Operand number = numbers_.at(update->value.value().index);
        round.statements.push_back({{result}, Update{column, update->indices, number}, each.span});
      } else if (const auto* update = std::get_if<UpdateSlice>(&each.operation)) {
        const ValueId column = columns_.at(update->array.index);
        const ValueId result = value(function_.type(column));
        columns_.emplace(each.results[0].index, result);
        const Operand number = numbers_.at(stood_.at(update->value.index).index);
        round.statements.push_back(
            {{result}, Update{column, {update->dimensions[1].begin}, number}, each.span});
      } else if (std::holds_alternative<Reshape>(each.operation) ||
                 std::holds_alternative<Transpose>(each.operation)) {
        continue; // it is of one element, or shows one's row
      } else if (is_row(each.results[0])) {
        const auto& index = std::get<ir::Index>(each.operation);
        const ValueId number = value({function_.type(index.array).element, {}});
        ir::Index read{index.array, {index.indices[0], element_}};
        turn(read, element_);
        numbers_.emplace(each.results[0].index, number);
        round.statements.push_back({{number}, std::move(read), each.span});
      } else {
        round.statements.push_back(each);
      }
    }
    for (const Operand& result : loop_.body.results)
      round.results.push_back(is_row(result.value()) ? numbers_.at(result.value().index)
                                                     : Operand(columns_.at(result.value().index)));
  }
  void write_map(const Soac& soac, const Statement& statement, Statements& out) {
    Body body = soac.body;
    std::vector<Replacement> known = {{body.parameters[0], Operand(element_)}};
    for (std::size_t i = 0; i < soac.inputs.size(); ++i)
      known.emplace_back(body.parameters[i + 1], is_row(soac.inputs[i])
                                                     ? numbers_.at(soac.inputs[i].index)
                                                     : Operand(given(soac.inputs[i])));
    read_columns(body, body.parameters[0], known);
    replace_uses(function_, body, known);
    for (std::size_t i = 0; i < statement.results.size(); ++i)
      numbers_.emplace(statement.results[i].index, body.results[i]);
    std::ranges::move(body.statements, std::back_inserter(out));
  }
  /// What code of a map reads at its own index, it reads of its own column.
  void read_columns(Body& body, const Operand& own, std::vector<Replacement>& known) {
    Statements kept;
    for (Statement& each : body.statements) {
      if (auto* index = std::get_if<ir::Index>(&each.operation)) {
        if (is_row(index->array)) {
          known.emplace_back(each.results[0], numbers_.at(index->array.index));
          continue;
        }
        turn(*index, own);
      }
      for_each_body(each.operation, [&](Body& inner) { read_columns(inner, own, known); });
      kept.push_back(std::move(each));
    }
    body.statements = std::move(kept);
  }
  /// `own`: what the element's index is called there.
  void turn(ir::Index& index, const Operand& own) {
    std::vector<Operand>& at = index.indices;
    if (is_turned(index.array)) {
      index.array = turned_.at(index.array.index);
      std::ranges::reverse(at);
    }
    if (const auto made = behind_.find(index.array.index); made != behind_.end()) {
      // (It stays behind in the round.)
      assert(at.size() == 2);
      index.array = made->second;
      std::ranges::reverse(at);
    }
    if (is_table(index.array)) {
      at.erase(is_standing(index.array) ? at.begin() : at.end() - 1);
      index.array = columns_.at(index.array.index);
      return;
    }
    if (at.size() < 2 || !is_outside(index.array)) return;
    const std::optional<ValueId> behind = this->behind(index.array);
    if (behind && at.size() == 2) {
      index.array = *behind;
      std::swap(at[0], at[1]);
    }
    if (at.front() != own || !is_extent(function_.type(index.array).extents[0])) return;
    index.array = given(index.array);
    at.erase(at.begin());
  }

  const Statement& statement_;
  const For& loop_;
  const Surroundings& around_;
  const Statements& before_;
  Operand extent_;
  std::unordered_set<std::uint32_t> inside_;          ///< defined by it
  std::unordered_set<std::uint32_t> rows_, tables_;   ///< of the round
  std::unordered_set<std::uint32_t> standing_;        ///< of tables: whose rows are elements
  std::unordered_map<std::uint32_t, ValueId> behind_; ///< transposed in it, by what shows that
  std::unordered_map<std::uint32_t, ValueId> stood_;  ///< rows as columns, by those
  std::unordered_map<std::uint32_t, ValueId> turned_; ///< of those, by what shows their columns
  std::unordered_set<std::uint32_t> across_, along_;  ///< of outside: how they are read
  std::vector<ValueId> initial_;                      ///< before copies
  Soac map_;
  ValueId element_;
  std::unordered_map<std::uint32_t, Operand> numbers_; ///< what stands for rows
  std::unordered_map<std::uint32_t, ValueId> columns_; ///< what stands for tables
};

void interchange(Function& function, Body& body, Surroundings& around,
                 const std::vector<std::uint32_t>& uses) {
  Statements out;
  for (Statement& statement : body.statements) {
    std::optional<Statements> written;
    if (std::holds_alternative<For>(statement.operation))
      written = ColumnLoop(function, statement, around, out).interchanged(uses);
    if (written) {
      for (Statement& each : *written) {
        around.note(each);
        out.push_back(std::move(each));
      }
      continue;
    }
    if (!std::holds_alternative<Soac>(statement.operation) &&
        !std::holds_alternative<Stream>(statement.operation))
      for_each_body(statement.operation, [&](Body& inner) {
        const std::size_t mark = around.sizes.mark();
        interchange(function, inner, around, uses);
        around.sizes.undo_to(mark);
      });
    around.note(statement);
    out.push_back(std::move(statement));
  }
  body.statements = std::move(out);
}

} // namespace

void interchange_column_loops(Function& function) {
  Surroundings around;
  interchange(function, function.body, around, count_uses(function));
}

} // namespace sinter::jit
