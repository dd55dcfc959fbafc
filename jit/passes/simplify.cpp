#include "jit/passes/simplify.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/branches.h"
#include "jit/passes/checks.h"
#include "jit/passes/counted_loops.h"
#include "jit/passes/growing_states.h"
#include "jit/passes/joins.h"
#include "jit/passes/knowledge.h"
#include "jit/passes/known_elements.h"
#include "jit/passes/known_scalars.h"
#include "jit/passes/loop_state.h"
#include "jit/passes/selected_reads.h"
#include "jit/passes/views.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// The walk: asks what is known of each statement, and notes what follows from those that stay.
class Simplifier {
public:
  explicit Simplifier(Function& function) : known_(function) {}

  void run() {
    Body& whole = known_.function.body;
    for (ValueId parameter : whole.parameters)
      known_.facts.note_type(known_.function.type(parameter));
    body(whole);
  }

private:
  using Statements = std::vector<Statement>;

  // ---- bodies ----------------------------------------------------------------------------------

  /// Simplifies the statements of a body whose parameters have been introduced.
  void body(Body& body) {
    Statements before = std::move(body.statements);
    body.statements.clear();
    body.statements.reserve(before.size());
    for (ValueId parameter : body.parameters)
      known_.substitution.apply_to_type(known_.function, parameter);
    run_here(before, body.statements);
    for (Operand& result : body.results)
      result = known_.substitution.resolve(result);
  }

  /// What is found inside is forgotten at the end, except what stands for what.
  template <typename Introduce>
  void scope(Body& inner, Introduce&& introduce) {
    const Facts::Mark facts = known_.facts.mark();
    const std::size_t shared = known_.shared.mark();
    for (ValueId parameter : inner.parameters)
      known_.facts.note_type(known_.function.type(parameter));
    introduce();
    ++depth_;
    body(inner);
    --depth_;
    known_.shared.back_to(shared);
    known_.facts.back_to(facts);
  }
  void scope(Body& inner) {
    scope(inner, [] {});
  }

  void statement(Statement statement, Statements& out) {
    known_.substitution.apply_to_head(known_.function, statement);
    std::visit([&](auto& operation) { this->operation(operation, statement, out); },
               statement.operation);
  }
  void run_here(Statements& statements, Statements& out) {
    for (Statement& each : statements)
      statement(std::move(each), out);
  }

  // ---- what becomes of a statement

  /// Appends a statement that stays.
  void keep(Statement statement, Statements& out) {
    known_.facts.define(statement);
    out.push_back(std::move(statement));
  }

  void replace(const Statement& statement, std::size_t result, const Operand& by) {
    known_.substitution.set(statement.results[result], by);
  }

  /// Appends a pure operation with one result, unless an equal one was computed before.
  void share(Statement statement, Statements& out) {
    const ValueId result = statement.results[0];
    auto key = SharedValues::key(statement.operation, known_.function.type(result));
    // An array that is overwritten must stay apart from other values.
    if (key && !known_.is_overwritten(result)) {
      if (const auto found = known_.shared.find(*key)) return replace(statement, 0, *found);
      known_.shared.add(std::move(*key), result);
    }
    known_.define(result, statement.operation);
    keep(std::move(statement), out);
  }

  /// Puts what is simpler in the statement's place, and goes on from there.
  void put(Simpler found, const Statement& statement, Statements& out) {
    run_here(found.before, out);
    if (const auto* value = std::get_if<Operand>(&found.instead))
      return replace(statement, 0, *value);
    this->statement(
        {statement.results, std::move(std::get<ir::Operation>(found.instead)), statement.span},
        out);
  }

  // ---- operations ------------------------------------------------------------------------------

  /// Scalar operations, views and copies: one result, and nothing else.
  template <typename Pure>
  void operation(Pure& pure, Statement& statement, Statements& out) {
    if (auto found = simpler(pure, statement, known_))
      return put(std::move(*found), statement, out);
    share(std::move(statement), out);
  }

  void operation(ArrayLiteral& literal, Statement& statement, Statements& out) {
    // Elements that are arrays are copied into it; the originals may be overwritten later.
    const auto may_change = [&](const Operand& element) {
      return element.is_value() && known_.is_overwritten(element.value());
    };
    if (!known_.is_overwritten(statement.results[0]) &&
        std::none_of(literal.elements.begin(), literal.elements.end(), may_change))
      known_.define(statement.results[0], literal);
    note_elements(literal, statement.results[0], known_);
    keep(std::move(statement), out);
  }

  void operation(Concat& concat, Statement& statement, Statements& out) {
    const auto may_change = [&](ValueId array) { return known_.is_overwritten(array); };
    join_once(concat, known_);
    if (const auto whole = equal_to_joined(concat, statement.results[0], known_))
      return replace(statement, 0, *whole);
    if (!may_change(statement.results[0]) &&
        std::none_of(concat.arrays.begin(), concat.arrays.end(), may_change))
      known_.define(statement.results[0], concat);
    keep(std::move(statement), out);
  }

