// Nests of few elements and many inside: kernels over both, with the processor's bits.
#include "recorded.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinter;
using namespace sinter::test;

TEST_CASE("reductions and maps of a few long rows are launches of their own") {
  const Recorded both(R"(fn f(n: i64, m: i64, xss: [n][m]f32) -> ([n][m]f32, [n]f32) {
  c: [n][m]f32, d: [n]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (k: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      g: f32 = add a b
      yield g
    }
    r: f32 = mul s 0.5f32
    ys: [m]f32, t: f32 = soac m (xs) { (k1: i64, x1: f32)
      y: f32 = sub x1 r
      yield y, y
    } map reduce (0f32) { (a1: f32, b1: f32)
      g1: f32 = add a1 b1
      yield g1
    }
    yield ys, t
  } map map
  ret c, d
})");
  generate::Random random(1);
  const auto launches = [&](std::int64_t n, std::int64_t m) {
    return both
        .check(
            {Scalar::of(n), Scalar::of(m), array_of(ElementType::F32, {n, m}, random, any_float)})
        .size();
  };
  CHECK(launches(7, 127) == 1);
  CHECK(launches(7, 128) >= 3);
  CHECK(launches(3, 4200) >= 3);
  CHECK(launches(20000, 1) == 1);
  // Its reductions are those of segments.
  CHECK(std::ranges::count(both.check({Scalar::of(std::int64_t{3}), Scalar::of(std::int64_t{500}),
                                       array_of(ElementType::F32, {3, 500}, random, any_float)}),
                           "segments") == 2);
}

TEST_CASE("loops of long rows go round on the host, for all rows at once") {
  const Recorded both(R"(fn f(n: i64, m: i64, k: i64, xss: [n][m]f32) -> ([n][m]f32, [n]f32) {
  c: [n][m]f32, d: [n]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    first: f32 = index xs[0i64]
    zs: [m]f32, last: f32 = for k (xs, first) { (t: i64, ys: [m]f32, h: f32)
      zs1: [m]f32, s: f32 = soac m (ys) { (j: i64, y: f32)
        z: f32 = mul y 0.25f32
        w: f32 = add z h
        yield w, z
      } map reduce (0f32) { (a: f32, b: f32)
        g: f32 = add a b
        yield g
      }
      number: f32 = convert t
      o: f32 = add s number
      yield zs1, o
    }
    yield zs, last
  } map map
  ret c, d
})");
  generate::Random random(2);
  for (const std::int64_t m : {1000, 1024, 1100})
    for (const std::int64_t k : {0, 1, 4}) {
      const std::size_t launches =
          both.check({Scalar::of(std::int64_t{5}), Scalar::of(m), Scalar::of(k),
                      array_of(ElementType::F32, {5, m}, random, any_float)})
              .size();
      if (m < 1024)
        CHECK(launches <= 2); // the second one with more scratch memory
      else
        CHECK(launches >= static_cast<std::size_t>(3 * k));
    }
}
