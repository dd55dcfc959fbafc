#include "jit/passes/digit_partitions.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/counted_elements.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/digits.h"
#include "jit/passes/joined_filters.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// Fewer kinds are filtered, if they are not joined with those of other rounds: filters go through
/// the elements once, but write each kind by itself (32-bit numbers, two, four and eight kinds:
/// 0.5, 0.7 and 1.8 of a partition's time).
constexpr std::size_t fewest_partitioned_kinds = 8;
/// A round goes by so many at most.
constexpr unsigned most_bits_at_once = 8;
/// Of loops whose digits are looked at one by one.
constexpr std::int64_t most_digit_rounds = 128;

bool is_scalar_code(const Statement& statement) {
  return std::holds_alternative<ir::Primitive>(statement.operation) ||
         std::holds_alternative<Select>(statement.operation);
}

/// A loop whose rounds partition all of its state by a digit each.
class DigitRounds {
public:
  /// `round`: its body, with partitions for filters.
  DigitRounds(Function& function, const Statement& statement, const Body& round)
      : function_(function), statement_(statement), loop_(std::get<For>(statement.operation)),
        round_(round) {}

  /// The same in fewer rounds; nothing if it does something else.
  std::optional<std::vector<Statement>> joined() {
    if (!loop_.bound.is_constant()) return std::nullopt;
    const auto rounds = loop_.bound.scalar().as<std::int64_t>();
    if (rounds < 2 || rounds > most_digit_rounds || !find_partition() || !find_digit() ||
        !find_begins(rounds))
      return std::nullopt;
    const std::int64_t at_once = most_bits_at_once / digit_.bits;
    if (at_once < 2) return std::nullopt;
    return write(rounds, std::min(at_once, rounds));
  }

private:
  /// Whether a partition of the state is all that a round does.
  bool find_partition() {
    if (loop_.initial.empty() || may_fail(round_)) return false;
    for (const Statement& statement : statements_needed(function_, round_, round_.results)) {
      if (is_scalar_code(statement)) continue;
      const auto* soac = std::get_if<Soac>(&statement.operation);
      if (!soac || partition_ || soac->groups.size() != 1 || !has_only<PartitionGroup>(*soac))
        return false;
      partition_ = definition_in(round_.statements, statement.results[0]);
    }
    if (!partition_) return false;
    soac_ = &std::get<Soac>(partition_->operation);
    if (is_defined_in(round_, soac_->extent) ||
        partition_->results.size() != 1 + loop_.initial.size())
      return false;
    for (const ValueId input : soac_->inputs)
      if (!state_of(input)) return false;
    // Each state is what its own elements become.
    for (std::size_t state = 0; state < loop_.initial.size(); ++state) {
      const auto& results = partition_->results;
      const auto result = std::ranges::find_if(
          results, [&](ValueId each) { return round_.results[state] == Operand(each); });
      if (result == results.begin() || result == results.end()) return false;
      const Operand& value =
          soac_->body.results[static_cast<std::size_t>(result - results.begin())];
      if (input_of(value) != round_.parameters[1 + state]) return false;
    }
    return true;
  }
  std::optional<std::size_t> state_of(ValueId array) const {
    const auto found = std::find(round_.parameters.begin() + 1, round_.parameters.end(), array);
    if (found == round_.parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - round_.parameters.begin()) - 1;
  }
  /// The array whose element it is.
  std::optional<ValueId> input_of(const Operand& element) const {
    for (std::size_t i = 0; i < soac_->inputs.size(); ++i)
      if (element == Operand(soac_->body.parameters[1 + i])) return soac_->inputs[i];
    return std::nullopt;
  }

  /// Whether the kind is bits of a number that is the same in each round.
  bool find_digit() {
    const std::optional<Digit> digit = digit_of(soac_->body.statements, soac_->body.results[0]);
    const auto& group = std::get<PartitionGroup>(soac_->groups[0]);
    if (!digit || !digit->shift || group.kinds != Operand::i64(digit->count())) return false;
    digit_ = *digit;
    number_code_ = statements_needed(function_, soac_->body, std::span(&digit_.number, 1));
    return std::ranges::all_of(number_code_,
                               [&](const Statement& statement) {
                                 bool is_same = is_scalar_code(statement);
                                 for_each_operand(statement.operation, [&](const Operand& operand) {
                                   is_same = is_same &&
                                             operand != Operand(soac_->body.parameters[0]) &&
                                             !is_defined_in(round_, operand);
                                 });
                                 return is_same;
                               }) &&
           digit_.number != Operand(soac_->body.parameters[0]) &&
           !is_defined_in(round_, digit_.number);
  }

