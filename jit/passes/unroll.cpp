#include "jit/passes/unroll.h"

#include "jit/ir/fold.h"
#include "jit/ir/groups.h"
#include "jit/ir/nests.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/simplify.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
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

namespace {

/// How much code one loop may become, and all of them in a function, in additions (ir/costs.h).
constexpr unsigned most_of_loop = 1536, most_of_function = 6144;
/// (Of maps, whose loops are one in the end.)
constexpr unsigned most_of_maps = 3072;
constexpr std::int64_t most_rounds = primitives::row_length;
/// Of what has loops itself: they become neighbours, which may be fused.
constexpr std::int64_t most_rounds_of_loops = 4;

/// How much code a round is once its number is known: what only that decides is none.
class RoundSize {
public:
  explicit RoundSize(const Function& function) : function_(function) {}
  RoundSize(const Function& function, ValueId number) : function_(function) {
    known_.insert(number.index);
  }

  unsigned of(const Body& body) {
    unsigned sum = 0;
    for (const Statement& statement : body.statements)
      sum = std::min(much, sum + of(statement));
    return sum;
  }

  /// Whether there are loops in what has been asked for.
  bool has_loops() const { return has_loops_; }

private:
  bool is_known(const Operand& operand) const {
    return operand.is_constant() || known_.contains(operand.value().index);
  }
  bool are_known(const std::vector<Operand>& operands) const {
    return std::all_of(operands.begin(), operands.end(),
                       [&](const Operand& operand) { return is_known(operand); });
  }
  unsigned note(const Statement& statement) {
    known_.insert(statement.results[0].index);
    return 0;
  }

  unsigned of(const Statement& statement) {
    const ir::Operation& operation = statement.operation;
    if (const auto* primitive = std::get_if<ir::Primitive>(&operation))
      return are_known(primitive->arguments) ? note(statement) : primitive->primitive->cost;
    if (const auto* choice = std::get_if<If>(&operation)) {
      const unsigned then_cost = of(choice->then_body), else_cost = of(choice->else_body);
      for (std::size_t i = 0; is_known(choice->condition) && i < statement.results.size(); ++i)
        if (is_known(choice->then_body.results[i]) && is_known(choice->else_body.results[i]))
          known_.insert(statement.results[i].index);
      return is_known(choice->condition) ? std::max(then_cost, else_cost)
                                         : std::min(much, 1 + then_cost + else_cost);
    }
    if (const auto* select = std::get_if<Select>(&operation))
      return are_known({select->condition, select->then_value, select->else_value})
                 ? note(statement)
                 : 1;
    if (const auto* check = std::get_if<Check>(&operation))
      return is_known(check->condition) ? 0 : 1;
    if (const auto* loop = std::get_if<For>(&operation)) return loop_of(of(loop->body));
    if (const auto* loop = std::get_if<While>(&operation))
      return loop_of(of(loop->condition) + of(loop->body));
    if (const auto* soac = std::get_if<Soac>(&operation)) {
      unsigned each = of(soac->body);
      for (const Group& group : soac->groups)
        for_each_body(group,
                      [&](const Body& combine) { each = std::min(much, each + of(combine)); });
      return loop_of(each);
    }
    if (const auto* literal = std::get_if<ArrayLiteral>(&operation))
      return static_cast<unsigned>(literal->elements.size());
    if (const auto* update = std::get_if<Update>(&operation))
      return function_.type(update->value).is_scalar() ? 2 : much;
    return row_of(operation).cost;
  }

  /// Of a loop that stays.
  unsigned loop_of(unsigned round) {
    has_loops_ = true;
    return std::min(much, 4 + round);
  }

  const Function& function_;
  std::unordered_set<std::uint32_t> known_;
  bool has_loops_ = false;
};

/// How much of a round is left when its number is folded in, and what is chosen by that alone is
/// not asked for any more.  Of straight code.
class FoldedRound {
public:
  explicit FoldedRound(const Body& round) : round_(round) {}

