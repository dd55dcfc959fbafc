// Scans and filters on a device: the skeletons that they get, and the bits, at sizes around all
// that is cut up, whatever the order of blocks and threads.
#include "both_places.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::int64_t scanned_sizes[] = {0,    1,    31,   32,   33,   63,    64,    65,
                                          255,  256,  257,  1023, 2047, 2048,  2049,  4095,
                                          4096, 4097, 8191, 8193, 9000, 16385, 50000, 150001};

} // namespace

TEST_CASE("scans whose order does not show look back at other tiles") {
  constexpr std::string_view text =
      R"(fn f(n: i64, least: i8, xs: [n]i64) -> ([n]i64, [n]i64, [n]i8, [n]bool, [n]i64) {
  s: [n]i64, t: [n]i64, l: [n]i8, b: [n]bool, ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = mul x i
    z: i8 = convert x
    is: bool = ne x 5i64
    yield x, y, z, is, y
  } scan (0i64, 1i64) { (a: i64, p: i64, c: i64, q: i64)
    d: i64 = add a c
    r: i64 = mul p q
    yield d, r
  } scan (least) { (e: i8, g: i8)
    h: i8 = min e g
    yield h
  } scan (true) { (j: bool, k: bool)
    m: bool = and j k
    yield m
  } map
  ret s, t, l, b, ys
})";
  for (const std::uint64_t seed : {0, 1, 3}) {
    if (!is_tried(seed)) continue;
    const Both both(text, mixed_up(seed));
    generate::Random random(seed);
    for (const std::int64_t n : scanned_sizes)
      both.check({Scalar::of(n), Scalar::of(std::int8_t{100}),
                  array_of(ElementType::I64, {n}, random, below(std::int64_t{1} << 40))});
    CHECK(both.ways() == std::vector<std::string>{"scan"});
  }
}

TEST_CASE("scans whose order shows go by rows and blocks") {
  constexpr std::string_view text =
      R"(fn f(n: i64, xs: [n]f32) -> ([n]f32, [n]f64, [n]i64, [n]f32) {
  s: [n]f32, d: [n]f64, k: [n]i64, ys: [n]f32 = soac n (xs) { (i: i64, x: f32)
    y: f32 = mul x 0.3f32
    z: f64 = convert x
    yield y, z, i, y
  } scan (0.1f32) { (a: f32, b: f32)
    p: f32 = mul a 1.1f32
    c: f32 = add p b
    yield c
  } scan (0f64, -1i64) { (e: f64, j: i64, g: f64, l: i64)
    h: f64 = add e g
    is: bool = lt e g
    m: i64 = select is j l
    yield h, m
  } map
  ret s, d, k, ys
})";
  for (const std::uint64_t seed : {0, 1}) {
    if (!is_tried(seed)) continue;
    const Both both(text, mixed_up(seed));
    generate::Random random(seed);
    for (const std::int64_t n : scanned_sizes)
      both.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
    CHECK(both.ways() == std::vector<std::string>{"scan_by_rows"});
  }
}

TEST_CASE("filters look back on how many elements are kept, and so do both parts of a partition") {
  constexpr std::string_view text =
      R"(fn f(n: i64, most: i64, xs: [n]i64) -> (i64, i64, [n]i64, [n]i64, [n]i64, [n]i16, [n]i64) {
  k: i64, ks: [k]i64, hs: [k]i16, l: i64, ls: [l]i64, ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    is: bool = lt x most
    h: i16 = convert x
    is_not: bool = le most x
    yield is, x, h, is_not, i, x
  } filter 2 filter 1 map
  a: [n]i64 = soac n () { (i1: i64)
    in1: bool = lt i1 k
    v1: i64 = if in1 {
      y1: i64 = index ks[i1]
      yield y1
    } else {
      yield -1i64
    }
    yield v1
  } map
  b: [n]i64 = soac n () { (i2: i64)
    in2: bool = lt i2 l
    v2: i64 = if in2 {
      y2: i64 = index ls[i2]
      yield y2
    } else {
      yield -1i64
    }
    yield v2
  } map
  c: [n]i16 = soac n () { (i3: i64)
    in3: bool = lt i3 k
    v3: i16 = if in3 {
      y3: i16 = index hs[i3]
      yield y3
    } else {
      yield -1i16
    }
    yield v3
  } map
  ret k, l, a, b, ys, c, ys
})";
  for (const std::uint64_t seed : {0, 1, 3}) {
    if (!is_tried(seed)) continue;
    const Both both(text, mixed_up(seed));
    generate::Random random(seed);
    for (const std::int64_t n : scanned_sizes)
      for (const std::int64_t most : {0, 3, 50, 100})
        if (most == 50 || n < 5000)
          both.check({Scalar::of(n), Scalar::of(most),
                      array_of(ElementType::I64, {n}, random, below(100))});
    CHECK(both.ways().at(0) == "filter");
  }
}

TEST_CASE("groups of several kinds have a kernel for each kind, with the host's bits") {
  constexpr std::string_view text =
      R"(fn f(n: i64, m: i64, q: f32, xs: [n]f32, js: [n]i64, to: [m]f32, bins: [m]i64) -> (f32, [n]f32, [n]f32, i64, [k]f32, [k]i64, [m]f32, [m]i64) {
  r: f32, ps: [n]f32, ys: [n]f32, k: i64, ks: [k]f32, is: [k]i64, written: [m]f32, sums: [m]i64 = soac n (xs, js) { (i: i64, x: f32, j: i64)
    y: f32 = mul x q
    p: bool = lt y 1.0f32
    l: i64 = add j i
    yield y, y, x, p, x, i, l, y, j, i
  } reduce (0.1f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  } scan (0.1f32) { (d: f32, e: f32)
    f: f32 = add d e
    yield f
  } map filter 2 scatter 1 to histogram 1 (bins) (0i64) { (g: i64, h: i64)
    s: i64 = add g h
    yield s
  }
  ret r, ps, ys, k, ks, is, written, sums
})";
  for (const std::uint64_t seed : {0, 1}) {
    if (!is_tried(seed)) continue;
    const Both both(text, mixed_up(seed));
    generate::Random random(seed);
    for (const std::int64_t n : {0, 1, 33, 2049, 9000})
      both.check({Scalar::of(n), Scalar::of(std::int64_t{70}), Scalar::of(1.5F),
                  array_of(ElementType::F32, {n}, random, any_float),
                  array_of(ElementType::I64, {n}, random, below(80)),
                  array_of(ElementType::F32, {70}, random, any_float),
                  array_of(ElementType::I64, {70}, random, below(1000))});
    std::vector<std::string> ways = both.ways();
    std::ranges::sort(ways);
    // (What goes around them has no way.)
    CHECK(ways == std::vector<std::string>{"", "filter", "histogram", "reduce_by_rows",
                                           "scan_by_rows", "scatter"});
  }
}
