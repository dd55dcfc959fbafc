#include "jit/passes/separate_states.h"

#include "jit/ir/operations.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/carried_states.h"
#include "jit/passes/counted_checks.h"
#include "jit/passes/round_checks.h"
#include "jit/passes/round_count.h"
#include "jit/passes/round_values.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

/// A running value that the round reads: `next = state op term`.
struct RunningValue {
  std::size_t state = 0;
  const Statement* step = nullptr;
  const primitives::Primitive* primitive = nullptr;
  Scalar neutral{};
  Operand term;
  bool reads_before = false;     ///< whether the round reads what the round before has left
  std::vector<Operand> bounds{}; ///< more it must not come to
};
/// What goes with what has been best so far: of the round that it is of.
struct Companion {
  std::size_t state = 0;
  Operand value;
};
/// `best = select (x before best) x best`, and what goes with it.
struct BestSoFar {
  std::size_t state = 0;
  std::vector<Companion> companions;
  Operand element;
  ScalarOperation order{};   ///< Greater, or Less
  bool takes_equals = false; ///< of equals the last one is the best, else the first
};
/// A comparison as one of these.
struct Order {
  ScalarOperation order{}; ///< Greater, or Less
  bool takes_equals = false;
};
std::optional<Order> order_of(ScalarOperation operation) {
  switch (operation) {
  case ScalarOperation::Greater:
    return Order{ScalarOperation::Greater, false};
  case ScalarOperation::GreaterEqual:
    return Order{ScalarOperation::Greater, true};
  case ScalarOperation::Less:
    return Order{ScalarOperation::Less, false};
  case ScalarOperation::LessEqual:
    return Order{ScalarOperation::Less, true};
  default:
    return std::nullopt;
  }
}
ScalarOperation opposite(ScalarOperation order) {
  return order == ScalarOperation::Greater ? ScalarOperation::Less : ScalarOperation::Greater;
}

class Separator : StatementWriter {
public:
  Separator(Function& function, const Statement& statement, Facts& facts)
      : StatementWriter(function, statement.span), statement_(statement),
        loop_(std::get<For>(statement.operation)), round_(function, loop_.body), facts_(facts) {}

  std::optional<Statements> write() {
    const bool has_few_rounds = !loop_.is_parallel && loop_.bound.is_constant() &&
                                loop_.bound.scalar().as<std::int64_t>() <= few_rounds;
    if (loop_.index_type != ElementType::I64 || has_few_rounds) return std::nullopt;
    find();
    if (running_.empty() && best_.empty()) return std::nullopt;
    if (!note_long_ones()) return std::nullopt;
    For rest = loop_;
    lift_checks(rest.body);
    for (RunningValue& one : running_)
      if (one.primitive == &row(ScalarOperation::Add, ElementType::I64))
        one.bounds =
            take_out_counted_checks(rest.body, round_, parameter(one.state).value(), one.term);
    if (may_fail(rest.body)) return std::nullopt;
    extent_ = extent_of_rounds(function_, loop_.bound, span_, facts_, out_);
    std::vector<ValueId> results = statement_.results;
    for (const RunningValue& one : running_)
      write(one, rest);
    for (const BestSoFar& one : best_)
      write(one);
    take_out(rest, results);
    if (std::ranges::any_of(rest.body.statements,
                            [&](const Statement& each) { return is_long_one(each); }))
      return std::nullopt;
    if (!rest.initial.empty()) {
      if (!CarriedStates(function_, rest, &facts_).changes()) return std::nullopt;
      out_.push_back({std::move(results), std::move(rest), span_});
    }
    return std::move(out_);
  }

private:
  // ---- what a round holds

  std::size_t uses(const Operand& operand) const { return round_.uses(operand); }
  /// Of a value that the round's own statements compute.
  template <typename Kind>
  const Kind* definition(const Operand& operand) const {
    if (!round_.is_computed_in(loop_.body, operand)) return nullptr;
    return std::get_if<Kind>(&round_.definition(operand)->operation);
  }
  Operand parameter(std::size_t state) const { return loop_.body.parameters[state + 1]; }

