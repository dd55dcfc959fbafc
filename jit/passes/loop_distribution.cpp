#include "jit/passes/loop_distribution.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/facts.h"
#include "jit/passes/round_count.h"
#include "jit/passes/short_rounds.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

/// Rounds whose numbers are computed at a time, where their memory is nobody else's, too.
constexpr std::int64_t rounds_at_a_time = 65'536;
/// Of a loop in another one, where they have 8 bytes or a few times that.
constexpr std::int64_t most_rounds_at_once = std::int64_t{1} << 22;
/// In additions (ir/costs.h), of scalar code beside a state that waits for itself: what is less is
/// done meanwhile.
constexpr unsigned least_work = 16, least_for_each_more = 16;
/// What is rather computed again than written and read.
constexpr unsigned most_again = 4;

class LoopDistribution : StatementWriter {
public:
  LoopDistribution(Function& function, const Statement& statement, bool is_in_loop, Facts& facts)
      : StatementWriter(function, statement.span), statement_(statement),
        loop_(std::get<For>(statement.operation)), is_in_loop_(is_in_loop), facts_(facts) {}

  std::optional<Statements> write() {
    const bool has_few_rounds =
        loop_.bound.is_constant() &&
        loop_.bound.scalar().as<std::int64_t>() <= std::int64_t{4} * few_rounds;
    if (loop_.is_parallel || !is_signed(loop_.index_type) || has_few_rounds) return std::nullopt;
    sort_out();
    if (!find_crossing()) return std::nullopt;
    const Facts::Mark mark = facts_.mark();
    Operand bound = loop_.bound;
    if (loop_.index_type != ElementType::I64) {
      bound = scalar(*primitives::conversion(loop_.index_type, ElementType::I64), {bound}, out_);
      facts_.define(out_.back());
    }
    const Operand extent = extent_of_rounds(function_, bound, span_, facts_, out_);
    facts_.back_to(mark); // who puts the statements there tells the facts
    if (goes_along_array())
      write_parts(Operand::i64(0), extent, loop_.initial, statement_.results, out_);
    else if (is_in_loop_)
      write_if_few(extent);
    else
      write_by_pieces(extent);
    return std::move(out_);
  }

private:
  // ---- what needs no state

  void sort_out() {
    for (std::size_t state = 0; state < loop_.initial.size(); ++state)
      stateful_.insert(loop_.body.parameters[state + 1].index);
    bool may_have_failed = false;
    for (const Statement& each : loop_.body.statements) {
      const std::vector<ValueId> used = free_values(function_, each);
      const bool needs_state =
          std::ranges::any_of(used, [&](ValueId value) { return is_stateful(value); }) ||
          !may_be_anywhere(each.operation) || !makes_such(each);
      for (const ValueId result : each.results)
        made_.insert(result.index);
      // (Behind a check of the state there may be what only that makes safe.)
      if (needs_state || may_have_failed)
        for (const ValueId result : each.results)
          stateful_.insert(result.index);
      needs_state_.push_back(needs_state || may_have_failed);
      may_have_failed = may_have_failed || (needs_state && may_fail(each.operation));
    }
  }
  bool is_stateful(const Operand& operand) const {
    return operand.is_value() && stateful_.contains(operand.value().index);
  }
  bool may_be_anywhere(const ir::Operation& operation) const {
    bool has_bodies = false;
    for_each_body(operation, [&](const Body&) { has_bodies = true; });
    if (has_bodies)
      return holds_folds_only(operation) && consumed_values(function_, operation).empty();
    return std::holds_alternative<Check>(operation) || row_of(operation).has(laws::Scalar) ||
           is_strided_view(operation);
  }
  /// Of what a SOAC's body may well hold.
  static bool holds_folds_only(const ir::Operation& operation) {
    if (std::holds_alternative<Stream>(operation)) return false;
    const auto* const soac = std::get_if<Soac>(&operation);
    if (soac && std::ranges::any_of(soac->groups, [](const Group& group) {
          return !std::holds_alternative<MapGroup>(group) &&
                 !std::holds_alternative<ReduceGroup>(group);
        }))
      return false;
    bool holds = true;
    for_each_body(operation, [&](const Body& body) {
      holds = holds && std::ranges::all_of(body.statements, [](const Statement& each) {
                return holds_folds_only(each.operation);
              });
    });
    return holds;
  }
  /// Arrays whose sizes differ from round to round are left to the host.
  bool makes_such(const Statement& statement) const {
    return std::ranges::all_of(statement.results, [&](ValueId result) {
      return std::ranges::none_of(function_.type(result).extents, [&](const Operand& extent) {
        return extent.is_value() && (extent == Operand(loop_.body.parameters[0]) ||
                                     made_.contains(extent.value().index));
      });
    });
  }

