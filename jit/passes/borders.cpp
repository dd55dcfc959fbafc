#include "jit/passes/borders.h"

#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
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

/// A `min` or `max` in a body that leaves a position as it is, except near a border.
struct Clamp {
  Operation operation{};
  Operand bound; ///< known outside of the body
  Position position;
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
  static bool is_innermost(const Soac& soac) {
    for (const Statement& statement : soac.body.statements) {
      bool has_body = false;
      for_each_body(statement.operation, [&](const Body&) { has_body = true; });
      if (has_body) return false;
    }
    return std::all_of(soac.groups.begin(), soac.groups.end(), [](const Group& group) {
      return std::holds_alternative<MapGroup>(group) || std::holds_alternative<ReduceGroup>(group);
    });
  }

  void split(Soac& soac, Span span) {
    if (soac.body.statements.size() > bordered_body_limit || !is_innermost(soac)) return;
    const std::vector<Clamp> clamps = find_clamps(soac.body);
    if (clamps.empty()) return;
    // Each bound at the farthest position (with numbers that are not known, sums of them may wrap:
    // then at every one); and these positions come before the branch.
    Body body;
    body.parameters = soac.body.parameters;
    std::optional<Operand> interior;
    for (const Clamp& clamp : clamps) {
      const bool is_farthest = std::none_of(clamps.begin(), clamps.end(), [&](const Clamp& other) {
        return is_alike(other, clamp) && clamp.position.terms.empty() &&
               (clamp.operation == Operation::Minimum
                    ? other.position.constant > clamp.position.constant
                    : other.position.constant < clamp.position.constant);
      });
      if (!is_farthest || !is_first(clamps, clamp)) continue;
      Operand position = soac.body.parameters[0];
      for (const auto& [term, operation] : clamp.position.terms)
        position = scalar(row(operation, ElementType::I64), {position, term}, span, body);
      if (clamp.position.constant != 0 || clamp.position.terms.empty())
        position = scalar(row(Operation::Add, ElementType::I64),
                          {position, Operand::i64(clamp.position.constant)}, span, body);
      const Operation order =
          clamp.operation == Operation::Minimum ? Operation::LessEqual : Operation::GreaterEqual;
      const Operand inside =
          scalar(row(order, ElementType::I64), {position, clamp.bound}, span, body);
      interior =
          interior ? scalar(row(Operation::And, ElementType::Bool), {*interior, inside}, span, body)
                   : inside;
    }
    Body near = {{}, std::move(soac.body.statements), soac.body.results};
    Body far = clone(function_, near); // simplification removes the clamps there
    std::vector<ValueId> results;
    for (const Operand& result : near.results)
      results.push_back(function_.add_value(function_.type(result)));
    body.results.assign(results.begin(), results.end());
    body.statements.push_back(
        {results, If{*interior, std::move(far), std::move(near), true}, span});
    soac.body = std::move(body);
  }

  /// Whether they differ in the constants of their positions alone.
  static bool is_alike(const Clamp& a, const Clamp& b) {
    return a.operation == b.operation && a.bound == b.bound && a.position.terms == b.position.terms;
  }
  static bool is_first(const std::vector<Clamp>& clamps, const Clamp& clamp) {
    for (const Clamp& other : clamps)
      if (is_alike(other, clamp) && other.position.constant == clamp.position.constant)
        return &other == &clamp;
    return false;
  }

  Operand scalar(const primitives::Primitive& row, std::vector<Operand> arguments, Span span,
                 Body& body) {
    const ValueId result = function_.add_value({row.result, {}});
    body.statements.push_back({{result}, ir::Primitive{&row, std::move(arguments)}, span});
    return result;
  }

  static std::vector<Clamp> find_clamps(const Body& body) {
    std::unordered_set<std::uint32_t> inside;
    for (ValueId parameter : body.parameters)
      inside.insert(parameter.index);
    for (const Statement& statement : body.statements)
      for (ValueId result : statement.results)
        inside.insert(result.index);
    const auto is_outside = [&](const Operand& operand) {
      return operand.is_constant() || !inside.contains(operand.value().index);
    };
    std::unordered_map<std::uint32_t, Position> positions;
    positions[body.parameters[0].index] = {};
    std::vector<Clamp> clamps;
    for (const Statement& statement : body.statements) {
      const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
      if (!primitive || primitive->primitive->operand != ElementType::I64 ||
          primitive->arguments.size() != 2)
        continue;
      const Operation operation = primitive->primitive->operation;
      const bool is_clamp = operation == Operation::Minimum || operation == Operation::Maximum;
      for (const std::size_t which : {0, 1}) {
        const Operand moving = primitive->arguments[which], fixed = primitive->arguments[1 - which];
        if (!moving.is_value() || !is_outside(fixed)) continue;
        const auto known = positions.find(moving.value().index);
        if (known == positions.end()) continue;
        Position position = known->second;
        if (is_clamp) {
          clamps.push_back({operation, fixed, position});
          positions[statement.results[0].index] = position; // in the interior
        } else if (operation == Operation::Add ||
                   (operation == Operation::Subtract && which == 0)) {
          move(position, operation, fixed);
          positions[statement.results[0].index] = std::move(position);
        }
        break;
      }
    }
    return clamps;
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

  Function& function_;
};

} // namespace

void split_borders(Function& function) {
  BorderSplitter(function).body(function.body);
}

} // namespace sinter::jit