  /// The round's statements, in order, that the value needs: those that compute it of the round's
  /// number and of what is outside.
  std::optional<Statements> slice(const Operand& value) const {
    std::unordered_set<std::uint32_t> needed;
    if (value.is_value()) needed.insert(value.value().index);
    Statements result;
    for (auto each = loop_.body.statements.rbegin(); each != loop_.body.statements.rend(); ++each) {
      if (std::ranges::none_of(each->results,
                               [&](ValueId made) { return needed.contains(made.index); }))
        continue;
      if (!may_be_anywhere(each->operation)) return std::nullopt;
      for (const ValueId used : free_values(function_, *each))
        needed.insert(used.index);
      result.push_back(*each);
    }
    for (std::size_t state = 0; state < loop_.initial.size(); ++state)
      if (needed.contains(parameter(state).value().index)) return std::nullopt;
    std::ranges::reverse(result);
    return result;
  }
  /// What a SOAC's body, or code after the loop, computes as well: nothing is overwritten by it.
  bool may_be_anywhere(const ir::Operation& operation) const {
    if (has_bodies(operation))
      return !std::holds_alternative<Stream>(operation) &&
             consumed_values(function_, operation).empty();
    return row_of(operation).has(laws::Scalar) || is_strided_view(operation);
  }
  static bool has_bodies(const ir::Operation& operation) {
    bool has_any = false;
    for_each_body(operation, [&](const Body&) { has_any = true; });
    return has_any;
  }
  bool is_short(const std::optional<Statements>& statements) const {
    return statements && std::ranges::none_of(*statements, [](const Statement& each) {
             return has_bodies(each.operation);
           });
  }
  /// What takes long had better not be computed twice in place of once: notes what reductions do.
  /// False if several of them would do the same.
  bool note_long_ones() {
    for (const BestSoFar& one : best_) {
      const std::optional<Statements> statements = slice(one.element);
      for (const Statement& each : *statements)
        if (has_bodies(each.operation) && !long_ones_.insert(each.results[0].index).second)
          return false;
    }
    return true;
  }
  bool is_long_one(const Statement& statement) const {
    return !statement.results.empty() && long_ones_.contains(statement.results[0].index);
  }

  // ---- which states

