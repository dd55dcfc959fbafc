#include "jit/passes/counted_filters.h"

#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// The statement that defines the value; null if none of these does.
const Statement* definition(const std::vector<Statement>& statements, const Operand& operand) {
  if (operand.is_constant()) return nullptr;
  const auto found = std::ranges::find_if(statements, [&](const Statement& statement) {
    return std::ranges::count(statement.results, operand.value()) > 0;
  });
  return found == statements.end() ? nullptr : &*found;
}

template <typename Node>
const Node* defining(const std::vector<Statement>& statements, const Operand& operand) {
  const Statement* statement = definition(statements, operand);
  return statement ? std::get_if<Node>(&statement->operation) : nullptr;
}

/// The arguments, if the operand is the result of that operation with operands of that type.
const std::vector<Operand>* arguments(const std::vector<Statement>& statements,
                                      const Operand& operand, Operation operation,
                                      ElementType type) {
  const auto* primitive = defining<ir::Primitive>(statements, operand);
  return primitive && primitive->primitive->operation == operation &&
                 primitive->primitive->operand == type
             ? &primitive->arguments
             : nullptr;
}

/// Whether it is `value - 1`.
bool is_one_less(const std::vector<Statement>& statements, const Operand& operand,
                 const Operand& value) {
  if (const auto* sum = arguments(statements, operand, Operation::Add, ElementType::I64))
    return *sum == std::vector{value, Operand::i64(-1)} ||
           *sum == std::vector{Operand::i64(-1), value};
  const auto* rest = arguments(statements, operand, Operation::Subtract, ElementType::I64);
  return rest && *rest == std::vector{value, Operand::i64(1)};
}

/// The array whose element at the SOAC's own index the operand is; null if it is none.
const ValueId* array_at_index(const Soac& soac, const Operand& operand) {
  if (operand.is_constant()) return nullptr;
  const auto& parameters = soac.body.parameters;
  for (std::size_t i = 0; i < soac.inputs.size(); ++i)
    if (parameters[i + 1] == operand.value()) return &soac.inputs[i];
  const auto* index = defining<Index>(soac.body.statements, operand);
  return index && index->indices == std::vector{Operand(parameters[0])} ? &index->array : nullptr;
}

/// Whether two bodies compute the same from the same.
class Comparison {
public:
  Comparison(const Soac& first, const Soac& second) : first_(first), second_(second) {}

  bool are_same(const Operand& a, const Operand& b) {
    if (a.is_constant() || b.is_constant()) return a == b;
    // What is used often is compared once; the first difference ends it all.
    const std::pair pair(a.value().index, b.value().index);
    if (known_.contains(pair)) return true;
    if (!are_same_values(a, b)) return false;
    known_.insert(pair);
    return true;
  }

private:
  bool are_same_values(const Operand& a, const Operand& b) {
    const ValueId *from = array_at_index(first_, a), *to = array_at_index(second_, b);
    if (from || to) return from && to && *from == *to;
    const bool is_index = a == Operand(first_.body.parameters[0]);
    if (is_index || b == Operand(second_.body.parameters[0]))
      return is_index && b == Operand(second_.body.parameters[0]);
    const Statement* made = definition(first_.body.statements, a);
    const Statement* other = definition(second_.body.statements, b);
    if (!made || !other) return !made && !other && a == b;
    const auto* primitive = std::get_if<ir::Primitive>(&made->operation);
    const auto* other_primitive = std::get_if<ir::Primitive>(&other->operation);
    if (primitive && other_primitive)
      return primitive->primitive == other_primitive->primitive &&
             std::ranges::equal(primitive->arguments, other_primitive->arguments,
                                [&](const Operand& x, const Operand& y) { return are_same(x, y); });
    const auto* select = std::get_if<Select>(&made->operation);
    const auto* other_select = std::get_if<Select>(&other->operation);
    return select && other_select && are_same(select->condition, other_select->condition) &&
           are_same(select->then_value, other_select->then_value) &&
           are_same(select->else_value, other_select->else_value);
  }

  const Soac &first_, &second_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_;
};

class CountedFilters {
public:
  explicit CountedFilters(Function& function) : function_(function) {}

  void body(Body& body) {
    for (Statement& statement : body.statements)
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    for (std::size_t at = 0; at < body.statements.size(); ++at)
      if (const Operand keep = kept(body.statements[at]); keep.is_value())
        for (std::size_t next = at + 1; next < body.statements.size(); ++next)
          if (replace(body, at, keep, next)) break;
  }

private:
  /// The condition whose counts the statement gives, and nothing else; a constant if it does not.
  static Operand kept(const Statement& statement) {
    const Operand none = Operand::i64(0);
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (!soac || soac->groups.size() != 1) return none;
    const auto* scan = std::get_if<ScanGroup>(&soac->groups[0]);
    if (!scan || scan->neutral != std::vector{Operand::i64(0)} || !scan->before.empty() ||
        !scan->post.empty())
      return none;
    const primitives::Primitive* combine = component_operation(scan->combine, 0);
    if (!combine || combine->operation != Operation::Add) return none;
    const auto& statements = soac->body.statements;
    const Operand& one = soac->body.results[0];
    if (const auto* flag = arguments(statements, one, Operation::Convert, ElementType::Bool))
      return (*flag)[0];
    const auto* select = defining<Select>(statements, one);
    return select && select->then_value == Operand::i64(1) && select->else_value == Operand::i64(0)
               ? select->condition
               : none;
  }

