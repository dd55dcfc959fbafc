#include "jit/passes/filled_parts.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/counted_elements.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

/// A scan of counts, and a scatter of what is counted into an array that is as long as all: its
/// first elements are what a filter keeps.
class FilledPart : StatementWriter {
public:
  FilledPart(Function& function, Body& body, std::size_t counted, std::size_t scattered)
      : StatementWriter(function, body.statements[scattered].span), body_(body), at_(counted),
        next_(scattered), scan_(std::get<Soac>(body.statements[counted].operation)),
        soac_(std::get<Soac>(body.statements[scattered].operation)) {}

  bool replace() {
    const auto* const scatter = only_group<ScatterGroup>(soac_);
    if (!scatter) return false;
    const ValueId filled = body_.statements[next_].results[0];
    const Type& type = function_.type(filled);
    if (scatter->index_count != 1 || type.rank() != 1 || soac_.extent != scan_.extent ||
        type.extents[0] != scan_.extent || !is_early_code(function_, soac_) ||
        !is_early_code(function_, scan_) || !find_counts() || !is_place())
      return false;
    return write(scatter->destination);
  }

private:
  /// A scan of counts, and whatever else sums them.
  bool find_counts() {
    bool are_counts = true;
    for_each_group(scan_, [&](const Group& group, std::size_t from, std::size_t to) {
      const ValueId result = body_.statements[at_].results[to];
      const Operand condition = counted_condition(scan_, group, from);
      if (condition.is_value() && !counts_) {
        counts_ = result;
        condition_ = condition;
        counted_ = scan_.body.results[from];
        return;
      }
      const auto* const sum = std::get_if<ReduceGroup>(&group);
      const bool is_sum =
          sum && sum->before.empty() && sum->neutral.size() == 1 && is_zero(sum->neutral[0]) &&
          counts_ && scan_.body.results[from] == counted_ &&
          component_operation(sum->combine, 0) == primitives::find(ScalarOperation::Add, element());
      if (is_sum) totals_.push_back(result);
      are_counts = are_counts && is_sum;
    });
    return are_counts && counts_;
  }
  ElementType element() const { return function_.type(*counts_).element; }
  static bool is_zero(const Operand& operand) {
    return operand.is_constant() && is_integer(operand.element()) &&
           operand.scalar().as<std::int64_t>() == 0;
  }

  /// Whether what is counted goes to its count less one, and the others nowhere.
  bool is_place() {
    const auto input = std::ranges::find(soac_.inputs, *counts_);
    if (input == soac_.inputs.end()) return false;
    position_ = static_cast<std::size_t>(input - soac_.inputs.begin());
    count_ = soac_.body.parameters[position_ + 1];
    const auto& statements = soac_.body.statements;
    const auto* const place = defining<Select>(statements, soac_.body.results[0]);
    if (!place || !place->else_value.is_constant() ||
        place->else_value.scalar().as<std::int64_t>() >= 0 ||
        !CodeComparison(scan_, soac_).are_same(condition_, place->condition))
      return false;
    kept_ = place->condition;
    Operand number = place->then_value;
    if (const auto* wide =
            arguments_of(statements, number, ScalarOperation::Convert, ElementType::I32);
        wide && element() == ElementType::I32)
      number = (*wide)[0];
    const auto* const less = arguments_of(statements, number, ScalarOperation::Subtract, element());
    const auto* const more = arguments_of(statements, number, ScalarOperation::Add, element());
    if (more)
      return (*more)[0] == Operand(count_) && (*more)[1].is_constant() &&
             (*more)[1].scalar().as<std::int64_t>() == -1;
    if (!less || (*less)[0] != Operand(count_)) return false;
    if ((*less)[1].is_constant()) return (*less)[1].scalar().as<std::int64_t>() == 1;
    // (Where it is counted, that is one.)
    const auto* const one =
        arguments_of(statements, (*less)[1], ScalarOperation::Convert, ElementType::Bool);
    return one && (*one)[0] == place->condition;
  }

