// Maps on a device: threads that take several elements, and grids of every rank.
#include "both_places.h"
#include "gpu/skeletons/grid.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using namespace sinter::test;

namespace {

/// Sizes around what a thread, a warp, a block and several of them take, at 1 to 16 elements each.
constexpr std::int64_t map_sizes[] = {0,  1,  2,   3,   4,   5,   7,   15,   16,   17,   31,
                                      33, 63, 127, 255, 257, 511, 513, 1023, 1025, 4097, 9001};

Element small(ElementType element) {
  return [element](generate::Random& random, std::int64_t) {
    const auto number = static_cast<std::int64_t>(random.below(200)) - 100;
    if (element == ElementType::F64) return Scalar::of(static_cast<double>(number) / 3.0);
    if (element == ElementType::F32) return Scalar::of(static_cast<float>(number) / 3.0f);
    if (element == ElementType::Bool) return Scalar::of(number > 0);
    std::byte bytes[8] = {};
    store_scalar(element, bytes, 0, Scalar::of(number));
    return load_scalar(element, bytes, 0);
  };
}

/// A map of `xs` whose body has these statements on `x` and the index `i`.
struct MapCase {
  const char* type;
  std::vector<std::string> results; ///< their types
  const char *statements, *yields;

  std::string text() const {
    std::string types, values, names, groups;
    for (std::size_t r = 0; r < results.size(); ++r) {
      const std::string comma = r == 0 ? "" : ", ";
      const std::string name = "r" + std::to_string(r);
      types += comma + "[n]" + results[r];
      values += comma + name + ": [n]" + results[r];
      names += comma + name;
      groups += " map";
    }
    return std::string("fn f(n: i64, xs: [n]") + type + ") -> (" + types + ") {\n  " + values +
           " = soac n (xs) { (i: i64, x: " + type + ")\n" + statements + "    yield " + yields +
           "\n  }" + groups + "\n  ret " + names + "\n}";
  }
};

const std::vector<MapCase>& map_cases() {
  static const std::vector<MapCase> cases = {
      {"i8", {"i8"}, "    y: i8 = mul x 3i8\n", "y"},
      {"i8", {"i16", "i8"}, "    y: i16 = convert x\n    z: i16 = mul y y\n", "z, x"},
      {"i16", {"i16"}, "    y: i16 = add x 7i16\n", "y"},
      {"f32", {"f32"}, "    y: f32 = mul x 0.3f32\n", "y"},
      {"f32", {"bool", "f32"}, "    y: bool = lt x 0f32\n", "y, x"},
      {"bool", {"bool"}, "    y: bool = not x\n", "y"},
      {"i32", {"i64"}, "    y: i64 = convert x\n    z: i64 = add y i\n", "z"},
      {"f64", {"f64", "f32"}, "    y: f64 = exp x\n    z: f32 = convert y\n", "y, z"},
      // Long enough to be written down once for all of a thread's elements.
      {"f32",
       {"f32", "i64"},
       "    a: f32 = mul x 0.01f32\n    b: f32 = exp a\n    c: f32 = sqrt b\n"
       "    d: f32 = add a c\n    e: f32 = exp d\n    g: f32 = mul e x\n"
       "    h: f32 = sub g a\n    j: f32 = cos h\n    k: f32 = add j b\n"
       "    l: f32 = mul k c\n    m: f32 = add l d\n    o: f32 = mul m e\n"
       "    p: f32 = add o b\n    q: f32 = mul p c\n    r: f32 = add q d\n"
       "    s: f32 = mul r e\n    t: f32 = add s b\n    u: f32 = mul t c\n"
       "    v: f32 = add u d\n    w: f32 = mul v e\n    ag: i64 = mul i 3i64\n"
       "    ah: i64 = add ag 1i64\n    ai: i64 = mul ah i\n",
       "w, ai"},
  };
  return cases;
}

} // namespace

TEST_CASE("a thread's elements of every width are those of the processor") {
  generate::Random random(1);
  for (const MapCase& one : map_cases()) {
    const std::string text = one.text();
    CAPTURE(text);
    const Both both(text);
    const ElementType element = *element_type_named(one.type);
    for (const std::int64_t n : map_sizes)
      for (const Arrangement arrangement :
           {Arrangement::Dense, Arrangement::Reversed, Arrangement::Spread}) {
        CAPTURE(n);
        both.check({Scalar::of(n), array_of(element, {n}, random, small(element))}, arrangement);
      }
  }
}

TEST_CASE("slices that begin anywhere are read where they are") {
  generate::Random random(2);
  for (const MapCase& one : map_cases()) {
    const std::string text = one.text();
    CAPTURE(text);
    const Both both(text);
    const ElementType element = *element_type_named(one.type);
    const ir::DenseValue array = array_of(element, {1100}, random, small(element));
    for (const std::int64_t begin : {0, 1, 2, 3, 4, 5, 8, 16, 17})
      for (const std::int64_t n : {0, 1, 3, 4, 17, 255, 256, 1024, 1083}) {
        CAPTURE(begin);
        CAPTURE(n);
        check_slice(*both.on_device, *both.on_host, array, begin, n);
      }
  }
}

