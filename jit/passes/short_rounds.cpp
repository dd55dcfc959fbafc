#include "jit/passes/short_rounds.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

/// In additions (ir/costs.h): some 650 ns in lanes, half of what is worth sharing.
constexpr std::int64_t most_of_round = 8192;

/// What a round does, in additions: sums of products of extents that are known before the loop.
class RoundWork {
public:
  struct Term {
    std::int64_t factor = 0;
    std::vector<Operand> extents; ///< values, of i64
  };

  /// Of one of a loop's bodies, which is not in another one; false if it is not known.
  bool add(const Function& function, const Body& body) {
    function_ = &function;
    for_each_defined(body, [&](ValueId value) { inside_.insert(value.index); });
    return work(body, {1, {}});
  }
  const std::vector<Term>& terms() const { return terms_; }

private:
  template <typename Visit>
  static void for_each_defined(const Body& body, const Visit& visit) {
    std::ranges::for_each(body.parameters, visit);
    for (const Statement& statement : body.statements) {
      std::ranges::for_each(statement.results, visit);
      for_each_body(statement.operation,
                    [&](const Body& inner) { for_each_defined(inner, visit); });
    }
  }
  bool multiply(Term& term, const Operand& extent) const {
    if (extent.is_value()) {
      if (inside_.contains(extent.value().index) ||
          function_->type(extent) != Type{ElementType::I64, {}})
        return false;
      term.extents.push_back(extent);
      return true;
    }
    const auto count = extent.scalar().as<std::int64_t>();
    if (count > most_of_round) return false;
    term.factor *= std::max<std::int64_t>(count, 0);
    return term.factor <= most_of_round;
  }
  bool add(Term term) {
    auto same = std::ranges::find_if(
        terms_, [&](const Term& other) { return other.extents == term.extents; });
    if (same == terms_.end()) same = terms_.insert(same, {0, std::move(term.extents)});
    same->factor += term.factor;
    return same->factor <= most_of_round;
  }
  /// So many elements, moved.
  bool add_elements(const Type& type, Term times) {
    return std::ranges::all_of(type.extents,
                               [&](const Operand& extent) { return multiply(times, extent); }) &&
           add(std::move(times));
  }
  bool work(const Body& body, const Term& times) {
    return std::ranges::all_of(body.statements,
                               [&](const Statement& each) { return work(each, times); });
  }
  bool work(const Statement& statement, Term times) {
    const ir::Operation& operation = statement.operation;
    if (std::holds_alternative<Stream>(operation) || std::holds_alternative<While>(operation))
      return false;
    if (const auto* const soac = std::get_if<Soac>(&operation)) {
      if (!multiply(times, soac->extent)) return false;
    } else if (const auto* const loop = std::get_if<For>(&operation)) {
      if (!multiply(times, loop->bound)) return false;
    } else if (const auto* const update = std::get_if<Update>(&operation)) {
      return add_elements(function_->type(update->value), std::move(times));
    } else if (const auto* const update = std::get_if<UpdateSlice>(&operation)) {
      return add_elements(function_->type(update->value), std::move(times));
    } else if (!is_strided_view(operation) && row_of(operation).cost == much) {
      return add_elements(function_->type(statement.results[0]), std::move(times));
    }
    bool is_known = true;
    for_each_body(operation, [&](const Body& inner) { is_known = is_known && work(inner, times); });
    const auto* const primitive = std::get_if<ir::Primitive>(&operation);
    times.factor *= primitive ? primitive->primitive->cost : 1;
    return is_known && add(std::move(times));
  }

  const Function* function_ = nullptr;
  std::unordered_set<std::uint32_t> inside_;
  std::vector<Term> terms_;
};

class ShortRounds {
public:
  explicit ShortRounds(Function& function) : function_(function) {}

