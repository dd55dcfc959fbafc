#include "jit/passes/counting_sorts.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/counted_elements.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/exclusive_sums.h"
#include "jit/passes/facts.h"
#include "jit/passes/round_values.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// A loop that may put elements where counts say.
class CountingSort : StatementWriter {
public:
  /// `uses`: how often each value is used.
  CountingSort(Function& function, std::span<const Body* const> around, const Statement& statement,
               const std::vector<std::uint32_t>& uses)
      : StatementWriter(function, statement.span), around_(around), statement_(statement),
        loop_(std::get<For>(statement.operation)), round_(loop_.body), values_(function, round_),
        uses_(uses) {}

  /// What stands for the loop; nothing if it does something else.
  std::optional<std::vector<Statement>> partition() {
    if (loop_.index_type != ElementType::I64 || !find_updates() || !are_read_once() ||
        !find_checks() || !is_known_code() || !are_counted())
      return std::nullopt;
    are_places_used_ = uses_[statement_.results[places_state_].index] > 0;
    if (kinds().is_constant()) {
      const auto count = kinds().scalar().as<std::int64_t>();
      if (count < 1 || count > ir::most_kinds) return std::nullopt;
      return written(statement_.results);
    }
    return written_for_few_kinds();
  }

private:
  Operand kinds() const { return function_.type(places_).extents[0]; }

  /// Whether the state is places, each of which moves on by one, and what is written there.
  bool find_updates() {
    if (round_.results.size() < 2) return false;
    std::vector<const Update*> updates;
    for (std::size_t state = 0; state < round_.results.size(); ++state) {
      const auto* update = defining<Update>(round_.statements, round_.results[state]);
      if (!update || update->array != round_.parameters[1 + state] || update->indices.size() != 1 ||
          function_.type(update->array).rank() != 1)
        return false;
      updates.push_back(update);
      if (const Index* place = moved_place(*update)) {
        if (place_) return false;
        place_ = place;
        places_state_ = state;
      }
    }
    if (!place_ || place_->indices[0].is_constant()) return false;
    places_ = place_->array;
    kind_ = place_->indices[0].value();
    for (std::size_t state = 0; state < updates.size(); ++state) {
      if (state == places_state_) continue;
      const Type& type = function_.type(updates[state]->array);
      if (updates[state]->indices[0] != Operand(where_) || type.extents[0] != loop_.bound)
        return false;
      written_.push_back(updates[state]->value);
    }
    return true;
  }
  /// The place, if the update adds one to it.
  const Index* moved_place(const Update& update) {
    const auto* sum =
        arguments_of(round_.statements, update.value, ScalarOperation::Add, ElementType::I64);
    if (!sum || (*sum)[1] != Operand::i64(1)) return nullptr;
    const auto* place = defining<Index>(round_.statements, (*sum)[0]);
    if (!place || place->array != update.array || place->indices != update.indices) return nullptr;
    where_ = (*sum)[0].value();
    return place;
  }

  /// Whether nothing else reads the state, or what is made of it.
  bool are_read_once() const {
    for (std::size_t state = 0; state < round_.results.size(); ++state)
      if (values_.uses(round_.parameters[1 + state]) != (state == places_state_ ? 2 : 1) ||
          values_.uses(round_.results[state]) != 1)
        return false;
    return true;
  }

  /// What the round fails by: by nothing but kinds that there are not.
  bool find_checks() {
    Facts facts(function_);
    facts.index_below(round_.parameters[0], loop_.bound);
    facts.note_type(function_.type(places_));
    bool is_place_known = false;
    for (const Statement& statement : round_.statements) {
      facts.define(statement);
      if (std::get_if<Index>(&statement.operation) == place_) {
        is_kind_evident_ = !guard_ && facts.is_within(kind_, kinds());
        facts.index_below(where_, loop_.bound);
        is_place_known = true;
      } else if (const auto* check = std::get_if<Check>(&statement.operation)) {
        if (facts.decide(check->condition) == true) continue;
        if (guard_ || is_place_known) return false;
        guard_ = check;
        facts.assume(check->condition, true);
      }
    }
    return is_place_known;
  }

  /// Whether all is computed from the element alone.
  bool is_known_code() {
    std::vector<Operand> needed = written_;
    needed.emplace_back(kind_);
    if (guard_) needed.push_back(guard_->condition);
    code_ = statements_needed(function_, round_, needed);
    const auto is_state = [&](const Operand& operand) {
      return operand == Operand(where_) ||
             std::find(round_.parameters.begin() + 1, round_.parameters.end(), operand) !=
                 round_.parameters.end();
    };
    return std::ranges::none_of(written_, is_state) &&
           std::ranges::all_of(code_, [&](const Statement& statement) {
             bool is_known = std::holds_alternative<ir::Primitive>(statement.operation) ||
                             std::holds_alternative<Select>(statement.operation) ||
                             std::holds_alternative<Index>(statement.operation);
             for_each_operand(statement.operation, [&](const Operand& operand) {
               is_known = is_known && !is_state(operand);
             });
             return is_known && function_.type(statement.results[0]).is_scalar();
           });
  }