  /// Whether each round's digit begins where the one before ends.
  bool find_begins(std::int64_t rounds) {
    for (std::int64_t round = 0; round < rounds; ++round) {
      const std::optional<Scalar> begin =
          known(digit_.begin, Scalar::of(round), soac_->body.statements);
      if (!begin) return false;
      const auto number = begin->as<std::int64_t>();
      if (round == 0) first_ = number;
      if (first_ < 0 || number != first_ + round * digit_.bits) return false;
    }
    return true;
  }
  /// The operand in a round, by its number.
  std::optional<Scalar> known(const Operand& operand, Scalar round,
                              const std::vector<Statement>& inside) const {
    if (operand.is_constant()) return operand.scalar();
    if (operand == Operand(round_.parameters[0])) return round;
    const auto* primitive = defining<ir::Primitive>(inside, operand);
    if (!primitive) primitive = defining<ir::Primitive>(round_.statements, operand);
    if (!primitive) return std::nullopt;
    Scalar arguments[3];
    for (std::size_t i = 0; i < primitive->arguments.size(); ++i) {
      const std::optional<Scalar> argument = known(primitive->arguments[i], round, inside);
      if (!argument) return std::nullopt;
      arguments[i] = *argument;
    }
    return primitive->primitive->apply(arguments[0], arguments[1], arguments[2]);
  }

  std::vector<Statement> write(std::int64_t rounds, std::int64_t at_once) {
    std::vector<Statement> written;
    const auto bits = static_cast<unsigned>(at_once) * digit_.bits;
    const std::int64_t whole = rounds / at_once, rest = rounds % at_once;
    std::vector<Operand> state = loop_.initial;
    if (whole == 1) {
      state = partition(state, begin(first_), bits, written);
    } else {
      state = loop(whole, bits, written);
    }
    if (rest > 0)
      state = partition(state, begin(first_ + whole * bits),
                        static_cast<unsigned>(rest) * digit_.bits, written);
    // The last one's results are the loop's.
    auto& results = written.back().results;
    for (std::size_t i = 0; i < state.size(); ++i)
      std::ranges::replace(results, state[i].value(), statement_.results[i]);
    return written;
  }

  Operand begin(std::int64_t first) const {
    return Operand::constant(function_.type(digit_.begin).element, Scalar::of(first));
  }

  std::vector<Operand> loop(std::int64_t rounds, unsigned bits, std::vector<Statement>& out) {
    For loop;
    loop.bound = Operand::constant(function_.type(loop_.bound).element, Scalar::of(rounds));
    loop.index_type = loop_.index_type;
    loop.initial = loop_.initial;
    const ValueId index = function_.add_value({loop_.index_type, {}});
    loop.body.parameters = {index};
    std::vector<Operand> state;
    Statement statement{{}, {}, statement_.span};
    for (const ValueId parameter : std::span(round_.parameters).subspan(1)) {
      loop.body.parameters.push_back(function_.add_value(function_.type(parameter)));
      state.emplace_back(loop.body.parameters.back());
      statement.results.push_back(function_.add_value(function_.type(parameter)));
    }
    const ElementType element = function_.type(digit_.begin).element;
    auto& inside = loop.body.statements;
    Operand first = index;
    if (element != loop_.index_type)
      first = scalar(*primitives::conversion(loop_.index_type, element), {first}, inside);
    first = scalar(row(ScalarOperation::Multiply, element), {first, begin(bits)}, inside);
    if (first_ != 0)
      first = scalar(row(ScalarOperation::Add, element), {first, begin(first_)}, inside);
    loop.body.results = partition(state, first, bits, inside);
    statement.operation = std::move(loop);
    out.push_back(std::move(statement));
    return {out.back().results.begin(), out.back().results.end()};
  }

