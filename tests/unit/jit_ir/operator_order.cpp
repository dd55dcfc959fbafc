#include "jit/ir/operator_order.h"

#include "jit/ir/parse.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using namespace sinter::ir;

namespace {

const Group& only_group(const Function& function) {
  return std::get<Soac>(function.body.statements.back().operation).groups.front();
}

/// A reduction of one component by `c: type = statement`, between `a` and `b`.
bool shows(const std::string& type, const std::string& statement, const std::string& neutral,
           const std::string& result = "c") {
  const Function function =
      parse("fn f(n: i64, x: " + type + ", xs: [n]" + type + ") -> " + type + " { s: " + type +
            " = soac n (xs) { (i: i64, v: " + type + ") yield v } reduce (" + neutral +
            ") { (a: " + type + ", b: " + type + ") c: " + type + " = " + statement + " yield " +
            result + " } ret s }");
  return order_shows(std::get<ReduceGroup>(only_group(function)));
}

bool operator_shows(const std::string& type, const std::string& statement) {
  const Function function =
      parse("fn f(n: i64, x: " + type + ", xs: [n]" + type + ") -> [n]" + type + " { s: [n]" +
            type + " = soac n (xs) { (i: i64, v: " + type + ") yield v } scan (x) { (a: " + type +
            ", b: " + type + ") c: " + type + " = " + statement + " yield c } ret s }");
  return order_shows(std::get<ScanGroup>(only_group(function)).combine);
}

} // namespace

TEST_CASE("the order of integer sums, products, extremes and bits does not show") {
  for (const std::string type : {"i8", "u16", "i32", "u64"})
    for (const std::string operation : {"add", "mul", "min", "max", "and", "or", "xor"}) {
      CHECK_FALSE(operator_shows(type, operation + " a b"));
      CHECK_FALSE(operator_shows(type, operation + " b a"));
    }
  for (const std::string operation : {"and", "or", "xor", "eq", "ne"})
    CHECK_FALSE(operator_shows("bool", operation + " a b"));
}

TEST_CASE("the order of other operators shows") {
  for (const std::string type : {"f16", "f32", "f64"})
    for (const std::string operation : {"add", "mul", "min", "max"})
      CHECK(operator_shows(type, operation + " a b"));
  CHECK(operator_shows("i32", "sub a b"));
  CHECK(operator_shows("i32", "add a a"));
  CHECK(operator_shows("i32", "add a 1i32"));
  CHECK(shows("i32", "add a b", "0i32", "b"));
  CHECK(shows("i32", "add a b", "0i32", "7i32"));
}

TEST_CASE("each component stands for itself") {
  const auto pairs = [](const std::string& first, const std::string& second) {
    const Function function = parse(
        "fn f(n: i64, xs: [n]i32, ys: [n]i32) -> (i32, i32) { s: i32, t: i32 = soac n (xs, ys) { "
        "(i: i64, v: i32, w: i32) yield v, w } reduce (0i32, 0i32) { (a: i32, b: i32, c: i32, d: "
        "i32) e: i32 = " +
        first + " g: i32 = " + second + " yield e, g } ret s, t }");
    return order_shows(std::get<ReduceGroup>(only_group(function)));
  };
  CHECK_FALSE(pairs("add a c", "max b d"));
  CHECK(pairs("add a d", "max b c"));
  CHECK(pairs("add a c", "sub b d"));
}

TEST_CASE("a neutral element that is not neutral shows by how often it takes part") {
  CHECK_FALSE(shows("i32", "add a b", "0i32"));
  CHECK(shows("i32", "add a b", "1i32"));
  CHECK(shows("i32", "add a b", "x"));
  CHECK_FALSE(shows("u8", "mul a b", "1u8"));
  CHECK(shows("u8", "mul a b", "0u8"));
  CHECK_FALSE(shows("i32", "max a b", "0i32"));
  CHECK_FALSE(shows("i32", "max a b", "x"));
  CHECK(shows("bool", "xor a b", "true"));
  CHECK_FALSE(shows("bool", "eq a b", "true"));
}

TEST_CASE("the least of floats shows its order among NaNs only") {
  CHECK_FALSE(shows("f32", "min a b", "f32.inf"));
  CHECK_FALSE(shows("f64", "max a b", "0.0f64"));
  CHECK(shows("f64", "max a b", "f64.nan"));
  CHECK(shows("f64", "max a b", "x"));
}