  void operation(Copy& copy, Statement& statement, Statements& out) {
    if (auto found = simpler(copy, statement, known_))
      return put(std::move(*found), statement, out);
    note_elements(copy, statement.results[0], known_);
    share(std::move(statement), out);
  }

  // Arrays that are overwritten are left to other passes.
  void operation(Update& update, Statement& statement, Statements& out) {
    note_elements(update, statement.results[0], known_);
    keep(std::move(statement), out);
  }
  void operation(UpdateSlice&, Statement& statement, Statements& out) {
    keep(std::move(statement), out);
  }

  void operation(Check& check, Statement& statement, Statements& out) {
    const auto holds = known_.facts.decide(check.condition);
    if (holds == true) return;
    if (!holds) check.condition = open_part(check.condition, known_);
    known_.facts.assume(check.condition, true);
    if (depth_ == 0) unify_sizes(check.condition, known_);
    keep(std::move(statement), out);
  }

  // ---- control ---------------------------------------------------------------------------------

  /// Runs the body's statements here: its results stand for the statement's.
  void inline_body(Body& inner, const Statement& statement, Statements& out) {
    run_here(inner.statements, out);
    for (std::size_t i = 0; i < inner.results.size(); ++i)
      replace(statement, i, known_.substitution.resolve(inner.results[i]));
  }

  void operation(If& choice, Statement& statement, Statements& out) {
    if (const auto truth = known_.facts.decide(choice.condition))
      return inline_body(*truth ? choice.then_body : choice.else_body, statement, out);
    scope(choice.then_body, [&] { known_.facts.assume(choice.condition, true); });
    scope(choice.else_body, [&] {
      if (!choice.is_shortcut) known_.facts.assume(choice.condition, false);
    });
    if (becomes_select(choice, statement, known_.function)) return select(choice, statement, out);
    drop_equal_results(choice, statement, known_);
    Statements scalars = scalars_beside(choice, statement, known_.function);
    run_here(scalars, out);
    keep(std::move(statement), out);
  }

  /// Computes both branches, and chooses.
  void select(If& choice, const Statement& whole, Statements& out) {
    run_here(choice.then_body.statements, out);
    run_here(choice.else_body.statements, out);
    for (std::size_t i = 0; i < whole.results.size(); ++i)
      statement({{whole.results[i]},
                 Select{choice.condition, choice.then_body.results[i], choice.else_body.results[i]},
                 whole.span},
                out);
  }

  void operation(For& loop, Statement& statement, Statements& out) {
    if (never_runs(loop)) {
      for (std::size_t i = 0; i < loop.initial.size(); ++i)
        replace(statement, i, loop.initial[i]);
      return;
    }
    if (runs_once(loop)) return run_once(loop, statement, out);
    drop_constant_state(loop, statement, known_);
    scope(loop.body, [&] {
      if (is_signed(loop.index_type)) known_.facts.index_below(loop.body.parameters[0], loop.bound);
      note_growing_states(loop, known_);
    });
    if (loop.initial.empty() && !may_fail(statement.operation)) return;
    note_grown_states(loop, statement, known_);
    keep(std::move(statement), out);
  }

  void run_once(For& loop, const Statement& statement, Statements& out) {
    known_.substitution.set(loop.body.parameters[0],
                            Operand::constant(loop.index_type, Scalar::of<std::int64_t>(0)));
    for (std::size_t i = 0; i < loop.initial.size(); ++i)
      known_.substitution.set(loop.body.parameters[i + 1], loop.initial[i]);
    inline_body(loop.body, statement, out);
  }

  void operation(While& loop, Statement& statement, Statements& out) {
    drop_constant_state(loop, statement, known_);
    scope(loop.condition);
    scope(loop.body);
    if (auto counted = counted_loop(loop, statement.span, known_))
      return count(std::move(*counted), statement, out);
    keep(std::move(statement), out);
  }

  void count(CountedLoop counted, const Statement& statement, Statements& out) {
    run_here(counted.before, out);
    replace(statement, counted.number, known_.substitution.resolve(counted.last));
    Statement instead{statement.results, std::move(counted.loop), statement.span};
    erase_at(instead.results, counted.number);
    for (const ValueId result : instead.results)
      known_.substitution.apply_to_type(known_.function, result);
    this->statement(std::move(instead), out);
  }

  void operation(Stream& stream, Statement& statement, Statements& out) {
    scope(stream.body);
    keep(std::move(statement), out);
  }

  void operation(Soac& soac, Statement& statement, Statements& out) {
    drop_known_inputs(soac, known_);
    scope(soac.body, [&] {
      known_.facts.index_below(soac.body.parameters[0], soac.extent);
      share_elements(soac, known_);
    });
    std::size_t first = 0; // of the body's results
    for (Group& group : soac.groups) {
      for_each_body(group, [&](Body& combine) {
        scope(combine, [&] { note_selected_indices(soac, group, first, known_.facts); });
      });
      first += arity(group).body_results;
    }
    note_elements(soac, statement, known_);
    keep(std::move(statement), out);
  }

  Knowledge known_;
  unsigned depth_ = 0; ///< bodies around, the function's not counted
};

} // namespace

void simplify(Function& function) {
  Simplifier(function).run();
}

} // namespace sinter::jit
