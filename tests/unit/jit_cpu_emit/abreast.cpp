// Folds of neighbouring elements of a map inside of lanes, which take their steps in turn: every
// number of elements and of steps, with branches and checks beside the folds, gives the bits of the
// IR's reference evaluator.
#include "check_fold.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/passes/narrow.h"
#include "kernel_runner.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// An operator; its values' names end in the letter.
std::string least(const std::string& z) {
  return " { (a" + z + ": f32, p" + z + ": i64, b" + z + ": f32, q" + z + ": i64) c" + z +
         ": bool = lt a" + z + " b" + z + " d" + z + ": bool = eq a" + z + " b" + z + " e" + z +
         ": bool = lt p" + z + " q" + z + " g" + z + ": bool = and d" + z + " e" + z + " h" + z +
         ": bool = or c" + z + " g" + z + " t" + z + ": f32 = select h" + z + " a" + z + " b" + z +
         " u" + z + ": i64 = select h" + z + " p" + z + " q" + z + " yield t" + z + ", u" + z +
         " }";
}

/// For each of n, for each of p: the least of m numbers, some of which are equal, and where it is.
/// `before` is in front of the fold, `after` behind it, where `s` and `l` are what it gave.
std::string folds(const std::string& before = "", const std::string& after = "",
                  const std::string& fold_of = "m") {
  return "fn folds(n: i64, p: i64, m: i64, xs: [m]f32) -> ([n][p]f32, [n][p]i64) { "
         "x: [n][p]f32, o: [n][p]i64 = soac n () { (i: i64) v: i64 = mul i 7i64 "
         "y: [p]f32, k: [p]i64 = soac p () { (j: i64) w: i64 = mul j 5i64 f: i64 = add v w " +
         before + "s: f32, l: i64 = soac " + fold_of +
         " (xs) { (g: i64, z: f32) g3: i64 = mul g 3i64 r: i64 = add f g3 r1: i64 = mod r 13i64 "
         "y1: f32 = convert r1 is: bool = eq r1 4i64 sp: f32 = mul z y1 "
         "q1: f32 = select is sp y1 yield q1, g } reduce commutative (f32.inf, " +
         fold_of + ")" + least("_") + " " + after +
         "yield s, l } map map yield y, k } map map ret x, o }";
}

/// The same, where the fold is in a branch on what all elements know.
std::string in_branch() {
  return "fn folds(n: i64, p: i64, m: i64, xs: [m]f32) -> [n][p]f32 { "
         "small: bool = lt m 70i64 "
         "x: [n][p]f32 = soac n () { (i: i64) v: f32 = convert i "
         "y: [p]f32 = soac p () { (j: i64) w: f32 = convert j f: f32 = mul v w "
         "r: f32, at: i64 = if small { s: f32, l: i64 = soac m (xs) { (g: i64, z: f32) "
         "a1: f32 = add z f yield a1, g } reduce commutative (f32.inf, m)" +
         least("_") +
         " l1: i64 = add l j yield s, l1 } else { s2: f32, l2: i64 = soac m (xs) { (g2: i64, "
         "z2: f32) a2: f32 = mul z2 f yield a2, g2 } reduce commutative (f32.inf, m)" +
         least("__") +
         " yield s2, l2 } of: f32 = convert at sum: f32 = add r of yield sum } map yield y } map "
         "ret x }";
}

const std::vector<std::vector<std::int64_t>> sizes = {{3, 0, 5},  {17, 1, 0},  {17, 2, 1},
                                                      {20, 9, 5}, {33, 4, 65}, {5, 13, 4200}};

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

} // namespace

TEST_CASE("folds that go abreast give what each gives alone") {
  check_fold(folds(), sizes);
  if (is_sanitized) return;
  check_fold(folds("", "s1: f32 = convert f "), sizes);
  check_fold(in_branch(), sizes);
  // With indices of 32 bits where they fit, by branches.
  ir::Function narrow = ir::parse(folds());
  narrow_indices(narrow);
  REQUIRE(ir::print(narrow).find("i32") != std::string::npos);
  check_fold(ir::print(narrow), sizes);
}

TEST_CASE("how many steps there are is the same for all that go abreast") {
  const auto steps = [](const std::string& source) {
    return count(kernel_text(ir::parse(source), {.lanes = 8}), "fcmp ole <8 x float>");
  };
  const std::size_t together = steps(folds());
  CHECK(together >= 4);
  CHECK(together % 2 == 0);
}
