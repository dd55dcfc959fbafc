// Kernels that partition by kinds, against the evaluator.
#include "check_kernel.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter::jit;

TEST_CASE("values of each size go to few kinds, with and without lines") {
  for (const std::string element : {"u8", "i16", "f32", "f64", "bool"}) {
    CAPTURE(element);
    check_kernel("fn f(n: i64, xs: [n]i32, ys: [n]" + element + ") -> ([4]i64, [n]" + element +
                     ", [n]i32) { c: [4]i64, r: [n]" + element +
                     ", s: [n]i32 = soac n (xs, ys) { (i: i64, x: i32, y: " + element +
                     ") k: i32 = and x 3i32 z: i32 = mul x 3i32 yield k, y, z } "
                     "partition 4i64 2 ret c, r, s }",
                 {{0}, {1}, {16}, {127}, {128}, {1500}, {5000}});
  }
}

TEST_CASE("many kinds, some of which have no elements") {
  for (const std::string kinds : {"1", "256", "1024", "2000"}) {
    CAPTURE(kinds);
    check_kernel("fn f(n: i64, xs: [n]i32) -> ([" + kinds + "]i64, [n]i64, [n]i32) { c: [" + kinds +
                     "]i64, r: [n]i64, s: [n]i32 = soac n (xs) { (i: i64, x: i32) "
                     "a: i64 = mul i i b: i64 = mod a " +
                     kinds + "i64 k: i32 = convert b yield k, i, x } partition " + kinds +
                     "i64 2 ret c, r, s }",
                 {{0}, {3}, {9000}});
  }
}

TEST_CASE("numbers of kinds that are known when a kernel is launched") {
  check_kernel("fn f(n: i64, m: i64, xs: [n]i32) -> ([m]i64, [n]i32) { c: [m]i64, r: [n]i32 = "
               "soac n (xs) { (i: i64, x: i32) a: i64 = mod i m k: i32 = convert a yield k, x } "
               "partition m 1 ret c, r }",
               {{0, 1}, {7, 3}, {2000, 1}, {2000, 17}, {100, 3000}});
}

TEST_CASE("partitions of rows, beside a map, and of nothing") {
  check_kernel("fn f(n: i64, m: i64, xs: [n]i32, rows: [n][m]f32) -> ([n]i64, [3]i64, [n][m]f32, "
               "[n]i64) { e: [n]i64, c: [3]i64, r: [n][m]f32, s: [n]i64 = soac n (xs, rows) "
               "{ (i: i64, x: i32, row: [m]f32) d: i64 = mul i 5i64 k: i32 = mod x 3i32 "
               "yield d, k, row, i } map partition 3i64 2 ret e, c, r, s }",
               {{0, 2}, {1, 0}, {50, 3}, {200, 17}});
  check_kernel("fn f(n: i64, xs: [n]i32) -> ([2]i64, [n]i32) { c: [2]i64, d: [n]i32 = soac n (xs) "
               "{ (i: i64, x: i32) k: i32 = and x 1i32 y: i32 = add x 1i32 yield k, y } "
               "partition 2i64 0 map ret c, d }",
               {{0}, {1}, {3000}});
}

TEST_CASE("partitions inside of bodies") {
  check_kernel("fn f(n: i64, m: i64, xs: [m]i64) -> [n]i64 { rs: [n]i64 = soac n () { (g: i64) "
               "c: [3]i64, us: [m]i64 = soac m (xs) { (i: i64, x: i64) a: i64 = add x g "
               "b: i64 = mod a 3i64 k: i32 = convert b yield k, a } partition 3i64 1 "
               "w: i64 = for m (0i64) { (j: i64, v: i64) u: i64 = index us[j] "
               "v3: i64 = mul v 3i64 v4: i64 = add v3 u yield v4 } z: i64 = index c[1i64] "
               "wz: i64 = sub w z yield wz } map ret rs }",
               {{0, 0}, {1, 0}, {40, 9}, {3, 300}});
  // A reduction beside it, and kinds that the kernel computes: on one thread.
  check_kernel("fn f(n: i64, xs: [n]i32) -> (i32, [n]i32) { s: i32, c: [2]i64, r: [n]i32 = "
               "soac n (xs) { (i: i64, x: i32) k: i32 = and x 1i32 yield x, k, x } "
               "reduce (0i32) { (p: i32, q: i32) t: i32 = add p q yield t } partition 2i64 1 "
               "ret s, r }",
               {{0}, {1}, {3000}});
  check_kernel("fn f(n: i64, m: i64, xs: [n]i32) -> [n]i32 { l: i64 = add m 2i64 c: [l]i64, "
               "r: [n]i32 = soac n (xs) { (i: i64, x: i32) k: i32 = and x 1i32 yield k, x } "
               "partition l 1 ret r }",
               {{0, 1}, {3000, 2}});
}

TEST_CASE("checks of elements that are partitioned fail first where the first one fails") {
  check_kernel("fn f(n: i64, xs: [n]i32) -> ([2]i64, [n]i32) { c: [2]i64, r: [n]i32 = soac n (xs) "
               "{ (i: i64, x: i32) o: bool = lt x 3i32 check o, \"no\" "
               "k: i32 = and x 1i32 yield k, x } partition 2i64 1 ret c, r }",
               {{0}, {300}});
}