  unsigned of(ElementType type, std::int64_t number) {
    stands_for_.clear();
    stands_for_.emplace(round_.parameters[0].index, Operand::constant(type, Scalar::of(number)));
    for (const Statement& statement : round_.statements)
      look(statement);
    std::unordered_set<std::uint32_t> wanted;
    const auto want = [&](const Operand& operand) {
      const Operand found = resolved(operand);
      if (found.is_value()) wanted.insert(found.value().index);
    };
    std::ranges::for_each(round_.results, want);
    unsigned sum = 0;
    for (auto each = round_.statements.rbegin(); each != round_.statements.rend(); ++each) {
      const auto* const check = std::get_if<Check>(&each->operation);
      const auto is_wanted = [&](ValueId result) { return wanted.contains(result.index); };
      if (check ? resolved(check->condition).is_constant()
                : std::ranges::none_of(each->results, is_wanted))
        continue;
      sum += check ? 1 : row_of(each->operation).cost;
      for_each_operand(each->operation, want);
    }
    return sum;
  }

private:
  Operand resolved(Operand operand) const {
    for (;;) {
      const auto found =
          operand.is_value() ? stands_for_.find(operand.value().index) : stands_for_.end();
      if (found == stands_for_.end()) return operand;
      operand = found->second;
    }
  }
  void look(const Statement& statement) {
    std::optional<Operand> instead;
    if (const auto* const primitive = std::get_if<ir::Primitive>(&statement.operation)) {
      std::vector<Operand> arguments;
      for (const Operand& argument : primitive->arguments)
        arguments.push_back(resolved(argument));
      instead = fold(*primitive->primitive, arguments, [](ValueId) { return nullptr; });
    } else if (const auto* const choice = std::get_if<Select>(&statement.operation)) {
      instead = fold_select(resolved(choice->condition), choice->then_value, choice->else_value);
    }
    if (instead) stands_for_.insert_or_assign(statement.results[0].index, *instead);
  }

  const Body& round_;
  std::unordered_map<std::uint32_t, Operand> stands_for_;
};

bool is_straight_code(const Statement& statement) {
  return is_scalar_operation(statement.operation) || is_strided_view(statement.operation) ||
         std::holds_alternative<Check>(statement.operation);
}
bool are_straight_code(const Body& round) {
  return std::ranges::all_of(round.statements,
                             [](const Statement& each) { return is_straight_code(each); });
}

/// A round of the host's that is maps, or maps of maps, of straight code over elements of the same
/// extents, which read what rounds make at their own places.  If its number chooses some of them,
/// or which part of an array they see: written out, and fused, nothing is left to choose, and parts
/// are elements beside each other.
class RoundOfMaps {
public:
  RoundOfMaps(const Function& function, const Body& round) : function_(function) {
    known_.insert(round.parameters[0].index);
    for (const ValueId parameter : round.parameters)
      made_.insert(parameter.index);
    is_one_ = look(round);
  }

  bool is_one(std::int64_t rounds) const {
    return is_one_ && maps_ > 0 && (has_choice_ || (sees_parts_ && rounds <= most_parts));
  }

private:
  /// As many parts of memory as a processor goes along at a time.
  static constexpr std::int64_t most_parts = 16;

  bool is_known(const Operand& operand) const {
    return operand.is_constant() || known_.contains(operand.value().index);
  }
  void note(const Statement& statement, bool is_known) {
    for (const ValueId result : statement.results)
      if (is_known) known_.insert(result.index);
  }

  bool is_part(const Statement& statement) const {
    return is_strided_view(statement.operation) &&
           !function_.type(statement.results[0]).is_scalar();
  }
  /// Whether it looks into an array that rounds make.
  bool looks_elsewhere(const Statement& statement) const {
    return is_strided_view(statement.operation) &&
           made_.contains(source_array(statement.operation).index);
  }

  bool look(const Body& body) {
    return std::ranges::all_of(body.statements, [&](const Statement& each) {
      if (!look(each)) return false;
      if (!is_strided_view(each.operation))
        for (const ValueId result : each.results)
          made_.insert(result.index);
      return true;
    });
  }
  bool look(const Statement& statement) {
    if (const auto* const choice = std::get_if<If>(&statement.operation)) {
      if (!is_known(choice->condition)) return false;
      const std::size_t maps = maps_;
      const bool are_such = look(choice->then_body) && look(choice->else_body);
      has_choice_ = has_choice_ || maps != maps_;
      const auto known = [&](const Operand& result) { return is_known(result); };
      note(statement, std::ranges::all_of(choice->then_body.results, known) &&
                          std::ranges::all_of(choice->else_body.results, known));
      return are_such;
    }
    if (const auto* const soac = std::get_if<Soac>(&statement.operation)) {
      ++maps_;
      return look_inside(*soac, 0);
    }
    if (!is_straight_code(statement) || looks_elsewhere(statement)) return false;
    bool are_known = true;
    for_each_operand(statement.operation, [&](const Operand& operand) {
      are_known = are_known && is_known(operand);
      sees_parts_ = sees_parts_ || (is_part(statement) && operand.is_value() && is_known(operand));
    });
    note(statement, are_known && !is_strided_view(statement.operation));
    return true;
  }
  bool look_inside(const Soac& map, std::size_t depth) {
    if (depth == extents_.size()) extents_.push_back(map.extent);
    if (!has_only<MapGroup>(map) || extents_[depth] != map.extent) return false;
    for (std::size_t i = 0; i < map.inputs.size(); ++i)
      if (made_.contains(map.inputs[i].index)) made_.insert(map.body.parameters[i + 1].index);
    return std::ranges::all_of(map.body.statements, [&](const Statement& each) {
      if (const auto* const inner = std::get_if<Soac>(&each.operation))
        return look_inside(*inner, depth + 1);
      return is_straight_code(each) && !looks_elsewhere(each);
    });
  }

