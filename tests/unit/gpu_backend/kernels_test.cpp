// Kernels of each kind on a device, at sizes around all that is cut up: bits as on the processor.
#include "both_places.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::int64_t sizes[] = {0,    1,    2,    31,   32,    33,    63,   64,   65,
                                  127,  128,  129,  500,  2047,  2048,  2049, 2560, 4095,
                                  4096, 4097, 8191, 8193, 12288, 20000, 70001};

} // namespace

TEST_CASE("sums of floats round as on the processor, whatever their number") {
  const Both both(R"(fn f(n: i64, xs: [n]f32) -> (f32, f32) {
  s: f32, t: f32 = soac n (xs) { (i: i64, x: f32)
    y: f32 = mul x 0.3f32
    yield x, y
  } reduce (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  } reduce (0.1f32) { (d: f32, e: f32)
    p: f32 = mul d 1.1f32
    g: f32 = add p e
    yield g
  }
  ret s, t
})");
  generate::Random random(1);
  for (std::int64_t n = 0; n <= 5 * 512; n += 41)
    both.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
  for (const std::int64_t n : sizes)
    both.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
}

TEST_CASE("prefixes of floats round as on the processor, whatever their number") {
  const Both both(R"(fn f(n: i64, xs: [n]f32) -> ([n]f32, [n]f32) {
  p: [n]f32, t: [n]f32 = soac n (xs) { (i: i64, x: f32)
    y: f32 = mul x 3f32
    yield y, y
  } scan (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  } map
  ret p, t
})");
  generate::Random random(2);
  for (std::int64_t n = 0; n <= 5 * 512; n += 41)
    both.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
  for (const std::int64_t n : sizes)
    both.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
}

TEST_CASE("reductions and scans of integers, and sums of rows") {
  const Both both(
      R"(fn f(n: i64, m: i64, xs: [n]i64, xss: [n][m]f32, zs: [m]f32) -> (i64, [n]i64, [m]f32) {
  s: i64 = soac n (xs) { (i: i64, x: i64)
    yield x
  } reduce (0i64) { (a: i64, b: i64)
    c: i64 = add a b
    yield c
  }
  p: [n]i64 = soac n (xs) { (i1: i64, x1: i64)
    yield x1
  } scan (0i64) { (a1: i64, b1: i64)
    c1: i64 = add a1 b1
    yield c1
  }
  t: [m]f32 = soac n (xss) { (i2: i64, x2: [m]f32)
    yield x2
  } reduce (zs) { (a2: [m]f32, b2: [m]f32)
    c2: [m]f32 = soac m (a2, b2) { (j: i64, u: f32, v: f32)
      w: f32 = add u v
      yield w
    } map
    yield c2
  }
  ret s, p, t
})");
  generate::Random random(3);
  for (const std::int64_t n : {0, 1, 33, 64, 65, 300, 5000})
    for (const std::int64_t m : {1, 3, 70})
      for (const Arrangement arrangement : {Arrangement::Dense, Arrangement::Reversed})
        both.check({Scalar::of(n), Scalar::of(m),
                    array_of(ElementType::I64, {n}, random, below(1000)),
                    array_of(ElementType::F32, {n, m}, random, any_float),
                    array_of(ElementType::F32, {m}, random, any_float)},
                   arrangement);
}

TEST_CASE("histograms are cut into the same segments") {
  const Both both(
      R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]f32, d: [m]f32, k: [m]i64) -> ([m]f32, [m]i64) {
  e: [m]f32 = soac n (js, xs) { (i: i64, j: i64, x: f32)
    yield j, x
  } histogram 1 (d) (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  l: [m]i64 = soac n (js) { (i1: i64, j1: i64)
    yield j1, i1
  } histogram 1 (k) (0i64) { (a1: i64, b1: i64)
    c1: i64 = add a1 b1
    yield c1
  }
  ret e, l
})");
  generate::Random random(4);
  for (const std::int64_t n : sizes)
    for (const std::int64_t m : {1, 7, 600})
      both.check({Scalar::of(n), Scalar::of(m),
                  array_of(ElementType::I64, {n}, random, below(m + 1)),
                  array_of(ElementType::F32, {n}, random, any_float),
                  array_of(ElementType::F32, {m}, random, any_float),
                  array_of(ElementType::I64, {m}, random, below(9))});
}

