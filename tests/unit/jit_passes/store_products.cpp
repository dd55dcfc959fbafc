// Products that are used on the way, on sizes around those from which blocks pay.
#include "check.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/store_products.h"
#include "jit/passes/tile.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// A product of matrices, inside of what takes its columns' elements `t` and its rows.
std::string around_product(const std::string& result, const std::string& columns,
                           const std::string& after, const std::string& rows) {
  return "fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> " + result +
         " { s: " + result + " = soac n (a) { (i: i64, r: [m]f32) g: f32 = convert i " + columns +
         " = soac p () { (j: i64) t: f32 = soac m (r) { (k: i64, x: f32) y: f32 = index b[k, j]"
         " z: f32 = mul x y yield z } reduce (0f32) { (a0: f32, b0: f32) c0: f32 = add a0 b0"
         " yield c0 } " +
         after + " " + rows + " ret s }";
}

struct Sizes {
  std::int64_t n, m, p;
};
/// Too few rows, elements or columns; then enough of all, in one panel and in two.
const std::vector<Sizes> all_sizes = {{0, 64, 257}, {7, 64, 257}, {9, 15, 1100},  {9, 1100, 15},
                                      {9, 16, 19},  {9, 66, 260}, {131, 16, 1030}};

void check_stored(const std::string& text, const std::vector<Sizes>& sizes = all_sizes) {
  const ir::Function before = ir::parse(text);
  ir::Function after = before;
  jit::store_products(after, {}, 1); // panels of 128 rows
  REQUIRE(ir::verify(after) == std::nullopt);
  jit::tile(after);
  REQUIRE(ir::verify(after) == std::nullopt);
  REQUIRE(ir::print(after).find("array (") != std::string::npos); // it is tiled
  std::uint64_t place = 0;
  for (const auto& [n, m, p] : sizes) {
    if (!is_tried(place++, 4)) continue;
    CAPTURE(n);
    CAPTURE(p);
    CAPTURE(m);
    const std::vector<ir::DenseValue> arguments = {Scalar::of(n), Scalar::of(m), Scalar::of(p),
                                                   jit::matrix(n, m, 7), jit::matrix(m, p, 5)};
    CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
  }
}

const std::string sum_of_row = "reduce (0f32) { (a1: f32, b1: f32) c1: f32 = add a1 b1 yield c1 }";

} // namespace

TEST_CASE("sums of a product's rows, and of those, keep their order") {
  check_stored(around_product("f32", "u: f32", "yield t } " + sum_of_row,
                              "yield u } reduce (0f32) { (a2: f32, b2: f32) c2: f32 = add a2 b2"
                              " yield c2 }"));
}

TEST_CASE("rows have their numbers, and what else is done for a product's elements") {
  check_stored(
      around_product("[n]f32", "u: f32",
                     "h: f32 = convert j q: f32 = mul t h w: f32 = add q g yield w } " + sum_of_row,
                     "v: f32 = sub u g yield v } map"));
}

TEST_CASE("a product whose rows are needed anyway is stored at once") {
  check_stored(
      around_product("[n][p]f32", "u: f32, o: [p]f32", "yield t, t } " + sum_of_row + " map",
                     "w: [p]f32 = soac p (o) { (j3: i64, e: f32) d: f32 = div e u yield d }"
                     " map yield w } map"));
}

TEST_CASE("two layers are two products, and what is computed on the way is computed first") {
  const std::string head = "fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> ";
  const std::string first =
      " = soac n (a) { (i: i64, r: [m]f32) e: f32 = convert i"
      " q: [m]f32 = soac m (r) { (l: i64, o: f32) o1: f32 = mul o e yield o1 } map"
      " h: [p]f32, g: [p]f32 = soac p () { (j: i64)"
      " t: f32 = soac m (q) { (k: i64, x: f32) y: f32 = index b[k, j] z: f32 = mul x y yield z }"
      " reduce (0f32) { (a0: f32, b0: f32) c0: f32 = add a0 b0 yield c0 }"
      " u: f32 = max t 0f32 yield t, u } map map";
  // The way back: rows of the same matrix are the columns.
  const std::string second =
      " d: [m]f32, w: [m]f32 = soac m (b, r) { (j1: i64, l1: [p]f32, v: f32)"
      " t1: f32 = soac p (g, l1) { (k1: i64, x1: f32, y1: f32) z1: f32 = mul x1 y1 yield z1 }"
      " reduce (0f32) { (a5: f32, b5: f32) c5: f32 = add a5 b5 yield c5 }"
      " v1: f32 = sub v t1 v2: f32 = mul v1 e yield v1, v2 } map map";
  check_stored(head + "([n][p]f32, [n][m]f32, [n][m]f32)" +
                   " { s1: [n][p]f32, s2: [n][m]f32, s3: [n][m]f32" + first + second +
                   " yield h, d, w } map map map ret s1, s2, s3 }",
               {{7, 64, 257}, {9, 16, 19}, {9, 66, 260}});
  // In panels.
  if (is_sanitized) return; // (of so many elements the evaluator takes minutes)
  check_stored(head + "f32 { s1: f32" + first + second +
                   " s3: f32 = soac m (d) { (k2: i64, x2: f32) yield x2 } " + sum_of_row +
                   " yield s3 } reduce (0f32) { (a2: f32, b2: f32) c2: f32 = add a2 b2 yield c2 }"
                   " ret s1 }",
               {{131, 16, 1030}});
}
