#include "jit/passes/borders.h"

#include "jit/ir/comparisons.h"
#include "jit/ir/index_positions.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// The body is there twice afterwards.
constexpr std::size_t bordered_body_limit = 200;

/// The index of a body, moved: `index + constant`, and what is added or subtracted that is known
/// outside of the body.
struct Position {
  std::int64_t constant = 0;
  std::vector<std::pair<Operand, Operation>> terms;
};

/// What holds of a position except near a border: `position order bound`.
struct Inside {
  Operation order{};
  Operand bound; ///< known outside of the body
  Position position;

  /// Whether they differ in the constants of their positions alone.
  bool is_alike(const Inside& other) const {
    return order == other.order && bound == other.bound && position.terms == other.position.terms;
  }
  /// Of two that are alike: whether it follows from the other one.  (With numbers that are not
  /// known, sums of them may wrap.)
  bool follows_from(const Inside& other) const {
    if (!position.terms.empty()) return position.constant == other.position.constant;
    switch (order) {
    case Operation::Less:
    case Operation::LessEqual:
      return position.constant <= other.position.constant;
    case Operation::Greater:
    case Operation::GreaterEqual:
      return position.constant >= other.position.constant;
    default:
      return position.constant == other.position.constant;
    }
  }
};

/// Positions in the body of a SOAC that are others near a border only, and what holds elsewhere.
class InteriorFinder {
public:
  explicit InteriorFinder(const Body& body) : body_(body) {
    positions_.define(body.parameters);
    for (const Statement& statement : body.statements)
      positions_.define(statement.results);
    positions_.set(body.parameters[0], {});
  }

  /// Nothing if indices are what they are everywhere.
  std::vector<Inside> find() {
    for (const Statement& statement : body_.statements) {
      if (statement.results.size() != 1) continue;
      const ValueId result = statement.results[0];
      if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
        visit(result, *primitive);
      else if (const auto* select = std::get_if<Select>(&statement.operation))
        choose(result, select->condition, select->then_value, select->else_value);
      else if (const auto* branch = std::get_if<If>(&statement.operation))
        choose(result, branch->condition, branch->then_body.results[0],
               branch->else_body.results[0]);
    }
    return std::move(inside_);
  }

private:
  void visit(ValueId result, const ir::Primitive& op) {
    if (op.primitive->result == ElementType::Bool) return visit_condition(result, op);
    const auto step = positions_.step(op);
    if (!step.from) return;
    Position position = *step.from;
    switch (op.primitive->operation) {
    case Operation::Minimum:
      inside_.push_back({Operation::LessEqual, step.by, position});
      break;
    case Operation::Maximum:
      inside_.push_back({Operation::GreaterEqual, step.by, position});
      break;
    case Operation::Modulo:
      if (step.is_exchanged) return;
      inside_.push_back({Operation::GreaterEqual, Operand::i64(0), position});
      inside_.push_back({Operation::Less, step.by, position});
      break;
    case Operation::Subtract:
      if (step.is_exchanged) return;
      [[fallthrough]];
    case Operation::Add:
      move(position, op.primitive->operation, step.by);
      break;
    default:
      return;
    }
    positions_.set(result, std::move(position));
  }

  void visit_condition(ValueId result, const ir::Primitive& op) {
    const Operation operation = op.primitive->operation;
    if (operation == Operation::And || operation == Operation::Or) {
      conditions_[result.index] = {operation, op.arguments, std::nullopt};
      return;
    }
    const auto order = exchanged(operation);
    const auto step = positions_.step(op);
    if (!order || !step.from) return;
    conditions_[result.index] = {
        operation, {}, Inside{step.is_exchanged ? *order : operation, step.by, *step.from}};
  }

  /// A choice between the position that a condition is about and another number.
  void choose(ValueId result, const Operand& condition, const Operand& then_value,
              const Operand& else_value) {
    const Position* const if_true = positions_.find(then_value);
    const Position* const if_false = positions_.find(else_value);
    if (!if_true && !if_false) return;
    // (What is moved by an extent is a way to wrap around.)
    if (if_true && if_false && if_true->terms.size() == if_false->terms.size()) return;
    const bool is_inside = if_true && (!if_false || if_true->terms.size() < if_false->terms.size());
    const std::size_t before = inside_.size();
    if (!suppose(condition, is_inside)) {
      inside_.resize(before);
      return;
    }
    positions_.set(result, is_inside ? *if_true : *if_false);
  }

  /// Adds what the condition's truth says of positions; not if it says anything else.
  bool suppose(const Operand& condition, bool truth) {
    if (condition.is_constant()) return false;
    const auto found = conditions_.find(condition.value().index);
    if (found == conditions_.end()) return false;
    const Condition& known = found->second;
    if (known.inside) {
      inside_.push_back(*known.inside);
      if (!truth) inside_.back().order = *negated(known.inside->order);
      return true;
    }
    return known.operation == (truth ? Operation::And : Operation::Or) &&
           std::ranges::all_of(known.parts,
                               [&](const Operand& part) { return suppose(part, truth); });
  }