  void find() {
    for (std::size_t state = 0; state < loop_.initial.size(); ++state) {
      if (!function_.type(parameter(state)).is_scalar() || is_extent(state)) continue;
      if (std::optional<RunningValue> one = running_value(state))
        running_.push_back(std::move(*one));
      else if (std::optional<BestSoFar> best = best_so_far(state))
        best_.push_back(std::move(*best));
    }
  }
  /// Whether an array of the loop has as many elements, in this round or the next one.
  bool is_extent(std::size_t state) const {
    const auto has_it = [&](ValueId array) {
      return std::ranges::any_of(function_.type(array).extents, [&](const Operand& extent) {
        return extent == parameter(state) || extent == loop_.body.results[state];
      });
    };
    return std::ranges::any_of(loop_.body.parameters, has_it) ||
           std::ranges::any_of(loop_.body.statements, [&](const Statement& each) {
             return std::ranges::any_of(each.results, has_it);
           });
  }
  std::optional<RunningValue> running_value(std::size_t state) const {
    const Operand from = parameter(state), to = loop_.body.results[state];
    const auto* step = definition<ir::Primitive>(to);
    if (!step || step->arguments.size() != 2) return std::nullopt;
    const bool is_left = step->arguments[0] == from;
    if (is_left == (step->arguments[1] == from)) return std::nullopt;
    if (uses(from) == 1 && uses(to) == 1) return std::nullopt; // a fold
    const std::optional<Scalar> neutral = neutral_of_any_order(*step->primitive);
    if (!neutral) return std::nullopt;
    const ScalarOperation operation = step->primitive->operation;
    const bool has_inverse = operation == ScalarOperation::Add || operation == ScalarOperation::Xor;
    const bool reads_before = uses(from) != 1;
    if (reads_before && !has_inverse) return std::nullopt;
    const Operand& term = step->arguments[is_left ? 1 : 0];
    if (!is_short(slice(term))) return std::nullopt;
    return RunningValue{state, round_.definition(to), step->primitive, *neutral,
                        term,  reads_before};
  }
  std::optional<BestSoFar> best_so_far(std::size_t state) const {
    const Operand from = parameter(state), to = loop_.body.results[state];
    const auto* choice = definition<Select>(to);
    if (!choice || uses(to) != 1 || uses(from) != 2) return std::nullopt;
    const bool truth = choice->else_value == from; // of the condition, where a round is better
    if (!truth && choice->then_value != from) return std::nullopt;
    const Operand& element = truth ? choice->then_value : choice->else_value;
    const auto* comparison = definition<ir::Primitive>(choice->condition);
    const Type type = function_.type(from);
    if (!comparison || comparison->arguments.size() != 2 || !has_order(type) || !slice(element))
      return std::nullopt;
    const bool is_left = comparison->arguments[0] == element && comparison->arguments[1] == from;
    const bool is_right = comparison->arguments[1] == element && comparison->arguments[0] == from;
    std::optional<Order> order = order_of(comparison->primitive->operation);
    // (What is not in order, which is of floats alone, is not in the opposite order.)
    if (is_left == is_right || !order || (!truth && is_float(type.element))) return std::nullopt;
    if (is_right) order->order = opposite(order->order);
    if (!truth) order = Order{opposite(order->order), !order->takes_equals};
    BestSoFar best{state, {}, element, order->order, order->takes_equals};
    for (std::size_t other = 0; other < loop_.initial.size(); ++other) {
      const Operand next = loop_.body.results[other];
      const auto* other_choice = definition<Select>(next);
      if (other == state || !other_choice || other_choice->condition != choice->condition ||
          !function_.type(next).is_scalar())
        continue;
      const auto& [now, before] =
          truth ? std::pair(other_choice->then_value, other_choice->else_value)
                : std::pair(other_choice->else_value, other_choice->then_value);
      if (before == parameter(other) && uses(before) == 1 && uses(next) == 1 && slice(now))
        best.companions.push_back({other, now});
    }
    // (Else what stays would ask what has been best so far.)
    if (uses(choice->condition) != 1 + best.companions.size()) return std::nullopt;
    return best;
  }
  static bool has_order(const Type& type) {
    return type.element == ElementType::F32 || type.element == ElementType::F64 ||
           is_integer(type.element);
  }

  // ---- what stands for them

