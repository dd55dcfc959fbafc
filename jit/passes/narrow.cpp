#include "jit/passes/narrow.h"

#include "jit/ir/comparisons.h"
#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using Statements = std::vector<Statement>;

namespace {

using WideLimits = std::numeric_limits<std::int64_t>;
using NarrowLimits = std::numeric_limits<std::int32_t>;

/// The component's two operands, and what the operator selects among them; in order.
std::vector<ValueId> selected_among(const Body& combine, std::size_t component) {
  std::vector<ValueId> values{combine.parameters[component],
                              combine.parameters[combine.results.size() + component]};
  const auto is_one = [&](const Operand& operand) {
    return operand.is_value() && std::ranges::count(values, operand.value()) > 0;
  };
  for (const Statement& statement : combine.statements)
    if (const auto* select = std::get_if<Select>(&statement.operation)) {
      if (is_one(select->then_value) && is_one(select->else_value))
        values.push_back(statement.results[0]);
    } else if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation)) {
      const auto operation = primitive->primitive->operation;
      if ((operation == primitives::Operation::Minimum ||
           operation == primitives::Operation::Maximum) &&
          std::ranges::all_of(primitive->arguments, is_one))
        values.push_back(statement.results[0]);
    }
  return values;
}

/// A number that no other one becomes in 32 bits.
bool is_narrow_constant(const Operand& operand) {
  if (!operand.is_constant()) return false;
  const auto number = operand.scalar().as<std::int64_t>();
  return number > NarrowLimits::min() && number < NarrowLimits::max();
}

/// Whether the values' order alone counts for the component: the operator compares them with each
/// other, or with constants, and takes one of them.
bool is_only_ordered(const Body& combine, std::size_t component) {
  const std::vector<ValueId> values = selected_among(combine, component);
  const auto is_one = [&](const Operand& operand) {
    return operand.is_value() && std::ranges::count(values, operand.value()) > 0;
  };
  if (!is_one(combine.results[component]) ||
      std::ranges::count(combine.results, combine.results[component]) != 1)
    return false;
  return std::ranges::all_of(combine.statements, [&](const Statement& statement) {
    bool has_bodies = false, takes_one = false;
    for_each_body(statement.operation, [&](const Body&) { has_bodies = true; });
    for_each_operand(statement.operation,
                     [&](const Operand& operand) { takes_one = takes_one || is_one(operand); });
    if (has_bodies) return false;
    if (!takes_one || is_one(statement.results[0])) return true;
    const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
    return primitive && is_comparison(primitive->primitive->operation) &&
           std::ranges::all_of(primitive->arguments, [&](const Operand& operand) {
             return is_one(operand) || is_narrow_constant(operand);
           });
  });
}

/// Writes one SOAC in both forms.
class Narrowing : StatementWriter {
public:
  Narrowing(Function& function, const Statement& statement, bool is_inside)
      : StatementWriter(function, statement.span), statement_(statement),
        soac_(std::get<Soac>(statement.operation)), is_inside_(is_inside) {}

  /// What stands for the statement; empty if it stays.
  Statements write() {
    Statements result;
    if (!may_be_narrow()) return result;
    Soac narrow = soac_;
    narrow.body = clone(function_, soac_.body);
    Statements before, after;
    std::vector<Operand> yielded(statement_.results.begin(), statement_.results.end());
    std::vector<ValueId> made;
    for_each_group(narrow, [&](Group& group, std::size_t from, std::size_t to) {
      auto& reduce = std::get<ReduceGroup>(group);
      reduce.combine = clone(function_, reduce.combine);
      for (std::size_t c = 0; c < reduce.neutral.size(); ++c)
        made.push_back(value(function_.type(statement_.results[to + c])));
      for (std::size_t c = 0; c < reduce.neutral.size(); ++c) {
        yielded[to + c] = made[to + c];
        if (!narrowed_[from + c]) continue;
        function_.values[made[to + c].index].type.element = ElementType::I32;
        Operand& element = narrow.body.results[from + c];
        element = narrowed(element, narrow.body, narrow.body.statements);
        reduce.neutral[c] = narrowed(reduce.neutral[c], narrow.body, before);
        make_narrow(reduce.combine, c);
        yielded[to + c] = restored(made[to + c], after);
      }
    });
    before.push_back({made, std::move(narrow), span_});
    std::move(after.begin(), after.end(), std::back_inserter(before));
    Statements guards;
    const std::optional<Operand> fits = guard(guards);
    if (!fits) {
      // (Known beforehand: the results' own names are free then.)
      for (std::size_t i = 0; i < yielded.size(); ++i)
        rename(yielded[i], statement_.results[i], before);
      return before;
    }
    If choice{*fits, {{}, std::move(before), std::move(yielded)}, {}};
    Statement wide = statement_;
    for (ValueId& each : wide.results) {
      each = value(function_.type(each));
      choice.else_body.results.emplace_back(each);
    }
    choice.else_body.statements.push_back(std::move(wide));
    result = std::move(guards);
    result.push_back({statement_.results, std::move(choice), span_});
    return result;
  }

private:
  /// Decides which components are, by body result.
  bool may_be_narrow() {
    if (!note_bound(soac_.extent) || has_wide_floats()) return false;
    narrowed_.assign(soac_.body.results.size(), false);
    bool all_reduce = !soac_.groups.empty(), any = false, has_other_wide = false;
    for_each_group(soac_, [&](const Group& group, std::size_t from, std::size_t) {
      const auto* reduce = std::get_if<ReduceGroup>(&group);
      all_reduce = all_reduce && reduce && reduce->before.empty();
      if (!reduce) return;
      // (Those, outermost, count what they select in 32 bits themselves: jit/emit/ascending.h.)
      all_reduce = all_reduce && (is_inside_ || !selects_by_order(reduce->combine));
      for (std::size_t c = 0; c < reduce->neutral.size(); ++c) {
        const ElementType element = function_.type(reduce->neutral[c]).element;
        narrowed_[from + c] = element == ElementType::I64 && is_only_ordered(reduce->combine, c) &&
                              is_small(reduce->neutral[c]) &&
                              is_small(soac_.body.results[from + c]);
        any = any || narrowed_[from + c];
        has_other_wide = has_other_wide || (!narrowed_[from + c] && byte_size(element) > 4);
      }
    });
    return all_reduce && any && !has_other_wide;
  }