TEST_CASE("filters keep elements and rows in their order") {
  const Both both(
      R"(fn f(n: i64, m: i64, below: i64, xs: [n]i64, xss: [n][m]i32) -> (i64, [n]i64, [m]i32) {
  k: i64, kept: [k]i64, rows: [k][m]i32 = soac n (xs, xss) { (i: i64, x: i64, r: [m]i32)
    c: bool = lt x below
    yield c, x, r
  } filter 2
  s: [n]i64 = soac n () { (i1: i64)
    is: bool = lt i1 k
    v: i64 = if is {
      y: i64 = index kept[i1]
      yield y
    } else {
      yield -1i64
    }
    yield v
  } map
  t: [m]i32 = soac m () { (j: i64)
    u: i32 = for k (0i32) { (q: i64, a: i32)
      z: i32 = index rows[q, j]
      three: i32 = mul a 3i32
      w: i32 = add three z
      yield w
    }
    yield u
  } map
  ret k, s, t
})");
  generate::Random random(5);
  const Element small = [](generate::Random& numbers, std::int64_t) {
    return Scalar::of(static_cast<std::int32_t>(numbers.below(100)));
  };
  for (const std::int64_t n : {0, 1, 31, 33, 300, 9000})
    for (const std::int64_t most : {0, 3, 100})
      both.check({Scalar::of(n), Scalar::of(std::int64_t{3}), Scalar::of(most),
                  array_of(ElementType::I64, {n}, random, below(100)),
                  array_of(ElementType::I32, {n, 3}, random, small)});
}

TEST_CASE("of several writes to a place the last one stays, in place where nobody else has it") {
  const Both both(R"(fn f(n: i64, m: i64, is: [n]i64, d: [m]i64) -> [m]i64 {
  e: [m]i64 = soac n (is) { (i: i64, j: i64)
    yield j, i
  } scatter 1 d
  ret e
})");
  generate::Random random(6);
  for (const std::int64_t n : {0, 1, 1000, 5000})
    for (const Arrangement arrangement :
         {Arrangement::Dense, Arrangement::Reversed, Arrangement::Spread})
      both.check({Scalar::of(n), Scalar::of(std::int64_t{300}),
                  array_of(ElementType::I64, {n}, random, below(310)),
                  array_of(ElementType::I64, {300}, random, below(7))},
                 arrangement);
}

TEST_CASE("a kernel that begins again with more scratch memory finds what it consumes as it was") {
  const Both both(R"(fn f(n: i64, m: i64, is: [n]i64, d: [n]i64) -> ([n]i64, [n]i64) {
  ts: [n]i64, e: [n]i64 = soac n (is) { (i: i64, j: i64)
    k: i64 = mul i m
    zs: [k]i64 = soac k () { (q: i64)
      z: i64 = mul i q
      yield z
    } map
    ps: [k]i64 = soac k (zs) { (j1: i64, z1: i64)
      yield z1
    } scan (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    }
    is_some: bool = lt 0i64 k
    r: i64 = if is_some {
      l: i64 = sub k 1i64
      p: i64 = index ps[l]
      yield p
    } else {
      yield 1i64
    }
    yield r, j, r
  } map histogram 1 (d) (0i64) { (a1: i64, b1: i64)
    c1: i64 = add a1 b1
    yield c1
  }
  ret ts, e
})");
  generate::Random random(8);
  for (const std::int64_t m : {1, 10, 100})
    for (const std::int64_t n : {1, 40, 300})
      both.check({Scalar::of(n), Scalar::of(m), array_of(ElementType::I64, {n}, random, below(n)),
                  array_of(ElementType::I64, {n}, random, below(5))});
}

TEST_CASE("arrays inside of bodies lie in scratch memory, of which there comes to be enough") {
  const Both both(R"(fn f(n: i64, m: i64, is: [n]i64, d: [n]i64) -> ([n]i64, [n]i64) {
  ts: [n]i64, e: [n]i64 = soac n (is) { (i: i64, j: i64)
    zs: [m]i64 = soac m () { (q: i64)
      z: i64 = mul i q
      yield z
    } map
    ps: [m]i64 = soac m (zs) { (j1: i64, z1: i64)
      yield z1
    } scan (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    }
    l: i64 = sub m 1i64
    r: i64 = index ps[l]
    yield r, j, r
  } map histogram 1 (d) (0i64) { (a1: i64, b1: i64)
    c1: i64 = add a1 b1
    yield c1
  }
  ret ts, e
})");
  generate::Random random(7);
  for (const std::int64_t m : {1, 10, 1000, 20000})
    for (const std::int64_t n : {1, 40, 300})
      both.check({Scalar::of(n), Scalar::of(m), array_of(ElementType::I64, {n}, random, below(n)),
                  array_of(ElementType::I64, {n}, random, below(5))});
}