  /// The round's numbers, without state, that what has state needs, and that take long.
  bool find_crossing() {
    std::unordered_set<std::uint32_t> read;
    for (std::size_t at = 0; at < needs_state_.size(); ++at)
      if (needs_state_[at])
        for (const ValueId value : free_values(function_, loop_.body.statements[at]))
          read.insert(value.index);
    for (const Operand& result : loop_.body.results)
      if (result.is_value()) read.insert(result.value().index);
    for (std::size_t at = 0; at < needs_state_.size(); ++at) {
      if (needs_state_[at]) continue;
      const Statement& each = loop_.body.statements[at];
      std::vector<ValueId> wanted;
      std::ranges::copy_if(each.results, std::back_inserter(wanted),
                           [&](ValueId result) { return read.contains(result.index); });
      const unsigned work = cost(Body{{}, needed_by({wanted.begin(), wanted.end()}), {}});
      if (wanted.empty() || work <= most_again) continue;
      if (std::ranges::all_of(wanted,
                              [&](ValueId result) { return function_.type(result).is_scalar(); })) {
        std::ranges::copy(wanted, std::back_inserter(crossing_));
        last_ = at;
      } else if (work >= much) {
        return false; // it would be done twice
      }
    }
    if (crossing_.empty()) return false;
    // (Launches take longer than all that is not very much.)
    const unsigned least = holds_launches(statement_.operation) ? much : least_work;
    return cost(Body{{}, needed_by({crossing_.begin(), crossing_.end()}), {}}) >=
           std::min<std::size_t>(much, least + least_for_each_more * (crossing_.size() - 1));
  }
  Statements needed_by(const std::vector<Operand>& values) const {
    return statements_needed(function_, loop_.body, values);
  }

  /// Whether what is moved reads an array at the round's own number.
  bool goes_along_array() const {
    const Statements moved = needed_by({crossing_.begin(), crossing_.end()});
    std::unordered_set<std::uint32_t> numbers{loop_.body.parameters[0].index};
    return goes_along_array(moved, numbers);
  }
  bool goes_along_array(const Statements& statements,
                        std::unordered_set<std::uint32_t>& numbers) const {
    return std::ranges::any_of(statements, [&](const Statement& each) {
      const auto is_number = [&](const Operand& operand) {
        return operand.is_value() && numbers.contains(operand.value().index);
      };
      if (const auto* const primitive = std::get_if<ir::Primitive>(&each.operation)) {
        if (primitive->primitive->operation == ScalarOperation::Convert &&
            is_number(primitive->arguments[0]))
          numbers.insert(each.results[0].index);
        return false;
      }
      if (const auto* const read = std::get_if<ir::Index>(&each.operation))
        return is_number(read->indices[0]);
      bool goes = false;
      for_each_body(each.operation, [&](const Body& inner) {
        goes = goes || goes_along_array(inner.statements, numbers);
      });
      return goes;
    });
  }

  // ---- two parts