  const Function& function_;
  std::unordered_set<std::uint32_t> known_; ///< from the round's number
  std::unordered_set<std::uint32_t> made_;  ///< by rounds
  std::vector<Operand> extents_;
  std::size_t maps_ = 0;
  bool has_choice_ = false, sees_parts_ = false, is_one_ = false;
};

/// Which loops are written out.
enum class Rounds : std::uint8_t { WithLoops, WithoutLoops };

class Unroller {
public:
  Unroller(Function& function, Rounds rounds)
      : function_(function), rounds_(rounds), uses_(count_uses(function)), aliases_(function) {}

  void run() { body(function_.body, Place::Outside); }
  /// Rounds whose branches are decided.
  bool has_written_maps() const { return has_written_maps_; }

private:
  /// Where a body is: in no SOAC, a SOAC's own for its elements, or anywhere else in one.
  enum class Place : std::uint8_t { Outside, OfElements, Inside };

  /// From the inside out: what was written out inside counts.
  void body(Body& body, Place place) {
    std::vector<Statement> after;
    after.reserve(body.statements.size());
    bool is_changed = false;
    for (Statement& statement : body.statements) {
      const auto* const soac = std::get_if<Soac>(&statement.operation);
      for_each_body(statement.operation, [&](Body& inner) {
        const Place inside = place == Place::Outside && !soac ? place : Place::Inside;
        this->body(inner, soac && &inner == &soac->body ? Place::OfElements : inside);
      });
      const bool is_written = place == Place::Outside ? write_out_maps(statement, after)
                                                      : !only_leaves(statement, body, place) &&
                                                            !goes_along_lanes(statement, after) &&
                                                            write_out(statement, after);
      if (is_written)
        is_changed = true;
      else
        after.push_back(std::move(statement));
    }
    body.statements = std::move(after);
    // (At once: what is around may be copied.)
    if (is_changed) done_.apply(function_, body);
  }

  /// Of the host's level.
  bool write_out_maps(const Statement& statement, std::vector<Statement>& out) {
    const auto* const loop = std::get_if<For>(&statement.operation);
    if (!loop || loop->is_parallel || rounds_ != Rounds::WithLoops || !loop->bound.is_constant())
      return false;
    const auto rounds = loop->bound.scalar().as<std::int64_t>();
    if (rounds < 1 || rounds > most_rounds || !RoundOfMaps(function_, loop->body).is_one(rounds))
      return false;
    RoundSize size(function_, loop->body.parameters[0]);
    const std::uint64_t all =
        std::uint64_t{size.of(loop->body)} * static_cast<std::uint64_t>(rounds);
    if (all > most_of_maps || all > left_) return false;
    left_ -= static_cast<unsigned>(all);
    has_written_maps_ = true;
    return write_out(*loop, statement, out);
  }

  static bool makes_only_arrays(const Soac& soac) {
    return std::all_of(soac.groups.begin(), soac.groups.end(),
                       [](const Group& group) { return std::holds_alternative<MapGroup>(group); });
  }
  /// Of short rows, each of which has something of its own, lanes better make one each: if that
  /// comes from a loop, or if the rows are shorter than lanes inside are many; what its elements'
  /// places in it say, or what is not of the row around, is of its own, too.
  bool has_own_rows(const Soac& soac, const Body& around, Place place) const {
    constexpr std::int64_t longest = 15, usual_lanes = 8;
    if (!soac.extent.is_constant()) return false;
    const auto extent = soac.extent.scalar().as<std::int64_t>();
    if (extent > longest || extent % usual_lanes == 0) return false;
    if (extent < usual_lanes && around.statements.size() > 1) return true;
    if (place == Place::OfElements && around.statements.size() == 1)
      return extent < usual_lanes ? !is_blind_to_rows(function_, around, soac)
                                  : uses_[soac.body.parameters[0].index] != 0;
    return std::ranges::any_of(around.statements, [&](const Statement& statement) {
      const auto* const other = std::get_if<Soac>(&statement.operation);
      return other != &soac && (other || std::holds_alternative<For>(statement.operation));
    });
  }
  /// Whether it makes an array that nobody here looks into, but what is around: nested like that it
  /// is part of that one's index space.
  bool only_leaves(const Statement& statement, const Body& around, Place place) const {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (rounds_ == Rounds::WithLoops || !soac || !makes_only_arrays(*soac)) return false;
    if (has_own_rows(*soac, around, place)) return false;
    return std::any_of(statement.results.begin(), statement.results.end(), [&](ValueId result) {
      return !function_.type(result).is_scalar() && uses_[result.index] == 1 &&
             std::find(around.results.begin(), around.results.end(), Operand(result)) !=
                 around.results.end();
    });
  }

