// Scans and filters on a device: the skeletons that they get, and the bits, at sizes around all
// that is cut up, whatever the order of blocks and threads.
#include "both_places.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::int64_t scanned_sizes[] = {0,    1,    31,   32,   33,   63,    64,    65,
                                          255,  256,  257,  1023, 2047, 2048,  2049,  4095,
                                          4096, 4097, 8191, 8193, 9000, 16385, 50000, 150001};

gpu::EmulationOptions mixed_up(std::uint64_t seed) {
  gpu::EmulationOptions options;
  options.seed = seed;
  options.blocks_in_flight = 2 + static_cast<unsigned>(seed);
  return options;
}

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
    const Both both(text, mixed_up(seed));
    generate::Random random(seed);
    for (const std::int64_t n : scanned_sizes)
      both.check({Scalar::of(n), Scalar::of(std::int8_t{100}),
                  array_of(ElementType::I64, {n}, random, below(std::int64_t{1} << 40))});
    CHECK(both.ways() == std::vector<std::string>{"scan"});
  }
}
