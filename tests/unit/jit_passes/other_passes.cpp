// Hoisting, filters, flattened arrays, copies.
#include "check.h"

#include "jit/passes/borders.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/filters.h"
#include "jit/passes/flatten.h"
#include "jit/passes/fuse.h"
#include "jit/passes/hoist.h"
#include "jit/passes/in_place.h"
#include "jit/passes/nest.h"
#include "jit/passes/pipeline.h"
#include "jit/passes/simplify.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::jit;

namespace {

void all(ir::Function& function) {
  optimise(function);
}

void columns(ir::Function& function) {
  fuse(function);
  read_transposed_by_index(function);
  simplify(function);
  remove_dead_code(function);
}

} // namespace

TEST_CASE("reductions of what a filter keeps need no filter") {
  check_rewrites(all,
                 "fn f(n: i64, xs: [n]i32) -> i32 { "
                 "m: i64, ys: [m]i32 = soac n (xs) { (i: i64, x: i32) p: bool = lt x 10i32 "
                 "yield p, x } filter 1 "
                 "s: i32 = soac m (ys) { (j: i64, e: i32) y: i32 = mul e e yield y } "
                 "reduce (0i32) { (a: i32, b: i32) c: i32 = add a b yield c } ret s }",
                 "fn f(n: i64, xs: [n]i32) -> i32 { "
                 "s: i32 = soac n (xs) { (i: i64, x: i32) p: bool = lt x 10i32 "
                 "y: i32 = mul x x z: i32 = select p y 0i32 yield z } "
                 "reduce (0i32) { (a: i32, b: i32) c: i32 = add a b yield c } ret s }");
}

TEST_CASE("a map of what a filter keeps is done by the filter") {
  check_rewrites(all,
                 "fn f(n: i64, xs: [n]i32) -> i64 { "
                 "m: i64, ys: [m]i32 = soac n (xs) { (i: i64, x: i32) p: bool = lt x 10i32 "
                 "yield p, x } filter 1 "
                 "zs: [m]i32 = soac m (ys) { (j: i64, e: i32) y: i32 = mul e e yield y } map "
                 "ws: [m]i32 = copy zs us: [m]i32 = update ws[0i64] = 1i32 "
                 "v: i32 = index us[0i64] w: i64 = convert v ret w }",
                 "fn f(n: i64, xs: [n]i32) -> i64 { "
                 "m: i64, zs: [m]i32 = soac n (xs) { (i: i64, x: i32) p: bool = lt x 10i32 "
                 "y: i32 = mul x x yield p, y } filter 1 "
                 "us: [m]i32 = update zs[0i64] = 1i32 "
                 "v: i32 = index us[0i64] w: i64 = convert v ret w }");
  // Not if the map may fail or reads memory: it would do so for what is dropped.
  const std::string reads =
      "fn f(n: i64, xs: [n]i32, ts: [n]i32) -> i64 { "
      "m: i64, ys: [m]i64 = soac n (xs) { (i: i64, x: i32) p: bool = lt x 10i32 "
      "k: i64 = convert x yield p, k } filter 1 "
      "s: i32 = soac m (ys) { (j: i64, e: i64) t: i32 = index ts[e] yield t } "
      "reduce (0i32) { (a: i32, b: i32) c: i32 = add a b yield c } w: i64 = convert s ret w }";
  check_keeps(fuse_filters, reads);
}

TEST_CASE("counting what a filter keeps is a sum") {
  check_rewrites(all,
                 "fn f(n: i64, xs: [n]i32) -> i64 { "
                 "m: i64, ys: [m]i32 = soac n (xs) { (i: i64, x: i32) p: bool = lt x 10i32 "
                 "yield p, x } filter 1 ret m }",
                 "fn f(n: i64, xs: [n]i32) -> i64 { "
                 "m: i64 = soac n (xs) { (i: i64, x: i32) p: bool = lt x 10i32 "
                 "y: i64 = select p 1i64 0i64 yield y } reduce commutative (0i64) "
                 "{ (a: i64, b: i64) c: i64 = add a b yield c } ret m }");
}