  void body(Body& body) {
    Statements statements;
    for (Statement& statement : body.statements) {
      if (std::holds_alternative<Soac>(statement.operation) ||
          std::holds_alternative<Stream>(statement.operation)) {
        statements.push_back(std::move(statement));
        continue;
      }
      const std::optional<RoundWork> work = work_of_rounds(statement);
      if (work) {
        choose(*work, std::move(statement), statements);
        continue;
      }
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      statements.push_back(std::move(statement));
    }
    body.statements = std::move(statements);
  }

private:
  /// Of a loop that may be one kernel.
  std::optional<RoundWork> work_of_rounds(const Statement& statement) const {
    const bool is_loop = std::holds_alternative<For>(statement.operation) ||
                         std::holds_alternative<While>(statement.operation);
    if (!is_loop || !holds_launches(statement.operation)) return std::nullopt;
    RoundWork work;
    bool is_known = true;
    for_each_body(statement.operation,
                  [&](const Body& round) { is_known = is_known && work.add(function_, round); });
    return is_known ? std::optional(std::move(work)) : std::nullopt;
  }
  void choose(const RoundWork& work, Statement usual, Statements& out) {
    Statement whole = usual;
    if (auto* const loop = std::get_if<For>(&whole.operation))
      loop->is_whole = true;
    else
      std::get<While>(whole.operation).is_whole = true;
    for_each_body(usual.operation, [&](Body& inner) { body(inner); });
    StatementWriter writer(function_, usual.span);
    const Operand is_short = is_little(work, writer, out);
    const std::vector<ValueId> results = usual.results;
    const std::vector<Operand> yielded{results.begin(), results.end()};
    const Span span = usual.span;
    Body at_once{{}, {std::move(whole)}, yielded}, by_launches{{}, {std::move(usual)}, yielded};
    out.push_back({results,
                   If{is_short, clone(function_, at_once), clone(function_, by_launches), true},
                   span});
  }
  /// (What is too much is cut, so that products do not wrap around.)
  static Operand is_little(const RoundWork& work, StatementWriter& writer, Statements& out) {
    const Operand most = Operand::i64(most_of_round + 1);
    const auto cut = [&](const Operand& number) {
      return writer.scalar(ScalarOperation::Minimum, number, most, out);
    };
    std::int64_t constant = 0;
    std::optional<Operand> all;
    std::unordered_map<std::uint32_t, Operand> extents;
    for (const RoundWork::Term& term : work.terms()) {
      if (term.extents.empty()) {
        constant += term.factor;
        continue;
      }
      std::optional<Operand> product;
      for (const Operand& extent : term.extents) {
        const auto known = extents.find(extent.value().index);
        const Operand next = known == extents.end()
                                 ? extents.emplace(extent.value().index, cut(extent)).first->second
                                 : known->second;
        product =
            product ? cut(writer.scalar(ScalarOperation::Multiply, *product, next, out)) : next;
      }
      if (term.factor > 1)
        product =
            writer.scalar(ScalarOperation::Multiply, *product, Operand::i64(term.factor), out);
      all = all ? writer.scalar(ScalarOperation::Add, *all, *product, out) : *product;
    }
    if (!all) return Operand::constant(ElementType::Bool, Scalar::of(constant <= most_of_round));
    return writer.scalar(row(ScalarOperation::LessEqual, ElementType::I64),
                         {*all, Operand::i64(most_of_round - constant)}, out);
  }

  Function& function_;
};

} // namespace

bool is_whole_loop(const ir::Operation& operation) {
  if (const auto* const loop = std::get_if<For>(&operation)) return loop->is_whole;
  const auto* const loop = std::get_if<While>(&operation);
  return loop && loop->is_whole;
}

bool holds_launches(const ir::Operation& operation) {
  constexpr std::int64_t small = 64;
  bool holds = false;
  for_each_body(operation, [&](const Body& body) {
    holds = holds || std::ranges::any_of(body.statements, [](const Statement& statement) {
              if (std::holds_alternative<Stream>(statement.operation)) return true;
              const auto* const soac = std::get_if<Soac>(&statement.operation);
              const bool is_large = soac && (soac->extent.is_value() ||
                                             soac->extent.scalar().as<std::int64_t>() > small);
              return is_large || holds_launches(statement.operation);
            });
  });
  return holds;
}

void write_short_rounds(Function& function) {
  ShortRounds(function).body(function.body);
}

} // namespace sinter::jit
