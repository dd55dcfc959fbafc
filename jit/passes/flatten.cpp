#include "jit/passes/flatten.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

class Unflattener {
public:
  explicit Unflattener(Function& function) : function_(function), uses_(count_uses(function)) {
    note_folded(function.body);
  }

  void body(Body& body) {
    for (Statement& statement : body.statements)
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    Statements after;
    Definitions definitions;
    for (Statement& statement : body.statements) {
      const std::size_t written = after.size();
      if (const auto shape = shape_of(statement, after, definitions))
        rewrite(std::move(statement), *shape, after);
      else
        after.push_back(std::move(statement));
      for (std::size_t i = written; i < after.size(); ++i)
        for (ValueId result : after[i].results)
          definitions[result.index] = i;
    }
    body.statements = std::move(after);
  }

private:
  using Statements = std::vector<Statement>;
  using Definitions = std::unordered_map<std::uint32_t, std::size_t>; ///< by value: which statement
  struct Shape {
    Operand outer, inner;
    std::vector<ValueId> arrays; ///< the inputs as they were before they were flattened
  };

  static bool is_soac(const Statement& statement) {
    return std::holds_alternative<Soac>(statement.operation);
  }

  static bool is_regroupable(const Group& group) {
    const auto* reduce = std::get_if<ReduceGroup>(&group);
    return reduce && !order_shows(*reduce);
  }

  /// The array whose first two dimensions the input joins.
  std::optional<ValueId> unflattened(ValueId input, const Statements& before,
                                     const Definitions& definitions) const {
    const auto found = definitions.find(input.index);
    if (found == definitions.end()) return std::nullopt;
    const auto* reshape = std::get_if<Reshape>(&before[found->second].operation);
    if (!reshape) return std::nullopt;
    const Type &from = function_.type(reshape->array), &to = function_.type(input);
    if (from.rank() != to.rank() + 1 ||
        !std::equal(from.extents.begin() + 2, from.extents.end(), to.extents.begin() + 1))
      return std::nullopt;
    return reshape->array;
  }

  std::optional<Shape> shape_of(const Statement& statement, const Statements& before,
                                const Definitions& definitions) const {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (!soac || soac->inputs.empty()) return std::nullopt;
    for (const Group& group : soac->groups)
      if (!std::holds_alternative<MapGroup>(group) && !is_regroupable(group)) return std::nullopt;
    std::optional<Shape> shape;
    bool any_made_here = false, all_are_flattened = true;
    for (ValueId input : soac->inputs) {
      const auto array = unflattened(input, before, definitions);
      if (!array) {
        all_are_flattened = false;
        continue;
      }
      const Type& type = function_.type(*array);
      if (shape && (type.extents[0] != shape->outer || type.extents[1] != shape->inner))
        return std::nullopt;
      if (!shape) shape = Shape{type.extents[0], type.extents[1], {}};
      const auto maker = definitions.find(array->index);
      any_made_here =
          any_made_here || (maker != definitions.end() && is_soac(before[maker->second]));
    }
    if (!any_made_here) return std::nullopt;
    const bool asks_for_index = uses_[soac->body.parameters[0].index] > 0;
    if ((asks_for_index || !all_are_flattened) && !is_map_for_maps(statement)) return std::nullopt;
    for (ValueId input : soac->inputs)
      shape->arrays.push_back(unflattened(input, before, definitions).value_or(input));
    return shape;
  }
  /// Whether only maps go through its elements: nobody goes along the flat ones.
  bool is_map_for_maps(const Statement& statement) const {
    return has_only<MapGroup>(std::get<Soac>(statement.operation)) &&
           std::ranges::none_of(statement.results,
                                [&](ValueId result) { return folded_.contains(result.index); });
  }

