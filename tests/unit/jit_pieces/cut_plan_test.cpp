// How functions may be cut: what is said of each, and what is refused.
#include "jit/pieces/cut_plan.h"

#include "jit/ir/parse.h"
#include "tests/unit/jit_pieces/in_pieces.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// How the function is cut along the first of its sizes: "xs: block 1 2, v: whole; single,
/// entries", array parameters and the ways of groups; or "not: " and why.
std::string cut(const std::string& text) {
  const ir::Function function = ir::parse(text);
  const std::vector<ir::ValueId> sizes = sizes_to_cut(function);
  if (sizes.empty()) return "no size";
  const std::variant<CutPlan, NotCut> plan = plan_cut(function, sizes[0]);
  if (const auto* refusal = std::get_if<NotCut>(&plan)) return "not: " + refusal->why;
  const CutPlan& found = std::get<CutPlan>(plan);
  (void)piece_functions(function, found); // which verifies what it makes
  std::string result;
  for (const auto& [parameter, how] : found.parameters) {
    result += (result.empty() ? "" : ", ") + function.values[parameter.index].name + ": ";
    result += how.is_cut ? "block" : "whole";
    if (how.has_halo()) result += " " + std::to_string(how.low) + " " + std::to_string(how.high);
  }
  std::string ways;
  for (const StatementCut& statement : found.statements)
    for (GroupWay way : statement.ways) {
      constexpr const char* names[] = {"block", "single", "entries", "bins", "joined"};
      ways += (ways.empty() ? "" : ", ") + std::string(names[static_cast<std::size_t>(way)]);
    }
  return result + "; " + ways;
}

/// The same of a map over n whose element is `x`, with `statements` before.
std::string cut_map(const std::string& statements) {
  return cut("fn f(n: i64, m: i64, xs: [n]f32, ts: [m]f32) -> [n]f32 { last: i64 = sub n 1i64 "
             "r: [n]f32 = soac n () { (i: i64) " +
             statements + " yield x } map ret r }");
}

/// … of a fold of xs and ks.
std::string cut_fold(const std::string& types, const std::string& names, const std::string& group) {
  return cut("fn f(n: i64, b: i64, xs: [n]f32, ks: [n]i64, into: [b]i64, floats: [b]f32) -> " +
             types + " { " + names + " = soac n (xs, ks) { (i: i64, x: f32, k: i64) " + group +
             " ret r }");
}

const std::string sum_of_floats = "reduce (0f32) { (u: f32, v: f32) w: f32 = add u v yield w }";
const std::string add_integers = "{ (u: i64, v: i64) w: i64 = add u v yield w }";
const std::string add_floats = "{ (u: f32, v: f32) w: f32 = add u v yield w }";

} // namespace

TEST_CASE("folds: by whether their order shows") {
  const std::string inputs = "xs: block, ks: block, into: whole, floats: whole; ";
  CHECK(cut_fold("i64", "r: i64", "yield k } reduce (0i64) " + add_integers) == inputs + "single");
  CHECK(cut_fold("f32", "r: f32", "yield x } " + sum_of_floats) == inputs + "entries");
  // What is no neutral element shows how often it takes part.
  CHECK(cut_fold("i64", "r: i64", "yield k } reduce (1i64) " + add_integers) == inputs + "entries");
  CHECK(cut_fold("[n]f32", "r: [n]f32", "yield x } scan (0f32) " + add_floats) ==
        inputs + "joined");
  CHECK(cut_fold("[b]i64", "r: [b]i64", "yield k, k } histogram 1 (into) (0i64) " + add_integers) ==
        inputs + "bins");
  CHECK(cut_fold("[b]f32", "r: [b]f32", "yield k, x } histogram 1 (floats) (0f32) " + add_floats) ==
        inputs + "joined");
  CHECK(cut_fold("[b]i64", "r: [b]i64", "yield k, k } scatter 1 into") == inputs + "joined");
  CHECK(cut_fold("i64", "r: i64, ys: [r]f32", "p: bool = lt x 0f32 yield p, x } filter 1") ==
        inputs + "block");
}