  /// Whether its elements are those of an array that a SOAC makes right before, which stays: lanes
  /// along that one leave it in memory, and go along this one as well.
  bool goes_along_lanes(const Statement& statement, const std::vector<Statement>& before) const {
    constexpr std::int64_t fewest_lanes = 16;
    const auto* const soac = std::get_if<Soac>(&statement.operation);
    if (!soac || !soac->extent.is_constant() ||
        soac->extent.scalar().as<std::int64_t>() < fewest_lanes)
      return false;
    return std::ranges::any_of(before, [&](const Statement& maker) {
      const auto* const other = std::get_if<Soac>(&maker.operation);
      return other && other->extent == soac->extent &&
             std::ranges::any_of(maker.results, [&](ValueId result) {
               return std::ranges::count(soac->inputs, result) != 0;
             });
    });
  }

  bool write_out(const Statement& statement, std::vector<Statement>& out) {
    if (const auto* loop = std::get_if<For>(&statement.operation))
      return is_worth_it(loop->bound, loop->body, 0) && write_out(*loop, statement, out);
    if (const auto* soac = std::get_if<Soac>(&statement.operation))
      return can_be_written(*soac) && is_worth_it(soac->extent, soac->body, combining(*soac)) &&
             write_out(*soac, statement, out);
    return false;
  }

  /// Takes it from what the function may grow by.
  bool is_worth_it(const Operand& count, const Body& round, unsigned besides) {
    if (!count.is_constant()) return false;
    const auto rounds = count.scalar().as<std::int64_t>();
    if (rounds < 1 || rounds > most_rounds) return false;
    RoundSize size(function_, round.parameters[0]);
    const std::uint64_t each = std::uint64_t{size.of(round)} + besides;
    std::uint64_t all = each * static_cast<std::uint64_t>(rounds);
    if (all > most_of_loop && !size.has_loops() && are_straight_code(round)) {
      all = besides * static_cast<std::uint64_t>(rounds);
      FoldedRound folded(round);
      for (std::int64_t number = 0; number < rounds && all <= most_of_loop; ++number)
        all += folded.of(function_.type(round.parameters[0]).element, number);
    }
    if (size.has_loops() != (rounds_ == Rounds::WithLoops)) return false;
    if (size.has_loops() && rounds > most_rounds_of_loops) return false;
    if (all > most_of_loop || all > left_) return false;
    left_ -= static_cast<unsigned>(all);
    return true;
  }

  unsigned combining(const Soac& soac) const {
    unsigned sum = 0;
    for (const Group& group : soac.groups)
      for_each_body(group, [&](const Body& combine) { sum += RoundSize(function_).of(combine); });
    return sum;
  }

