#include "jit/passes/selected_reads.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// What goes with each of the values that are one of two: its partner.
class Partners {
public:
  Partners(Function& function, ElementType element) : function_(function), element_(element) {}
  void set(ValueId value, Operand partner) { partners_.insert_or_assign(value, partner); }
  const Operand* of(const Operand& operand) const {
    const auto found = operand.is_value() ? partners_.find(operand.value()) : partners_.end();
    return found == partners_.end() ? nullptr : &found->second;
  }

  /// Makes the partners of choices in the body.
  void make(Body& body) {
    std::vector<Statement> out;
    for (Statement& statement : body.statements) {
      std::optional<Statement> beside;
      if (const auto* const choice = std::get_if<Select>(&statement.operation)) {
        const Operand* const yes = of(choice->then_value);
        const Operand* const no = of(choice->else_value);
        if (yes && no)
          beside = Statement{{partner_of(statement.results[0])},
                             Select{choice->condition, *yes, *no},
                             statement.span};
      } else if (auto* const branch = std::get_if<If>(&statement.operation)) {
        make(branch->then_body);
        make(branch->else_body);
        const std::size_t count = statement.results.size();
        for (std::size_t i = 0; i < count; ++i) {
          const Operand* const yes = of(branch->then_body.results[i]);
          const Operand* const no = of(branch->else_body.results[i]);
          if (!yes || !no) continue;
          branch->then_body.results.push_back(*yes);
          branch->else_body.results.push_back(*no);
          statement.results.push_back(partner_of(statement.results[i]));
        }
      }
      out.push_back(std::move(statement));
      if (beside) out.push_back(*std::move(beside));
    }
    body.statements = std::move(out);
  }

private:
  ValueId partner_of(ValueId value) {
    const ValueId partner = function_.add_value({element_, {}});
    set(value, partner);
    return partner;
  }

  Function& function_;
  ElementType element_;
  std::map<ValueId, Operand> partners_;
};

bool is_among(const Operand& operand, const std::set<ValueId>& values) {
  return operand.is_value() && values.contains(operand.value());
}
/// Adds what the body, and those in it, choose among the values: those that would have partners.
void find_selected(const Body& body, std::set<ValueId>& selected) {
  for (const Statement& statement : body.statements)
    if (const auto* const choice = std::get_if<Select>(&statement.operation)) {
      if (is_among(choice->then_value, selected) && is_among(choice->else_value, selected))
        selected.insert(statement.results[0]);
    } else if (const auto* const branch = std::get_if<If>(&statement.operation)) {
      find_selected(branch->then_body, selected);
      find_selected(branch->else_body, selected);
      for (std::size_t i = 0; i < statement.results.size(); ++i)
        if (is_among(branch->then_body.results[i], selected) &&
            is_among(branch->else_body.results[i], selected))
          selected.insert(statement.results[i]);
    }
}

/// Arrays of one dimension that the body and those in it read at a value.
void find_reads(const Body& body, const Operand& at, std::vector<ValueId>& arrays) {
  for (const Statement& statement : body.statements) {
    const auto* const read = std::get_if<Index>(&statement.operation);
    if (read && read->indices.size() == 1 && read->indices[0] == at &&
        std::ranges::find(arrays, read->array) == arrays.end())
      arrays.push_back(read->array);
    for_each_body(statement.operation, [&](const Body& inner) { find_reads(inner, at, arrays); });
  }
}

/// Leaves out what is read of the array at the value, for which `instead` stands from now on.
void take_reads(Body& body, ValueId array, const Operand& at, const Operand& instead,
                Substitution& known) {
  std::erase_if(body.statements, [&](Statement& statement) {
    for_each_body(statement.operation,
                  [&](Body& inner) { take_reads(inner, array, at, instead, known); });
    const auto* const read = std::get_if<Index>(&statement.operation);
    if (!read || read->array != array || read->indices != std::vector{at}) return false;
    known.set(statement.results[0], instead);
    return true;
  });
}

class Carrier {
public:
  explicit Carrier(Function& function) : function_(function) {}

  void body(Body& body) {
    std::vector<Statement> out;
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      if (auto* const soac = std::get_if<Soac>(&statement.operation)) carry(statement, *soac, out);
      out.push_back(std::move(statement));
    }
    body.statements = std::move(out);
  }