TEST_CASE("neighbours: how far they are") {
  CHECK(cut_map("x: f32 = index xs[i]") == "xs: block, ts: whole; block");
  CHECK(cut_map("a: i64 = sub i 2i64 p: bool = ge a 0i64 x: f32 = if p { y: f32 = index xs[a] "
                "yield y } else { yield 0f32 }") == "xs: block 2 0, ts: whole; block");
  CHECK(cut_map("a: i64 = add i 3i64 e: i64 = min a last x: f32 = index xs[e]") ==
        "xs: block 0 3, ts: whole; block");
  CHECK(cut_map("a: i64 = sub i 1i64 e: i64 = max 0i64 a x: f32 = index xs[e]") ==
        "xs: block 1 0, ts: whole; block");
  CHECK(
      cut_map("a: i64 = add i 1i64 p: bool = lt a n e: i64 = select p a i x: f32 = index xs[e]") ==
      "xs: block 0 1, ts: whole; block");
  // Sums over a window.
  CHECK(cut_map("x: f32 = soac 5i64 () { (j: i64) a: i64 = add i j c: i64 = sub a 2i64 "
                "d: i64 = max c 0i64 e: i64 = min d last y: f32 = index xs[e] yield y } " +
                sum_of_floats) == "xs: block 2 2, ts: whole; block");
}

TEST_CASE("neighbours of what is computed: it is computed for them, too") {
  const std::string head =
      "fn f(n: i64, xs: [n]f32) -> [n]f32 { last: i64 = sub n 1i64 ys: [n]f32 = soac n (xs) { (h: "
      "i64, x: f32) t: f32 = exp x yield t } map ";
  CHECK(cut(head + "r: [n]f32 = soac n () { (i: i64) a: i64 = add i 1i64 e: i64 = min a last y: "
                   "f32 = index ys[e] yield y } map ret r }") == "xs: block 0 1; block, block");
  // One after the other, and both are needed at other places.
  CHECK(cut(head + "zs: [n]f32 = soac n () { (i: i64) a: i64 = sub i 2i64 e: i64 = max 0i64 a y: "
                   "f32 = index ys[e] yield y } map r: [n]f32 = soac n (ys) { (j: i64, w: f32) a2: "
                   "i64 = add j 3i64 e2: i64 = min a2 last z: f32 = index zs[e2] s: f32 = add w z "
                   "yield s } map ret r }") == "xs: block 2 3; block, block, block");
}

TEST_CASE("inputs that are read anywhere are whole, and the work is cut all the same") {
  const std::string whole = "xs: whole, ts: whole; block";
  CHECK(cut_map("a: i64 = mul i 2i64 e: i64 = min a last x: f32 = index xs[e]") == whole);
  CHECK(cut_map("a: i64 = sub last i x: f32 = index xs[a]") == whole);
  // The lesser of it and what is no end of it.
  CHECK(cut_map("a: i64 = min i m p: bool = lt a n check p, \"no\" x: f32 = index xs[a]") == whole);
  CHECK(cut_map("x: f32 = soac n (xs) { (j: i64, y: f32) yield y } " + sum_of_floats) == whole);
  CHECK(cut("fn f(n: i64, xs: [n]f32) -> [n]f32 { p: bool = gt n 0i64 check p, \"none\" "
            "h: f32 = index xs[0i64] r: [n]f32 = soac n (xs) { (i: i64, x: f32) "
            "y: f32 = mul x h yield y } map ret r }") == "xs: whole; block");
}

TEST_CASE("sizes that a check makes equal are one") {
  CHECK(cut("fn f(n: i64, xs: [n]f32, m: i64, ys: [m]f32) -> f32 { e: bool = eq n m "
            "check e, \"sizes\" r: f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32) "
            "z: f32 = mul x y yield z } " +
            sum_of_floats + " ret r }") == "xs: block, ys: block; entries");
}

