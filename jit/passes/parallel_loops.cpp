#include "jit/passes/parallel_loops.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/branch_updates.h"
#include "jit/passes/carried_elements.h"
#include "jit/passes/carried_states.h"
#include "jit/passes/facts.h"
#include "jit/passes/loop_writer.h"
#include "jit/passes/previous_elements.h"
#include "jit/passes/separate_states.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using Statements = std::vector<Statement>;

namespace {

/// Goes through all loops, also those inside of others and of SOACs.
class LoopWalk {
public:
  explicit LoopWalk(Function& function, MarkedLoops* marked = nullptr)
      : function_(function), facts_(function), is_told_(marked != nullptr), marked_(marked) {}

  void run() {
    body(function_.body, [] {});
  }

private:
  template <typename Enter>
  void body(Body& body, Enter&& enter) {
    const Facts::Mark mark = facts_.mark();
    for (ValueId parameter : body.parameters)
      facts_.note_type(function_.type(parameter));
    enter();
    Statements statements = std::move(body.statements), out;
    for (Statement& statement : statements) {
      look_into(statement);
      if (std::holds_alternative<For>(statement.operation))
        loop(std::move(statement), out);
      else if (std::holds_alternative<If>(statement.operation) && round_)
        branch(std::move(statement), out);
      else
        put(std::move(statement), out);
    }
    body.statements = std::move(out);
    facts_.back_to(mark);
  }
  void loop(Statement statement, Statements& out) {
    if (std::get<For>(statement.operation).is_parallel)
      take_invariants(statement, out);
    else
      carry_previous_elements(function_, statement, facts_, out);
    const LoopPlace place{soacs_around_ > 0, marked_around_ > 0};
    std::optional<Statements> apart = separate_states(function_, statement, facts_);
    const bool leaves_a_loop = apart && std::ranges::any_of(*apart, [&](const Statement& each) {
                                 const auto* rest = std::get_if<For>(&each.operation);
                                 return rest && had_better_stay(function_, *rest, place);
                               });
    if (apart && !leaves_a_loop) {
      for (Statement& each : *apart) {
        if (std::holds_alternative<For>(each.operation)) {
          loop(std::move(each), out);
          continue;
        }
        const auto* soac = std::get_if<Soac>(&each.operation);
        if (soac && has_group<ScanGroup>(*soac)) prefixes_.insert(each.results[0].index);
        put(std::move(each), out);
      }
      return;
    }
    std::optional<Statements> with_numbers = carry_elements(function_, statement, facts_);
    if (!with_numbers) {
      with_numbers.emplace();
      with_numbers->push_back(std::move(statement));
    }
    for (Statement& each : *with_numbers) {
      std::optional<Statements> instead;
      if (const auto* loop = std::get_if<For>(&each.operation)) {
        WrittenLoop written = write_loop(function_, each, facts_, place, prefixes_);
        instead = std::move(written.statements);
        if (marked_ && loop->is_parallel) {
          std::ranges::move(CarriedStates(function_, *loop, &facts_).carried(),
                            std::back_inserter(marked_->carried));
          if (!written.why_it_stays.empty() && marked_around_ == 0)
            marked_->staying.push_back(written.why_it_stays);
        }
      }
      if (!instead) {
        put(std::move(each), out);
        continue;
      }
      for (Statement& made : *instead)
        put(std::move(made), out);
    }
  }
  /// Extents of inner loops that have become SOACs may be the same in all rounds, which is seen
  /// only where they are computed outside.
  void take_invariants(Statement& statement, Statements& out) {
    Body& round = std::get<For>(statement.operation).body;
    Statements statements = std::move(round.statements);
    for (auto each = statements.begin(); each != statements.end();) {
      const OperationRow& row = row_of(each->operation);
      bool stays = !row.has(laws::Scalar) || !row.has(laws::Total);
      for_each_operand(std::as_const(each->operation), [&](const Operand& operand) {
        const auto defines = [&](const Statement& other) {
          return std::ranges::count(other.results, operand.value()) > 0;
        };
        stays = stays ||
                (operand.is_value() && (std::ranges::count(round.parameters, operand.value()) > 0 ||
                                        std::any_of(statements.begin(), each, defines)));
      });
      if (stays) {
        ++each;
        continue;
      }
      put(std::move(*each), out);
      each = statements.erase(each);
    }
    round.statements = std::move(statements);
  }
  /// In a loop.
  void branch(Statement statement, Statements& out) {
    std::optional<Statements> instead = update_always(function_, statement, facts_, *round_);
    if (!instead) return put(std::move(statement), out);
    for (Statement& each : *instead)
      put(std::move(each), out);
  }
  void put(Statement statement, Statements& out) {
    define(statement);
    out.push_back(std::move(statement));
  }
  void define(const Statement& statement) {
    if (const auto* check = std::get_if<Check>(&statement.operation))
      facts_.assume(check->condition, true);
    else
      facts_.define(statement);
  }
  void look_into(Statement& statement) {
    if (auto* choice = std::get_if<If>(&statement.operation)) {
      body(choice->then_body, [&] { facts_.assume(choice->condition, true); });
      body(choice->else_body, [&] {
        if (!choice->is_shortcut) facts_.assume(choice->condition, false);
      });
    } else if (auto* loop = std::get_if<For>(&statement.operation)) {
      const auto around = std::exchange(
          round_, RoundOfBranches{loop->body.parameters[0], loop->is_parallel, is_told_});
      marked_around_ += loop->is_parallel ? 1 : 0;
      body(loop->body, [&] {
        if (is_signed(loop->index_type)) facts_.index_below(loop->body.parameters[0], loop->bound);
      });
      round_ = around;
      marked_around_ -= loop->is_parallel ? 1 : 0;
    } else if (auto* loop = std::get_if<While>(&statement.operation)) {
      body(loop->body, [] {});
    } else if (auto* soac = std::get_if<Soac>(&statement.operation)) {
      const auto around = std::exchange(round_, std::nullopt);
      auto* const marked = std::exchange(marked_, nullptr);
      ++soacs_around_;
      body(soac->body, [&] { facts_.index_below(soac->body.parameters[0], soac->extent); });
      --soacs_around_;
      marked_ = marked;
      round_ = around;
    }
  }

  Function& function_;
  Facts facts_;
  std::optional<RoundOfBranches> round_;       ///< at hand
  std::unordered_set<std::uint32_t> prefixes_; ///< that loops have had of them
  unsigned marked_around_ = 0;                 ///< loops that are marked, around what is looked at
  unsigned soacs_around_ = 0;                  ///< of it, too
  const bool is_told_;                         ///< what comes of it does not run
  MarkedLoops* marked_;                        ///< what there is to say of them; null: nobody asks
};

} // namespace

void parallelise_loops(Function& function) {
  LoopWalk(function).run();
}

MarkedLoops look_at_marked_loops(Function function) {
  MarkedLoops marked;
  LoopWalk(function, &marked).run();
  return marked;
}

} // namespace sinter::jit
