// Laws of operators, tested on values: what breaks them is found, with the shortest witness.
#include "lang/eval/operator_laws.h"
#include "tests/unit/eval/builder.h"

#include <doctest/doctest.h>

#include <vector>

using namespace sinter;
using namespace sinter::test;
using namespace sinter::eval;

namespace {

using Operator = std::int64_t (*)(std::int64_t, std::int64_t);

/// An operator on integers, called `@`.
struct Laws : Builder {
  Sequence sequence(const std::vector<std::int64_t>& values) {
    return {static_cast<std::int64_t>(values.size()), [&values](std::int64_t i) {
              return Value(Scalar::of(values[static_cast<std::size_t>(i)]));
            }};
  }
  OperatorLaws laws(Operator op) {
    const Combine combine = [op](const Value& a, const Value& b) {
      return Value(Scalar::of(op(integer_of(a), integer_of(b))));
    };
    const auto never = [](const Law&, std::span<const Value>, const Sides&) { return false; };
    return OperatorLaws(Value::function(function("@", 2), {}), i64, combine, never, 1);
  }
  std::string associative(Operator op, std::vector<std::int64_t> values,
                          std::int64_t most = most_elements) {
    const auto broken = laws(op).associative(sequence(values), most);
    return broken ? std::string(broken->id) + " " + broken->text : "";
  }
  std::string commutative(Operator op, std::vector<std::int64_t> values) {
    const auto broken = laws(op).commutative(sequence(values), most_elements);
    return broken ? std::string(broken->id) + " " + broken->text : "";
  }
  std::string neutral(Operator op, std::int64_t element, std::vector<std::int64_t> values) {
    const auto broken =
        laws(op).neutral(Value(Scalar::of(element)), sequence(values), most_elements);
    return broken ? std::string(broken->id) + " " + broken->text : "";
  }
};

std::int64_t added(std::int64_t a, std::int64_t b) {
  return a + b;
}
std::int64_t subtracted(std::int64_t a, std::int64_t b) {
  return a - b;
}
std::int64_t first_of(std::int64_t a, std::int64_t) {
  return a;
}
/// A sum that is cut off: associative on what stays below, and on no less than three large values.
std::int64_t plus_up_to_1000(std::int64_t a, std::int64_t b) {
  return std::min<std::int64_t>(a + b, 1000);
}
/// A sum that forgets what is above 100: neighbours do not show it.
std::int64_t plus_below_100(std::int64_t a, std::int64_t b) {
  return a + b > 100 ? a : a + b;
}

} // namespace

TEST_CASE_FIXTURE(Laws, "an operator that is not associative has a witness") {
  CHECK(associative(subtracted, {0, 1, 2}) == "not-associative the operator is not associative: "
                                              "(0 @ 1) @ 2 = -3, 0 @ (1 @ 2) = 1");
  CHECK(associative(subtracted, {0, -1, 2}) == "not-associative the operator is not associative: "
                                               "(0 @ (-1)) @ 2 = -1, 0 @ ((-1) @ 2) = 3");
  CHECK(associative(added, {5, 1, 2, 9, 4}) == "");
  CHECK(associative(first_of, {5, 1, 2, 9, 4}) == "");
}

TEST_CASE_FIXTURE(Laws, "of several witnesses the shortest is told") {
  CHECK(associative(subtracted, {1000, 2000, 3000, 1, 2, 3, 4000}) ==
        "not-associative the operator is not associative: (1 @ 2) @ 3 = -4, 1 @ (2 @ 3) = 2");
}

TEST_CASE_FIXTURE(Laws, "a law need only hold on the values at hand") {
  CHECK(associative(subtracted, {7, 3, 0}) == ""); // subtracting nothing
  CHECK(associative(subtracted, {1, 2}) == "");    // there is one order only
  CHECK(associative(plus_up_to_1000, {900, 900, 900, 900}) == "");
}

TEST_CASE_FIXTURE(Laws, "partial results are tested, too") {
  // Three neighbours never come to more than 100.
  CHECK(associative(plus_below_100, std::vector<std::int64_t>(3, 30)) == "");
  CHECK(associative(plus_below_100, {30, 30, 30, 30, 9}) != "");
}

TEST_CASE_FIXTURE(Laws, "of many values runs are combined") {
  std::vector<std::int64_t> ones(10000, 1);
  CHECK(associative(added, ones) == "");
  CHECK(associative(added, ones, 20) == "");
  CHECK(associative(plus_below_100, ones) != "");
  CHECK(associative(plus_below_100, ones, 20) != "");
}

TEST_CASE_FIXTURE(Laws, "what tests cost is bounded") {
  for (std::int64_t count : {0, 1, 2, 3, 10, 512, 513, 5000}) {
    const std::vector<std::int64_t> ones(static_cast<std::size_t>(count), 1);
    OperatorLaws tested = laws(added);
    static_cast<void>(tested.associative(sequence(ones), most_elements));
    const std::int64_t looked_at = std::min(count, most_elements);
    CHECK(tested.applications() <=
          applications_an_element * looked_at + (count > most_elements ? count : 0));
  }
}

TEST_CASE_FIXTURE(Laws, "commutativity") {
  CHECK(commutative(subtracted, {5, 1}) ==
        "not-commutative the operator is not commutative: 5 @ 1 = 4, 1 @ 5 = -4");
  CHECK(commutative(added, {5, 1, 7}) == "");
  CHECK(commutative(first_of, {3, 3, 3}) == ""); // on these it commutes
  std::vector<std::int64_t> values(1000, 3);
  CHECK(commutative(first_of, values) == "");
  values[500] = 4;
  CHECK(commutative(first_of, values) != "");
}

TEST_CASE_FIXTURE(Laws, "neutral elements are tested on either side") {
  CHECK(neutral(added, 0, {5, 1, 2}) == "");
  CHECK(neutral(added, 1, {5}) == "not-neutral 1 is not neutral: 1 @ 5 = 6");
  CHECK(neutral(first_of, 0, {5}) == "not-neutral 0 is not neutral: 0 @ 5 = 0");
  CHECK(neutral(subtracted, 0, {5}) == "not-neutral 0 is not neutral: 0 @ 5 = -5");
  CHECK(neutral([](std::int64_t a, std::int64_t b) { return a == 0   ? b
                                                            : a == b ? a
                                                                     : 9; }, 0,
                {5}) == "not-neutral 0 is not neutral: 5 @ 0 = 9");
}

TEST_CASE_FIXTURE(Laws, "an application that fails says nothing") {
  const Combine fails = [](const Value&, const Value&) -> Value {
    throw RuntimeError("division-by-zero", "division by zero");
  };
  const auto never = [](const Law&, std::span<const Value>, const Sides&) { return false; };
  OperatorLaws tested(Value::function(function("@", 2), {}), i64, fails, never, 1);
  const std::vector<std::int64_t> values = {1, 2, 3, 4};
  CHECK(!tested.associative(sequence(values), most_elements));
  CHECK(!tested.commutative(sequence(values), most_elements));
  CHECK(!tested.neutral(Value(Scalar::of(std::int64_t{0})), sequence(values), most_elements));
}