  static void move(Position& position, Operation operation, const Operand& by) {
    if (by.is_value()) {
      position.terms.emplace_back(by, operation);
      return;
    }
    const auto distance = static_cast<std::uint64_t>(by.scalar().as<std::int64_t>());
    const auto before = static_cast<std::uint64_t>(position.constant);
    position.constant = static_cast<std::int64_t>(
        operation == Operation::Subtract ? before - distance : before + distance);
  }

  struct Condition {
    Operation operation{};
    std::vector<Operand> parts;   ///< of a conjunction or disjunction
    std::optional<Inside> inside; ///< else
  };

  const Body& body_;
  IndexPositions<Position> positions_;
  std::unordered_map<std::uint32_t, Condition> conditions_; ///< by their values
  std::vector<Inside> inside_;
};

class BorderSplitter {
public:
  explicit BorderSplitter(Function& function) : function_(function) {}

  void body(Body& body) {
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      if (auto* soac = std::get_if<Soac>(&statement.operation)) split(*soac, statement.span);
    }
  }

private:
  /// How many statements there are, in branches too; nothing if there are loops among them, or what
  /// has been split.
  static std::optional<std::size_t> straight_size(const Body& body) {
    std::size_t size = body.statements.size();
    for (const Statement& statement : body.statements) {
      const auto* branch = std::get_if<If>(&statement.operation);
      bool is_straight = !branch || !branch->is_shortcut;
      for_each_body(statement.operation, [&](const Body& inner) {
        const auto inner_size = branch ? straight_size(inner) : std::nullopt;
        is_straight = is_straight && inner_size;
        size += inner_size.value_or(0);
      });
      if (!is_straight) return std::nullopt;
    }
    return size;
  }
  static bool is_innermost(const Soac& soac) {
    return straight_size(soac.body).value_or(bordered_body_limit + 1) <= bordered_body_limit &&
           std::ranges::all_of(soac.groups, [](const Group& group) {
             return std::holds_alternative<MapGroup>(group) ||
                    std::holds_alternative<ReduceGroup>(group);
           });
  }

  void split(Soac& soac, Span span) {
    if (!is_innermost(soac)) return;
    const std::vector<Inside> all = InteriorFinder(soac.body).find();
    if (all.empty()) return;
    // These positions come before the branch.
    Body body;
    body.parameters = soac.body.parameters;
    std::optional<Operand> interior;
    for (const Inside& inside : strongest(all)) {
      Operand position = soac.body.parameters[0];
      for (const auto& [term, operation] : inside.position.terms)
        position = scalar(row(operation, ElementType::I64), {position, term}, span, body);
      if (inside.position.constant != 0 || inside.position.terms.empty())
        position = scalar(row(Operation::Add, ElementType::I64),
                          {position, Operand::i64(inside.position.constant)}, span, body);
      const Operand holds =
          scalar(row(inside.order, ElementType::I64), {position, inside.bound}, span, body);
      interior =
          interior ? scalar(row(Operation::And, ElementType::Bool), {*interior, holds}, span, body)
                   : holds;
    }
    Body near = {{}, std::move(soac.body.statements), soac.body.results};
    Body far = clone(function_, near); // simplification removes there what matters near a border
    std::vector<ValueId> results;
    for (const Operand& result : near.results)
      results.push_back(function_.add_value(function_.type(result)));
    body.results.assign(results.begin(), results.end());
    body.statements.push_back(
        {results, If{*interior, std::move(far), std::move(near), true}, span});
    soac.body = std::move(body);
  }

  /// Those that the others follow from: each bound at the farthest position, once.
  static std::vector<Inside> strongest(const std::vector<Inside>& all) {
    std::vector<Inside> kept;
    for (const Inside& inside : all) {
      const auto is_stronger = [&](const Inside& other) {
        return inside.is_alike(other) && inside.follows_from(other) && !other.follows_from(inside);
      };
      const auto is_same = [&](const Inside& other) {
        return inside.is_alike(other) && inside.follows_from(other);
      };
      if (std::ranges::none_of(all, is_stronger) && std::ranges::none_of(kept, is_same))
        kept.push_back(inside);
    }
    return kept;
  }

  Operand scalar(const primitives::Primitive& row, std::vector<Operand> arguments, Span span,
                 Body& body) {
    const ValueId result = function_.add_value({row.result, {}});
    body.statements.push_back({{result}, ir::Primitive{&row, std::move(arguments)}, span});
    return result;
  }

  Function& function_;
};

} // namespace

void split_borders(Function& function) {
  BorderSplitter(function).body(function.body);
}

} // namespace sinter::jit