  /// Whether the first places are sums of how many elements there are of the kinds before.
  bool are_counted() {
    const auto counts = summed_before(around_, loop_.initial[places_state_]);
    const Statement* statement = counts ? definition_around(around_, *counts) : nullptr;
    const auto* soac = statement ? std::get_if<Soac>(&statement->operation) : nullptr;
    if (!soac || soac->extent != loop_.bound) return false;
    bool result = false;
    for_each_group(*soac, [&](const Group& group, std::size_t from, std::size_t to) {
      if (statement->results[to] == *counts && counts_ones(*soac, group, from))
        result = is_kind(*statement, *soac, soac->body.results[from]);
    });
    return result;
  }
  bool counts_ones(const Soac& soac, const Group& group, std::size_t from) const {
    const auto* bins = std::get_if<HistogramGroup>(&group);
    if (!bins || bins->index_count != 1 || bins->destinations.size() != 1 ||
        bins->neutral != std::vector{Operand::i64(0)} ||
        soac.body.results[from + 1] != Operand::i64(1))
      return false;
    const primitives::Primitive* combine = component_operation(bins->combine, 0);
    const Statement* zeros = definition_around(around_, bins->destinations[0]);
    const auto* made = zeros ? std::get_if<Soac>(&zeros->operation) : nullptr;
    return combine && combine->operation == ScalarOperation::Add && made &&
           made->groups.size() == 1 && has_only<MapGroup>(*made) &&
           made->body.results[0] == Operand::i64(0);
  }
  /// Whether the number of a SOAC's body is the kind of the element there.
  bool is_kind(const Statement& statement, const Soac& soac, const Operand& number) {
    // (Both in one body: the round may read what the SOAC makes.)
    std::vector<Replacement> names{{round_.parameters[0], soac.body.parameters[0]}};
    Body code{{}, {}, {kind_}};
    for (const Statement& each : code_) {
      const auto* read = std::get_if<Index>(&each.operation);
      const auto element =
          read && is_at_own_index(*read) ? element_of(statement, soac, read->array) : std::nullopt;
      if (element)
        names.emplace_back(each.results[0], *element);
      else
        code.statements.push_back(each);
    }
    code = clone(function_, code, names);
    Soac both{soac.extent, soac.inputs, soac.body, {}};
    std::ranges::copy(code.statements, std::back_inserter(both.body.statements));
    return CodeComparison(both, both).are_same(number, code.results[0]);
  }
  /// What the SOAC's body gives for an element of the array; nothing if it does not make that.
  static std::optional<Operand> element_of(const Statement& statement, const Soac& soac,
                                           ValueId array) {
    std::optional<Operand> element;
    for_each_group(soac, [&](const Group& group, std::size_t from, std::size_t to) {
      if (std::holds_alternative<MapGroup>(group) && statement.results[to] == array)
        element = soac.body.results[from];
    });
    return element;
  }
  bool is_at_own_index(const Index& read) const {
    return read.indices == std::vector{Operand(round_.parameters[0])};
  }

  /// A SOAC over the elements whose body is the code that these need.
  Soac over_elements(std::vector<Operand> results) {
    Soac soac;
    soac.extent = loop_.bound;
    Body code{{}, code_, std::move(results)};
    soac.body.parameters = {round_.parameters[0]};
    for (Statement& statement : statements_needed(function_, code, code.results)) {
      const auto* read = std::get_if<Index>(&statement.operation);
      if (read && is_at_own_index(*read) && function_.type(read->array).extents[0] == soac.extent) {
        soac.inputs.push_back(read->array);
        soac.body.parameters.push_back(statement.results[0]);
      } else {
        soac.body.statements.push_back(std::move(statement));
      }
    }
    soac.body.results = std::move(code.results);
    soac.body = clone(function_, soac.body);
    return soac;
  }

