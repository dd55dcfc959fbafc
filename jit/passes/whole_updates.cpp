#include "jit/passes/whole_updates.h"

#include "jit/ir/walk.h"
#include "jit/passes/delay.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// Elements that may be left on a side of a dimension.
constexpr std::int64_t widest_border = 16;

using Arrays = std::unordered_set<std::uint32_t>;

/// What is replaced of a dimension, or that nothing else is there.
struct Inside {
  bool is_all = false;
  bool is_to_the_end = false;
};

class UpdateRewriter {
public:
  explicit UpdateRewriter(Function& function) : function_(function), uses_(count_uses(function)) {}

  /// Arrays that maps make to be put into others.
  Arrays find() {
    find(function_.body);
    return std::move(found_);
  }

  /// Makes whole what those are put into.
  void write(const Arrays& values) { write(function_.body, values); }

private:
  void find(const Body& body) {
    Arrays mapped;
    for (const Statement& statement : body.statements) {
      if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
        numbers_.emplace(statement.results[0].index, *primitive);
      const auto* soac = std::get_if<Soac>(&statement.operation);
      if (soac && soac->groups.size() == 1 && has_only<MapGroup>(*soac)) {
        mapped.insert(statement.results[0].index);
      } else if (const auto* update = std::get_if<UpdateSlice>(&statement.operation)) {
        const std::uint32_t value = update->value.index;
        if (mapped.contains(value) && uses_[value] == 1 && is_inside(*update)) found_.insert(value);
      } else if (!soac) {
        for_each_body(statement.operation, [&](const Body& inner) { find(inner); });
      }
    }
  }

  bool is_inside(const UpdateSlice& update) const {
    bool is_all = true;
    for (std::size_t d = 0; d < update.dimensions.size(); ++d) {
      const auto inside = this->inside(update, d);
      if (!inside) return false;
      is_all = is_all && inside->is_all;
    }
    return !is_all;
  }

  /// Nothing if there may be many others.
  std::optional<Inside> inside(const UpdateSlice& update, std::size_t dimension) const {
    const auto& [begin, stride] = update.dimensions[dimension];
    const Sum extent = sum(function_.type(update.array).extents[dimension]);
    const Sum count = sum(function_.type(update.value).extents[dimension]);
    if (!begin.is_constant() || stride != Operand::i64(1) || extent.of != count.of)
      return std::nullopt;
    const auto before = begin.scalar().as<std::int64_t>();
    const std::int64_t others = extent.constant - count.constant, behind = others - before;
    if (before < 0 || before > widest_border || behind < 0 || behind > widest_border)
      return std::nullopt;
    return Inside{others == 0, behind == 0};
  }

  /// A number as one that is not understood further, or none, and a constant.
  struct Sum {
    std::optional<ValueId> of{};
    std::int64_t constant = 0;
  };
  Sum sum(Operand operand) const {
    Sum result;
    while (operand.is_value()) {
      const auto found = numbers_.find(operand.value().index);
      const auto* op = found == numbers_.end() ? nullptr : &found->second;
      const bool is_step = op && op->arguments.size() == 2 && op->arguments[1].is_constant() &&
                           op->primitive->operand == ElementType::I64 &&
                           (op->primitive->operation == Operation::Add ||
                            op->primitive->operation == Operation::Subtract);
      const std::int64_t by = is_step ? op->arguments[1].scalar().as<std::int64_t>() : 0;
      if (!is_step || by < -extent_limit || by > extent_limit) {
        result.of = operand.value();
        return result;
      }
      result.constant += op->primitive->operation == Operation::Add ? by : -by;
      operand = op->arguments[0];
    }
    result.constant += operand.scalar().as<std::int64_t>();
    return result;
  }

  void write(Body& body, const Arrays& values) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before) {
      for_each_body(statement.operation, [&](Body& inner) { write(inner, values); });
      const auto* update = std::get_if<UpdateSlice>(&statement.operation);
      if (update && values.contains(update->value.index))
        write_whole(*update, statement, body.statements);
      else
        body.statements.push_back(std::move(statement));
    }
  }

  void write_whole(const UpdateSlice& update, const Statement& statement,
                   std::vector<Statement>& out) {
    StatementWriter writer(function_, statement.span);
    const Type type = function_.type(statement.results[0]);
    writer.tabulate(type.extents, out,
                    [&](const std::vector<ValueId>& indices, std::vector<Statement>& inside) {
                      return element(update, indices, writer, inside);
                    });
    out.back().results = statement.results;
  }

  Operand element(const UpdateSlice& update, const std::vector<ValueId>& indices,
                  StatementWriter& writer, std::vector<Statement>& out) const {
    std::optional<Operand> is_inside;
    const auto demand = [&](Operation order, const Operand& a, const Operand& b) {
      const Operand holds = writer.scalar(order, a, b, out);
      is_inside = is_inside ? writer.scalar(row(Operation::And, ElementType::Bool),
                                            {*is_inside, holds}, out)
                            : holds;
    };
    std::vector<Operand> within;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      const Operand index = indices[d], &begin = update.dimensions[d].begin;
      const Inside inside = this->inside(update, d).value();
      within.push_back(index);
      if (begin != Operand::i64(0)) {
        within.back() = writer.scalar(Operation::Subtract, index, begin, out);
        demand(Operation::LessEqual, begin, index);
      }
      if (!inside.is_to_the_end)
        demand(Operation::Less, within.back(), function_.type(update.value).extents[d]);
    }
    If choice{*is_inside, {}, {}};
    choice.then_body.results = {
        writer.element(update.value, std::move(within), choice.then_body.statements)};
    choice.else_body.results = {writer.element(update.array, {indices.begin(), indices.end()},
                                               choice.else_body.statements)};
    const ValueId element = writer.value({function_.type(update.value).element, {}});
    out.push_back({{element}, std::move(choice), writer.span()});
    return element;
  }

  Function& function_;
  std::vector<std::uint32_t> uses_;
  std::unordered_map<std::uint32_t, ir::Primitive> numbers_; ///< by result
  Arrays found_;
};

} // namespace

void write_whole_updates(Function& function) {
  UpdateRewriter rewriter(function);
  // Which values can be computed in their places shows only once nothing is overwritten there.
  for (Arrays values = rewriter.find(); !values.empty();) {
    const Function before = function;
    rewriter.write(values);
    Arrays possible = delayable(function, values);
    if (possible.size() == values.size()) return inline_arrays(function, values);
    function = before;
    values = std::move(possible);
  }
}

} // namespace sinter::jit