  bool are_scalars(const std::vector<Operand>& operands) const {
    return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return operand.is_constant() || function_.type(operand.value()).is_scalar();
    });
  }
  bool can_be_written(const Soac& soac) const {
    // (A row that is overwritten is one of an array that is.)
    const auto is_overwritten = [&](ValueId element) {
      return !function_.type(element).is_scalar() && aliases_.is_consumed(element);
    };
    if (has_before(soac) ||
        std::any_of(soac.body.parameters.begin(), soac.body.parameters.end(), is_overwritten))
      return false;
    return std::all_of(soac.groups.begin(), soac.groups.end(), [&](const Group& group) {
      if (const auto* reduce = std::get_if<ReduceGroup>(&group))
        return are_scalars(reduce->neutral);
      if (const auto* scan = std::get_if<ScanGroup>(&group))
        return scan->post.empty() && are_scalars(scan->neutral);
      return std::holds_alternative<MapGroup>(group);
    });
  }

  /// Appends a copy of the body's statements; what it yields.
  std::vector<Operand> copy(const Body& body, const std::vector<Operand>& arguments,
                            std::vector<Statement>& out) {
    std::vector<Replacement> replacements;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      replacements.emplace_back(body.parameters[i], arguments[i]);
    Body round = body;
    round.parameters.clear(); // the arguments stand for them
    round = clone(function_, round, std::move(replacements));
    std::move(round.statements.begin(), round.statements.end(), std::back_inserter(out));
    return std::move(round.results);
  }

  bool write_out(const For& loop, const Statement& statement, std::vector<Statement>& out) {
    std::vector<Operand> state = loop.initial;
    const auto rounds = loop.bound.scalar().as<std::int64_t>();
    for (std::int64_t number = 0; number < rounds; ++number) {
      std::vector<Operand> arguments = {Operand::constant(loop.index_type, Scalar::of(number))};
      arguments.insert(arguments.end(), state.begin(), state.end());
      state = copy(loop.body, arguments, out);
    }
    for (std::size_t i = 0; i < state.size(); ++i)
      done_.set(statement.results[i], state[i]);
    return true;
  }

  bool write_out(const Soac& soac, const Statement& statement, std::vector<Statement>& out) {
    // By result: the elements of an array, or the running value.
    std::vector<std::vector<Operand>> values(statement.results.size());
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t to) {
      if (const auto* reduce = std::get_if<ReduceGroup>(&group))
        for (std::size_t i = 0; i < reduce->neutral.size(); ++i)
          values[to + i].push_back(reduce->neutral[i]);
    });
    const auto rounds = soac.extent.scalar().as<std::int64_t>();
    for (std::int64_t number = 0; number < rounds; ++number)
      round(soac, statement, number, values, out);
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t to) {
      for (std::size_t i = 0; i < arity(group).results; ++i)
        if (std::holds_alternative<ReduceGroup>(group))
          done_.set(statement.results[to + i], values[to + i].back());
        else
          out.push_back(
              {{statement.results[to + i]}, ArrayLiteral{values[to + i]}, statement.span});
    });
    return true;
  }

  void round(const Soac& soac, const Statement& statement, std::int64_t number,
             std::vector<std::vector<Operand>>& values, std::vector<Statement>& out) {
    const Operand index = Operand::i64(number);
    std::vector<Operand> arguments = {index};
    for (const ValueId input : soac.inputs) {
      Type type = function_.type(input);
      type.extents.erase(type.extents.begin());
      const ValueId element = function_.add_value(std::move(type));
      out.push_back({{element}, Index{input, {index}}, statement.span});
      arguments.emplace_back(element);
    }
    const std::vector<Operand> yielded = copy(soac.body, arguments, out);
    for_each_group(soac, [&](const Group& group, std::size_t from, std::size_t to) {
      const std::size_t count = arity(group).results;
      std::vector<Operand> elements(yielded.begin() + static_cast<std::ptrdiff_t>(from),
                                    yielded.begin() + static_cast<std::ptrdiff_t>(from + count));
      if (const auto* reduce = std::get_if<ReduceGroup>(&group))
        elements = combine(reduce->combine, last_of(values, to, count), elements, out);
      else if (const auto* scan = std::get_if<ScanGroup>(&group))
        elements = combine(scan->combine, number == 0 ? scan->neutral : last_of(values, to, count),
                           elements, out);
      for (std::size_t i = 0; i < count; ++i)
        values[to + i].push_back(elements[i]);
    });
  }

  static std::vector<Operand> last_of(const std::vector<std::vector<Operand>>& values,
                                      std::size_t first, std::size_t count) {
    std::vector<Operand> last;
    for (std::size_t i = first; i < first + count; ++i)
      last.push_back(values[i].back());
    return last;
  }
  std::vector<Operand> combine(const Body& op, std::vector<Operand> left,
                               const std::vector<Operand>& right, std::vector<Statement>& out) {
    left.insert(left.end(), right.begin(), right.end());
    return copy(op, left, out);
  }

  Function& function_;
  Rounds rounds_;
  std::vector<std::uint32_t> uses_; ///< as they were before
  AliasClasses aliases_;            ///< as it was before
  Substitution done_;               ///< what stands for results of what was written out
  unsigned left_ = most_of_function;
  bool has_written_maps_ = false;
};

} // namespace

void unroll(Function& function) {
  Unroller(function, Rounds::WithoutLoops).run();
}

void unroll_loops_of_loops(Function& function) {
  Unroller unroller(function, Rounds::WithLoops);
  unroller.run();
  if (unroller.has_written_maps()) simplify(function);
}

} // namespace sinter::jit