TEST_CASE("what filters keep") {
  const std::string head = "fn f(n: i64, xs: [n]f32) -> ";
  const std::string filter = " k: i64, ys: [k]f32 = soac n (xs) { (i: i64, x: f32) p: bool = lt x "
                             "0f32 yield p, x } filter 1 ";
  const auto over_kept = [&](const std::string& type, const std::string& body) {
    return cut(head + type + " {" + filter + "r: " + type + " = soac k (ys) { (j: i64, y: f32) " +
               body + " ret r }");
  };
  CHECK(over_kept("f32", "yield y } " + sum_of_floats) == "xs: block; block, joined");
  CHECK(over_kept("i64", "z: i64 = convert y yield z } reduce (0i64) " + add_integers) ==
        "xs: block; block, single");
  CHECK(over_kept("i64", "yield j } reduce (0i64) " + add_integers) ==
        "not: the position among what a filter keeps is used");
  CHECK(cut(head + "(i64, [k]f32) {" + filter +
            "zs: [k]f32 = soac k (ys) { (j: i64, y: f32) z: f32 = add y y yield z } map "
            "ret k, zs }") == "xs: block; block, block");
  CHECK(cut(head + "(i64, [k]f32) {" + filter + "zs: [k]f32 = transpose ys (0) ret k, zs }") ==
        "not: what a filter keeps is needed as a whole");
  CHECK(cut(head + "[n]f32 {" + filter +
            "r: [n]f32 = soac n (xs) { (j: i64, y: f32) q: f32 = convert k z: f32 = add q y "
            "yield z } map ret r }") ==
        "not: for each element it is needed how many a filter keeps of all");
  // (What needs no input comes afterwards.)
  CHECK(cut(head + "[n]i64 {" + filter +
            "r: [n]i64 = soac n () { (j: i64) z: i64 = add j k yield z } map ret r }") ==
        "xs: block; block");
}

TEST_CASE("what is refused, and why") {
  const std::string sum = " s: f32 = soac n (xs) { (h: i64, t: f32) yield t } " + sum_of_floats;
  CHECK(cut("fn f(n: i64, xs: [n]f32) -> [n]f32 {" + sum +
            " r: [n]f32 = soac n (xs) { (i: i64, x: f32) y: f32 = div x s yield y } map ret r }") ==
        "not: with elements something is needed that is known only when all pieces are: that "
        "takes a second round over the inputs");
  CHECK(cut("fn f(n: i64, xs: [n]f32) -> f32 { s: f32 = for n (0f32) { (i: i64, a: f32) "
            "x: f32 = index xs[i] b: f32 = add a x yield b } ret s }") ==
        "not: nothing is computed for each of its elements alone: of an array over it, all of it "
        "is needed at once");
  CHECK(cut("fn f(n: i64, xs: [n]f32, ks: [n]i64) -> f32 { k: i64 = soac n (ks) { (i: i64, t: i64) "
            "yield t } reduce (0i64) " +
            add_integers +
            " p: bool = lt k n check p, \"no\" q: bool = ge k 0i64 check q, \"no\" "
            "r: f32 = index xs[k] ret r }") ==
        "not: with elements something is needed that is known only when all pieces are: that takes "
        "a second round over the inputs");
  CHECK(cut("fn f(n: i64, x: f32) -> f32 { y: f32 = add x x ret y }") == "no size");
  const std::string made =
      "ys: [n]f32 = soac n (xs) { (h: i64, x: f32) t: f32 = exp x yield t } map ";
  const std::string after = "a: i64 = add i 1i64 e: i64 = min a last y: f32 = index ys[e] ";
  CHECK(cut("fn f(n: i64, xs: [n]f32) -> [n]f32 { last: i64 = sub n 1i64 ys: [n]f32 = copy xs "
            "r: [n]f32 = soac n () { (i: i64) " +
            after + "yield y } map ret r }") ==
        "not: of an array that is computed from what is cut, neighbours of an element are read");
  // (The sum would have more than the block's elements.)
  CHECK(cut("fn f(n: i64, xs: [n]f32) -> (f32, [n]f32) { last: i64 = sub n 1i64 "
            "s: f32, ys: [n]f32 = soac n (xs) { (h: i64, x: f32) t: f32 = exp x yield x, t } "
            "reduce (0f32) { (p: f32, q: f32) u: f32 = add p q yield u } map "
            "r: [n]f32 = soac n () { (i: i64) " +
            after + "yield y } map ret s, r }") ==
        "not: of an array that is computed from what is cut, neighbours of an element are read");
  CHECK(
      cut("fn f(n: i64, xs: [n]f32) -> [n]f32 { last: i64 = sub n 1i64 " + made +
          "r: [n]f32 = soac n () { (i: i64) a: i64 = sub last i "
          "y: f32 = index ys[a] yield y } map ret r }") ==
      "not: of an array that is computed from what is cut, elements are read that are no constant "
      "distance away");
}
