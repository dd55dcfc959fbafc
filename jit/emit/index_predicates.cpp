#include "jit/emit/index_predicates.h"

#include "jit/emit/analysis.h"
#include "jit/ir/comparisons.h"
#include "jit/ir/index_positions.h"
#include "jit/ir/walk.h"

#include <optional>
#include <unordered_set>
#include <utility>

namespace sinter::jit {

using primitives::Operation;

namespace {

class Finder {
public:
  explicit Finder(const ir::Soac& soac) {
    define(soac.body);
    positions_.set(soac.body.parameters[0], {});
    visit(soac.body);
  }

  std::vector<IndexPredicate> take() {
    if (!decides_branch_) predicates_.clear();
    return std::move(predicates_);
  }

private:
  struct Position { ///< index + constant + terms
    std::int64_t constant = 0;
    std::vector<IndexPredicate::Term> terms;
  };

  void define(const ir::Body& body) {
    positions_.define(body.parameters);
    for (const ir::Statement& statement : body.statements) {
      positions_.define(statement.results);
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { define(inner); });
    }
  }

  void visit(const ir::Body& body) {
    for (const ir::Statement& statement : body.statements) {
      if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
        visit(statement.results[0], *primitive);
      if (const auto* branch = std::get_if<ir::If>(&statement.operation))
        decides_branch_ =
            decides_branch_ || (is_known(branch->condition) &&
                                !(is_cheap(branch->then_body) && is_cheap(branch->else_body)));
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { visit(inner); });
    }
  }

  /// Whether a bool is computed from predicates.
  bool is_known(const ir::Operand& operand) const {
    return operand.is_value() && known_.contains(operand.value().index);
  }

  void visit(ir::ValueId result, const ir::Primitive& op) {
    if (op.primitive->operand == ElementType::Bool) {
      bool is_of_predicates = false, is_of_others = false;
      for (const ir::Operand& operand : op.arguments) {
        is_of_predicates = is_of_predicates || is_known(operand);
        is_of_others = is_of_others || !(is_known(operand) || positions_.is_outside(operand));
      }
      if (is_of_predicates && !is_of_others) known_.insert(result.index);
      return;
    }
    const auto step = positions_.step(op);
    if (!step.from) return;
    const Operation operation = op.primitive->operation;
    if (operation == Operation::Add || (operation == Operation::Subtract && !step.is_exchanged))
      positions_.set(result, moved(*step.from, step.by, operation == Operation::Subtract));
    else if (const auto order = ir::exchanged(operation))
      note(result, *step.from, step.is_exchanged ? *order : operation, step.by);
  }

  static Position moved(Position position, const ir::Operand& by, bool is_subtracted) {
    if (by.is_value()) {
      position.terms.push_back({by, is_subtracted});
      return position;
    }
    const auto distance = static_cast<std::uint64_t>(by.scalar().as<std::int64_t>());
    const auto before = static_cast<std::uint64_t>(position.constant);
    position.constant =
        static_cast<std::int64_t>(is_subtracted ? before - distance : before + distance);
    return position;
  }

  void note(ir::ValueId result, const Position& position, Operation order,
            const ir::Operand& bound) {
    known_.insert(result.index);
    predicates_.push_back({result, order, position.constant, position.terms, bound});
  }

  ir::IndexPositions<Position> positions_;
  std::unordered_set<std::uint32_t> known_;
  std::vector<IndexPredicate> predicates_;
  bool decides_branch_ = false;
};

} // namespace

std::vector<IndexPredicate> index_predicates(const ir::Soac& soac) {
  return Finder(soac).take();
}

} // namespace sinter::jit