  /// A part's round: the number, as the loop counts it, of the round behind `first`.
  Operand number_of(const Operand& first, const Operand& index, Statements& out) {
    const Operand number =
        first == Operand::i64(0) ? index : scalar(ScalarOperation::Add, first, index, out);
    if (loop_.index_type == ElementType::I64) return number;
    return scalar(*primitives::conversion(ElementType::I64, loop_.index_type), {number}, out);
  }
  /// So many rounds from `first` on.
  void write_parts(const Operand& first, const Operand& count, const std::vector<Operand>& initial,
                   const std::vector<ValueId>& results, Statements& out) {
    // What is needed, and the checks before that.
    Body before{{loop_.body.parameters[0]}, {}, {crossing_.begin(), crossing_.end()}};
    std::vector<Operand> needed = before.results;
    for (std::size_t at = 0; at < last_; ++at)
      if (is_moved_check(at))
        needed.push_back(std::get<Check>(loop_.body.statements[at].operation).condition);
    const Statements found = needed_by(needed);
    for (std::size_t at = 0; at <= last_; ++at) {
      const Statement& each = loop_.body.statements[at];
      const bool is_needed = std::ranges::any_of(found, [&](const Statement& other) {
        return !other.results.empty() && other.results == each.results;
      });
      if (is_needed || is_moved_check(at)) before.statements.push_back(each);
    }
    const ValueId index = value({ElementType::I64, {}});
    Soac soac{count, {}, {{index}, {}, {}}, {}};
    const Operand number = number_of(first, index, soac.body.statements);
    Body moved =
        clone(function_, {{}, before.statements, before.results}, {{before.parameters[0], number}});
    std::ranges::move(moved.statements, std::back_inserter(soac.body.statements));
    soac.body.results = std::move(moved.results);
    std::vector<ValueId> arrays;
    for (const ValueId number_of_round : crossing_) {
      soac.groups.emplace_back(MapGroup{});
      arrays.push_back(value(array_type(count, function_.type(number_of_round))));
    }
    out.push_back({arrays, std::move(soac), span_});

    Body round{{loop_.body.parameters}, {}, loop_.body.results};
    for (std::size_t at = 0; at < loop_.body.statements.size(); ++at)
      if (!is_moved_check(at)) round.statements.push_back(loop_.body.statements[at]);
    const ValueId place = value({ElementType::I64, {}});
    std::vector<Replacement> replacements;
    Statements reads;
    replacements.emplace_back(round.parameters[0], number_of(first, place, reads));
    for (std::size_t i = 0; i < crossing_.size(); ++i)
      replacements.emplace_back(crossing_[i], element(arrays[i], {place}, reads));
    round.parameters.erase(round.parameters.begin());
    Body rest{round.parameters, {}, round.results};
    rest.statements = without_crossing(round);
    rest = clone(function_, rest, replacements);
    For loop{count, ElementType::I64, initial, {}};
    loop.body.parameters = {place};
    loop.body.parameters.insert(loop.body.parameters.end(), rest.parameters.begin(),
                                rest.parameters.end());
    loop.body.statements = std::move(reads);
    std::ranges::move(rest.statements, std::back_inserter(loop.body.statements));
    loop.body.results = std::move(rest.results);
    out.push_back({results, std::move(loop), span_});
  }
  /// A check that comes before something that is moved.  (It needs no state, or that would not be
  /// moved.)
  bool is_moved_check(std::size_t at) const {
    return at < last_ && std::holds_alternative<Check>(loop_.body.statements[at].operation);
  }
  /// The round's statements that it still needs.
  Statements without_crossing(const Body& round) const {
    std::unordered_set<std::uint32_t> needed;
    const auto need = [&](const Operand& operand) {
      if (operand.is_value() && std::ranges::count(crossing_, operand.value()) == 0)
        needed.insert(operand.value().index);
    };
    std::ranges::for_each(round.results, need);
    Statements result;
    for (auto each = round.statements.rbegin(); each != round.statements.rend(); ++each) {
      const bool is_needed =
          each->results.empty() || std::ranges::any_of(each->results, [&](ValueId made) {
            return needed.contains(made.index);
          });
      if (!is_needed) continue;
      for (const ValueId used : free_values(function_, *each))
        need(used);
      result.push_back(*each);
    }
    std::ranges::reverse(result);
    return result;
  }

