#include "gpu/skeletons/product_nest.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace sinter::gpu {

using namespace ir;

namespace {

constexpr std::size_t most_statements = 16; ///< of the reduction's body: it is emitted often
constexpr std::size_t most_around = 3;      ///< maps around the rows

/// Code that computes scalars from scalars and elements of arrays, and always can.
bool computes_scalars(const Statement& statement) {
  return is_scalar_operation(statement.operation) ||
         std::holds_alternative<Index>(statement.operation);
}

/// A body that consists of one statement of that type after such code.
template <typename OperationType>
const Statement* last_statement(const Body& body) {
  if (body.statements.empty()) return nullptr;
  const Statement& last = body.statements.back();
  const bool is_fit = std::holds_alternative<OperationType>(last.operation) &&
                      std::all_of(body.statements.begin(), body.statements.end() - 1,
                                  [](const Statement& each) { return computes_scalars(each); });
  return is_fit ? &last : nullptr;
}

class NestFinder {
public:
  explicit NestFinder(const Function& function) : function_(function) {}

  /// With so many maps around the rows.
  std::optional<ProductNest> find(std::size_t around) {
    nest_.rows = jit::parallel_soac(function_);
    if (nest_.rows && match_around(around) && match_maps() && match_reduction() && split_body())
      return std::move(nest_);
    return std::nullopt;
  }

private:
  /// What a value depends on; a set of bits.
  enum Side : unsigned { Neither = 0, Row = 1, Column = 2, Both = Row | Column, Depth = 4 };

  void define(ValueId value, unsigned sides) { sides_[value.index] = sides; }
  unsigned side_of(const Operand& operand) const {
    if (operand.is_constant()) return Neither;
    const auto found = sides_.find(operand.value().index);
    return found == sides_.end() ? unsigned{Neither} : found->second;
  }
  unsigned side_of(const Statement& statement) const {
    unsigned sides = Neither;
    for_each_operand(statement.operation,
                     [&](const Operand& operand) { sides |= side_of(operand); });
    return sides;
  }
  void define_results(const Statement& statement) {
    const unsigned sides = side_of(statement);
    for (ValueId result : statement.results)
      define(result, sides);
  }

  // ---- the maps

  /// What they define is known before the rows, and of no side.
  bool match_around(std::size_t count) {
    const auto is_scalar_code = [](const Statement& each) {
      return is_scalar_operation(each.operation);
    };
    const auto& before = function_.body.statements;
    if (!std::all_of(before.begin(), before.end() - 1, is_scalar_code)) return false;
    while (nest_.around.size() < count) {
      const Body& body = nest_.rows->body;
      const Statement* const inner = last_statement<Soac>(body);
      if (!inner || !jit::has_only<MapGroup>(*nest_.rows) || !yields(body, *inner)) return false;
      nest_.around.push_back(nest_.rows);
      nest_.rows = &std::get<Soac>(inner->operation);
    }
    return true;
  }

  bool match_maps() {
    if (!jit::has_only<MapGroup>(*nest_.rows)) return false;
    for (ValueId parameter : nest_.rows->body.parameters)
      define(parameter, Row);
    const Statement* const inner = last_statement<Soac>(nest_.rows->body);
    if (!inner) return false;
    nest_.columns = &std::get<Soac>(inner->operation);
    return jit::has_only<MapGroup>(*nest_.columns) && yields(nest_.rows->body, *inner) &&
           note_code_before(nest_.rows->body) && match_columns();
  }

  static bool yields(const Body& body, const Statement& statement) {
    return body.results.size() == statement.results.size() &&
           std::equal(
               body.results.begin(), body.results.end(), statement.results.begin(),
               [](const Operand& result, ValueId value) { return result == Operand(value); });
  }

  bool note_code_before(const Body& body) {
    for (auto each = body.statements.begin(); each != body.statements.end() - 1; ++each) {
      define_results(*each);
      nest_.before.statements.push_back(*each);
    }
    return true;
  }

  /// One reduction amid scalar code, whose results are scalars.
  bool match_columns() {
    define(nest_.columns->body.parameters[0], Column);
    for (std::size_t i = 0; i < nest_.columns->inputs.size(); ++i) {
      const unsigned side = Column | side_of(nest_.columns->inputs[i]);
      if (side == Column) nest_.inputs_of_columns.push_back(i);
      define(nest_.columns->body.parameters[i + 1], side);
    }
    for (const Statement& each : nest_.columns->body.statements) {
      if (std::holds_alternative<Soac>(each.operation)) {
        if (nest_.reduction) return false;
        nest_.reduction = &std::get<Soac>(each.operation);
        nest_.reduction_statement = &each;
        continue;
      }
      if (!computes_scalars(each)) return false;
      define_results(each);
      (nest_.reduction ? nest_.after : nest_.before).statements.push_back(each);
    }
    const Body& body = nest_.columns->body;
    return nest_.reduction &&
           std::all_of(body.results.begin(), body.results.end(),
                       [&](const Operand& result) { return function_.type(result).is_scalar(); });
  }

