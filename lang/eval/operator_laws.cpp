#include "lang/eval/operator_laws.h"

#include "lang/eval/witness_text.h"

#include <algorithm>
#include <cassert>

namespace sinter::eval {

namespace {

using Operands = std::span<const Value>;

const Law associativity = {"not-associative", 3,
                           [](const Combine& op, Operands x) { return op(op(x[0], x[1]), x[2]); },
                           [](const Combine& op, Operands x) { return op(x[0], op(x[1], x[2])); }};
const Law commutativity = {"not-commutative", 2,
                           [](const Combine& op, Operands x) { return op(x[0], x[1]); },
                           [](const Combine& op, Operands x) { return op(x[1], x[0]); }};
/// The operands of the next two: the neutral element, another.
const Law neutral_on_the_left = {"not-neutral", 2,
                                 [](const Combine& op, Operands x) { return op(x[0], x[1]); },
                                 [](const Combine&, Operands x) { return x[1]; }};
const Law neutral_on_the_right = {"not-neutral", 2,
                                  [](const Combine& op, Operands x) { return op(x[1], x[0]); },
                                  [](const Combine&, Operands x) { return x[1]; }};

/// Pairs of all elements with each other are tested of so many at most.
constexpr std::int64_t most_with_all_pairs = 24;
/// Elements apart from the first and the last on which a neutral element is tested.
constexpr std::int64_t random_elements = 32;

bool is_of_program(const RuntimeError& error) {
  return error.kind == FailureKind::Program || error.kind == FailureKind::Unsupported ||
         error.kind == FailureKind::StackLimit;
}

} // namespace

OperatorLaws::OperatorLaws(Value function, const Representation* type, Combine combine,
                           JudgeDifference real_difference, std::uint64_t seed)
    : function_(std::move(function)), type_(type), combine_(std::move(combine)),
      real_difference_(std::move(real_difference)), chance_(seed) {}

Value OperatorLaws::applied(const Value& left, const Value& right) {
  ++applications_;
  return combine_(left, right);
}

void OperatorLaws::test(const Law& law, std::vector<Value> operands) {
  Sides sides;
  const Combine combine = [&](const Value& a, const Value& b) {
    Value result = applied(a, b);
    sides.between.push_back(result);
    return result;
  };
  try {
    sides.left = law.left(combine, operands);
    sides.right = law.right(combine, operands);
  } catch (const RuntimeError& error) {
    if (!is_of_program(error)) throw;
    return;
  }
  judge(law, std::move(operands), std::move(sides));
}

/// Notes a violation, if the sides are one.
void OperatorLaws::judge(const Law& law, std::vector<Value> operands, Sides sides) {
  if (likeness(operands, sides, type_) != Likeness::Unlike) return;
  if (holds_floats(type_) && !real_difference_(law, operands, sides)) return;
  ++found_;
  std::string text = words(law, operands, sides);
  if (!shortest_ || text.size() < shortest_->text.size())
    shortest_ = BrokenLaw{law.id, std::move(text)};
}

std::string OperatorLaws::words(const Law& law, std::span<const Value> operands,
                                const Sides& sides) const {
  const std::string op = " " + infix_text(function_) + " ";
  std::vector<std::string> x;
  for (const Value& operand : operands)
    x.push_back(operand_text(witness_text(operand, type_)));
  const std::string left = witness_text(sides.left, type_);
  const std::string right = witness_text(sides.right, type_);
  if (&law == &associativity)
    return "the operator is not associative: (" + x[0] + op + x[1] + ")" + op + x[2] + " = " +
           left + ", " + x[0] + op + "(" + x[1] + op + x[2] + ") = " + right;
  if (&law == &commutativity)
    return "the operator is not commutative: " + x[0] + op + x[1] + " = " + left + ", " + x[1] +
           op + x[0] + " = " + right;
  const std::string neutral = witness_text(operands[0], type_);
  if (&law == &neutral_on_the_left)
    return neutral + " is not neutral: " + x[0] + op + x[1] + " = " + left;
  assert(&law == &neutral_on_the_right);
  return neutral + " is not neutral: " + x[1] + op + x[0] + " = " + left;
}

std::optional<BrokenLaw> OperatorLaws::found() {
  found_ = 0;
  return std::exchange(shortest_, std::nullopt);
}

// ---- the laws ----------------------------------------------------------------------------------

std::optional<BrokenLaw> OperatorLaws::neutral(const Value& neutral, const Sequence& values,
                                               std::int64_t most) {
  const auto look_at = [&](std::int64_t i) {
    if (has_enough()) return;
    const Value element = values.at(i);
    test(neutral_on_the_left, {neutral, element});
    test(neutral_on_the_right, {neutral, element});
  };
  if (values.count == 0 || most < 1) return std::nullopt;
  if (values.count <= std::min(most, random_elements)) {
    for (std::int64_t i = 0; i < values.count; ++i)
      look_at(i);
  } else {
    look_at(0);
    if (most > 1) look_at(values.count - 1);
    for (std::int64_t i = 2; i < std::min(most, random_elements + 2); ++i)
      look_at(chance_.below(values.count));
  }
  return found();
}

std::optional<BrokenLaw> OperatorLaws::commutative(const Sequence& values, std::int64_t most) {
  const std::int64_t count = values.count;
  const auto look_at = [&](std::int64_t i, std::int64_t j) {
    if (!has_enough()) test(commutativity, {values.at(i), values.at(j)});
  };
  if (count < 2 || most < 2) return std::nullopt;
  if (count <= std::min(most, most_with_all_pairs)) {
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = i + 1; j < count; ++j)
        look_at(i, j);
    return found();
  }
  for (std::int64_t k = 0; k < std::min(count - 1, most); ++k) {
    const std::int64_t i = count <= most ? k : chance_.below(count - 1);
    look_at(i, i + 1);
    look_at(chance_.below(count), chance_.below(count));
  }
  return found();
}

