#include "jit/passes/round_checks.h"

#include "jit/ir/walk.h"
#include "jit/passes/round_values.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

namespace {

class RoundChecks : StatementWriter {
public:
  RoundChecks(Function& function, const Operand& bound, Body& round, Span span, Statements& out)
      : StatementWriter(function, span), bound_(bound), round_(round), source_(round),
        values_(function, source_), out_(out) {}

  std::vector<Operand> run() {
    take_out(round_, {bound_});
    for (Statement& each : round_.statements)
      if (auto* const loop = std::get_if<For>(&each.operation))
        if (!values_.is_inside(loop->bound) && loop->index_type == ElementType::I64)
          take_out(loop->body, {bound_, loop->bound});
    return std::move(taken_out_);
  }

private:
  /// Of the body of loops, one in the other, of so many rounds.
  void take_out(Body& body, const std::vector<Operand>& bounds) {
    std::erase_if(body.statements, [&](const Statement& each) {
      const auto* const check = std::get_if<Check>(&each.operation);
      if (!check) return false;
      Statements made;
      std::optional<Operand> holds = in_all_rounds(check->condition, made);
      if (!holds) return false;
      for (const Operand& bound : bounds) {
        if (bound.is_constant() && bound.scalar().as<std::int64_t>() > 0) continue;
        holds = either(is_at_most(bound, Operand::i64(0), made), *holds, made);
      }
      std::ranges::move(made, std::back_inserter(out_));
      out_.push_back({{}, Check{*holds, check->site}, each.span});
      taken_out_.push_back(check->condition);
      return true;
    });
  }
  Operand is_at_most(const Operand& a, const Operand& b, Statements& out) {
    return scalar(row(ScalarOperation::LessEqual, ElementType::I64), {a, b}, out);
  }
  Operand either(const Operand& a, const Operand& b, Statements& out) {
    return scalar(row(ScalarOperation::Or, ElementType::Bool), {a, b}, out);
  }

  /// What says before the loop that the condition holds in all of its rounds, of which there are
  /// some.
  std::optional<Operand> in_all_rounds(const Operand& condition, Statements& out) {
    if (!values_.is_inside(condition)) return condition;
    const Statement* const definition = values_.definition(condition);
    const auto* const primitive =
        definition ? std::get_if<ir::Primitive>(&definition->operation) : nullptr;
    if (!primitive || primitive->arguments.size() != 2) return std::nullopt;
    const Operand &a = primitive->arguments[0], &b = primitive->arguments[1];
    const ScalarOperation operation = primitive->primitive->operation;
    if (operation == ScalarOperation::And || operation == ScalarOperation::Or) {
      const std::optional<Operand> first = in_all_rounds(a, out), second = in_all_rounds(b, out);
      if (!first || !second) return std::nullopt;
      return scalar(*primitive->primitive, {*first, *second}, out);
    }
    // (In the last round the number is the bound less one.)
    if (operation == ScalarOperation::Less && primitive->primitive->operand == ElementType::I64 &&
        a == Operand(source_.parameters[0]) && !values_.is_inside(b))
      return is_at_most(bound_, b, out);
    return std::nullopt;
  }

  const Operand bound_;
  Body& round_;
  const Body source_; ///< as it was
  const RoundValues values_;
  Statements& out_;
  std::vector<Operand> taken_out_;
};

} // namespace

std::vector<Operand> take_out_round_checks(Function& function, const Operand& bound, Body& round,
                                           Span span, Statements& out) {
  return RoundChecks(function, bound, round, span, out).run();
}

} // namespace sinter::jit
