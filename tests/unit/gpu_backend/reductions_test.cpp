// Reductions on a device: the skeletons that they get, and the bits, at sizes around all that is
// cut up, whatever the order of blocks.
#include "both_places.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::int64_t reduced_sizes[] = {0,    1,    31,   32,   33,    63,    64,
                                          65,   255,  256,  257,  1023,  4095,  4096,
                                          4097, 8191, 8193, 9000, 16385, 50000, 270001};

} // namespace

TEST_CASE("where no order shows, threads fold what is as far apart as there are threads") {
  constexpr std::string_view text =
      R"(fn f(n: i64, least: i8, xs: [n]i64) -> (i64, i64, i8, bool, [n]i64) {
  s: i64, t: i64, l: i8, b: bool, ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = mul x i
    z: i8 = convert x
    is: bool = ne x 5i64
    yield x, y, z, is, y
  } reduce (0i64, 1i64) { (a: i64, p: i64, c: i64, q: i64)
    d: i64 = add a c
    r: i64 = mul p q
    yield d, r
  } reduce (least) { (e: i8, g: i8)
    h: i8 = min e g
    yield h
  } reduce (true) { (j: bool, k: bool)
    m: bool = and j k
    yield m
  } map
  ret s, t, l, b, ys
})";
  for (const std::uint64_t seed : {0, 3}) {
    const Both both(text, of_seed(seed));
    generate::Random random(seed);
    for (const std::int64_t n : reduced_sizes)
      both.check({Scalar::of(n), Scalar::of(std::int8_t{100}),
                  array_of(ElementType::I64, {n}, random, below(std::int64_t{1} << 40))});
    CHECK(both.ways() == std::vector<std::string>{"reduce"});
  }
}

TEST_CASE("where an order shows, threads own rows, and blocks of rows are folded from the left") {
  constexpr std::string_view text = R"(fn f(n: i64, xs: [n]f32) -> (f32, f64, i64, [n]f32, i64) {
  s: f32, d: f64, k: i64, ys: [n]f32, t: i64 = soac n (xs) { (i: i64, x: f32)
    y: f32 = mul x 0.3f32
    z: f64 = convert x
    yield y, z, i, y, i
  } reduce (0.1f32) { (a: f32, b: f32)
    p: f32 = mul a 1.1f32
    c: f32 = add p b
    yield c
  } reduce (0f64, -1i64) { (e: f64, j: i64, g: f64, l: i64)
    h: f64 = add e g
    is: bool = lt e g
    m: i64 = select is j l
    yield h, m
  } map reduce (0i64) { (q: i64, r: i64)
    u: i64 = add q r
    yield u
  }
  ret s, d, k, ys, t
})";
  for (const std::uint64_t seed : {0, 4}) {
    const Both both(text, of_seed(seed));
    generate::Random random(seed);
    for (const std::int64_t n : reduced_sizes)
      both.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
    CHECK(both.ways() == std::vector<std::string>{"reduce_by_rows"});
  }
}

TEST_CASE("where few elements are much work, blocks take few rows") {
  const Both both(R"(fn f(n: i64, xs: [n]f32) -> f32 {
  s: f32 = soac n (xs) { (i: i64, x: f32)
    l: f32 = while (x) { (v: f32)
      d: bool = lt 1f32 v
      yield d
    } do { (v1: f32)
      w: f32 = mul v1 0.001f32
      yield w
    }
    yield l
  } reduce (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})");
  generate::Random random(7);
  for (const std::int64_t n : reduced_sizes)
    if (n < 20000) both.check({Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)});
  CHECK(both.ways() == std::vector<std::string>{"reduce_by_rows"});
}

TEST_CASE("a reduction that fails tells the least index, and its block comes to its barriers") {
  const Both both(R"(fn f(n: i64, xs: [n]i64) -> i64 {
  s: i64 = soac n (xs) { (i: i64, x: i64)
    is_small: bool = lt x 3000i64
    check is_small, "large"
    yield x
  } reduce (0i64) { (a: i64, b: i64)
    c: i64 = add a b
    yield c
  }
  ret s
})");
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  for (const std::int64_t n : {3001, 5000, 100000}) {
    ir::DenseArray numbers{ElementType::I64, {n}, {}};
    for (std::int64_t i = 0; i < n; ++i)
      numbers.elements.push_back(Scalar::of(i));
    const jit::Outcome outcome = both.on_device->run(
        to_leaves(both.on_device->function(), {Scalar::of(n), numbers}, memory, Arrangement::Dense),
        context);
    REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
    CHECK(std::get<jit::Stopped>(outcome).first_index == 3000);
  }
}
