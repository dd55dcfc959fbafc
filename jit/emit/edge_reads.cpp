#include "jit/emit/edge_reads.h"

#include "jit/ir/index_positions.h"
#include "jit/ir/operations.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace sinter::jit {

using primitives::Operation;

namespace {

/// More rows are more registers than there are.
constexpr std::size_t most_edge_rows = 6;
/// Farther neighbours are as many more elements at the borders.
constexpr std::int64_t most_distance = 2;
/// Smaller elements are not quickly moved across a vector.
constexpr std::size_t least_edge_bytes = 4;

class EdgeFinder {
public:
  EdgeFinder(const ir::Function& function, const ir::Soac& soac) : function_(function) {
    positions_.define(soac.body.parameters);
    positions_.set(soac.body.parameters[0], {});
  }

  std::optional<EdgeReads> find(const ir::Body& body) {
    bool has_branch = false;
    for (const ir::Statement& statement : body.statements) {
      const auto* branch = std::get_if<ir::If>(&statement.operation);
      if (branch && (has_branch || !branch->is_shortcut)) return std::nullopt;
      has_branch = has_branch || branch;
      if (branch ? !visit_all(branch->else_body) : !visit(statement)) return std::nullopt;
      positions_.define(statement.results);
    }
    if (!has_branch || !are_covered()) return std::nullopt;
    return std::move(reads_);
  }

private:
  struct Position { ///< index + distance, clamped
    std::int64_t distance = 0;
    std::vector<IndexClamp> clamps;
  };

  bool visit_all(const ir::Body& body) {
    return std::all_of(body.statements.begin(), body.statements.end(),
                       [&](const ir::Statement& statement) {
                         const bool is_known = visit(statement);
                         positions_.define(statement.results);
                         return is_known;
                       });
  }
  bool is_outside(const ir::Operand& operand) const { return positions_.is_outside(operand); }

  bool visit(const ir::Statement& statement) {
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation)) {
      visit(statement.results[0], *primitive);
      return true;
    }
    if (const auto* check = std::get_if<ir::Check>(&statement.operation))
      return visit_check(check->condition);
    if (const auto* index = std::get_if<ir::Index>(&statement.operation))
      return visit(statement.results[0], *index);
    return ir::is_scalar_operation(statement.operation);
  }

  void visit(ir::ValueId result, const ir::Primitive& op) {
    primitives_[result.index] = &op;
    const auto step = positions_.step(op);
    if (!step.from) return;
    const Operation operation = op.primitive->operation;
    Position moved = *step.from;
    if (operation == Operation::Maximum || operation == Operation::Minimum)
      moved.clamps.push_back({operation, step.by});
    else if (moved.clamps.empty() && step.by.is_constant() && operation == Operation::Add)
      moved.distance += std::clamp(step.by.scalar().as<std::int64_t>(), -far, far);
    else
      return;
    if (std::abs(moved.distance) < far) positions_.set(result, std::move(moved));
  }

  bool visit(ir::ValueId result, const ir::Index& op) {
    if (!function_.type(result).is_scalar()) return false;
    const ir::Operand& last = op.indices.back();
    if (!std::all_of(op.indices.begin(), op.indices.end() - 1,
                     [&](const ir::Operand& index) { return is_outside(index); }) ||
        !is_outside(ir::Operand(op.array)))
      return false;
    if (is_outside(last)) return true;
    const Position* const where = positions_.find(last);
    if (!where || where->distance < -most_distance || where->distance > most_distance) return false;
    if (where->distance != 0 && byte_size(function_.type(result).element) < least_edge_bytes)
      return false;
    reads_.clamps.insert(reads_.clamps.end(), where->clamps.begin(), where->clamps.end());
    EdgeRow& row = row_of(op);
    if (where->distance == 0) {
      row.at.push_back(result);
      return true;
    }
    std::vector<EdgeRow::Neighbour>& reads = where->distance < 0 ? row.before : row.after;
    std::vector<IndexClamp>& clamps = where->distance < 0 ? row.before_clamps : row.after_clamps;
    if (!reads.empty() && clamps != where->clamps) return false;
    clamps = where->clamps;
    reads.push_back({result, std::abs(where->distance)});
    return true;
  }

  EdgeRow& row_of(const ir::Index& op) {
    const std::vector<ir::Operand> leading(op.indices.begin(), op.indices.end() - 1);
    for (EdgeRow& row : reads_.rows)
      if (row.array.index == op.array.index && row.leading == leading) return row;
    reads_.rows.push_back({op.array, leading, {}, {}, {}, {}, {}});
    return reads_.rows.back();
  }

  /// A clamped index lies within the bounds if what it is clamped with does.
  bool visit_check(const ir::Operand& condition) {
    if (condition.is_constant()) return condition.scalar().as<bool>();
    if (is_outside(condition)) {
      reads_.checked_outside.push_back(condition.value());
      return true;
    }
    const auto known = primitives_.find(condition.value().index);
    if (known == primitives_.end()) return false;
    const ir::Primitive& op = *known->second;
    reads_.checked.push_back(condition.value());
    if (op.primitive->operand == ElementType::Bool && op.primitive->operation == Operation::And)
      return visit_check(op.arguments[0]) && visit_check(op.arguments[1]);
    const Operation order = op.primitive->operation;
    if (op.primitive->operand != ElementType::I64 ||
        (order != Operation::Less && order != Operation::LessEqual))
      return false;
    const Position* const left = positions_.find(op.arguments[0]);
    const Position* const right = positions_.find(op.arguments[1]);
    if (left && is_outside(op.arguments[1]))
      return within(left->clamps, Operation::Minimum, [&](const ir::Operand& bound) {
        reads_.preconditions.push_back({order, bound, op.arguments[1]});
      });
    if (right && is_outside(op.arguments[0]))
      return within(right->clamps, Operation::Maximum, [&](const ir::Operand& bound) {
        reads_.preconditions.push_back({order, op.arguments[0], bound});
      });
    return false;
  }

  /// The last clamp of that kind, and those after it.
  template <typename Note>
  static bool within(const std::vector<IndexClamp>& clamps, Operation kind, Note&& note) {
    for (auto clamp = clamps.rbegin(); clamp != clamps.rend(); ++clamp) {
      note(clamp->bound);
      if (clamp->operation == kind) return true;
    }
    return false;
  }

  /// Whether each vector that is moved is read, or lies between two that are.
  bool are_covered() {
    const auto is_alone = [](const EdgeRow& row) {
      return row.before.empty() && row.after.empty();
    };
    std::erase_if(reads_.rows, is_alone);
    return !reads_.rows.empty() && reads_.rows.size() <= most_edge_rows &&
           std::all_of(reads_.rows.begin(), reads_.rows.end(), [](const EdgeRow& row) {
             return !row.at.empty() || (!row.before.empty() && !row.after.empty());
           });
  }

  static constexpr std::int64_t far = 1 << 20; ///< where there are no neighbours any more

  const ir::Function& function_;
  ir::IndexPositions<Position> positions_;
  std::unordered_map<std::uint32_t, const ir::Primitive*> primitives_;
  EdgeReads reads_;
};

} // namespace

std::optional<EdgeReads> edge_reads(const ir::Function& function, const ir::Soac& soac) {
  return EdgeFinder(function, soac).find(soac.body);
}

} // namespace sinter::jit
