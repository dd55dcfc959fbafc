#include "jit/passes/flatten.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

class Unflattener {
public:
  explicit Unflattener(Function& function) : function_(function), uses_(count_uses(function)) {}

  void body(Body& body) {
    for (Statement& statement : body.statements)
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    Statements after;
    Definitions definitions;
    for (Statement& statement : body.statements) {
      if (const auto shape = shape_of(statement, after, definitions))
        rewrite(std::move(statement), *shape, after);
      else
        after.push_back(std::move(statement));
      for (ValueId result : after.back().results)
        definitions[result.index] = after.size() - 1;
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
    if (!soac || soac->inputs.empty() || uses_[soac->body.parameters[0].index] > 0)
      return std::nullopt;
    for (const Group& group : soac->groups)
      if (!std::holds_alternative<MapGroup>(group) && !is_regroupable(group)) return std::nullopt;
    Shape shape;
    bool any_made_here = false;
    for (ValueId input : soac->inputs) {
      const auto array = unflattened(input, before, definitions);
      if (!array) return std::nullopt;
      const Type& type = function_.type(*array);
      if (!shape.arrays.empty() &&
          (type.extents[0] != shape.outer || type.extents[1] != shape.inner))
        return std::nullopt;
      shape.outer = type.extents[0];
      shape.inner = type.extents[1];
      shape.arrays.push_back(*array);
      const auto maker = definitions.find(array->index);
      any_made_here =
          any_made_here || (maker != definitions.end() && is_soac(before[maker->second]));
    }
    return any_made_here ? std::optional(shape) : std::nullopt;
  }

  void rewrite(Statement statement, const Shape& shape, std::vector<Statement>& out) {
    Soac inner = std::move(std::get<Soac>(statement.operation));
    Soac outer;
    outer.extent = shape.outer;
    outer.inputs = shape.arrays;
    outer.body.parameters.push_back(function_.add_value({ElementType::I64, {}}));
    for (std::size_t i = 0; i < shape.arrays.size(); ++i) {
      Type row = function_.type(shape.arrays[i]);
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

  Function& function_;
  std::vector<std::uint32_t> uses_;
};

} // namespace

void unflatten_consumers(Function& function) {
  Unflattener(function).body(function.body);
}

} // namespace sinter::jit
