#include "jit/passes/counted_loops.h"

#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

using ScalarOperation = primitives::Operation;
using Statements = std::vector<Statement>;

/// `number < bound` (or `<=`, or the like downwards), as a condition says.
struct Comparison {
  std::size_t number = 0; ///< of the state
  Operand bound;
  bool is_upwards = true, is_inclusive = false;
  ElementType type{};
};

/// Numbers that grow by more a round are left alone.
constexpr std::int64_t most_step = 64;

std::optional<Comparison> comparison(ScalarOperation operation) {
  switch (operation) {
  case ScalarOperation::Less:
    return Comparison{};
  case ScalarOperation::LessEqual:
    return Comparison{.is_inclusive = true};
  case ScalarOperation::Greater:
    return Comparison{.is_upwards = false};
  case ScalarOperation::GreaterEqual:
    return Comparison{.is_upwards = false, .is_inclusive = true};
  default:
    return std::nullopt;
  }
}

const Statement* definition(const Body& body, const Operand& operand) {
  const auto defines = [&](const Statement& statement) {
    return operand.is_value() && std::ranges::count(statement.results, operand.value()) > 0;
  };
  const auto found = std::ranges::find_if(body.statements, defines);
  return found == body.statements.end() ? nullptr : &*found;
}

const Primitive* primitive(const Body& body, const Operand& operand) {
  const Statement* const statement = definition(body, operand);
  return statement ? std::get_if<Primitive>(&statement->operation) : nullptr;
}

/// Nothing if the condition is another one than a comparison of a number of the state with what
/// does not change.
std::optional<Comparison> comparison_of(const Body& condition) {
  const Primitive* const compared = primitive(condition, condition.results[0]);
  if (!compared || compared->arguments.size() != 2) return std::nullopt;
  std::optional<Comparison> result = comparison(compared->primitive->operation);
  result = result && is_integer(compared->primitive->operand) ? result : std::nullopt;
  if (!result) return std::nullopt;
  const auto position = [&](const Operand& operand) {
    return operand.is_value() ? std::ranges::find(condition.parameters, operand.value())
                              : condition.parameters.end();
  };
  const bool is_left = position(compared->arguments[0]) != condition.parameters.end();
  const auto at = position(compared->arguments[is_left ? 0 : 1]);
  result->bound = compared->arguments[is_left ? 1 : 0];
  if (at == condition.parameters.end() || position(result->bound) != condition.parameters.end())
    return std::nullopt;
  result->number = static_cast<std::size_t>(at - condition.parameters.begin());
  result->type = compared->primitive->operand;
  if (!is_left) result->is_upwards = !result->is_upwards;

  const auto is_of_state = [&](const Operand& operand) {
    return position(operand) != condition.parameters.end();
  };
  for (const Statement& statement : condition.statements) {
    if (!is_scalar_operation(statement.operation)) return std::nullopt;
    bool changes = false;
    for_each_operand(statement.operation,
                     [&](const Operand& operand) { changes = changes || is_of_state(operand); });
    if (changes && std::get_if<Primitive>(&statement.operation) != compared) return std::nullopt;
  }
  return result;
}

/// What a round adds to the number, or takes away from it, if that is a constant; in the direction
/// of the comparison.
std::optional<std::int64_t> step_of(const Body& body, const Comparison& compared) {
  const Primitive* const sum = primitive(body, body.results[compared.number]);
  if (!sum || sum->arguments.size() != 2) return std::nullopt;
  const bool adds = sum->primitive == &row(ScalarOperation::Add, compared.type);
  if (!adds && sum->primitive != &row(ScalarOperation::Subtract, compared.type))
    return std::nullopt;
  const Operand number = body.parameters[compared.number];
  const bool is_left = sum->arguments[0] == number;
  const Operand& step = sum->arguments[is_left ? 1 : 0];
  if (!step.is_constant() || (!is_left && (!adds || sum->arguments[1] != number)))
    return std::nullopt;
  const std::int64_t added = step.scalar().as<std::int64_t>();
  const std::int64_t forward = adds == compared.is_upwards ? added : -added;
  return forward >= 1 && forward <= most_step ? std::optional(forward) : std::nullopt;
}

class Counting {
public:
  Counting(const While& loop, const Comparison& compared, std::int64_t step, Span span,
           Knowledge& known)
      : loop_(loop), compared_(compared), step_(step), initial_(loop.initial[compared.number]),
        known_(known), writer_(known.function, span) {}

  std::optional<CountedLoop> run() {
    result_.number = compared_.number;
    // (What it compares with.)
    for (const Statement& statement : loop_.condition.statements)
      if (Operand(statement.results[0]) != loop_.condition.results[0])
        result_.before.push_back(statement);
    const bool is_number = initial_.is_constant() && initial_.scalar().as<std::int64_t>() == 0 &&
                           step_ == 1 && compared_.is_upwards && !compared_.is_inclusive;
    if (!is_number && !is_signed(compared_.type)) return std::nullopt;
    if (is_number)
      number_from_none();
    else if (!number_from_elsewhere())
      return std::nullopt;
    return std::move(result_);
  }

private:
  /// The number is that of the round.
  void number_from_none() {
    result_.loop = rounds(compared_.bound, compared_.type, loop_.body.parameters[compared_.number]);
    result_.last = of_type(ScalarOperation::Maximum, compared_.bound, initial_, result_.before);
  }

