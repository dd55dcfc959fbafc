#include "jit/passes/flat_nests.h"

#include "jit/ir/size_facts.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/simplify.h"
#include "jit/passes/statement_writer.h"
#include "jit/passes/term_division.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

/// Rows of fewer elements, if their number is known, are no rows to go along.
constexpr std::int64_t fewest_in_row = 16;

/// A sum of products of values, modulo 2^64.
struct Polynomial {
  std::uint64_t constant = 0;
  std::vector<Extent::Summand> summands;
};

/// The factor by which `by`, a number or one product, goes into the term; nothing if it does not.
std::optional<Polynomial> quotient(Term term, Term by) {
  std::optional<TermDivision> parts = divide(term, by);
  if (!parts || !parts->left.empty()) return std::nullopt;
  Polynomial result;
  if (term->constant() != 0) {
    if (!by->is_number() || term->constant() % by->constant() != 0) return std::nullopt;
    result.constant = term->constant() / by->constant();
  }
  for (Extent::Summand& summand : parts->whole) {
    if (summand.factors.empty())
      result.constant += summand.coefficient;
    else
      result.summands.push_back(std::move(summand));
  }
  return result;
}

bool is_division(const Primitive& primitive) {
  switch (primitive.primitive->operation) {
  case ScalarOperation::Divide:
  case ScalarOperation::Quotient:
  case ScalarOperation::Modulo:
  case ScalarOperation::Remainder:
    return primitive.primitive->operand == ElementType::I64;
  default:
    return false;
  }
}
bool is_rest(const Primitive& primitive) {
  return primitive.primitive->operation == ScalarOperation::Modulo ||
         primitive.primitive->operation == ScalarOperation::Remainder;
}

/// Calls `visit` with each statement of the body, and of bodies inside.
template <typename Visit>
void for_each_statement(const Body& body, const Visit& visit) {
  for (const Statement& statement : body.statements) {
    visit(statement);
    for_each_body(statement.operation,
                  [&](const Body& inner) { for_each_statement(inner, visit); });
  }
}

class Nesting {
public:
  explicit Nesting(Function& function)
      : function_(function), sizes_([this](ValueId value) -> const ir::Operation* {
          const auto found = definitions_.find(value.index);
          return found == definitions_.end() ? nullptr : &found->second;
        }) {}

  /// Whether there are any.
  bool run() {
    for_each_statement(function_.body, [&](const Statement& statement) {
      if (const auto* soac = std::get_if<Soac>(&statement.operation))
        if (!has_only<MapGroup>(*soac))
          for (const ValueId input : soac->inputs)
            flat_.insert(input.index);
    });
    body(function_.body);
    return has_nested_;
  }

private:
  /// Of the host's level.
  void body(Body& body) {
    Statements before = std::move(body.statements), out;
    for (Statement& statement : before) {
      if (is_scalar_operation(statement.operation))
        definitions_.insert_or_assign(statement.results[0].index, statement.operation);
      if (std::holds_alternative<Soac>(statement.operation))
        nest(std::move(statement), out);
      else {
        for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
        out.push_back(std::move(statement));
      }
    }
    body.statements = std::move(out);
  }

  /// A row's extent, and how many rows there are.
  struct Rows {
    Operand width, count;
  };

  void nest(Statement statement, Statements& out) {
    auto& soac = std::get<Soac>(statement.operation);
    const auto is_flat = [&](ValueId result) { return flat_.contains(result.index); };
    if (!has_only<MapGroup>(soac) || soac.groups.empty() ||
        std::ranges::any_of(statement.results, is_flat))
      return out.push_back(std::move(statement));
    StatementWriter writer(function_, statement.span);
    const std::optional<Rows> rows = rows_of(soac, writer, out);
    if (!rows) return out.push_back(std::move(statement));
    has_nested_ = true;
    divide(soac, *rows, writer, out);
    check(*rows, writer, out);
    write(std::move(statement), *rows, writer, out);
  }