  /// Whether it is the last one of the counts, and none where there are none.
  static bool is_total(const Body& body, const Operand& total, ValueId counts,
                       const Operand& extent) {
    const auto* branch = defining<If>(body.statements, total);
    if (!branch || branch->then_body.results != std::vector{Operand::i64(0)} ||
        branch->else_body.results.size() != 1)
      return false;
    const auto* zero =
        arguments(body.statements, branch->condition, Operation::Equal, ElementType::I64);
    if (!zero || (*zero != std::vector{extent, Operand::i64(0)} &&
                  *zero != std::vector{Operand::i64(0), extent}))
      return false;
    const auto& inner = branch->else_body.statements;
    const auto* last = defining<Index>(inner, branch->else_body.results[0]);
    return last && last->array == counts && last->indices.size() == 1 &&
           std::ranges::none_of(
               inner, [](const Statement& statement) { return may_fail(statement.operation); }) &&
           (is_one_less(inner, last->indices[0], extent) ||
            is_one_less(body.statements, last->indices[0], extent));
  }

  /// Whether the body may run before: nothing of it fails, however long arrays are.
  bool is_early_code(const Soac& soac) const {
    const auto is_whole = [&](ValueId array) {
      const Type& type = function_.type(array);
      return type.rank() == 1 && type.extents[0] == soac.extent;
    };
    return std::ranges::all_of(soac.inputs, is_whole) &&
           std::ranges::all_of(soac.body.statements, [&](const Statement& statement) {
             if (const auto* index = std::get_if<Index>(&statement.operation))
               return is_whole(index->array) &&
                      index->indices == std::vector{Operand(soac.body.parameters[0])};
             return std::holds_alternative<ir::Primitive>(statement.operation) ||
                    std::holds_alternative<Select>(statement.operation);
           });
  }

  bool replace(Body& body, std::size_t at, const Operand& keep, std::size_t next) {
    const auto& scan = std::get<Soac>(body.statements[at].operation);
    const ValueId counts = body.statements[at].results[0];
    const auto* soac = std::get_if<Soac>(&body.statements[next].operation);
    if (!soac || soac->extent != scan.extent || soac->groups.size() != 1) return false;
    const auto* scatter = std::get_if<ScatterGroup>(&soac->groups[0]);
    const Type& type = function_.type(body.statements[next].results[0]);
    if (!scatter || scatter->index_count != 1 || type.rank() != 1 || !is_early_code(*soac))
      return false;
    const Operand total = type.extents[0];
    if (!is_total(body, total, counts, scan.extent)) return false;

    const auto& statements = soac->body.statements;
    const auto* place = defining<Select>(statements, soac->body.results[0]);
    const auto* one_less = place ? definition(statements, place->then_value) : nullptr;
    if (!one_less || !place->else_value.is_constant() ||
        place->else_value.scalar().as<std::int64_t>() >= 0 ||
        !Comparison(scan, *soac).are_same(keep, place->condition))
      return false;
    const auto input = std::ranges::find(soac->inputs, counts);
    if (input == soac->inputs.end()) return false;
    const auto position = static_cast<std::size_t>(input - soac->inputs.begin());
    const ValueId count = soac->body.parameters[position + 1];
    if (!is_one_less(statements, place->then_value, count)) return false;

    // Its code without the places, as far as it was known before the counts.
    Statement filter = body.statements[next];
    Soac& kept = std::get<Soac>(filter.operation);
    kept.body.results = {place->condition, soac->body.results[1]};
    const auto is_place = [&](const Statement& statement) {
      return statement.results == one_less->results ||
             statement.results == std::vector{soac->body.results[0].value()};
    };
    std::erase_if(kept.body.statements, is_place);
    kept.inputs.erase(kept.inputs.begin() + static_cast<std::ptrdiff_t>(position));
    kept.body.parameters.erase(kept.body.parameters.begin() +
                               static_cast<std::ptrdiff_t>(position) + 1);
    kept.groups = {FilterGroup{1}};
    const std::vector<ValueId> needed = free_values(function_, kept);
    const auto is_needed = [&](ValueId value) { return std::ranges::count(needed, value) > 0; };
    for (std::size_t i = at; i < next; ++i)
      if (std::ranges::any_of(body.statements[i].results, is_needed)) return false;
    if (is_needed(count) || is_needed(soac->body.results[0].value()) ||
        std::ranges::any_of(one_less->results, is_needed))
      return false;

    filter.results.insert(filter.results.begin(), total.value());
    body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(next));
    std::erase_if(body.statements, [&](const Statement& statement) {
      return statement.results == std::vector{total.value()};
    });
    body.statements.insert(body.statements.begin() + static_cast<std::ptrdiff_t>(at),
                           std::move(filter));
    return true;
  }

  Function& function_;
};

} // namespace

void write_counted_filters(Function& function) {
  CountedFilters(function).body(function.body);
}

} // namespace sinter::jit