  /// The state, partitioned by so many bits from `first` on.
  std::vector<Operand> partition(const std::vector<Operand>& state, const Operand& first,
                                 unsigned bits, std::vector<Statement>& out) {
    Soac soac;
    soac.extent = soac_->extent;
    soac.body.parameters = {soac_->body.parameters[0]};
    for (std::size_t input = 0; input < soac_->inputs.size(); ++input) {
      soac.inputs.push_back(state[*state_of(soac_->inputs[input])].value());
      soac.body.parameters.push_back(soac_->body.parameters[1 + input]);
    }
    soac.body.statements = number_code_;
    auto& inside = soac.body.statements;
    Operand digit = scalar(*digit_.shift, {digit_.number, first}, inside);
    const ElementType element = digit_.shift->result;
    if (element != ElementType::I32)
      digit = scalar(*primitives::conversion(element, ElementType::I32), {digit}, inside);
    const auto constant = [](std::int64_t number) {
      return Operand::constant(ElementType::I32, Scalar::of(number));
    };
    const std::int64_t kinds = std::int64_t{1} << bits;
    digit =
        scalar(row(ScalarOperation::And, ElementType::I32), {digit, constant(kinds - 1)}, inside);
    std::int64_t inverted = 0;
    for (unsigned bit = 0; bit < bits; bit += digit_.bits)
      inverted |= digit_.inverted << bit;
    if (inverted != 0)
      digit =
          scalar(row(ScalarOperation::Xor, ElementType::I32), {digit, constant(inverted)}, inside);
    soac.body.results = {digit};
    soac.groups = {PartitionGroup{Operand::i64(kinds), static_cast<std::uint32_t>(state.size())}};
    Statement statement{
        {function_.add_value({ElementType::I64, {Operand::i64(kinds)}})}, {}, partition_->span};
    for (std::size_t i = 0; i < state.size(); ++i) {
      const auto input = std::ranges::find(soac_->inputs, round_.parameters[1 + i]);
      const auto at = static_cast<std::size_t>(input - soac_->inputs.begin());
      soac.body.results.emplace_back(soac.body.parameters[1 + at]);
      statement.results.push_back(function_.add_value(function_.type(round_.parameters[1 + i])));
    }
    soac.body = clone(function_, soac.body);
    statement.operation = std::move(soac);
    out.push_back(std::move(statement));
    return {out.back().results.begin() + 1, out.back().results.end()};
  }

  Operand scalar(const primitives::Primitive& primitive, std::vector<Operand> arguments,
                 std::vector<Statement>& out) {
    const ValueId result = function_.add_value({primitive.result, {}});
    out.push_back({{result}, ir::Primitive{&primitive, std::move(arguments)}, partition_->span});
    return result;
  }

  Function& function_;
  const Statement& statement_;
  const For& loop_;
  const Body& round_;
  const Statement* partition_ = nullptr; ///< of the round
  const Soac* soac_ = nullptr;           ///< its
  Digit digit_;
  std::vector<Statement> number_code_; ///< of the digit's number
  std::int64_t first_ = 0;             ///< where the first digit begins
};

/// Whether something of it is filtered or partitioned.
bool chooses_elements(const Body& round) {
  return std::ranges::any_of(round.statements, [](const Statement& statement) {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    return soac && (has_group<FilterGroup>(*soac) || has_group<PartitionGroup>(*soac));
  });
}

void join_rounds(Function& function, Body& body) {
  std::vector<Statement> statements;
  for (Statement& statement : body.statements) {
    const auto* loop = std::get_if<For>(&statement.operation);
    std::optional<std::vector<Statement>> joined;
    if (loop && loop->bound.is_constant() && chooses_elements(loop->body)) {
      Body round = clone(function, loop->body);
      join_filters(function, round, 2);
      joined = DigitRounds(function, statement, round).joined();
    }
    if (joined)
      std::ranges::move(*joined, std::back_inserter(statements));
    else
      statements.push_back(std::move(statement));
  }
  body.statements = std::move(statements);
}

void write_partitions(Function& function, Body& body) {
  join_rounds(function, body);
  join_filters(function, body, fewest_partitioned_kinds);
  for (Statement& statement : body.statements)
    if (!std::holds_alternative<Soac>(statement.operation))
      for_each_body(statement.operation, [&](Body& inner) { write_partitions(function, inner); });
}

} // namespace

void write_digit_partitions(Function& function) {
  write_partitions(function, function.body);
}

} // namespace sinter::jit
