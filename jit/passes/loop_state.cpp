#include "jit/passes/loop_state.h"

namespace sinter::jit {

using namespace ir;

namespace {

/// Whether the body hands on what it got.
bool is_constant_state(const Operand& initial, ValueId parameter, const Operand& result,
                       const Knowledge& known) {
  const Operand next = known.substitution.resolve(result);
  if (next == Operand(parameter)) return true;
  // An array that is overwritten on the way is not the same any more.
  return next == initial && known.function.type(parameter).is_scalar();
}

/// `first` is the position of the state among the body's parameters; `condition`, if there is one,
/// has the same state.
void drop_constant_state(std::vector<Operand>& initial, Body& body, std::size_t first,
                         Body* condition, Statement& statement, Knowledge& known) {
  for (std::size_t i = initial.size(); i-- > 0;) {
    const ValueId parameter = body.parameters[first + i];
    if (!is_constant_state(initial[i], parameter, body.results[i], known)) continue;
    known.substitution.set(parameter, initial[i]);
    known.substitution.set(statement.results[i], initial[i]);
    if (condition) {
      known.substitution.set(condition->parameters[i], initial[i]);
      erase_at(condition->parameters, i);
    }
    erase_at(body.parameters, first + i);
    erase_at(body.results, i);
    erase_at(initial, i);
    erase_at(statement.results, i);
  }
  for (ValueId result : statement.results)
    known.substitution.apply_to_type(known.function, result);
}

} // namespace

void drop_constant_state(For& loop, Statement& statement, Knowledge& known) {
  drop_constant_state(loop.initial, loop.body, 1, nullptr, statement, known);
}

void drop_constant_state(While& loop, Statement& statement, Knowledge& known) {
  drop_constant_state(loop.initial, loop.body, 0, &loop.condition, statement, known);
}

bool never_runs(const For& loop) {
  if (!loop.bound.is_constant()) return false;
  const auto bound = loop.bound.scalar().as<std::int64_t>();
  return bound == 0 || (is_signed(loop.index_type) && bound < 0);
}

bool runs_once(const For& loop) {
  return loop.bound.is_constant() && loop.bound.scalar().as<std::int64_t>() == 1;
}

} // namespace sinter::jit