  bool write(const Operand& destination) {
    // What is kept, without counts.
    Soac filter = soac_;
    const Operand value_of = soac_.body.results[1];
    const std::vector<Operand> results{kept_, value_of};
    filter.body.statements = statements_needed(function_, soac_.body, results);
    filter.body.results = results;
    filter.inputs.erase(filter.inputs.begin() + static_cast<std::ptrdiff_t>(position_));
    filter.body.parameters.erase(filter.body.parameters.begin() +
                                 static_cast<std::ptrdiff_t>(position_) + 1);
    filter.groups = {FilterGroup{1}};
    const std::vector<ValueId> needed = free_values(function_, filter);
    const auto is_needed = [&](ValueId each) { return std::ranges::count(needed, each) > 0; };
    if (is_needed(count_)) return false;
    // Counts are for this alone, and what the filter needs is there before them.
    if (std::ranges::count(body_.results, Operand(*counts_)) > 0) return false;
    for (std::size_t i = at_; i < body_.statements.size(); ++i) {
      const Statement& each = body_.statements[i];
      if (i < next_ && std::ranges::any_of(each.results, is_needed)) return false;
      const std::vector<ValueId> used = free_values(function_, each);
      if (i != next_ && std::ranges::count(used, *counts_) > 0) return false;
    }

    Statements made;
    const ValueId filled = body_.statements[next_].results[0];
    const ValueId total = value({ElementType::I64, {}});
    const ValueId kept = value({function_.type(filled).element, {Operand(total)}});
    made.push_back({{total, kept}, std::move(filter), span_});
    if (element() == ElementType::I32) check_extent(made);
    // (Of what is read of the part that is filled, it is known where it ends.)
    Substitution known;
    for (const ValueId each : totals_)
      if (element() == ElementType::I64)
        known.set(each, total);
      else
        made.push_back({{each},
                        ir::Primitive{primitives::conversion(ElementType::I64, element()), {total}},
                        span_});
    for (std::size_t i = at_; i < body_.statements.size(); ++i) {
      const Statement& each = body_.statements[i];
      const auto* const wide = std::get_if<ir::Primitive>(&each.operation);
      if (wide && wide->primitive == primitives::conversion(ElementType::I32, ElementType::I64) &&
          wide->arguments[0].is_value() &&
          std::ranges::count(totals_, wide->arguments[0].value()) > 0)
        known.set(each.results[0], total);
    }
    Statements rest;
    for (std::size_t i = at_ + 1; i < body_.statements.size(); ++i) {
      Statement& each = body_.statements[i];
      known.apply(function_, each);
      if (i == next_) {
        rest.push_back(
            {{filled},
             UpdateSlice{destination.value(), {{Operand::i64(0), Operand::i64(1)}}, kept},
             span_});
        continue;
      }
      const auto* const part = std::get_if<Slice>(&each.operation);
      if (part && part->array == filled && part->dimensions.size() == 1 &&
          part->dimensions[0].begin == Operand::i64(0) &&
          part->dimensions[0].stride == Operand::i64(1) &&
          function_.type(each.results[0]).extents[0] == Operand(total)) {
        known.set(each.results[0], kept);
        continue;
      }
      rest.push_back(std::move(each));
    }
    for (Operand& result : body_.results)
      result = known.resolve(result);
    body_.statements.resize(at_);
    std::ranges::move(made, std::back_inserter(body_.statements));
    std::ranges::move(rest, std::back_inserter(body_.statements));
    return true;
  }
  /// Counts of 32 bits do not wrap around.
  void check_extent(Statements& out) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const Operand fits = scalar(row(ScalarOperation::LessEqual, ElementType::I64),
                                {scan_.extent, Operand::i64(most)}, out);
    require(fits, "counts that wrap around in 32 bits, which compiled code does not have here",
            out);
  }

  Body& body_;
  std::size_t at_, next_;
  const Soac scan_, soac_;
  std::optional<ValueId> counts_;
  Operand condition_, counted_, kept_;
  std::vector<ValueId> totals_;
  std::size_t position_ = 0;
  ValueId count_;
};

/// Of the host's level.
void write_filled_parts(Function& function, Body& body) {
  for (Statement& statement : body.statements)
    if (!std::holds_alternative<Soac>(statement.operation))
      for_each_body(statement.operation, [&](Body& inner) { write_filled_parts(function, inner); });
  for (std::size_t at = 0; at < body.statements.size(); ++at) {
    const auto* const scan = std::get_if<Soac>(&body.statements[at].operation);
    if (!scan || !has_group<ScanGroup>(*scan)) continue;
    for (std::size_t next = at + 1; next < body.statements.size(); ++next) {
      const auto* const scatter = std::get_if<Soac>(&body.statements[next].operation);
      if (scatter && FilledPart(function, body, at, next).replace()) break;
    }
  }
}

} // namespace

void write_filled_parts(Function& function) {
  write_filled_parts(function, function.body);
}

} // namespace sinter::jit