  std::optional<Rows> rows_of(const Soac& soac, StatementWriter& writer, Statements& out) {
    std::unordered_set<std::uint32_t> inside;
    const auto add = [&](ValueId value) { inside.insert(value.index); };
    const auto add_parameters = [&](const Body& body) {
      std::ranges::for_each(body.parameters, add);
    };
    add_parameters(soac.body);
    for_each_statement(soac.body, [&](const Statement& statement) {
      std::ranges::for_each(statement.results, add);
      for_each_body(statement.operation, add_parameters);
    });
    std::vector<Operand> divisors;
    for_each_statement(soac.body, [&](const Statement& statement) {
      const auto* const division = std::get_if<Primitive>(&statement.operation);
      if (!division || !is_division(*division) ||
          division->arguments[0] != Operand(soac.body.parameters[0]))
        return;
      const Operand& by = division->arguments[1];
      if (by.is_constant() ? by.scalar().as<std::int64_t>() >= fewest_in_row
                           : !inside.contains(by.value().index))
        divisors.push_back(by);
    });
    const Term extent = sizes_.term(soac.extent);
    const auto divides_all = [&](const Operand& divisor) {
      return std::ranges::all_of(divisors, [&](const Operand& other) {
        return quotient(sizes_.term(other), sizes_.term(divisor)).has_value();
      });
    };
    // The innermost one first.
    std::ranges::stable_partition(divisors, divides_all);
    for (const Operand& divisor : divisors) {
      const std::optional<Polynomial> count = quotient(extent, sizes_.term(divisor));
      if (!count || (count->summands.empty() && count->constant <= 1)) continue;
      return Rows{divisor, written(*count, writer, out)};
    }
    return std::nullopt;
  }

  Operand written(const Polynomial& polynomial, StatementWriter& writer, Statements& out) {
    const auto note = [&](const Operand& sum) {
      if (sum.is_value()) definitions_.insert_or_assign(sum.value().index, out.back().operation);
      return sum;
    };
    Operand sum = Operand::i64(static_cast<std::int64_t>(polynomial.constant));
    for (const Extent::Summand& summand : polynomial.summands) {
      Operand product = summand.factors[0];
      for (std::size_t i = 1; i < summand.factors.size(); ++i)
        product = note(writer.scalar(ScalarOperation::Multiply, product, summand.factors[i], out));
      if (summand.coefficient != 1)
        product =
            note(writer.scalar(ScalarOperation::Multiply, product,
                               Operand::i64(static_cast<std::int64_t>(summand.coefficient)), out));
      sum = sum == Operand::i64(0) ? product
                                   : note(writer.scalar(ScalarOperation::Add, sum, product, out));
    }
    return sum;
  }

  /// Divisors of the index that are whole numbers of rows divide the row's number instead.
  void divide(Soac& soac, const Rows& rows, StatementWriter& writer, Statements& out) {
    row_ = writer.value({ElementType::I64, {}});
    column_ = writer.value({ElementType::I64, {}});
    known_ = {};
    factors_.clear();
    divide(soac.body, soac.body.parameters[0], rows, writer, out);
    known_.apply(function_, soac.body);
  }
  void divide(Body& body, ValueId index, const Rows& rows, StatementWriter& writer,
              Statements& out) {
    Statements before = std::move(body.statements);
    for (Statement& statement : before) {
      for_each_body(statement.operation,
                    [&](Body& inner) { divide(inner, index, rows, writer, out); });
      const auto* const division = std::get_if<Primitive>(&statement.operation);
      const std::optional<Operand> by =
          division && is_division(*division) && division->arguments[0] == Operand(index)
              ? whole_rows(division->arguments[1], rows, writer, out)
              : std::nullopt;
      if (!by) {
        body.statements.push_back(std::move(statement));
        continue;
      }
      const bool takes_rest = is_rest(*division);
      if (*by == Operand::i64(1)) {
        known_.set(statement.results[0], takes_rest ? column_ : row_);
        continue;
      }
      Operand number = writer.scalar(*division->primitive, {row_, *by}, body.statements);
      if (takes_rest) {
        number = writer.scalar(ScalarOperation::Multiply, number, rows.width, body.statements);
        number = writer.scalar(ScalarOperation::Add, number, column_, body.statements);
      }
      known_.set(statement.results[0], number);
    }
  }
  /// How many rows so many elements are; nothing if that is not known.
  std::optional<Operand> whole_rows(const Operand& elements, const Rows& rows,
                                    StatementWriter& writer, Statements& out) {
    if (elements == rows.width) return Operand::i64(1);
    const auto is_known = [&](const auto& factor) { return factor.first == elements; };
    if (const auto found = std::ranges::find_if(factors_, is_known); found != factors_.end())
      return found->second;
    const std::optional<Polynomial> factor =
        quotient(sizes_.term(elements), sizes_.term(rows.width));
    if (!factor) return std::nullopt;
    const Operand result = written(*factor, writer, out);
    if (result != Operand::i64(1)) factors_.emplace_back(elements, result);
    return result;
  }

