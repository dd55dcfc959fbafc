#include "jit/trace/branches.h"

#include "jit/ir/walk.h"
#include "jit/trace/joiner.h"

#include <algorithm>

namespace sinter::jit {

namespace {

using ir::Operand;
using ir::ValueId;

/// Scalar code that may run although its side was not chosen: how much of it.
constexpr unsigned speculation_cost = 24;

bool is_speculable(const ir::Body& body) {
  unsigned cost = 0;
  for (const ir::Statement& statement : body.statements) {
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
      cost += primitive->primitive->cost;
    else if (std::holds_alternative<ir::Select>(statement.operation))
      cost += 1;
    else
      return false;
    if (cost > speculation_cost) return false;
  }
  return true;
}

bool has_effects(const ir::Body& body) {
  return std::any_of(body.statements.begin(), body.statements.end(),
                     [](const ir::Statement& s) { return ir::may_fail(s.operation); });
}

bool is_bool(const Operand& operand, bool truth) {
  return operand.is_constant() && operand.element() == ElementType::Bool &&
         operand.scalar().as<bool>() == truth;
}

/// Whether a failure ends the path that is being traced, and does not say something about the
/// trace.
bool ends_the_path(const RuntimeError& error) {
  return error.kind == FailureKind::Program || error.kind == FailureKind::Unsupported ||
         error.kind == FailureKind::Deferred;
}

/// One side of a branch, traced on its own.
struct TracedSide {
  ir::Body body;
  SymbolicValue value;
  std::optional<ir::FailureSite> failure; ///< of a side that always fails
};

/// One branch, while it is traced.
class Branch {
public:
  using Value = SymbolicValue;

  Branch(Code& code, Leaves& leaves, const Operand& condition)
      : code_(code), leaves_(leaves), condition_(condition) {}

  TracedSide side(const Branches::Side& walk, bool is_then) {
    TracedSide side;
    BodyScope scope(code_, Code::Runs::AtMostOnce);
    code_.sizes().assume(condition_, is_then);
    try {
      side.value = walk();
    } catch (const RuntimeError& error) {
      if (!ends_the_path(error)) code_.refuse(Reason::NoSuchSizes, {error.message});
      side.failure = Code::failure_site(error);
      return side;
    }
    leaves_.rebuild(side.value, [&](const Operand& old, const ir::Type&, bool) {
      if (old.is_value() && code_.builder().is_defined_within(old.value(), 1))
        inside_.insert(old.value().index);
      return old;
    });
    side.body = scope.close({});
    return side;
  }

  Value join(TracedSide then_side, TracedSide else_side) {
    Joiner joiner(code_, leaves_, inside_);
    const Value joined = joiner.join(then_side.value, else_side.value);
    const std::vector<JoinedResult>& results = joiner.results();
    if (results.empty() && !has_effects(then_side.body) && !has_effects(else_side.body))
      return joined;
    const bool is_scalar = std::ranges::all_of(
        results, [](const JoinedResult& result) { return result.type.is_scalar(); });
    const std::vector<Operand> values =
        is_scalar && is_speculable(then_side.body) && is_speculable(else_side.body)
            ? choose(then_side.body, else_side.body, results)
            : append_if(std::move(then_side.body), std::move(else_side.body), results);
    return leaves_.rebuild(joined, [&](const Operand& old, const ir::Type&, bool) {
      return is_placeholder(old) ? values[old.value().index - first_placeholder] : old;
    });
  }

private:
  // ---- both sides run, and one result is chosen

  std::vector<Operand> choose(const ir::Body& then_body, const ir::Body& else_body,
                              const std::vector<JoinedResult>& results) {
    for (const ir::Body* body : {&then_body, &else_body})
      for (const ir::Statement& statement : body->statements)
        copy(statement);
    std::vector<Operand> values;
    for (const JoinedResult& result : results)
      values.push_back(choice(renamed(result.then_value), renamed(result.else_value)));
    return values;
  }
  Operand choice(const Operand& then_value, const Operand& else_value) {
    if (is_bool(else_value, false)) return code_.both(condition_, then_value);
    if (is_bool(then_value, true)) return code_.either(condition_, else_value);
    return code_.select(condition_, then_value, else_value);
  }
  Operand renamed(const Operand& old) const {
    if (!old.is_value()) return old;
    const auto copy = copies_.find(old.value().index);
    return copy == copies_.end() ? old : copy->second;
  }
  void copy(const ir::Statement& statement) {
    const ValueId old = statement.results[0];
    const Operand copy = copied(statement);
    copies_.emplace(old.index, copy);
    if (copy.is_value())
      code_.note_copy(copy.value(), old, [this](const Operand& bound) { return renamed(bound); });
  }
  Operand copied(const ir::Statement& statement) {
    if (const auto* chosen = std::get_if<ir::Select>(&statement.operation))
      return code_.select(renamed(chosen->condition), renamed(chosen->then_value),
                          renamed(chosen->else_value));
    const auto& primitive = std::get<ir::Primitive>(statement.operation);
    std::vector<Operand> arguments;
    for (const Operand& argument : primitive.arguments)
      arguments.push_back(renamed(argument));
    return code_.builder().primitive(*primitive.primitive, arguments, statement.span);
  }

  // ---- one side runs

  std::vector<Operand> append_if(ir::Body then_body, ir::Body else_body,
                                 const std::vector<JoinedResult>& results) {
    for (const JoinedResult& result : results) {
      then_body.results.push_back(result.then_value);
      else_body.results.push_back(result.else_value);
    }
    const std::vector<ValueId> made = code_.builder().append_dependent(
        ir::If{condition_, std::move(then_body), std::move(else_body)}, results.size(),
        [&](std::size_t i, std::span<const ValueId> all) {
          ir::Type type = results[i].type;
          for (Operand& extent : type.extents)
            if (is_placeholder(extent)) extent = all[extent.value().index - first_placeholder];
          return type;
        },
        code_.span());
    return {made.begin(), made.end()};
  }

  Code& code_;
  Leaves& leaves_;
  Operand condition_;
  std::unordered_set<std::uint32_t> inside_;          ///< what the sides define themselves
  std::unordered_map<std::uint32_t, Operand> copies_; ///< of what they compute
};

} // namespace

SymbolicValue Branches::branch(const Operand& condition, const Side& then_side,
                               const Side& else_side) {
  if (condition.is_constant()) return condition.scalar().as<bool>() ? then_side() : else_side();
  code_.limit_statements();
  Branch branch(code_, leaves_, condition);
  TracedSide if_true = branch.side(then_side, true);
  if (if_true.failure) {
    // What follows still is but one path of two if the failure is none of the program's.
    const bool is_conditional = if_true.failure->kind == FailureKind::Deferred;
    code_.check(code_.negation(condition), std::move(*if_true.failure));
    if (!is_conditional) return else_side();
    const Code::ConditionalScope scope(code_);
    return else_side();
  }
  TracedSide if_false = branch.side(else_side, false);
  if (if_false.failure) {
    code_.check(condition, std::move(*if_false.failure));
    code_.splice(std::move(if_true.body));
    return if_true.value;
  }
  recursion_.as_steps(if_true.value, if_false.value);
  return branch.join(std::move(if_true), std::move(if_false));
}

} // namespace sinter::jit