  /// (Conditions on those are as wide as indices are.)
  bool has_wide_floats() const {
    bool result = false;
    const auto look_at = [&](const Body& body) {
      for (const ValueId parameter : body.parameters)
        result = result || function_.type(parameter).element == ElementType::F64;
      for (const Statement& statement : body.statements)
        for (const ValueId each : statement.results)
          result = result || function_.type(each).element == ElementType::F64;
    };
    for_each_body(soac_, look_at);
    return result;
  }

  const Statement* definition(const Body& body, ValueId value) const {
    for (const Statement& statement : body.statements)
      if (!statement.results.empty() && statement.results[0] == value) return &statement;
    return nullptr;
  }

  /// Whether the function has it from the beginning: the same for all elements, and worth a guard.
  bool note_bound(const Operand& operand) {
    if (operand.is_constant()) return is_narrow_constant(operand);
    const auto& parameters = function_.body.parameters;
    if (std::find(parameters.begin(), parameters.end(), operand.value()) == parameters.end())
      return false;
    if (std::find(bounds_.begin(), bounds_.end(), operand.value()) == bounds_.end())
      bounds_.push_back(operand.value());
    return true;
  }

  bool is_small(const Operand& operand) {
    if (is_extreme(operand)) {
      has_extremes_ = true;
      return true;
    }
    if (operand.is_value()) {
      if (operand.value() == soac_.body.parameters[0]) return true;
      if (const Statement* statement = definition(soac_.body, operand.value())) {
        const auto* select = std::get_if<Select>(&statement->operation);
        return select && is_small(select->then_value) && is_small(select->else_value);
      }
    }
    return note_bound(operand);
  }
  static bool is_extreme(const Operand& operand) {
    if (!operand.is_constant()) return false;
    const auto number = operand.scalar().as<std::int64_t>();
    return number == WideLimits::min() || number == WideLimits::max();
  }

  static Operand i32(std::int32_t number) {
    return Operand::constant(ElementType::I32, Scalar::of(number));
  }
  Operand narrowed(const Operand& operand, const Body& body, Statements& out) {
    if (operand.is_constant()) {
      const auto number = operand.scalar().as<std::int64_t>();
      return i32(static_cast<std::int32_t>(
          std::clamp<std::int64_t>(number, NarrowLimits::min(), NarrowLimits::max())));
    }
    if (const Statement* statement = definition(body, operand.value())) {
      const auto select = std::get<Select>(statement->operation);
      const Operand yes = narrowed(select.then_value, body, out);
      const Operand no = narrowed(select.else_value, body, out);
      const ValueId result = value({ElementType::I32, {}});
      out.push_back({{result}, Select{select.condition, yes, no}, span_});
      return result;
    }
    return scalar(*primitives::conversion(ElementType::I64, ElementType::I32), {operand}, out);
  }
  Operand restored(ValueId narrow, Statements& out) {
    Operand result =
        scalar(*primitives::conversion(ElementType::I32, ElementType::I64), {narrow}, out);
    if (!has_extremes_) return result;
    const std::pair<std::int32_t, std::int64_t> extremes[] = {
        {NarrowLimits::min(), WideLimits::min()}, {NarrowLimits::max(), WideLimits::max()}};
    for (const auto& [of_narrow, of_wide] : extremes) {
      const Operand is_it = scalar(row(primitives::Operation::Equal, ElementType::I32),
                                   {Operand(narrow), i32(of_narrow)}, out);
      const ValueId chosen = value({ElementType::I64, {}});
      out.push_back({{chosen}, Select{is_it, Operand::i64(of_wide), result}, span_});
      result = chosen;
    }
    return result;
  }

