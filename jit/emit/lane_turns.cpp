// Loops that end apart in their lanes: they go on until no lane is active; the others' state stays
// as it is, where it is wanted afterwards.
//
// Whether a lane is still active is asked after some turns, not after each one: it is what a
// processor's few units for masks are for, and a turn may be short.  Turns that no lane needs any
// more are then made in vain, so that the first ones, which may be all, are asked after one by one.
#include "jit/emit/body.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <optional>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Turns that are asked after one by one; at least a quarter of all are then not in vain.
constexpr int first_turns = 8;
/// Turns between two questions, from then on.
constexpr int turns_together = 4;

/// Whether a turn may be made in vain: it only computes, and little.
bool may_be_in_vain(const ir::Function& function, const ir::While& loop) {
  constexpr int most_work = 24; // additions
  int work = 0;
  for (const ir::Body* body : {&loop.condition, &loop.body})
    for (const ir::Statement& statement : body->statements) {
      const auto* const primitive = std::get_if<ir::Primitive>(&statement.operation);
      if (!primitive && !std::holds_alternative<ir::Select>(statement.operation)) return false;
      // (A quotient of integers may not be computed of any.)
      constexpr int most_of_one = 3;
      if (primitive && primitive->primitive->cost > most_of_one) return false;
      work += primitive ? primitive->primitive->cost : 1;
    }
  return work <= most_work && std::ranges::all_of(loop.initial, [&](const ir::Operand& initial) {
           return function.type(initial).is_scalar();
         });
}

/// The two sides of a condition that is whether both hold.
std::optional<std::pair<ir::Operand, ir::Operand>> sides(const ir::Body& condition) {
  const ir::Operand& result = condition.results[0];
  if (!result.is_value()) return std::nullopt;
  for (const ir::Statement& statement : condition.statements) {
    const auto* const primitive = std::get_if<ir::Primitive>(&statement.operation);
    if (!primitive || statement.results[0] != result.value()) continue;
    if (primitive->primitive->operation != primitives::Operation::And) return std::nullopt;
    return std::pair(primitive->arguments[0], primitive->arguments[1]);
  }
  return std::nullopt;
}

} // namespace

/// (Masking the state makes each turn wait for the condition of the one before.)  What is the same
/// in all active lanes is computed once, as a scalar, and kept in a vector only for those that
/// stop.
void BodyEmitter::emit_while_in_lanes(const ir::Statement& statement, const ir::While& op,
                                      std::vector<LoopState> states) {
  const std::vector<bool> is_lockstep = lockstep_states(uniformity_, op);
  std::vector<LoopState> afterwards = states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i].variable.slot) continue;
    const bool is_used = used_[statement.results[i].index];
    states[i].is_masked = is_used;
    const LaneValue initial = scalar(op.initial[i]);
    if (!is_lockstep[i] || initial.shape != Shape::Uniform) continue;
    states[i].variable = b.variable(initial.element, Shape::Uniform);
    b.set(states[i].variable, initial);
    if (!is_used) afterwards[i] = states[i];
  }
  Value* const mask = b.mask;
  const Variable active = b.variable(ElementType::Bool, Shape::Varying);
  b.set(active, b.varying(b.mask_or_all(), ElementType::Bool));
  auto* const done = b.block("done");

  // Leaves where none goes on by what all have in common, and takes note of who does.
  const auto ask = [&] {
    b.mask = b.get(active).value;
    bind_state(states, op.condition.parameters);
    statements(op.condition);
    LaneValue goes_on = scalar(op.condition.results[0]);
    if (const auto both = sides(op.condition)) {
      LaneValue common = scalar(both->first), own = scalar(both->second);
      if (common.shape != Shape::Uniform) std::swap(common, own);
      if (common.shape == Shape::Uniform) {
        auto* const next = b.block("own");
        b.ir.CreateCondBr(common.value, next, done);
        b.ir.SetInsertPoint(next);
        goes_on = own;
      }
    }
    b.set(active, b.varying(b.and_mask(b.vector(goes_on)), ElementType::Bool));
  };
  const auto make = [&] {
    b.mask = b.get(active).value;
    with_scratch([&] {
      bind_state(states, op.body.parameters);
      statements(op.body);
      update_state(states, op.body, 0);
      for (std::size_t i = 0; i < states.size(); ++i)
        if (states[i].variable.slot != afterwards[i].variable.slot)
          b.set_active(afterwards[i].variable, b.get(states[i].variable));
    });
  };
  /// Ends where no lane is active, and before another turn where `more` (i1) is false.
  const auto loop = [&](int turns, llvm::BasicBlock* after, const std::function<Value*()>& more) {
    auto* const header = b.block("while");
    b.ir.CreateBr(header);
    b.ir.SetInsertPoint(header);
    if (Value* const go_on = more()) {
      auto* const inside = b.block("more");
      b.ir.CreateCondBr(go_on, inside, after);
      b.ir.SetInsertPoint(inside);
    }
    ask();
    auto* const body = b.block("body");
    b.ir.CreateCondBr(b.any(b.get(active).value), body, done);
    b.ir.SetInsertPoint(body);
    check_epoch();
    make();
    for (int turn = 1; turn < turns; ++turn) {
      ask();
      make();
    }
    b.ir.CreateBr(header);
    b.ir.SetInsertPoint(after);
  };
  if (b.kernel.is_compact || !may_be_in_vain(source_, op)) {
    loop(1, done, [] { return nullptr; });
  } else {
    const Variable made = b.variable(ElementType::I64, Shape::Uniform);
    b.set(made, b.uniform(b.i64(0)));
    loop(1, b.block("many"), [&] {
      Value* const count = b.get(made).value;
      b.set(made, b.uniform(b.ir.CreateAdd(count, b.i64(1))));
      return b.ir.CreateICmpSLT(count, b.i64(first_turns));
    });
    loop(turns_together, done, [] { return nullptr; });
  }
  b.mask = mask;
  bind_state(afterwards, statement.results);
}

} // namespace sinter::jit
