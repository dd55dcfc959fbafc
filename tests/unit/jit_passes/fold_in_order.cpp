// Sums in the evaluator's order.
#include "check.h"

#include "jit/passes/fold_in_order.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using namespace sinter::jit;

namespace {

const std::string sum_of_two = "{ (a: f32, b: f32) c: f32 = add a b yield c }";
const std::string loop_sum = "{ (i: i64, a: f32) x: f32 = index xs[i] ";

void folds(const std::string& before, const std::string& expected) {
  const std::string head = "fn f(n: i64, m: i64, xs: [n]f32) -> ";
  check_rewrites(fold_in_order, head + before, head + expected);
}
std::string after_folding(const std::string& text) {
  return after(fold_in_order, text);
}
void keeps(const std::string& text) {
  folds(text, text);
}

} // namespace

TEST_CASE("a sum of floats becomes a loop, together with what makes its elements") {
  folds("f32 { s: f32 = soac n (xs) { (i: i64, x: f32) y: f32 = mul x x yield y } reduce (0f32) " +
            sum_of_two + " ret s }",
        "f32 { s: f32 = for n (0f32) " + loop_sum +
            "y: f32 = mul x x c: f32 = add a y yield c } ret s }");
}

TEST_CASE("operators that only choose, and those on integers, stay") {
  keeps("f32 { s: f32 = soac n (xs) { (i: i64, x: f32) yield x } reduce (0f32) "
        "{ (a: f32, b: f32) c: f32 = max a b yield c } ret s }");
  keeps("i64 { s: i64 = soac n (xs) { (i: i64, x: f32) y: f32 = exp x k: i64 = convert y yield k } "
        "reduce (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } ret s }");
}

TEST_CASE("costly elements are made side by side, then folded") {
  folds("f32 { s: f32 = soac n (xs) { (i: i64, x: f32) y: f32 = exp x yield y } reduce (0f32) " +
            sum_of_two + " ret s }",
        "f32 { ys: [n]f32 = soac n (xs) { (i: i64, x: f32) y: f32 = exp x yield y } map "
        "s: f32 = for n (0f32) { (j: i64, a: f32) z: f32 = index ys[j] c: f32 = add a z yield c } "
        "ret s }");
}

TEST_CASE("other groups stay, and what they share is stored once") {
  folds("([n]f32, f32, i64) { ys: [n]f32, s: f32, k: i64 = soac n (xs) { (i: i64, x: f32) "
        "y: f32 = mul x x yield y, y, i } map reduce (0f32) " +
            sum_of_two +
            " reduce (0i64) { (d: i64, e: i64) g: i64 = add d e yield g } ret ys, s, k }",
        "([n]f32, f32, i64) { zs: [n]f32, ys: [n]f32, k: i64 = soac n (xs) { (i: i64, x: f32) "
        "y: f32 = mul x x yield y, y, i } map map "
        "reduce (0i64) { (d: i64, e: i64) g: i64 = add d e yield g } "
        "s: f32 = for n (0f32) { (j: i64, a: f32) z: f32 = index ys[j] c: f32 = add a z yield c } "
        "ret zs, s, k }");
}

TEST_CASE("a scan writes its prefixes one after the other") {
  folds("[n]f32 { ps: [n]f32 = soac n (xs) { (i: i64, x: f32) yield x } scan (0f32) " + sum_of_two +
            " ret ps }",
        "[n]f32 { blank: [n]f32 = soac n () { (j: i64) yield 0f32 } map "
        "p: f32, ps: [n]f32 = for n (0f32, blank) { (i: i64, a: f32, qs: [n]f32) "
        "x: f32 = index xs[i] c: f32 = add a x rs: [n]f32 = update qs[i] = c yield c, rs } "
        "ret ps }");
}

TEST_CASE("a scan of several arrays") {
  std::string before = "([n]f32", first = "x", neutral = "0f32", results = "r0",
              operation = "c0: f32 = add a0 b0 ", combined = "c0", sides = "a0: f32",
              others = "b0: f32", scanned = "r0: [n]f32";
  for (int i = 1; i < 12; ++i) { // so many that values are moved while some are added
    const std::string k = std::to_string(i);
    before += ", [n]f32", first += ", x", neutral += ", 0f32", results += ", r" + k;
    operation += "c" + k + ": f32 = add a" + k + " b" + k + " ", combined += ", c" + k;
    sides += ", a" + k + ": f32", others += ", b" + k + ": f32", scanned += ", r" + k + ": [n]f32";
  }
  const std::string made = after_folding(
      "fn f(n: i64, xs: [n]f32) -> " + before + ") { " + scanned +
      " = soac n (xs) { (i: i64, x: f32) yield " + first + " } scan (" + neutral + ") { (" + sides +
      ", " + others + ") " + operation + "yield " + combined + " } ret " + results + " }");
  CHECK(made.find("scan") == std::string::npos);
}

TEST_CASE("a histogram adds to its bins in the order of the elements") {
  check_rewrites(
      fold_in_order,
      "fn f(n: i64, m: i64, xs: [n]f32, bins: [m]f32) -> [m]f32 { "
      "h: [m]f32 = soac n (xs) { (i: i64, x: f32) yield i, x } histogram 1 (bins) (0f32) " +
          sum_of_two + " ret h }",
      "fn f(n: i64, m: i64, xs: [n]f32, bins: [m]f32) -> [m]f32 { "
      "h: [m]f32 = for n (bins) { (i: i64, now: [m]f32) x: f32 = index xs[i] "
      "low: bool = ge i 0i64 high: bool = lt i m in1: bool = and true low in2: bool = and in1 high "
      "next: [m]f32 = if in2 { old: f32 = index now[i] c: f32 = add old x "
      "made: [m]f32 = update now[i] = c yield made } else { yield now } yield next } ret h }");
}