std::optional<BrokenLaw> OperatorLaws::associative(const Sequence& values, std::int64_t most) {
  const std::int64_t count = values.count;
  most = std::min(most, most_elements);
  if (count < 3 || most < 3) return std::nullopt;
  const bool looks_at_all = count <= most;
  for (std::int64_t k = 0; k < (looks_at_all ? count - 2 : most) && !has_enough(); ++k) {
    const std::int64_t i = looks_at_all ? k : chance_.below(count - 2);
    test(associativity, {values.at(i), values.at(i + 1), values.at(i + 2)});
  }
  if (shortest_) return found();
  try {
    const std::vector<Value> runs = runs_of(values, std::min(count, most));
    if (!looks_at_all) // else they are the values
      for (std::size_t k = 0; k + 2 < runs.size() && !has_enough(); ++k)
        test(associativity, {runs[k], runs[k + 1], runs[k + 2]});
    if (!shortest_) test_partial_results(runs);
  } catch (const RuntimeError& error) {
    if (!is_of_program(error)) throw;
  }
  return found();
}

/// The values, or what up to `count` neighbouring runs of random lengths come to from the left;
/// about each other one has a single value, as totals meet values.
std::vector<Value> OperatorLaws::runs_of(const Sequence& values, std::int64_t count) {
  std::vector<std::int64_t> begins = {0};
  if (count == values.count)
    for (std::int64_t i = 1; i < count; ++i)
      begins.push_back(i);
  else
    for (std::int64_t k = 0; k + 2 < count; k += 2) {
      const std::int64_t i = chance_.below(values.count - 1);
      begins.insert(begins.end(), {i, i + 1});
    }
  std::ranges::sort(begins);
  const auto repeated = std::ranges::unique(begins);
  begins.erase(repeated.begin(), repeated.end());
  begins.push_back(values.count);
  std::vector<Value> runs;
  for (std::size_t run = 0; run + 1 < begins.size(); ++run) {
    Value total = values.at(begins[run]);
    for (std::int64_t i = begins[run] + 1; i < begins[run + 1]; ++i)
      total = applied(total, values.at(i));
    runs.push_back(std::move(total));
  }
  return runs;
}

void OperatorLaws::test_partial_results(const std::vector<Value>& elements) {
  const std::size_t count = elements.size();
  if (count < 3) return;
  std::vector<Value> after(count); // after[k]: of the elements from k on, from the right
  after[count - 1] = elements[count - 1];
  for (std::size_t k = count - 1; k-- > 1;)
    after[k] = applied(elements[k], after[k + 1]);
  Value before = elements[0];
  Value whole = applied(before, after[1]); // before op (xk op after)
  for (std::size_t k = 1; k + 1 < count && !has_enough(); ++k) {
    Value with_element = applied(before, elements[k]);
    Value next = applied(with_element, after[k + 1]); // (before op xk) op after
    judge(associativity, {before, elements[k], after[k + 1]},
          {next, whole, {with_element, after[k]}});
    before = std::move(with_element);
    whole = std::move(next);
  }
}

} // namespace sinter::eval