  // ---- the reduction

  bool match_reduction() {
    const Soac& reduction = *nest_.reduction;
    if (!jit::has_only<ReduceGroup>(reduction) || reduction.groups.empty() ||
        !jit::folds_scalars(function_, reduction) ||
        reduction.body.statements.size() > most_statements)
      return false;
    for (const Group& group : reduction.groups) {
      const auto& reduce = std::get<ReduceGroup>(group);
      if (!std::all_of(reduce.neutral.begin(), reduce.neutral.end(),
                       [](const Operand& neutral) { return neutral.is_constant(); }) ||
          !std::all_of(reduce.combine.statements.begin(), reduce.combine.statements.end(),
                       [](const Statement& each) { return is_scalar_operation(each.operation); }))
        return false;
    }
    return is_known_before(nest_.columns->extent) && is_known_before(reduction.extent);
  }

  /// (Everything inside of the nest has a side, if it be `Neither`.)
  bool is_known_before(const Operand& operand) const {
    return operand.is_constant() || !sides_.contains(operand.value().index);
  }

  /// What is of a side alone, and what is of both.
  bool split_body() {
    const Soac& reduction = *nest_.reduction;
    for (const Statement& each : nest_.before.statements)
      if ((side_of(each) & Both) == Neither) nest_.of_both.statements.push_back(each);
    if (uses_code_of_both(reduction)) return false;
    define(reduction.body.parameters[0], Depth);
    for (std::size_t i = 0; i < reduction.inputs.size(); ++i) {
      const unsigned side = side_of(reduction.inputs[i]) & Both;
      if (side == Both || !function_.type(reduction.body.parameters[i + 1]).is_scalar())
        return false;
      define(reduction.body.parameters[i + 1], side | Depth);
      (side == Row      ? nest_.row_inputs
       : side == Column ? nest_.column_inputs
                        : nest_.common_inputs)
          .push_back(i);
    }
    for (const Statement& each : reduction.body.statements) {
      if (!computes_scalars(each)) return false;
      define_results(each);
    }
    for (const Statement& each : reduction.body.statements)
      if (is_of_both(each)) {
        if (!is_scalar_operation(each.operation)) return false;
        for_each_operand(each.operation, [&](const Operand& operand) { note_use(operand); });
        nest_.of_both.statements.push_back(each);
      } else if ((side_of(each) & Both) == Neither) {
        nest_.of_both.statements.push_back(each);
      }
    for (const Operand& result : reduction.body.results)
      note_use(result);
    return is_side(nest_.row, Row, nest_.of_row) && is_side(nest_.column, Column, nest_.of_column);
  }

  /// Whether it uses what was computed before it of both: that is there for one element only.
  bool uses_code_of_both(const Soac& reduction) const {
    const std::vector<ValueId> used = free_values(function_, Operation(reduction));
    return std::any_of(nest_.before.statements.begin(), nest_.before.statements.end(),
                       [&](const Statement& each) {
                         return is_of_both(each) &&
                                std::find(used.begin(), used.end(), each.results[0]) != used.end();
                       });
  }
  bool is_of_both(const Statement& statement) const { return (side_of(statement) & Both) == Both; }

  /// What is of both uses the value: of a side, it is one that is computed for all.
  void note_use(const Operand& operand) {
    const unsigned side = side_of(operand) & Both;
    if (side != Row && side != Column) return;
    std::vector<ValueId>& values = (side == Row ? nest_.row : nest_.column).values;
    if (std::find(values.begin(), values.end(), operand.value()) == values.end())
      values.push_back(operand.value());
  }

  /// Collects the code that a side's values need; some of it reads memory.
  bool is_side(ProductSide& side, unsigned which, Body& code) {
    if (side.values.empty()) return false;
    const auto belongs = [&](const Statement& statement) {
      return (side_of(statement) & Both & ~which) == 0;
    };
    for (const Statement& each : nest_.before.statements)
      if (belongs(each)) code.statements.push_back(each);
    for (const Statement& each : nest_.reduction->body.statements)
      if (belongs(each)) code.statements.push_back(each);
    bool reads = false;
    const auto note_read = [&](bool along_depth) {
      if (!reads) side.lies_along_depth = along_depth;
      reads = true;
    };
    if (!(which == Row ? nest_.row_inputs : nest_.column_inputs).empty()) note_read(true);
    for (const Statement& each : code.statements)
      if (const auto* index = std::get_if<Index>(&each.operation);
          index && (side_of(each) & Both) == which)
        note_read((side_of(index->indices.back()) & Depth) != 0);
    return reads;
  }

  const Function& function_;
  ProductNest nest_;
  std::unordered_map<std::uint32_t, unsigned> sides_;
};

} // namespace

std::optional<ProductNest> find_product_nest(const Function& kernel) {
  for (std::size_t around = 0; around <= most_around; ++around)
    if (std::optional<ProductNest> nest = NestFinder(kernel).find(around)) return nest;
  return std::nullopt;
}

} // namespace sinter::gpu
