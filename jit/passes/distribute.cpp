#include "jit/passes/distribute.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/nest_levels.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// Writes the statements that stand for a nest.
class Distributor {
public:
  Distributor(Function& function, const Statement& statement, const NestLevels& levels)
      : function_(function), statement_(statement), outer_(std::get<Soac>(statement.operation)),
        levels_(levels), span_(statement.span) {}

  std::vector<Statement> run() {
    std::vector<Statement> out;
    std::vector<Replacement> renamed;
    Body as_it_was;
    as_it_was.statements.push_back(clone(function_, statement_, renamed));
    for (const ValueId result : as_it_was.statements[0].results)
      as_it_was.results.emplace_back(result);
    const Operand pays = distribution_pays(out);
    out.push_back({statement_.results, If{pays, distributed(), std::move(as_it_was)}, span_});
    return out;
  }

private:
  using Statements = std::vector<Statement>;

  /// An array with an element for each of the map's; what takes a value's place outside of the map;
  /// code that is done again where its result is needed.
  struct Lifted {
    ValueId array;
  };
  struct Index {};
  using Meaning = std::variant<Lifted, Index, Operand, const Statement*>;

  // ---- whether it pays

  Operand scalar(Operation operation, Operand a, Operand b, ElementType element, Statements& out) {
    const primitives::Primitive& primitive = row(operation, element);
    const ValueId result = function_.add_value({primitive.result, {}});
    out.push_back({{result}, Primitive{&primitive, {a, b}}, span_});
    return result;
  }
  Operand distribution_pays(Statements& out) {
    const Operand least = Operand::i64(levels_.least_inside());
    Operand is_wide = Operand::constant(ElementType::Bool, Scalar::of(false));
    for (const Operand& extent : levels_.extents) {
      const Operand is_long = scalar(Operation::GreaterEqual, extent, least, ElementType::I64, out);
      is_wide = scalar(Operation::Or, is_wide, is_long, ElementType::Bool, out);
    }
    const Operand are_few = scalar(Operation::LessEqual, outer_.extent,
                                   Operand::i64(most_distributed), ElementType::I64, out);
    return scalar(Operation::And, are_few, is_wide, ElementType::Bool, out);
  }

  // ---- values

  Type lifted_type(const Type& type) const {
    Type result = type;
    result.extents.insert(result.extents.begin(), outer_.extent);
    return result;
  }
  Meaning meaning(const Operand& operand) const {
    if (operand.is_constant()) return operand;
    const auto found = meanings_.find(operand.value().index);
    return found == meanings_.end() ? Meaning(operand) : found->second;
  }
  void define(ValueId value, Meaning meaning) {
    meanings_.insert_or_assign(value.index, std::move(meaning));
  }

  // ---- one statement over all elements

  /// A map over the elements in the making.
  struct Piece {
    Soac soac;
    std::vector<Replacement> replaced;
  };
  Piece begin_piece() {
    Piece piece;
    piece.soac.extent = outer_.extent;
    piece.soac.body.parameters = {function_.add_value({ElementType::I64, {}})};
    return piece;
  }
  static bool is_there(const Piece& piece, ValueId value) {
    return std::ranges::any_of(piece.replaced,
                               [&](const Replacement& each) { return each.first == value; });
  }
  /// Makes the value be there for an element.
  void need(Piece& piece, ValueId value) {
    const auto found = meanings_.find(value.index);
    if (found == meanings_.end() || is_there(piece, value)) return;
    const Meaning meaning = found->second;
    if (const auto* lifted = std::get_if<Lifted>(&meaning)) {
      const ValueId element = function_.add_value(element_type(value));
      piece.soac.inputs.push_back(lifted->array);
      piece.soac.body.parameters.push_back(element);
      piece.replaced.emplace_back(value, element);
    } else if (std::holds_alternative<Index>(meaning)) {
      piece.replaced.emplace_back(value, piece.soac.body.parameters[0]);
    } else if (const auto* operand = std::get_if<Operand>(&meaning)) {
      piece.replaced.emplace_back(value, *operand);
    } else {
      add(piece, *std::get<const Statement*>(meaning));
    }
  }
  Type element_type(ValueId value) const { return function_.type(value); }

  void add(Piece& piece, const Statement& statement) {
    for (const ValueId value : free_values(function_, statement))
      need(piece, value);
    Statement copy = clone(function_, statement, piece.replaced);
    piece.soac.body.statements.push_back(std::move(copy));
  }
  Operand in_piece(Piece& piece, const Operand& operand) {
    if (operand.is_constant()) return operand;
    need(piece, operand.value());
    const auto found = std::ranges::find(piece.replaced, operand.value(), &Replacement::first);
    return found == piece.replaced.end() ? operand : found->second;
  }
  /// Ends it; its results are those operands of all elements.
  std::vector<ValueId> end_piece(Piece piece, const std::vector<Operand>& results,
                                 Statements& out) {
    std::vector<ValueId> lifted;
    for (const Operand& result : results) {
      const Operand there = in_piece(piece, result);
      piece.soac.body.results.push_back(there);
      piece.soac.groups.emplace_back(MapGroup{});
      lifted.push_back(function_.add_value(lifted_type(function_.type(there))));
    }
    if (!results.empty()) out.push_back({lifted, std::move(piece.soac), span_});
    return lifted;
  }

