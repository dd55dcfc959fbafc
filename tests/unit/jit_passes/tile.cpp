// Nests that are tiled, on sizes around the blocks'.
#include "check.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/tile.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// A product of matrices; `column` is the index of the second one.
std::string product(const std::string& type, const std::string& column,
                    const std::string& after = "") {
  return "fn f(n: i64, m: i64, p: i64, w: i64, a: [n][m]" + type + ", b: " + type + ") -> [n][p]" +
         type + " { c: [n][p]" + type + " = soac n (a) { (i: i64, r: [m]" + type + ") u: [p]" +
         type + " = soac p () { (j: i64) s: " + type + " = soac m (r) { (k: i64, x: " + type +
         ") y: " + type + " = index b[" + column + "] z: " + type +
         " = mul x y yield z } reduce (0" + type + ") { (a0: " + type + ", b0: " + type +
         ") c0: " + type + " = add a0 b0 yield c0 } " + after + " } map yield u } map ret c }";
}

ir::DenseArray numbers(std::vector<std::int64_t> extents, std::int64_t step) {
  ir::DenseArray array{ElementType::I32, extents, {}};
  std::int64_t count = 1;
  for (const std::int64_t extent : extents)
    count *= extent;
  for (std::int64_t i = 0; i < count; ++i)
    array.elements.push_back(Scalar::of(static_cast<std::int32_t>(i * step % 23 - 11)));
  return array;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

void check_same(const std::string& text, bool column_first) {
  const ir::Function before = ir::parse(text);
  ir::Function after = before;
  jit::tile(after);
  REQUIRE(ir::verify(after) == std::nullopt);
  REQUIRE(ir::print(after).find("array (") != std::string::npos); // it is tiled
  for (const std::int64_t n : {0, 1, 8, 9, 17})
    for (const std::int64_t p : {1, 16, 17, 35})
      for (const std::int64_t m : {0, 15, 16, 19}) {
        CAPTURE(n);
        CAPTURE(p);
        CAPTURE(m);
        const std::vector<ir::DenseValue> arguments = {
            Scalar::of(n),      Scalar::of(m),
            Scalar::of(p),      Scalar::of(std::int64_t{3}),
            numbers({n, m}, 7), column_first ? numbers({p, m}, 5) : numbers({m, p}, 5)};
        CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
      }
}

} // namespace

TEST_CASE("products of matrices are tiled and stay the same") {
  check_same(with(product("i32", "k, j", "yield s"), "b: ", "b: [m][p]"), false);
  check_same(with(product("i32", "j, k", "yield s"), "b: ", "b: [p][m]"), true);
}

TEST_CASE("what is done with the sums is done for each of them") {
  check_same(
      with(product(
               "i32", "k, j",
               "h: i32 = convert j g: i32 = convert i q: i32 = mul s h v: i32 = add q g yield v"),
           "b: ", "b: [m][p]"),
      false);
}