  void make_narrow(Body& combine, std::size_t component) {
    const std::vector<ValueId> values = selected_among(combine, component);
    for (const ValueId value : values)
      function_.values[value.index].type.element = ElementType::I32;
    for (Statement& statement : combine.statements) {
      auto* const primitive = std::get_if<ir::Primitive>(&statement.operation);
      if (!primitive || std::ranges::none_of(primitive->arguments, [&](const Operand& operand) {
            return operand.is_value() && std::ranges::count(values, operand.value()) > 0;
          }))
        continue;
      primitive->primitive = &row(primitive->primitive->operation, ElementType::I32);
      for (Operand& argument : primitive->arguments)
        if (argument.is_constant())
          argument = i32(static_cast<std::int32_t>(argument.scalar().as<std::int64_t>()));
    }
  }

  /// That all is small; nothing if that is known.
  std::optional<Operand> guard(Statements& out) {
    std::optional<Operand> all;
    const auto add = [&](const Operand& condition) {
      all = all ? scalar(row(primitives::Operation::And, ElementType::Bool), {*all, condition}, out)
                : condition;
    };
    for (const ValueId bound : bounds_) {
      add(scalar(row(primitives::Operation::Less, ElementType::I64),
                 {bound, Operand::i64(NarrowLimits::max())}, out));
      if (Operand(bound) != soac_.extent)
        add(scalar(row(primitives::Operation::Greater, ElementType::I64),
                   {bound, Operand::i64(NarrowLimits::min())}, out));
    }
    return all;
  }

  /// Gives what a statement defines another name.
  static void rename(const Operand& from, ValueId to, Statements& statements) {
    for (Statement& statement : statements)
      std::replace(statement.results.begin(), statement.results.end(), from.value(), to);
  }

  const Statement& statement_;
  const Soac& soac_;
  bool is_inside_; ///< of a SOAC
  std::vector<bool> narrowed_;
  std::vector<ValueId> bounds_; ///< what must be small
  bool has_extremes_ = false;
};

void narrow_indices(Function& function, Body& body, bool is_inside) {
  Statements before = std::move(body.statements);
  body.statements.clear();
  for (Statement& statement : before) {
    const bool is_soac = std::holds_alternative<Soac>(statement.operation);
    for_each_body(statement.operation,
                  [&](Body& inner) { narrow_indices(function, inner, is_inside || is_soac); });
    Statements written;
    if (is_soac) written = Narrowing(function, statement, is_inside).write();
    if (written.empty())
      body.statements.push_back(std::move(statement));
    else
      std::move(written.begin(), written.end(), std::back_inserter(body.statements));
  }
}

/// Of an index that branches give, to fewer bits, and wanted nowhere else.
bool narrows_result(const Statement& statement, const Statement& branches,
                    const std::vector<std::uint32_t>& uses) {
  const auto* const conversion = std::get_if<ir::Primitive>(&statement.operation);
  if (!conversion || conversion->primitive->operation != primitives::Operation::Convert)
    return false;
  const Operand& from = conversion->arguments[0];
  return conversion->primitive->operand == ElementType::I64 &&
         is_integer(conversion->primitive->result) &&
         byte_size(conversion->primitive->result) < byte_size(ElementType::I64) &&
         from.is_value() && uses[from.value().index] == 1 &&
         std::ranges::find(branches.results, from.value()) != branches.results.end();
}

/// What narrows a result of branches is done in each of them, where it may be of fewer bits anyway.
void narrow_in_branches(Function& function, Body& body, const std::vector<std::uint32_t>& uses) {
  for (std::size_t i = 0; i < body.statements.size(); ++i) {
    for_each_body(body.statements[i].operation,
                  [&](Body& inner) { narrow_in_branches(function, inner, uses); });
    auto* const choice = std::get_if<If>(&body.statements[i].operation);
    for (std::size_t j = i + 1; choice && j < body.statements.size(); ++j) {
      Statement& branches = body.statements[i];
      if (!narrows_result(body.statements[j], branches, uses)) continue;
      const Statement narrowed = body.statements[j];
      const auto conversion = std::get<ir::Primitive>(narrowed.operation);
      const auto result = std::ranges::find(branches.results, conversion.arguments[0].value());
      const auto place = static_cast<std::size_t>(result - branches.results.begin());
      for (Body* const branch : {&choice->then_body, &choice->else_body}) {
        StatementWriter writer(function, narrowed.span);
        branch->results[place] =
            writer.scalar(*conversion.primitive, {branch->results[place]}, branch->statements);
      }
      *result = narrowed.results[0];
      body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(j--));
    }
  }
}

} // namespace

void narrow_indices(Function& function) {
  narrow_indices(function, function.body, false);
  narrow_in_branches(function, function.body, count_uses(function));
}

} // namespace sinter::jit