  /// A statement by itself, whose results are kept.
  void lift(const Statement& statement, Statements& out) {
    Piece piece = begin_piece();
    add(piece, statement);
    const std::vector<Operand> results(statement.results.begin(), statement.results.end());
    const std::vector<ValueId> lifted = end_piece(std::move(piece), results, out);
    for (std::size_t i = 0; i < lifted.size(); ++i)
      define(statement.results[i], Lifted{lifted[i]});
  }

  /// The array, or a copy where somebody else may have it too: results may be consumed.
  Operand own(ValueId array, std::span<const Operand> others, Statements& out) {
    const bool is_shared = std::ranges::find(outer_.inputs, array) != outer_.inputs.end() ||
                           std::ranges::find(others, Operand(array)) != others.end();
    if (!is_shared) return array;
    const ValueId copied = function_.add_value(function_.type(array));
    out.push_back({{copied}, Copy{array}, span_});
    return copied;
  }

  /// Operands as arrays of all elements.
  std::vector<Operand> lifted(const std::vector<Operand>& operands, Statements& out) {
    std::vector<Operand> result(operands.size());
    std::vector<std::size_t> missing;
    std::vector<Operand> made;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Meaning known = meaning(operands[i]);
      if (const auto* there = std::get_if<Lifted>(&known)) {
        result[i] = own(there->array, std::span(result).first(i), out);
      } else {
        missing.push_back(i);
        made.push_back(operands[i]);
      }
    }
    const std::vector<ValueId> values = end_piece(begin_piece(), made, out);
    for (std::size_t i = 0; i < missing.size(); ++i)
      result[missing[i]] = values[i];
    return result;
  }

  // ---- bodies

  Body distributed() {
    Body body;
    define(outer_.body.parameters[0], Index{});
    for (std::size_t i = 0; i < outer_.inputs.size(); ++i)
      define(outer_.body.parameters[i + 1], Lifted{outer_.inputs[i]});
    body.results = statements(outer_.body, body.statements);
    return body;
  }

  /// Gives the body's results, of all elements.
  std::vector<Operand> statements(const Body& body, Statements& out) {
    for (const Statement& each : body.statements) {
      if (const auto* loop = std::get_if<For>(&each.operation))
        round(each, *loop, out);
      else if (const auto* soac = std::get_if<Soac>(&each.operation))
        take_apart(each, *soac, out);
      else
        for (const ValueId result : each.results)
          define(result, &each);
    }
    return lifted(body.results, out);
  }

  /// A loop goes round once for all elements.
  void round(const Statement& statement, const For& loop, Statements& out) {
    For all;
    const Meaning bound = meaning(loop.bound);
    all.bound = std::get<Operand>(bound);
    all.index_type = loop.index_type;
    all.initial = lifted(loop.initial, out);
    const ValueId index = function_.add_value({loop.index_type, {}});
    all.body.parameters = {index};
    define(loop.body.parameters[0], Operand(index));
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < loop.initial.size(); ++i) {
      const ValueId state = loop.body.parameters[i + 1];
      const ValueId array = function_.add_value(lifted_type(function_.type(state)));
      all.body.parameters.push_back(array);
      define(state, Lifted{array});
      results.push_back(function_.add_value(lifted_type(function_.type(statement.results[i]))));
    }
    all.body.results = statements(loop.body, all.body.statements);
    out.push_back({results, std::move(all), span_});
    for (std::size_t i = 0; i < results.size(); ++i)
      define(statement.results[i], Lifted{results[i]});
  }

  /// A SOAC's groups, each kind by itself.
  void take_apart(const Statement& statement, const Soac& soac, Statements& out) {
    std::vector<GroupKind> kinds;
    for (const Group& group : soac.groups)
      if (std::ranges::find(kinds, kind_of(group)) == kinds.end()) kinds.push_back(kind_of(group));
    if (kinds.size() == 1) return lift(statement, out);
    for (const GroupKind kind : kinds)
      lift(part(statement, soac, kind), out);
  }
  static Statement part(const Statement& statement, const Soac& soac, GroupKind kind) {
    Statement result{{}, Soac{soac.extent, soac.inputs, soac.body, {}}, statement.span};
    Soac& only = std::get<Soac>(result.operation);
    only.body.results.clear();
    for_each_group(soac, [&](const Group& group, std::size_t body_result, std::size_t first) {
      if (kind_of(group) != kind) return;
      const GroupArity size = arity(group);
      only.groups.push_back(group);
      for (std::size_t i = 0; i < size.body_results; ++i)
        only.body.results.push_back(soac.body.results[body_result + i]);
      for (std::size_t i = 0; i < size.results; ++i)
        result.results.push_back(statement.results[first + i]);
    });
    return result;
  }

  Function& function_;
  const Statement& statement_;
  const Soac& outer_;
  const NestLevels& levels_;
  Span span_;
  std::unordered_map<std::uint32_t, Meaning> meanings_;
};

} // namespace

void distribute(Function& function) {
  std::vector<Statement> before = std::move(function.body.statements);
  function.body.statements.clear();
  for (Statement& statement : before) {
    const std::optional<NestLevels> levels = find_nest_levels(function, statement);
    if (!levels) {
      function.body.statements.push_back(std::move(statement));
      continue;
    }
    std::vector<Statement> made = Distributor(function, statement, *levels).run();
    std::ranges::move(made, std::back_inserter(function.body.statements));
  }
}

} // namespace sinter::jit