TEST_CASE("the sum of a flattened map is a sum of sums") {
  check_rewrites(
      all,
      "fn f(n: i64, m: i64) -> i64 { "
      "zs: [n][m]i64 = soac n () { (i: i64) r: [m]i64 = soac m () { (j: i64) "
      "x: i64 = mul i j yield x } map yield r } map k: i64 = mul n m "
      "fs: [k]i64 = reshape zs "
      "s: i64 = soac k (fs) { (h: i64, e: i64) yield e } "
      "reduce (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } ret s }",
      "fn f(n: i64, m: i64) -> i64 { "
      "s: i64 = soac n () { (i: i64) r: i64 = soac m () { (j: i64) x: i64 = mul i j yield x } "
      "reduce (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } yield r } "
      "reduce (0i64) { (a2: i64, b2: i64) c2: i64 = add a2 b2 yield c2 } ret s }");
  // Not where it shows that the rows are others.
  check_keeps(unflatten_consumers,
              "fn f(n: i64, m: i64, k: i64) -> f32 { "
              "zs: [n][m]f32 = soac n () { (i: i64) r: [m]f32 = soac m () { (j: i64) "
              "x: f32 = convert j yield x } map yield r } map "
              "fs: [k]f32 = reshape zs "
              "s: f32 = soac k (fs) { (h: i64, e: f32) yield e } "
              "reduce (0.0f32) { (a: f32, b: f32) c: f32 = add a b yield c } ret s }");
}

TEST_CASE("columns are read through the array that was transposed") {
  const std::string plus = "reduce (0.0f32) { (a0: f32, b0: f32) c0: f32 = add a0 b0 yield c0 }";
  check_rewrites(
      columns,
      "fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> [n][p]f32 { "
      "bt: [p][m]f32 = transpose b (1, 0) "
      "c: [n][p]f32 = soac n (a) { (i: i64, r: [m]f32) "
      "u: [p]f32 = soac p (bt) { (j: i64, q: [m]f32) "
      "t: [m]f32 = soac m (r, q) { (k: i64, x: f32, y: f32) z: f32 = mul x y yield z } map "
      "s: f32 = soac m (t) { (l: i64, w: f32) yield w } " +
          plus + " yield s } map yield u } map ret c }",
      "fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> [n][p]f32 { "
      "c: [n][p]f32 = soac n (a) { (i: i64, r: [m]f32) u: [p]f32 = soac p () { (j: i64) "
      "s: f32 = soac m (r) { (k: i64, x: f32) y: f32 = index b[k, j] z: f32 = mul x y yield z } " +
          plus + " yield s } map yield u } map ret c }");
}