TEST_CASE("nested maps lie in grids of their extents") {
  // Columns in lanes, columns one by one, what precedes them, and three dimensions.
  const Both both(R"(fn f(n: i64, m: i64, xss: [n][m]f32, ys: [n]f32) -> ([n][m]f32, [n][m]i64) {
  a: [n][m]f32, b: [n][m]i64 = soac n (xss, ys) { (i: i64, xs: [m]f32, y: f32)
    z: f32 = sqrt y
    r: [m]f32, s: [m]i64 = soac m (xs) { (j: i64, x: f32)
      p: f32 = mul x z
      k: i64 = mul i 1000i64
      q: i64 = add k j
      yield p, q
    } map map
    yield r, s
  } map map
  ret a, b
})");
  const Both transposed(R"(fn f(n: i64, m: i64, xss: [m][n]f32) -> [n][m]f32 {
  a: [n][m]f32 = soac n () { (i: i64)
    r: [m]f32 = soac m () { (j: i64)
      x: f32 = index xss[j, i]
      yield x
    } map
    yield r
  } map
  ret a
})");
  const Both cubes(R"(fn f(n: i64, m: i64, xs: [n]i32) -> [n][m][n]i32 {
  a: [n][m][n]i32 = soac n (xs) { (i: i64, x: i32)
    r: [m][n]i32 = soac m () { (j: i64)
      s: [n]i32 = soac n (xs) { (k: i64, y: i32)
        jj: i32 = convert j
        p: i32 = mul x y
        q: i32 = add p jj
        yield q
      } map
      yield s
    } map
    yield r
  } map
  ret a
})");
  generate::Random random(3);
  const Element number = small(ElementType::I32);
  for (const std::int64_t n : {0, 1, 2, 5, 33, 300})
    for (const std::int64_t m : {0, 1, 3, 4, 8, 31, 257}) {
      CAPTURE(n);
      CAPTURE(m);
      for (const Arrangement arrangement :
           {Arrangement::Dense, Arrangement::Reversed, Arrangement::Spread}) {
        both.check({Scalar::of(n), Scalar::of(m),
                    array_of(ElementType::F32, {n, m}, random, any_float),
                    array_of(ElementType::F32, {n}, random, small(ElementType::F32))},
                   arrangement);
        transposed.check(
            {Scalar::of(n), Scalar::of(m), array_of(ElementType::F32, {m, n}, random, any_float)},
            arrangement);
      }
      if (n * n * m < 100'000)
        cubes.check(
            {Scalar::of(n), Scalar::of(m), array_of(ElementType::I32, {n}, random, number)});
    }
}

namespace {

/// Threads of a grid that cover an index each, walked as the code does: every index is met once.
void check_cover(const std::vector<std::int64_t>& extents, unsigned lanes) {
  const auto grid = gpu::choose_grid(extents, lanes, 16);
  REQUIRE(grid);
  const std::size_t rank = extents.size();
  const auto field = [&](std::size_t at, unsigned bits) {
    return static_cast<unsigned>(grid->word >> at) & ((1u << bits) - 1);
  };
  std::array<std::int64_t, 3> sizes = {1, 1, 1}, blocks = {1, 1, 1};
  unsigned all = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    sizes[d] = rank == 1 ? grid->shape.threads : std::int64_t{1} << field(4 * d, 4);
    blocks[d] = grid->shape.blocks[rank == 1 ? 0 : field(12 + 2 * d, 2)];
    all = all == 0 ? static_cast<unsigned>(sizes[d]) : all * static_cast<unsigned>(sizes[d]);
    const std::int64_t extent =
        (extents[rank - 1 - d] + (d == 0 ? lanes - 1 : 0)) / (d == 0 ? lanes : 1);
    CHECK(sizes[d] * blocks[d] >= extent);
    CHECK(sizes[d] * (blocks[d] - 1) < std::max<std::int64_t>(extent, 1));
  }
  CHECK(all == grid->shape.threads);
  CHECK(grid->shape.threads >= 32);
  CHECK(grid->shape.threads <= 256);
  CHECK(grid->shape.blocks[1] <= 65535);
  CHECK(grid->shape.blocks[2] <= 65535);
}

} // namespace

TEST_CASE("grids cover what they are for, whichever extent is large") {
  const std::int64_t extents[] = {0, 1, 3, 31, 33, 64, 255, 257, 5000, 1 << 20, 100'000'000};
  for (const std::int64_t a : extents) {
    check_cover({a}, 4);
    for (const std::int64_t b : extents) {
      CAPTURE(a);
      CAPTURE(b);
      if (a * b >= std::int64_t{1} << 40) continue; // more than there is memory for
      check_cover({a, b}, 1);
      check_cover({a, b}, 4);
      if (a * b < std::int64_t{1} << 24)
        for (const std::int64_t c : {1, 3, 40, 70'000})
          check_cover({a, b, c}, 2);
    }
  }
  CHECK_FALSE(gpu::choose_grid(std::vector<std::int64_t>{1 << 30, 1 << 30, 1 << 30}, 1, 16));
  // Few elements are spread over many multiprocessors; of few columns, a block has several rows.
  CHECK(gpu::choose_grid(std::vector<std::int64_t>{10'000}, 1, 132)->shape.threads == 64);
  CHECK(gpu::choose_grid(std::vector<std::int64_t>{1'000'000, 5}, 1, 132)->shape.blocks[0] ==
        31'250);
}