  /// Checks that are the same in all rounds fail in the first round, if there is one; what they
  /// need comes before the loop.  (Of those that are not, rounds that come to them late might have
  /// read what is not there.)
  void lift_checks(Body& round) {
    std::unordered_set<std::uint32_t> changing;
    for (const ValueId parameter : round.parameters)
      changing.insert(parameter.index);
    Statements kept;
    bool may_have_failed = false;
    for (Statement& each : round.statements) {
      bool is_same = true;
      for_each_operand(std::as_const(each.operation), [&](const Operand& operand) {
        is_same = is_same && !(operand.is_value() && changing.contains(operand.value().index));
      });
      const OperationRow& row_of_operation = row_of(each.operation);
      const auto* check = std::get_if<Check>(&each.operation);
      if (is_same && check && !may_have_failed) {
        lift(*check, each.span);
      } else if (is_same && row_of_operation.has(laws::Scalar) &&
                 row_of_operation.has(laws::Total)) {
        out_.push_back(std::move(each));
      } else {
        may_have_failed = may_have_failed || may_fail(each.operation);
        for (const ValueId result : each.results)
          changing.insert(result.index);
        kept.push_back(std::move(each));
      }
    }
    round.statements = std::move(kept);
    checked_ = take_out_round_checks(function_, loop_.bound, round, span_, out_);
  }
  void lift(const Check& check, Span span) {
    const Operand none = scalar(ScalarOperation::LessEqual, loop_.bound, Operand::i64(0), out_);
    const Operand holds =
        scalar(row(ScalarOperation::Or, ElementType::Bool), {none, check.condition}, out_);
    out_.push_back({{}, Check{holds, check.site}, span});
  }
  /// The statements that compute the value, once more, for a SOAC's index or another round.
  Operand written(const Operand& needed, const Operand& index, Statements& out) {
    Body round{{loop_.body.parameters[0]}, *slice(needed), {needed}};
    for (Statement& each : round.statements)
      if (auto* const loop = std::get_if<For>(&each.operation))
        std::erase_if(loop->body.statements, [&](const Statement& inner) {
          const auto* const check = std::get_if<Check>(&inner.operation);
          return check && std::ranges::count(checked_, check->condition) > 0;
        });
    round = clone(function_, round);
    replace_uses(function_, round, std::vector<Replacement>{{round.parameters[0], index}});
    std::ranges::move(round.statements, std::back_inserter(out));
    return round.results[0] == Operand(round.parameters[0]) ? index : round.results[0];
  }
  Soac soac_of(const Operand& needed) {
    const ValueId index = value({ElementType::I64, {}});
    Soac soac{extent_, {}, {{index}, {}, {}}, {}};
    soac.body.results = {written(needed, index, soac.body.statements)};
    return soac;
  }
  void write(const RunningValue& one, For& rest) {
    const primitives::Primitive& primitive = *one.primitive;
    const Operand neutral = Operand::constant(primitive.result, one.neutral);
    const Operand initial = loop_.initial[one.state];
    Soac prefixes = soac_of(one.term), all = soac_of(one.term);
    prefixes.groups.emplace_back(ScanGroup{{neutral}, combine_by(primitive), {}});
    all.groups.emplace_back(ReduceGroup{{neutral}, combine_by(primitive), true});
    const ValueId running = value(array_type(extent_, {primitive.result, {}}));
    const ValueId total = value({primitive.result, {}});
    out_.push_back({{running}, std::move(prefixes), span_});
    out_.push_back({{total}, std::move(all), span_});
    out_.push_back(
        {{statement_.results[one.state]}, ir::Primitive{&primitive, {initial, total}}, span_});
    for (const Operand& bound : one.bounds)
      require(scalar(row(ScalarOperation::LessEqual, ElementType::I64),
                     {statement_.results[one.state], bound}, out_),
              "places counted beyond an array, which compiled code does not have here", out_);
    // In the rest of the loop: what the round before has left is what this one leaves, less its
    // own term.
    const ValueId index = rest.body.parameters[0];
    Statements before;
    const Operand after = scalar(primitive, {initial, element(running, {index}, before)}, before);
    std::vector<Replacement> replacements = {{one.step->results[0], after}};
    if (one.reads_before) {
      const bool adds = primitive.operation == ScalarOperation::Add;
      const primitives::Primitive& inverse =
          row(adds ? ScalarOperation::Subtract : ScalarOperation::Xor, primitive.result);
      const Operand term = written(one.term, index, before);
      replacements.emplace_back(parameter(one.state).value(),
                                scalar(inverse, {after, term}, before));
    }
    std::erase_if(rest.body.statements,
                  [&](const Statement& each) { return each.results == one.step->results; });
    replace_uses(function_, rest.body, replacements);
    for (Operand& result : rest.body.results)
      for (const auto& [old, now] : replacements)
        if (result == Operand(old)) result = now;
    rest.body.statements.insert(rest.body.statements.begin(),
                                std::make_move_iterator(before.begin()),
                                std::make_move_iterator(before.end()));
    gone_.insert(one.state);
  }

