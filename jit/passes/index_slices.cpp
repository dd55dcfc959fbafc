#include "jit/passes/index_slices.h"

#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

class Slicing {
public:
  explicit Slicing(Function& function) : function_(function) {}

  void run() { body(function_.body, false); }

private:
  void body(Body& body, bool is_in_soac) {
    Statements before = std::move(body.statements), out;
    for (Statement& statement : before) {
      auto* const soac = std::get_if<Soac>(&statement.operation);
      for_each_body(statement.operation,
                    [&](Body& inner) { this->body(inner, is_in_soac || soac); });
      if (soac) slice(*soac, is_in_soac, statement.span, out);
      known_.apply(function_, statement);
      out.push_back(std::move(statement));
    }
    for (Operand& result : body.results)
      result = known_.resolve(result);
    body.statements = std::move(out);
  }

  /// Elements of a SOAC that stand for reads of it.
  void slice(Soac& soac, bool is_in_soac, Span span, Statements& out) {
    struct Row {
      Operand begin;
      std::optional<FailureId> site;
    };
    std::vector<std::optional<Row>> rows; // by statement
    const Inside inside(function_, soac.body);
    for (const Statement& statement : soac.body.statements) {
      std::optional<Operand> begin = inside.begin_of(statement);
      // (Outside, sums are places beside others.)
      if (begin && !is_in_soac && *begin != Operand::i64(0)) begin.reset();
      rows.push_back(begin ? std::optional(Row{*begin, inside.check_of(statement)}) : std::nullopt);
    }
    Statements rest;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Statement& statement = soac.body.statements[i];
      if (!rows[i]) {
        rest.push_back(std::move(statement));
        continue;
      }
      const ValueId array = std::get<Index>(statement.operation).array;
      const Type type = function_.type(array);
      const ElementType element = type.element;
      const bool is_all = rows[i]->begin == Operand::i64(0) && type.extents[0] == soac.extent;
      if (rows[i]->site && !is_all)
        check(soac.extent, rows[i]->begin, type.extents[0], *rows[i]->site, span, out);
      soac.inputs.push_back(array);
      if (!is_all) {
        soac.inputs.back() = function_.add_value({element, {soac.extent}});
        out.push_back({{soac.inputs.back()},
                       Slice{array, {{rows[i]->begin, Operand::i64(1)}}},
                       statement.span});
      }
      const ValueId parameter = function_.add_value({element, {}});
      soac.body.parameters.push_back(parameter);
      known_.set(statement.results[0], parameter);
    }
    soac.body.statements = std::move(rest);
  }

  void check(const Operand& count, const Operand& begin, const Operand& extent, FailureId site,
             Span span, Statements& out) {
    StatementWriter writer(function_, span);
    const auto is_at_most = [&](const Operand& a, const Operand& b) {
      return writer.scalar(ScalarOperation::LessEqual, a, b, out);
    };
    const auto both = [&](ScalarOperation operation, const Operand& a, const Operand& b) {
      return writer.scalar(row(operation, ElementType::Bool), {a, b}, out);
    };
    const Operand last = writer.scalar(ScalarOperation::Subtract, extent, count, out);
    const Operand is_within =
        both(ScalarOperation::And, is_at_most(Operand::i64(0), begin), is_at_most(begin, last));
    const Operand is_empty = is_at_most(count, Operand::i64(0));
    out.push_back({{}, Check{both(ScalarOperation::Or, is_empty, is_within), site}, span});
  }

  /// What a body says of places in arrays.
  class Inside {
  public:
    Inside(const Function& function, const Body& body) : function_(function), body_(body) {
      for (const ValueId parameter : body.parameters)
        inside_.emplace(parameter.index, nullptr);
      for (const Statement& statement : body.statements)
        for (const ValueId result : statement.results)
          inside_.emplace(result.index, &statement);
    }
    /// Where the elements begin of which the statement reads the one at the SOAC's index.
    std::optional<Operand> begin_of(const Statement& statement) const {
      const auto* const read = std::get_if<Index>(&statement.operation);
      if (!read || read->indices.size() != 1 || inside_.contains(read->array.index) ||
          !is_row(read->array))
        return std::nullopt;
      if (!is_only_place(read->array, read->indices[0])) return std::nullopt;
      if (read->indices[0] == Operand(body_.parameters[0])) return Operand::i64(0);
      const Primitive* const sum = primitive(read->indices[0]);
      if (!sum || sum->primitive != &row(ScalarOperation::Add, ElementType::I64))
        return std::nullopt;
      const Operand number(body_.parameters[0]);
      const Operand &left = sum->arguments[0], &right = sum->arguments[1];
      const Operand& begin = left == number ? right : left;
      if ((left == number) == (right == number) || is_inside(begin)) return std::nullopt;
      return begin;
    }
    /// The failure of a check, before the statement, that its place is in bounds.
    std::optional<FailureId> check_of(const Statement& read) const {
      const Operand& place = std::get<Index>(read.operation).indices[0];
      for (const Statement& statement : body_.statements) {
        if (&statement == &read) break;
        const auto* const check = std::get_if<Check>(&statement.operation);
        if (check && is_about(check->condition, place)) return check->site;
      }
      return std::nullopt;
    }

  private:
    bool is_inside(const Operand& operand) const {
      return operand.is_value() && inside_.contains(operand.value().index);
    }
    const Primitive* primitive(const Operand& operand) const {
      if (!operand.is_value()) return nullptr;
      const auto found = inside_.find(operand.value().index);
      return found != inside_.end() && found->second
                 ? std::get_if<Primitive>(&found->second->operation)
                 : nullptr;
    }
    /// Whether the condition compares the place, or consists of such comparisons.
    bool is_about(const Operand& condition, const Operand& place) const {
      const Primitive* const made = primitive(condition);
      if (!made || made->arguments.size() != 2) return false;
      const auto is_it = [&](const Operand& operand) { return operand == place; };
      if (std::ranges::any_of(made->arguments, is_it)) return true;
      return made->primitive->operation == ScalarOperation::And &&
             std::ranges::any_of(made->arguments,
                                 [&](const Operand& part) { return is_about(part, place); });
    }
    /// Whether the body reads the array there alone.
    bool is_only_place(ValueId array, const Operand& place) const {
      return is_only_place(body_, array, place);
    }
    static bool is_only_place(const Body& body, ValueId array, const Operand& place) {
      return std::ranges::all_of(body.statements, [&](const Statement& statement) {
        const auto* const read = std::get_if<Index>(&statement.operation);
        bool result = !read || read->array != array || read->indices == std::vector{place};
        if (!read)
          for_each_operand(statement.operation, [&](const Operand& operand) {
            result = result && operand != Operand(array);
          });
        for_each_body(statement.operation, [&](const Body& inner) {
          result = result && is_only_place(inner, array, place) &&
                   std::ranges::count(inner.results, Operand(array)) == 0;
        });
        return result;
      });
    }
    bool is_row(ValueId array) const { return function_.type(array).rank() == 1; }

    const Function& function_;
    const Body& body_;
    std::unordered_map<std::uint32_t, const Statement*> inside_; ///< null: parameters
  };

  Function& function_;
  Substitution known_;
};

} // namespace

void write_index_slices(Function& function) {
  Slicing(function).run();
}

} // namespace sinter::jit