  void rewrite(Statement statement, const Shape& shape, std::vector<Statement>& out) {
    Soac inner = std::move(std::get<Soac>(statement.operation));
    Soac outer;
    outer.extent = shape.outer;
    outer.inputs = shape.arrays;
    for (std::size_t i = 0; i < outer.inputs.size(); ++i) {
      if (outer.inputs[i] != inner.inputs[i]) continue;
      Type rows = function_.type(inner.inputs[i]);
      rows.extents[0] = shape.inner;
      rows.extents.insert(rows.extents.begin(), shape.outer);
      outer.inputs[i] = function_.add_value(std::move(rows));
      out.push_back({{outer.inputs[i]}, Reshape{inner.inputs[i]}, statement.span});
    }
    outer.body.parameters.push_back(function_.add_value({ElementType::I64, {}}));
    number(inner, outer, shape, statement.span);
    for (std::size_t i = 0; i < shape.arrays.size(); ++i) {
      Type row = function_.type(outer.inputs[i]);
      row.extents.erase(row.extents.begin());
      const ValueId parameter = function_.add_value(std::move(row));
      outer.body.parameters.push_back(parameter);
      inner.inputs[i] = parameter;
    }
    inner.extent = shape.inner;
    Statement within{{}, {}, statement.span};
    Statement around{{}, {}, statement.span};
    std::vector<Statement> flattened;
    for_each_group(inner, [&](const Group& group, std::size_t from, std::size_t to) {
      const GroupArity size = arity(group);
      for (std::size_t i = 0; i < size.results; ++i) {
        const ValueId result = statement.results[to + i];
        Type type = function_.type(inner.body.results[from + i]);
        const bool is_map = std::holds_alternative<MapGroup>(group);
        if (is_map) type.extents.insert(type.extents.begin(), shape.inner);
        const ValueId of_row = function_.add_value(type);
        within.results.push_back(of_row);
        outer.body.results.push_back(of_row);
        if (!is_map) {
          around.results.push_back(result);
          continue;
        }
        type.extents.insert(type.extents.begin(), shape.outer);
        const ValueId whole = function_.add_value(std::move(type));
        around.results.push_back(whole);
        flattened.push_back({{result}, Reshape{whole}, statement.span});
      }
      if (const auto* reduce = std::get_if<ReduceGroup>(&group))
        outer.groups.push_back(ReduceGroup{reduce->neutral, clone(function_, reduce->combine),
                                           reduce->is_commutative});
      else
        outer.groups.push_back(group);
    });
    within.operation = std::move(inner);
    outer.body.statements.push_back(std::move(within));
    around.operation = std::move(outer);
    out.push_back(std::move(around));
    std::move(flattened.begin(), flattened.end(), std::back_inserter(out));
  }

  /// The flat index, if it is asked for: it comes from the row's and the one in it.
  void number(Soac& inner, Soac& outer, const Shape& shape, Span span) {
    const ValueId flat = inner.body.parameters[0];
    if (uses_[flat.index] == 0) return;
    StatementWriter writer(function_, span);
    inner.body.parameters[0] = writer.value({ElementType::I64, {}});
    const Operand begin = writer.scalar(primitives::Operation::Multiply, outer.body.parameters[0],
                                        shape.inner, outer.body.statements);
    inner.body.statements.insert(
        inner.body.statements.begin(),
        Statement{{flat},
                  Primitive{&row(primitives::Operation::Add, ElementType::I64),
                            {begin, inner.body.parameters[0]}},
                  span});
  }
  void note_folded(const Body& body) {
    for (const Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](const Body& inner) { note_folded(inner); });
      const auto* const soac = std::get_if<Soac>(&statement.operation);
      if (!soac || has_only<MapGroup>(*soac)) continue;
      for (const ValueId input : soac->inputs)
        folded_.insert(input.index);
    }
  }

  Function& function_;
  std::vector<std::uint32_t> uses_;
  std::unordered_set<std::uint32_t> folded_; ///< arrays whose elements are not only mapped
};

} // namespace

void unflatten_consumers(Function& function) {
  Unflattener(function).body(function.body);
}

} // namespace sinter::jit