TEST_CASE("a histogram's bins may go without the neutral element") {
  const auto shows_in_bins = [](const std::string& type, const std::string& operation,
                                const std::string& neutral) {
    const Function function =
        parse("fn f(n: i64, m: i64, d: [m]" + type + ", xs: [n]" + type + ") -> [m]" + type +
              " { r: [m]" + type + " = soac n (xs) { (i: i64, v: " + type +
              ") yield i, v } histogram 1 (d) (" + neutral + ") { (a: " + type + ", b: " + type +
              ") c: " + type + " = " + operation + " a b yield c } ret r }");
    return order_shows(std::get<HistogramGroup>(only_group(function)));
  };
  CHECK_FALSE(shows_in_bins("i32", "add", "0i32"));
  CHECK(shows_in_bins("i32", "add", "1i32"));
  CHECK(shows_in_bins("i32", "max", "0i32"));
  CHECK_FALSE(shows_in_bins("i8", "max", "-128i8"));
  CHECK_FALSE(shows_in_bins("u16", "min", "65535u16"));
  CHECK_FALSE(shows_in_bins("u16", "and", "65535u16"));
  CHECK_FALSE(shows_in_bins("bool", "and", "true"));
  CHECK(shows_in_bins("f32", "min", "f32.inf"));
}

TEST_CASE("an operator that selects by an order compares every component") {
  // Of pairs (a, i) and (b, j).
  const auto selects = [](const std::string& condition, const std::string& results) {
    const Function function = parse(
        "fn f(n: i64, xs: [n]f32) -> (f32, i64) { s: f32, t: i64 = soac n (xs) { (k: i64, v: f32) "
        "yield v, k } reduce (0f32, 0i64) { (a: f32, i: i64, b: f32, j: i64) l: bool = lt a b m: "
        "bool = gt a b e: bool = eq b a o: bool = le i j p: bool = lt j i " +
        condition + " " + results + " yield x, y } ret s, t }");
    return selects_by_order(std::get<ReduceGroup>(only_group(function)).combine);
  };
  const std::string left = "x: f32 = select c a b y: i64 = select c i j";
  const std::string right = "x: f32 = select c b a y: i64 = select c j i";
  for (const std::string& results : {left, right})
    for (const std::string first : {"l", "m"})
      for (const std::string second : {"o", "p"}) {
        CHECK(selects("q: bool = and e " + second + " c: bool = or " + first + " q", results));
        CHECK(selects("q: bool = and " + second + " e c: bool = or q " + first, results));
      }
  CHECK(selects("q: bool = eq i j r: bool = and q l c: bool = or r p", left));
  // Not of all components, or not an order.
  CHECK_FALSE(selects("c: bool = or l l", left));
  CHECK_FALSE(selects("q: bool = and e l c: bool = or l q", left));
  CHECK_FALSE(selects("q: bool = and l o c: bool = or l q", left));
  CHECK_FALSE(selects("q: bool = and e o c: bool = or e q", left));
  CHECK_FALSE(selects("q: bool = and e o c: bool = and l q", left));
  CHECK_FALSE(selects("q: bool = eq i j r: bool = and q l c: bool = or r o", left));
  // Not the whole of one operand.
  const std::string condition = "q: bool = and e o c: bool = or l q ";
  CHECK_FALSE(selects(condition, "x: f32 = select c a b y: i64 = select c j i"));
  CHECK_FALSE(selects(condition, "x: f32 = select c a b y: i64 = select l i j"));
  CHECK_FALSE(selects(condition, "x: f32 = select c a a y: i64 = select c i i"));
  CHECK_FALSE(selects(condition, "x: f32 = add a b y: i64 = select c i j"));
}

TEST_CASE("an operator that may fail shows its order") {
  const Function function = parse(R"(
fn f(n: i64, bad: i64) -> i64 {
  s: i64 = soac n () { (i: i64)
    yield i
  } reduce (0i64) { (a: i64, b: i64)
    good: bool = ne b bad
    check good, "bad"
    c: i64 = add a b
    yield c
  }
  ret s
})");
  const Body& combine = std::get<ReduceGroup>(only_group(function)).combine;
  CHECK_FALSE(selects_by_order(combine));
  CHECK(order_shows(combine)); // a partial sum may be the bad one
  CHECK(order_shows(std::get<ReduceGroup>(only_group(function))));
}