  /// Inside of another loop: what its rounds do in all shows by the number of these, which pieces
  /// would not have.
  void write_if_few(const Operand& extent) {
    const Operand are_few = scalar(row(ScalarOperation::LessEqual, ElementType::I64),
                                   {extent, Operand::i64(most_rounds_at_once)}, out_);
    Body apart, as_it_was{{}, {statement_}, {}};
    std::vector<ValueId> results;
    for (const ValueId result : statement_.results) {
      results.push_back(value(function_.type(result)));
      as_it_was.results.emplace_back(result);
    }
    write_parts(Operand::i64(0), extent, loop_.initial, results, apart.statements);
    apart.results = {results.begin(), results.end()};
    out_.push_back({statement_.results,
                    If{are_few, std::move(apart), clone(function_, as_it_was), true}, span_});
  }
  void write_by_pieces(const Operand& extent) {
    const Operand pieces = rounded_up_quotient(extent, rounds_at_a_time, out_);
    For all{pieces, ElementType::I64, loop_.initial, {}};
    const ValueId piece = value({ElementType::I64, {}});
    all.body.parameters = {piece};
    std::vector<Operand> states;
    std::vector<ValueId> next;
    for (std::size_t state = 0; state < loop_.initial.size(); ++state) {
      const Type type = function_.type(loop_.body.parameters[state + 1]);
      all.body.parameters.push_back(value(type));
      states.emplace_back(all.body.parameters.back());
      next.push_back(value(type));
    }
    Statements& out = all.body.statements;
    const Operand first =
        scalar(ScalarOperation::Multiply, piece, Operand::i64(rounds_at_a_time), out);
    const Operand left = scalar(ScalarOperation::Subtract, extent, first, out);
    const Operand count =
        scalar(ScalarOperation::Minimum, left, Operand::i64(rounds_at_a_time), out);
    write_parts(first, count, states, next, out);
    all.body.results = {next.begin(), next.end()};
    out_.push_back({statement_.results, std::move(all), span_});
  }

  const Statement& statement_;
  const For& loop_;
  const bool is_in_loop_;
  Facts& facts_;
  std::unordered_set<std::uint32_t> stateful_; ///< values
  std::unordered_set<std::uint32_t> made_;     ///< by statements of the round
  std::vector<bool> needs_state_;              ///< by statement of the round
  std::vector<ValueId> crossing_;              ///< from one part to the other
  std::size_t last_ = 0;                       ///< statement that gives one of those
  Statements out_;
};

/// Goes through the loops of the host's level.
class LoopDistributor {
public:
  explicit LoopDistributor(Function& function) : function_(function), facts_(function) {}

  void body(Body& body) {
    const Facts::Mark mark = facts_.mark();
    for (ValueId parameter : body.parameters)
      facts_.note_type(function_.type(parameter));
    Statements statements = std::move(body.statements), out;
    for (Statement& statement : statements) {
      std::optional<Statements> apart;
      if (const auto* const loop = std::get_if<For>(&statement.operation))
        if (loop->bound.is_constant() || !in_loops_.contains(loop->bound.value().index))
          apart = LoopDistribution(function_, statement, loops_around_ > 0, facts_).write();
      if (!apart) {
        look_into(statement);
        put(std::move(statement), out);
        continue;
      }
      for (Statement& each : *apart)
        put(std::move(each), out);
    }
    body.statements = std::move(out);
    facts_.back_to(mark);
  }

private:
  void look_into(Statement& statement) {
    if (std::holds_alternative<Soac>(statement.operation) ||
        std::holds_alternative<Stream>(statement.operation))
      return;
    const bool is_loop = std::holds_alternative<For>(statement.operation) ||
                         std::holds_alternative<While>(statement.operation);
    loops_around_ += is_loop ? 1 : 0;
    for_each_body(statement.operation, [&](Body& inner) {
      if (is_loop) note(inner);
      body(inner);
    });
    loops_around_ -= is_loop ? 1 : 0;
  }
  void note(const Body& body) {
    for (const ValueId parameter : body.parameters)
      in_loops_.insert(parameter.index);
    for (const Statement& each : body.statements) {
      for (const ValueId result : each.results)
        in_loops_.insert(result.index);
      for_each_body(each.operation, [&](const Body& inner) { note(inner); });
    }
  }
  void put(Statement statement, Statements& out) {
    if (const auto* const check = std::get_if<Check>(&statement.operation))
      facts_.assume(check->condition, true);
    else
      facts_.define(statement);
    out.push_back(std::move(statement));
  }

  Function& function_;
  Facts facts_;
  std::unordered_set<std::uint32_t> in_loops_; ///< values that rounds define
  unsigned loops_around_ = 0;
};

} // namespace

void distribute_loops(Function& function) {
  LoopDistributor(function).body(function.body);
}

} // namespace sinter::jit