private:
  void carry(Statement& statement, Soac& soac, std::vector<Statement>& before) {
    std::size_t from = 0, to = 0;
    for (Group& group : soac.groups) {
      if (auto* const fold = std::get_if<ReduceGroup>(&group); fold && fold->before.empty())
        for (std::size_t i = 0; i < fold->neutral.size(); ++i)
          while (carry_one(statement, soac, *fold, i, {from, to}, before)) {
          }
      from += arity(group).body_results;
      to += arity(group).results;
    }
  }

  struct Position {
    std::size_t body_result, result; ///< the group's first ones
  };
  /// Whether the operator carries another array's elements now, beside this component.
  bool carry_one(Statement& statement, Soac& soac, ReduceGroup& fold, std::size_t component,
                 Position at, std::vector<Statement>& before) {
    const std::size_t count = fold.neutral.size();
    const Operand& element = soac.body.results[at.body_result + component];
    if (element != Operand(soac.body.parameters[0]) || !fold.neutral[component].is_constant())
      return false;
    const auto neutral = fold.neutral[component].scalar().as<std::int64_t>();
    if (neutral > 0 || !selects_operand(fold.combine, component)) return false;
    std::vector<ValueId> arrays;
    for (const std::size_t side : {component, count + component})
      find_reads(fold.combine, fold.combine.parameters[side], arrays);
    const auto array = std::ranges::find_if(arrays, [&](ValueId each) {
      const Type& type = function_.type(each);
      return type.rank() == 1 && type.extents[0] == soac.extent &&
             !is_defined_in(fold.combine, each);
    });
    if (array == arrays.end()) return false;
    const ElementType type = function_.type(*array).element;

    const ValueId read = function_.add_value({type, {}});
    soac.body.statements.push_back(
        {{read}, Index{*array, {soac.body.parameters[0]}}, statement.span});
    insert(soac.body.results, at.body_result + count, Operand(read));
    insert(statement.results, at.result + count, function_.add_value({type, {}}));
    fold.neutral.push_back(neutral < 0 ? Operand::constant(type, Scalar())
                                       : first_element(*array, statement, before));
    const ValueId left = fold.combine.parameters[component];
    const ValueId right = fold.combine.parameters[count + component];
    const ValueId left_read = function_.add_value({type, {}});
    const ValueId right_read = function_.add_value({type, {}});
    Partners partners(function_, type);
    partners.set(left, left_read);
    partners.set(right, right_read);
    partners.make(fold.combine);
    fold.combine.results.push_back(*partners.of(fold.combine.results[component]));
    insert(fold.combine.parameters, count, left_read);
    fold.combine.parameters.push_back(right_read);
    Substitution known;
    take_reads(fold.combine, *array, left, left_read, known);
    take_reads(fold.combine, *array, right, right_read, known);
    known.apply(function_, fold.combine);
    return true;
  }

  /// Of an array that may have none: then nobody reads it.
  Operand first_element(ValueId array, const Statement& statement, std::vector<Statement>& before) {
    const Type type = function_.type(array);
    StatementWriter writer(function_, statement.span);
    const Operand is_any =
        writer.scalar(primitives::Operation::Less, Operand::i64(0), type.extents[0], before);
    const ValueId first = function_.add_value({type.element, {}});
    const ValueId result = function_.add_value({type.element, {}});
    If choice{is_any, {}, {}};
    choice.then_body.statements.push_back(
        {{first}, Index{array, {Operand::i64(0)}}, statement.span});
    choice.then_body.results.emplace_back(first);
    choice.else_body.results.push_back(Operand::constant(type.element, Scalar()));
    before.push_back({{result}, std::move(choice), statement.span});
    return result;
  }

  template <typename T>
  static void insert(std::vector<T>& to, std::size_t at, T value) {
    to.insert(to.begin() + static_cast<std::ptrdiff_t>(at), std::move(value));
  }

  Function& function_;
};

} // namespace

bool selects_operand(const Body& combine, std::size_t component) {
  std::set<ValueId> selected = {combine.parameters[component],
                                combine.parameters[combine.results.size() + component]};
  find_selected(combine, selected);
  return is_among(combine.results[component], selected);
}

void note_selected_indices(const Soac& soac, const Group& group, std::size_t first, Facts& facts) {
  const auto* const reduce = std::get_if<ReduceGroup>(&group);
  const auto* const scan = std::get_if<ScanGroup>(&group);
  if ((!reduce && !scan) || before_of(group)) return;
  const std::vector<Operand>& neutral = reduce ? reduce->neutral : scan->neutral;
  const Body& combine = *operator_of(group);
  for (std::size_t i = 0; i < neutral.size(); ++i) {
    const bool is_index = soac.body.results[first + i] == Operand(soac.body.parameters[0]);
    if (!is_index || !neutral[i].is_constant() || !selects_operand(combine, i)) continue;
    const auto least = neutral[i].scalar().as<std::int64_t>();
    if (least > 0) continue; // which may be no index
    for (const std::size_t side : {i, neutral.size() + i})
      facts.lies_between(combine.parameters[side], least, soac.extent);
  }
}

void carry_selected_reads(Function& function) {
  Carrier(function).body(function.body);
}

} // namespace sinter::jit