  /// The value that no other one of the type is behind in the order.
  static Operand last_in_order(ElementType type, ScalarOperation order) {
    return with_cpp_type(type, [&]<typename T>() {
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        return Operand::constant(
            type, Scalar::of(order == ScalarOperation::Greater ? -infinity : infinity));
      } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        return Operand::constant(type, Scalar::of(order == ScalarOperation::Greater
                                                      ? std::numeric_limits<T>::min()
                                                      : std::numeric_limits<T>::max()));
      } else {
        return Operand();
      }
    });
  }
  /// The better of two pairs of an element and its index.
  Body better_of(ElementType type, const BestSoFar& best) {
    const Type of_value{type, {}}, of_index{ElementType::I64, {}};
    Body body{{value(of_value), value(of_index), value(of_value), value(of_index)}, {}, {}};
    const Operand a = body.parameters[0], i = body.parameters[1], b = body.parameters[2],
                  j = body.parameters[3];
    Statements& out = body.statements;
    const Operand is_better = scalar(row(best.order, type), {a, b}, out);
    const Operand is_equal = scalar(row(ScalarOperation::Equal, type), {a, b}, out);
    const ScalarOperation which =
        best.takes_equals ? ScalarOperation::Greater : ScalarOperation::Less;
    const Operand comes_here = scalar(row(which, ElementType::I64), {i, j}, out);
    const Operand is_that_of_equals =
        scalar(row(ScalarOperation::And, ElementType::Bool), {is_equal, comes_here}, out);
    const Operand stays =
        scalar(row(ScalarOperation::Or, ElementType::Bool), {is_better, is_that_of_equals}, out);
    body.results = {chosen(stays, a, b, of_value, out), chosen(stays, i, j, of_index, out)};
    return body;
  }
  Operand chosen(const Operand& condition, const Operand& one, const Operand& other,
                 const Type& type, Statements& out) {
    const ValueId result = value(type);
    out.push_back({{result}, Select{condition, one, other}, span_});
    return result;
  }

  /// Of the rounds' elements.  Where rounds read all elements of an array but the first (which is
  /// mostly what they begin with), the SOAC goes along the whole array, so that it goes together
  /// with what makes that.
  Soac soac_of_elements(const BestSoFar& best, const Operand& last,
                        const std::optional<ValueId>& whole) {
    if (!whole) return soac_of(best.element);
    const Type type = function_.type(best.element);
    const ValueId place = value({ElementType::I64, {}});
    Soac soac{function_.type(*whole).extents[0], {}, {{place}, {}, {}}, {}};
    Statements& out = soac.body.statements;
    const Operand read = element(*whole, {place}, out);
    const Operand is_first =
        scalar(row(ScalarOperation::Equal, ElementType::I64), {place, Operand::i64(0)}, out);
    soac.body.results = {chosen(is_first, last, read, type, out)};
    return soac;
  }
  /// The array of which the value is the element behind the round's index; of as many elements as
  /// there are rounds, and one.
  std::optional<ValueId> read_from_the_second_on(const Operand& value) const {
    const auto* read = definition<ir::Index>(value);
    if (!read || read->indices.size() != 1 || round_.is_inside(read->array)) return std::nullopt;
    const auto* place = definition<ir::Primitive>(read->indices[0]);
    const Operand round = loop_.body.parameters[0], one = Operand::i64(1);
    if (!place || place->primitive->operation != ScalarOperation::Add) return std::nullopt;
    if (place->arguments != std::vector<Operand>{round, one} &&
        place->arguments != std::vector<Operand>{one, round})
      return std::nullopt;
    const Operand length = function_.type(read->array).extents[0];
    const auto* less = facts_.primitive(extent_);
    const bool is_all_but_one =
        length.is_constant() && extent_.is_constant()
            ? length.scalar().as<std::int64_t>() == extent_.scalar().as<std::int64_t>() + 1
            : less && less->primitive->operation == ScalarOperation::Add &&
                  less->arguments == std::vector<Operand>{length, Operand::i64(-1)};
    return is_all_but_one ? std::optional(read->array) : std::nullopt;
  }

  void write(const BestSoFar& best) {
    const Type type = function_.type(parameter(best.state)), of_index{ElementType::I64, {}};
    const Operand last = last_in_order(type.element, best.order);
    const std::optional<ValueId> whole = read_from_the_second_on(best.element);
    Soac soac = soac_of_elements(best, last, whole);
    // An index of no round, that no round of an equal element gives way to.
    const Operand none = best.takes_equals ? Operand::i64(-1) : soac.extent;
    Statements& round = soac.body.statements;
    Operand &given = soac.body.results[0], index = soac.body.parameters[0];
    if (is_float(type.element)) {
      const Operand is_number =
          scalar(row(ScalarOperation::Equal, type.element), {given, given}, round);
      given = chosen(is_number, given, last, type, round);
      if (best.takes_equals) index = chosen(is_number, index, none, of_index, round);
    }
    soac.body.results.push_back(index);
    soac.groups.emplace_back(ReduceGroup{{last, none}, better_of(type.element, best), true});
    const ValueId found = value(type), place = value(of_index);
    out_.push_back({{found, place}, std::move(soac), span_});
    const Operand at =
        whole ? scalar(ScalarOperation::Add, place, Operand::i64(-1), out_) : Operand(place);
    const Operand& initial = loop_.initial[best.state];
    Operand is_better = scalar(row(best.order, type.element), {found, initial}, out_);
    if (best.takes_equals) {
      const Operand is_equal =
          scalar(row(ScalarOperation::Equal, type.element), {found, initial}, out_);
      const Operand is_any =
          scalar(row(ScalarOperation::LessEqual, ElementType::I64), {Operand::i64(0), at}, out_);
      const Operand is_later =
          scalar(row(ScalarOperation::And, ElementType::Bool), {is_equal, is_any}, out_);
      is_better = scalar(row(ScalarOperation::Or, ElementType::Bool), {is_better, is_later}, out_);
    }
    give(best.state, is_better, found, {});
    for (const Companion& companion : best.companions) {
      Statements statements;
      const Operand now = written(companion.value, at, statements);
      give(companion.state, is_better, now, std::move(statements));
    }
  }
  /// The loop's result for a state: what the statements give, if that is better.
  void give(std::size_t state, const Operand& is_better, const Operand& now,
            Statements statements) {
    const Operand& initial = loop_.initial[state];
    const ValueId result = statement_.results[state];
    if (statements.empty())
      out_.push_back({{result}, Select{is_better, now, initial}, span_});
    else
      out_.push_back({{result},
                      If{is_better, {{}, std::move(statements), {now}}, {{}, {}, {initial}}},
                      span_});
    gone_.insert(state);
  }

  /// The states that are gone, and what only they needed.
  void take_out(For& rest, std::vector<ValueId>& results) const {
    const For all = std::move(rest);
    rest.bound = all.bound;
    rest.index_type = all.index_type;
    rest.is_parallel = all.is_parallel;
    rest.initial.clear();
    rest.body = {{all.body.parameters[0]}, {}, {}};
    results.clear();
    for (std::size_t state = 0; state < all.initial.size(); ++state) {
      if (gone_.contains(state)) continue;
      rest.initial.push_back(all.initial[state]);
      rest.body.parameters.push_back(all.body.parameters[state + 1]);
      rest.body.results.push_back(all.body.results[state]);
      results.push_back(statement_.results[state]);
    }
    std::unordered_set<std::uint32_t> needed;
    const auto need = [&](ValueId used) { needed.insert(used.index); };
    for (const Operand& result : rest.body.results)
      if (result.is_value()) need(result.value());
    for (auto each = all.body.statements.rbegin(); each != all.body.statements.rend(); ++each) {
      if (std::ranges::none_of(each->results,
                               [&](ValueId made) { return needed.contains(made.index); }))
        continue;
      std::ranges::for_each(free_values(function_, *each), need);
      rest.body.statements.push_back(*each);
    }
    std::ranges::reverse(rest.body.statements);
  }

  const Statement& statement_;
  const For& loop_;
  RoundValues round_;
  Facts& facts_;
  std::vector<RunningValue> running_;
  std::vector<BestSoFar> best_;
  std::unordered_set<std::size_t> gone_; ///< states
  /// First results of statements with bodies that reductions do.
  std::unordered_set<std::uint32_t> long_ones_;
  std::vector<Operand> checked_; ///< before the loop
  Operand extent_;
  Statements out_;
};