  /// That rows have so many elements, and that there are as many of them as all together.
  void check(const Rows& rows, StatementWriter& writer, Statements& out) {
    const auto compare = [&](ScalarOperation operation, const Operand& a, const Operand& b) {
      return writer.scalar(i64_row(operation), {a, b}, out);
    };
    std::optional<Operand> condition;
    const auto require = [&](const Operand& part) {
      condition = condition ? writer.scalar(row(ScalarOperation::And, ElementType::Bool),
                                            {*condition, part}, out)
                            : part;
    };
    const auto require_size = [&](const Operand& number, std::int64_t least) {
      require(compare(ScalarOperation::LessEqual, Operand::i64(least), number));
      require(compare(ScalarOperation::Less, number, Operand::i64(extent_limit)));
    };
    require_size(rows.count, 0);
    require_size(rows.width, 0);
    const auto require_product_of = [&](const Operand& number) {
      const Operand high = writer.scalar(ScalarOperation::MultiplyHigh, number, rows.width, out);
      require(compare(ScalarOperation::Equal, high, Operand::i64(0)));
    };
    require_product_of(rows.count);
    for (const auto& [elements, number] : factors_) {
      require(compare(ScalarOperation::LessEqual, Operand::i64(1), elements));
      require_size(number, 1);
      require_product_of(number);
    }
    writer.require(*condition,
                   "a product of sizes that wraps around, which compiled code does not have here",
                   out);
  }
  static const primitives::Primitive& i64_row(ScalarOperation operation) {
    return row(operation, ElementType::I64);
  }

  void write(Statement statement, const Rows& rows, StatementWriter& writer, Statements& out) {
    Soac& inner = std::get<Soac>(statement.operation);
    const auto in_front = [](const Operand& extent, Type type) {
      type.extents.insert(type.extents.begin(), extent);
      return type;
    };
    Soac outer{rows.count, {}, {}, inner.groups};
    outer.body.parameters = {row_};
    for (std::size_t i = 0; i < inner.inputs.size(); ++i) {
      const Type type = in_front(rows.width, function_.type(inner.body.parameters[1 + i]));
      const ValueId all = writer.value(in_front(rows.count, type));
      out.push_back({{all}, Reshape{inner.inputs[i]}, statement.span});
      outer.inputs.push_back(all);
      outer.body.parameters.push_back(writer.value(type));
      inner.inputs[i] = outer.body.parameters.back();
    }
    const Operand first =
        writer.scalar(ScalarOperation::Multiply, row_, rows.width, outer.body.statements);
    inner.body.statements.insert(
        inner.body.statements.begin(),
        Statement{{inner.body.parameters[0]},
                  Primitive{&i64_row(ScalarOperation::Add), {first, column_}},
                  statement.span});
    inner.body.parameters[0] = column_;
    inner.extent = rows.width;
    std::vector<ValueId> whole, row;
    for (const Operand& result : inner.body.results) {
      row.push_back(writer.value(in_front(rows.width, function_.type(result))));
      whole.push_back(writer.value(in_front(rows.count, function_.type(row.back()))));
      outer.body.results.emplace_back(row.back());
    }
    outer.body.statements.push_back({row, std::move(inner), statement.span});
    nest({whole, std::move(outer), statement.span}, out);
    for (std::size_t i = 0; i < whole.size(); ++i)
      out.push_back({{statement.results[i]}, Reshape{whole[i]}, statement.span});
  }

  Function& function_;
  SizeFacts sizes_;
  std::unordered_map<std::uint32_t, ir::Operation> definitions_; ///< scalar operations
  std::unordered_set<std::uint32_t> flat_; ///< arrays that something goes along element by element
  bool has_nested_ = false;
  // Of the map at hand:
  ValueId row_, column_;
  Substitution known_;
  std::vector<std::pair<Operand, Operand>> factors_; ///< so many elements are so many rows
};

} // namespace

void nest_flat_maps(Function& function) {
  if (Nesting(function).run()) simplify(function);
}

} // namespace sinter::jit