TEST_CASE("a stencil clamps its indices at the borders only") {
  const auto with_simplification = [](ir::Function& function) {
    split_borders(function);
    simplify(function);
    remove_dead_code(function);
  };
  check_rewrites(
      with_simplification,
      "fn f(n: i64, last: i64, xs: [n]f32) -> [n]f32 { ys: [n]f32 = soac n () { (i: i64) "
      "a: i64 = add i -1i64 w: i64 = max a 0i64 b: i64 = add i 1i64 e: i64 = min b last "
      "x: f32 = index xs[w] y: f32 = index xs[e] z: f32 = add x y yield z } map ret ys }",
      "fn f(n: i64, last: i64, xs: [n]f32) -> [n]f32 { ys: [n]f32 = soac n () { (i: i64) "
      "a: i64 = add i -1i64 p: bool = ge a 0i64 b: i64 = add i 1i64 q: bool = le b last "
      "c: bool = and p q r: f32 = if c { x: f32 = index xs[a] y: f32 = index xs[b] "
      "z: f32 = add x y yield z } else always { w: i64 = max a 0i64 e: i64 = min last b "
      "x2: f32 = index xs[w] y2: f32 = index xs[e] z2: f32 = add x2 y2 yield z2 } yield r } map "
      "ret ys }");
  // By distances that are known outside.
  check_rewrites(
      with_simplification,
      "fn f(n: i64, k: i64, xs: [n]f32) -> [n]f32 { ys: [n]f32 = soac n () { (i: i64) "
      "a: i64 = sub i k b: i64 = add a 2i64 v: i64 = max a 0i64 w: i64 = max b 0i64 "
      "x: f32 = index xs[v] y: f32 = index xs[w] z: f32 = add x y yield z } map ret ys }",
      "fn f(n: i64, k: i64, xs: [n]f32) -> [n]f32 { ys: [n]f32 = soac n () { (i: i64) "
      "a: i64 = sub i k p: bool = ge a 0i64 b: i64 = add a 2i64 q: bool = ge b 0i64 "
      "c: bool = and p q r: f32 = if c { x: f32 = index xs[a] y: f32 = index xs[b] "
      "z: f32 = add x y yield z } else always { v: i64 = max a 0i64 w: i64 = max b 0i64 "
      "x2: f32 = index xs[v] y2: f32 = index xs[w] z2: f32 = add x2 y2 yield z2 } yield r } map "
      "ret ys }");
  // Of one bound: the branch for the borders is right elsewhere, too.
  check_rewrites(
      with_simplification,
      "fn f(n: i64, xs: [n]f32) -> [n]f32 { ys: [n]f32 = soac n () { (i: i64) "
      "a: i64 = add i -1i64 w: i64 = max a 0i64 x: f32 = index xs[w] y: f32 = index xs[i] "
      "z: f32 = add x y yield z } map ret ys }",
      "fn f(n: i64, xs: [n]f32) -> [n]f32 { ys: [n]f32 = soac n () { (i: i64) "
      "a: i64 = add i -1i64 p: bool = ge a 0i64 r: f32 = if p { x: f32 = index xs[a] "
      "y: f32 = index xs[i] z: f32 = add x y yield z } else always { w: i64 = max a 0i64 "
      "x2: f32 = index xs[w] y2: f32 = index xs[i] z2: f32 = add x2 y2 yield z2 } yield r } map "
      "ret ys }");
  // Nothing to split where the index itself is not clamped.
  check_keeps(split_borders,
              "fn f(n: i64, last: i64, xs: [n]i64) -> [n]i64 { "
              "ys: [n]i64 = soac n (xs) { (i: i64, x: i64) y: i64 = min x last yield y } map "
              "ret ys }");
}

TEST_CASE("rows that every iteration walks are transposed once") {
  const auto across = [](ir::Function& function) {
    transpose_shared_rows(function);
    read_transposed_by_index(function);
    simplify(function);
    remove_dead_code(function);
  };
  const std::string plus = "reduce (0.0f32) { (a0: f32, b0: f32) c0: f32 = add a0 b0 yield c0 }";
  const auto nest = [&](const std::string& rows, const std::string& inputs,
                        const std::string& reduction) {
    return "r: [n][" + rows + "]f32 = soac n (ps) { (i: i64, p: [d]f32) s: [" + rows +
           "]f32 = soac " + (rows == "m" ? "m" : rows + "i64") + " " + inputs + " " + reduction +
           " " + plus + " yield t } map yield s } map ret r }";
  };
  check_rewrites(
      across,
      "fn f(n: i64, d: i64, ps: [n][d]f32, cs: [16][d]f32) -> [n][16]f32 { " +
          nest("16", "(cs) { (j: i64, c: [d]f32)",
               "t: f32 = soac d (p, c) { (k: i64, x: f32, y: f32) z: f32 = mul x y yield z }"),
      "fn f(n: i64, d: i64, ps: [n][d]f32, cs: [16][d]f32) -> [n][16]f32 { "
      "ct: [d][16]f32 = soac d () { (v: i64) l: [16]f32 = soac 16i64 () { (u: i64) "
      "e: f32 = index cs[u, v] yield e } map yield l } map " +
          nest("16", "() { (j: i64)",
               "t: f32 = soac d (p) { (k: i64, x: f32) y: f32 = index ct[k, j] "
               "z: f32 = mul x y yield z }"));
  // Not if there may be few rows.
  check_keeps(transpose_shared_rows,
              "fn f(n: i64, m: i64, d: i64, ps: [n][d]f32, cs: [m][d]f32) -> [n][m]f32 { " +
                  nest("m", "(cs) { (j: i64, c: [d]f32)",
                       "t: f32 = soac d (p, c) { (k: i64, x: f32, y: f32) z: f32 = mul x y "
                       "yield z }"));
}