  /// It differs from the number of the round, which is of i64.
  bool number_from_elsewhere() {
    const bool is_narrow = compared_.type != ElementType::I64;
    Operand begin = widened(initial_), end = widened(compared_.bound);
    const Operand &lesser = compared_.is_upwards ? begin : end, none = Operand::i64(0);
    if (!is_narrow && !known_.facts.is_at_most(none, lesser)) return false;
    // A narrow number that comes behind all that its type has wraps around; one of i64 never gets
    // there.
    const bool may_wrap = compared_.is_inclusive || step_ > 1;
    if (may_wrap && is_narrow && !ends()) return false;
    if (may_wrap && !is_narrow) {
      Operand& greater = compared_.is_upwards ? end : begin;
      greater = i64(ScalarOperation::Minimum, greater,
                    Operand::i64(std::numeric_limits<std::int64_t>::max() - step_));
    }
    if (compared_.is_inclusive)
      end = i64(ScalarOperation::Add, end, Operand::i64(compared_.is_upwards ? 1 : -1));
    end =
        i64(compared_.is_upwards ? ScalarOperation::Maximum : ScalarOperation::Minimum, end, begin);
    Operand count = compared_.is_upwards ? i64(ScalarOperation::Subtract, end, begin)
                                         : i64(ScalarOperation::Subtract, begin, end);
    if (step_ > 1) count = writer_.rounded_up_quotient(count, step_, result_.before);
    const ValueId round = writer_.value({ElementType::I64, {}});
    result_.loop = rounds(count, ElementType::I64, round);
    Statements first;
    const Operand number = moved(round, first);
    Body& body = result_.loop.body;
    const Replacement replaced{loop_.body.parameters[compared_.number], number};
    replace_uses(known_.function, body, std::span(&replaced, 1));
    body.statements.insert(body.statements.begin(), first.begin(), first.end());
    result_.last = moved(count, result_.before);
    return true;
  }
  /// What the number is after so many rounds.
  Operand moved(const Operand& rounds, Statements& out) {
    const Operand so_many =
        compared_.type == ElementType::I64
            ? rounds
            : writer_.scalar(*primitives::conversion(ElementType::I64, compared_.type), {rounds},
                             out);
    const Operand by = step_ == 1
                           ? so_many
                           : of_type(ScalarOperation::Multiply, so_many,
                                     Operand::constant(compared_.type, Scalar::of(step_)), out);
    return of_type(compared_.is_upwards ? ScalarOperation::Add : ScalarOperation::Subtract,
                   initial_, by, out);
  }
  /// Whether a narrow number comes behind its bound without wrapping around.
  bool ends() const {
    if (!compared_.bound.is_constant()) return false;
    const std::int64_t bound = compared_.bound.scalar().as<std::int64_t>();
    const std::int64_t beyond = std::int64_t{1} << (8 * byte_size(compared_.type) - 1);
    return compared_.is_upwards ? bound < beyond - step_ : bound >= step_ - beyond;
  }

  For rounds(const Operand& count, ElementType type, ValueId number) const {
    For loop{count, type, loop_.initial, loop_.body};
    erase_at(loop.initial, compared_.number);
    erase_at(loop.body.parameters, compared_.number);
    erase_at(loop.body.results, compared_.number);
    loop.body.parameters.insert(loop.body.parameters.begin(), number);
    return loop;
  }

  Operand widened(const Operand& number) {
    if (compared_.type == ElementType::I64) return number;
    return writer_.scalar(*primitives::conversion(compared_.type, ElementType::I64), {number},
                          result_.before);
  }
  Operand i64(ScalarOperation operation, const Operand& a, const Operand& b) {
    return writer_.scalar(operation, a, b, result_.before);
  }
  Operand of_type(ScalarOperation operation, const Operand& a, const Operand& b, Statements& out) {
    return writer_.scalar(row(operation, compared_.type), {a, b}, out);
  }

  const While& loop_;
  const Comparison compared_;
  const std::int64_t step_;
  const Operand initial_;
  Knowledge& known_;
  StatementWriter writer_;
  CountedLoop result_;
};

} // namespace

std::optional<CountedLoop> counted_loop(const While& loop, Span span, Knowledge& known) {
  const std::optional<Comparison> compared = comparison_of(loop.condition);
  const std::optional<std::int64_t> step = compared ? step_of(loop.body, *compared) : std::nullopt;
  if (!step) return std::nullopt;
  // (An array of the state may have it as an extent.)
  for (const ValueId parameter : loop.body.parameters)
    if (std::ranges::count(known.function.type(parameter).extents,
                           Operand(loop.body.parameters[compared->number])) > 0)
      return std::nullopt;
  return Counting(loop, *compared, *step, span, known).run();
}

} // namespace sinter::jit
