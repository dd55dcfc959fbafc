#include "jit/cpu/index_predicates.h"

#include "jit/cpu/emit_analysis.h"
#include "jit/ir/walk.h"

#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sinter::jit {

using primitives::Operation;

namespace {

/// The same comparison with its operands exchanged; nothing if it is none.
std::optional<Operation> exchanged(Operation operation) {
  switch (operation) {
  case Operation::Less:
    return Operation::Greater;
  case Operation::LessEqual:
    return Operation::GreaterEqual;
  case Operation::Greater:
    return Operation::Less;
  case Operation::GreaterEqual:
    return Operation::LessEqual;
  case Operation::Equal:
  case Operation::NotEqual:
    return operation;
  default:
    return std::nullopt;
  }
}

class Finder {
public:
  explicit Finder(const ir::Soac& soac) {
    define(soac.body);
    positions_[soac.body.parameters[0].index] = {};
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
    for (const ir::ValueId parameter : body.parameters)
      inside_.insert(parameter.index);
    for (const ir::Statement& statement : body.statements) {
      for (const ir::ValueId result : statement.results)
        inside_.insert(result.index);
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { define(inner); });
    }
  }
  bool is_outside(const ir::Operand& operand) const {
    return operand.is_constant() || !inside_.contains(operand.value().index);
  }
  const Position* position(const ir::Operand& operand) const {
    if (operand.is_constant()) return nullptr;
    const auto found = positions_.find(operand.value().index);
    return found == positions_.end() ? nullptr : &found->second;
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
        is_of_others = is_of_others || !(is_known(operand) || is_outside(operand));
      }
      if (is_of_predicates && !is_of_others) known_.insert(result.index);
      return;
    }
    if (op.primitive->operand != ElementType::I64 || op.arguments.size() != 2) return;
    for (const std::size_t which : {0, 1}) {
      const Position* const moving = position(op.arguments[which]);
      const ir::Operand& fixed = op.arguments[1 - which];
      if (!moving || !is_outside(fixed)) continue;
      const Operation operation = op.primitive->operation;
      if (operation == Operation::Add || (operation == Operation::Subtract && which == 0))
        positions_[result.index] = moved(*moving, fixed, operation == Operation::Subtract);
      else if (const auto order = exchanged(operation))
        note(result, *moving, which == 0 ? operation : *order, fixed);
      return;
    }
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

  std::unordered_set<std::uint32_t> inside_; ///< values that the SOAC defines
  std::unordered_map<std::uint32_t, Position> positions_;
  std::unordered_set<std::uint32_t> known_;
  std::vector<IndexPredicate> predicates_;
  bool decides_branch_ = false;
};

} // namespace

std::vector<IndexPredicate> index_predicates(const ir::Soac& soac) {
  return Finder(soac).take();
}

} // namespace sinter::jit