  /// The check of all kinds, and the partition; they define these.
  std::vector<Statement> written(const std::vector<ValueId>& results) {
    std::vector<Statement> out;
    if (guard_) {
      Statement guard{{value({ElementType::Bool, {}})}, {}, span()};
      Soac soac = over_elements({guard_->condition});
      soac.groups = {ReduceGroup{{Operand::constant(ElementType::Bool, Scalar::of(true))},
                                 combine_by(row(ScalarOperation::And, ElementType::Bool)),
                                 true,
                                 {}}};
      guard.operation = std::move(soac);
      const Operand holds = guard.results[0];
      out.push_back(std::move(guard));
      out.push_back({{}, Check{holds, guard_->site}, span()});
    }
    const Operand last = is_kind_evident_ ? Operand()
                                          : scalar(row(ScalarOperation::Add, ElementType::I64),
                                                   {kinds(), Operand::i64(-1)}, out);
    std::vector<Operand> elements{kind_};
    std::ranges::copy(written_, std::back_inserter(elements));
    Soac soac = over_elements(std::move(elements));
    soac.body.results[0] = kind_number(soac.body.results[0], last, soac.body.statements);
    soac.groups = {PartitionGroup{kinds(), static_cast<std::uint32_t>(written_.size())}};
    Statement partition{{value({ElementType::I64, {kinds()}})}, std::move(soac), span()};
    for (std::size_t state = 0; state < results.size(); ++state)
      if (state != places_state_) partition.results.push_back(results[state]);
    const ValueId counts = partition.results[0];
    out.push_back(std::move(partition));
    if (are_places_used_) write_places(counts, results[places_state_], out);
    return out;
  }
  /// As a partition has it; never outside, though only a check before says so.
  Operand kind_number(Operand number, const Operand& last, std::vector<Statement>& out) {
    ElementType element = ElementType::I64;
    if (!is_kind_evident_) {
      const auto& to_unsigned = *primitives::conversion(ElementType::I64, ElementType::U64);
      number = scalar(to_unsigned, {number}, out);
      const Operand most = scalar(to_unsigned, {last}, out);
      number = scalar(row(ScalarOperation::Minimum, ElementType::U64), {number, most}, out);
      element = ElementType::U64;
    }
    return scalar(*primitives::conversion(element, ElementType::I32), {number}, out);
  }
  /// Where the places are in the end: behind each kind's elements.
  void write_places(ValueId counts, ValueId result, std::vector<Statement>& out) {
    Soac soac;
    soac.extent = kinds();
    soac.inputs = {loop_.initial[places_state_].value(), counts};
    soac.body.parameters = {value({ElementType::I64, {}}), value({ElementType::I64, {}}),
                            value({ElementType::I64, {}})};
    soac.body.results = {scalar(row(ScalarOperation::Add, ElementType::I64),
                                {soac.body.parameters[1], soac.body.parameters[2]},
                                soac.body.statements)};
    soac.groups = {MapGroup{}};
    out.push_back({{result}, std::move(soac), span()});
  }

  std::vector<ValueId> fresh_results() {
    std::vector<ValueId> results;
    for (const ValueId result : statement_.results)
      results.push_back(value(function_.type(result)));
    return results;
  }
  std::vector<Statement> written_for_few_kinds() {
    are_places_used_ = true;
    std::vector<Statement> out;
    const Operand some =
        scalar(row(ScalarOperation::LessEqual, ElementType::I64), {Operand::i64(1), kinds()}, out);
    const Operand few = scalar(row(ScalarOperation::LessEqual, ElementType::I64),
                               {kinds(), Operand::i64(ir::most_kinds)}, out);
    If choice;
    choice.condition = scalar(row(ScalarOperation::And, ElementType::Bool), {some, few}, out);
    const std::vector<ValueId> partitioned = fresh_results(), looped = fresh_results();
    choice.then_body = {{}, written(partitioned), {partitioned.begin(), partitioned.end()}};
    choice.else_body = {{}, {statement_}, {looped.begin(), looped.end()}};
    choice.else_body.statements[0].results = looped;
    out.push_back({statement_.results, std::move(choice), span()});
    return out;
  }

  std::span<const Body* const> around_;
  const Statement& statement_;
  const For& loop_;
  const Body& round_;
  RoundValues values_;
  const std::vector<std::uint32_t>& uses_;

  std::size_t places_state_ = 0;
  const Index* place_ = nullptr;  ///< what reads a place
  ValueId places_, kind_, where_; ///< the array, the index, the place
  std::vector<Operand> written_;  ///< by other states, in order
  const Check* guard_ = nullptr;  ///< that the kind is one
  bool is_kind_evident_ = false;  ///< without it
  bool are_places_used_ = false;  ///< after the loop
  std::vector<Statement> code_;   ///< what the kind, the check and what is written need
};

class CountingSorts {
public:
  explicit CountingSorts(Function& function) : function_(function), uses_(count_uses(function)) {}

  void body(Body& body) {
    around_.push_back(&body);
    for (std::size_t at = 0; at < body.statements.size(); ++at) {
      if (std::holds_alternative<For>(body.statements[at].operation))
        if (auto partition =
                CountingSort(function_, around_, body.statements[at], uses_).partition()) {
          const auto count = partition->size();
          body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(at));
          body.statements.insert(body.statements.begin() + static_cast<std::ptrdiff_t>(at),
                                 std::make_move_iterator(partition->begin()),
                                 std::make_move_iterator(partition->end()));
          at += count - 1;
          continue;
        }
      if (!std::holds_alternative<Soac>(body.statements[at].operation))
        for_each_body(body.statements[at].operation, [&](Body& inner) { this->body(inner); });
    }
    around_.pop_back();
  }

private:
  Function& function_;
  std::vector<std::uint32_t> uses_; ///< as they were before
  std::vector<const Body*> around_; ///< the last one is at hand
};

} // namespace

void write_counting_sorts(Function& function) {
  CountingSorts(function).body(function.body);
}

} // namespace sinter::jit