/// The loop with sums in place of choices between a state and a sum of it:
///
///   u = add r k                                    t = select p k 0
///   v = select p u r                      →        v = add r t
Statement with_sums(Function& function, Statement statement) {
  auto& loop = std::get<For>(statement.operation);
  StatementWriter writer(function, statement.span);
  std::unordered_map<std::uint32_t, ir::Primitive> definitions;
  Statements out;
  for (Statement& each : loop.body.statements) {
    if (const auto* const made = std::get_if<ir::Primitive>(&each.operation))
      definitions.emplace(each.results[0].index, *made);
    const auto* const choice = std::get_if<Select>(&each.operation);
    const auto is_state = [&](const Operand& operand) {
      return operand.is_value() && std::ranges::count(loop.body.parameters, operand.value()) > 0;
    };
    const auto sum_of = [&](const Operand& operand, const Operand& state) -> const Operand* {
      if (!operand.is_value() || !is_state(state) || !is_integer(function.type(state).element))
        return nullptr;
      const auto made = definitions.find(operand.value().index);
      const auto* const sum = made == definitions.end() ? nullptr : &made->second;
      if (!sum || sum->primitive->operation != ScalarOperation::Add) return nullptr;
      return sum->arguments[0] == state   ? &sum->arguments[1]
             : sum->arguments[1] == state ? &sum->arguments[0]
                                          : nullptr;
    };
    const Operand *then_term = nullptr, *else_term = nullptr;
    if (choice) {
      then_term = sum_of(choice->then_value, choice->else_value);
      else_term = sum_of(choice->else_value, choice->then_value);
    }
    if (then_term || else_term) {
      const Operand state = then_term ? choice->else_value : choice->then_value;
      const ElementType element = function.type(state).element;
      const Operand none = Operand::constant(element, Scalar::of<std::int64_t>(0));
      const ValueId term = writer.value({element, {}});
      const Operand one = Operand::constant(element, Scalar::of<std::int64_t>(1));
      if (then_term && *then_term == one)
        out.push_back(
            {{term},
             ir::Primitive{primitives::conversion(ElementType::Bool, element), {choice->condition}},
             each.span});
      else
        out.push_back({{term},
                       Select{choice->condition, then_term ? *then_term : none,
                              else_term ? *else_term : none},
                       each.span});
      each.operation = ir::Primitive{&row(ScalarOperation::Add, element), {state, term}};
    }
    out.push_back(std::move(each));
  }
  loop.body.statements = std::move(out);
  return statement;
}

} // namespace

std::optional<Statements> separate_states(Function& function, const Statement& statement,
                                          Facts& facts) {
  // (What is written is not yet there: who puts it there tells the facts.)
  const Facts::Mark mark = facts.mark();
  std::optional<Statements> result =
      Separator(function, with_sums(function, statement), facts).write();
  facts.back_to(mark);
  return result;
}

} // namespace sinter::jit
