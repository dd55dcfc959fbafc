// Kernels whose blocks of threads read together what several threads need: which sizes go that way,
// and that the bits are the processor's.
#include "both_places.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/skeletons/skeletons.h"
#include "recorded.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::string_view product_text =
    R"(fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> [n][p]f32 {
  c: [n][p]f32 = soac n (a) { (i: i64, r: [m]f32)
    u: [p]f32 = soac p () { (j: i64)
      s: f32 = soac m (r) { (k: i64, x: f32)
        y: f32 = index b[k, j]
        z: f32 = mul x y
        yield z
      } reduce (0f32) { (v: f32, w: f32)
        t: f32 = add v w
        yield t
      }
      yield s
    } map
    yield u
  } map
  ret c
})";

constexpr std::string_view distances_text =
    R"(fn f(n: i64, m: i64, p: i64, a: [n][m]f64, b: [p][m]f64) -> ([n][p]f64, [n][p]bool) {
  two: i64 = add 1i64 1i64
  c: [n][p]f64, d: [n][p]bool = soac n (a) { (i: i64, r: [m]f64)
    first: f64 = index r[0i64]
    u: [p]f64, o: [p]bool = soac p (b) { (j: i64, q: [m]f64)
      bias: f64 = mul first 0.5f64
      s: f64 = soac m (r, q) { (k: i64, x: f64, y: f64)
        g: f64 = sub x y
        z: f64 = mul g g
        yield z
      } reduce (0.5f64) { (v: f64, w: f64)
        t: f64 = add v w
        yield t
      }
      e: f64 = add s bias
      l: bool = lt i j
      yield e, l
    } map map
    yield u, o
  } map map
  ret c, d
})";

constexpr std::string_view small_numbers_text =
    R"(fn f(n: i64, m: i64, p: i64, a: [n][m]i8, b: [m][p]i8) -> ([n][p]i64, [n][p]i8) {
  c: [n][p]i64, d: [n][p]i8 = soac n (a) { (i: i64, r: [m]i8)
    u: [p]i64, o: [p]i8 = soac p () { (j: i64)
      s: i64, h: i8 = soac m (r) { (k: i64, x: i8)
        y: i8 = index b[k, j]
        z: i8 = mul x y
        wide: i64 = convert z
        deep: i64 = mul wide k
        here: i64 = add deep i
        yield here, z
      } reduce (0i64) { (v: i64, w: i64)
        t: i64 = add v w
        yield t
      } reduce (-128i8) { (v1: i8, w1: i8)
        t1: i8 = max v1 w1
        yield t1
      }
      yield s, h
    } map map
    yield u, o
  } map map
  ret c, d
})";

/// Planes of products, each with a factor of its own.
constexpr std::string_view batch_text =
    R"(fn f(q: i64, n: i64, m: i64, p: i64, as: [q][n][m]f32, bs: [q][m][p]f32, ws: [q]f32) -> [q][n][p]f32 {
  d: [q][n][p]f32 = soac q (as, bs) { (h: i64, a: [n][m]f32, b: [m][p]f32)
    weight: f32 = index ws[h]
    factor: f32 = mul weight 0.5f32
    c: [n][p]f32 = soac n (a) { (i: i64, r: [m]f32)
      u: [p]f32 = soac p () { (j: i64)
        s: f32 = soac m (r) { (k: i64, x: f32)
          y: f32 = index b[k, j]
          z: f32 = mul x y
          yield z
        } reduce (0f32) { (v: f32, w: f32)
          t: f32 = add v w
          yield t
        }
        o: f32 = mul s factor
        yield o
      } map
      yield u
    } map
    yield c
  } map
  ret d
})";

/// All rows of a matrix of matrices with the same one.
constexpr std::string_view planes_text =
    R"(fn f(q: i64, n: i64, m: i64, p: i64, as: [3][q][n][m]f64, b: [p][m]f64) -> [3][q][n][p]f64 {
  e: [3][q][n][p]f64 = soac 3i64 (as) { (g: i64, a3: [q][n][m]f64)
    d: [q][n][p]f64 = soac q (a3) { (h: i64, a: [n][m]f64)
      c: [n][p]f64 = soac n (a) { (i: i64, r: [m]f64)
        u: [p]f64 = soac p (b) { (j: i64, y1: [m]f64)
          s: f64 = soac m (r, y1) { (k: i64, x: f64, y: f64)
            z: f64 = mul x y
            yield z
          } reduce (0f64) { (v: f64, w: f64)
            t: f64 = add v w
            yield t
          }
          yield s
        } map
        yield u
      } map
      yield c
    } map
    yield d
  } map
  ret e
})";

constexpr std::string_view attraction_text =
    R"(fn f(n: i64, m: i64, xs: [n]f32, us: [m]f32, ms: [m]f32) -> ([n]f32, [n]f32) {
  c: [n]f32, d: [n]f32 = soac n (xs) { (i: i64, x: f32)
    h: f32 = mul x 0.5f32
    s: f32, q: f32 = soac m (us) { (k: i64, u: f32)
      mass: f32 = index ms[k]
      g: f32 = sub u h
      z: f32 = mul g mass
      yield z, g
    } reduce (0f32, 0f32) { (v: f32, v1: f32, w: f32, w1: f32)
      t: f32 = add v w
      t1: f32 = add v1 w1
      yield t, t1
    }
    e: f32 = add s x
    yield e, q
  } map map
  ret c, d
})";

constexpr std::string_view nearest_text =
    R"(fn f(n: i64, m: i64, d: i64, ps: [n][d]f32, cs: [m][d]f32) -> ([n]i64) {
  c: [n]i64 = soac n (ps) { (i: i64, p: [d]f32)
    best: f32, at: i64 = soac m (cs) { (k: i64, c1: [d]f32)
      s: f32 = soac d (p, c1) { (l: i64, x: f32, y: f32)
        g: f32 = sub x y
        z: f32 = mul g g
        yield z
      } reduce (0f32) { (v: f32, w: f32)
        t: f32 = add v w
        yield t
      }
      yield s, k
    } reduce commutative (f32.inf, 9223372036854775807i64) { (a: f32, b: i64, a1: f32, b1: i64)
      less: bool = lt a a1
      same: bool = eq a a1
      before: bool = lt b b1
      tie: bool = and same before
      o: bool = or less tie
      r: f32 = select o a a1
      r1: i64 = select o b b1
      yield r, r1
    }
    yield at
  } map
  ret c
})";

const std::vector<std::string> by_tiles = {"tile"};

struct Shape {
  std::int64_t rows, columns, depth;
};
constexpr Shape shapes[] = {{64, 64, 16},  {64, 64, 64},   {100, 100, 65}, {63, 70, 128},
                            {128, 64, 33}, {130, 200, 40}, {48, 60, 4097}};
/// Of which there are tiles for some hundred multiprocessors.
constexpr Shape large_shapes[] = {{1024, 1024, 64}, {1500, 900, 70}, {70, 20'000, 33}};

/// The pretended device has one multiprocessor, for which a tile is enough; those of a GPU get
/// tiles of large shapes.
std::vector<Shape> tried_shapes() {
  std::vector<Shape> tried(std::begin(shapes), std::end(shapes));
  if (is_gpu_under_test())
    tried.insert(tried.end(), std::begin(large_shapes), std::end(large_shapes));
  return tried;
}

/// `is_large`: whatever device it is.
void check_by_tiles(const std::vector<std::string>& launched, bool is_large) {
  if (is_large)
    CHECK(launched == by_tiles);
  else
    check_steps(launched, by_tiles);
}
void check_by_tiles(const std::vector<std::string>& launched, const Shape& shape) {
  check_by_tiles(launched, shape.rows * shape.columns >= 1'000'000);
}

/// Matrices of rows x depth and depth x columns, or columns x depth.
std::vector<ir::DenseValue> matrices(const Shape& shape, ElementType element, const Element& make,
                                     generate::Random& random, bool is_turned = false) {
  std::vector<std::int64_t> second = {shape.depth, shape.columns};
  if (is_turned) std::swap(second[0], second[1]);
  return {Scalar::of(shape.rows), Scalar::of(shape.depth), Scalar::of(shape.columns),
          array_of(element, {shape.rows, shape.depth}, random, make),
          array_of(element, second, random, make)};
}

} // namespace

TEST_CASE("products of matrices go by tiles, and round as on the processor") {
  const Recorded both(product_text, {.seed = 3});
  generate::Random random(1);
  for (const Shape& shape : tried_shapes())
    for (const Arrangement arrangement : {Arrangement::Dense, Arrangement::Reversed})
      check_by_tiles(both.check(matrices(shape, ElementType::F32, any_float, random), arrangement),
                     shape);
  // What would leave most of a tile empty goes another way, and so does what has no depth.
  for (const Shape& shape :
       {Shape{3, 70, 50}, Shape{70, 5, 50}, Shape{64, 64, 15}, Shape{64, 64, 0}, Shape{0, 64, 64}})
    CHECK(both.check(matrices(shape, ElementType::F32, any_float, random)) != by_tiles);
}

TEST_CASE("batches of products go by tiles of all of them at once") {
  const Recorded both(batch_text, {.seed = 4});
  const Recorded planes(planes_text);
  generate::Random random(6);
  const auto batch = [&](std::int64_t count, const Shape& shape, Arrangement arrangement) {
    return both.check(
        {Scalar::of(count), Scalar::of(shape.rows), Scalar::of(shape.depth),
         Scalar::of(shape.columns),
         array_of(ElementType::F32, {count, shape.rows, shape.depth}, random, any_float),
         array_of(ElementType::F32, {count, shape.depth, shape.columns}, random, any_float),
         array_of(ElementType::F32, {count}, random, any_float)},
        arrangement);
  };
  for (const std::int64_t count : {1, 2, 5})
    for (const Shape& shape : {Shape{64, 64, 16}, Shape{100, 100, 65}, Shape{128, 130, 20}})
      for (const Arrangement arrangement : {Arrangement::Dense, Arrangement::Reversed})
        check_by_tiles(batch(count, shape, arrangement), false);
  if (is_gpu_under_test())
    for (const Arrangement arrangement : {Arrangement::Dense, Arrangement::Reversed}) {
      check_by_tiles(batch(8, {512, 500, 40}, arrangement), true);
      check_by_tiles(batch(50, {128, 130, 65}, arrangement), true);
    }
  CHECK(batch(0, {64, 64, 64}, Arrangement::Dense) != by_tiles);
  CHECK(batch(40, {4, 4, 64}, Arrangement::Dense) != by_tiles);
  const auto of_planes = [&](std::int64_t count, const Shape& shape) {
    return planes.check(
        {Scalar::of(count), Scalar::of(shape.rows), Scalar::of(shape.depth),
         Scalar::of(shape.columns),
         array_of(ElementType::F64, {3, count, shape.rows, shape.depth}, random, any_double),
         array_of(ElementType::F64, {shape.columns, shape.depth}, random, any_double)});
  };
  for (const std::int64_t count : {1, 3})
    for (const Shape& shape : {Shape{64, 64, 16}, Shape{63, 70, 33}})
      check_by_tiles(of_planes(count, shape), false);
  if (is_gpu_under_test()) check_by_tiles(of_planes(4, {300, 400, 33}), true);
}

TEST_CASE("tiles of wider numbers are smaller; code around a product comes with it") {
  const Recorded both(distances_text);
  generate::Random random(2);
  for (const Shape& shape : tried_shapes())
    check_by_tiles(both.check(matrices(shape, ElementType::F64, any_double, random, true)), shape);
}

TEST_CASE("products over several values, in any order, of small numbers and of what depends on the "
          "depth") {
  const Recorded both(small_numbers_text);
  generate::Random random(3);
  const Element small = [](generate::Random& numbers, std::int64_t) {
    return Scalar::of(static_cast<std::int8_t>(static_cast<int>(numbers.below(256)) - 128));
  };
  for (const Shape& shape : tried_shapes())
    check_by_tiles(both.check(matrices(shape, ElementType::I8, small, random)), shape);
}

TEST_CASE("maps over common arrays go by tiles, and round as on the processor") {
  const Recorded both(attraction_text, {.seed = 5});
  generate::Random random(4);
  const auto attraction = [&](std::int64_t n, std::int64_t m) {
    return both.check({Scalar::of(n), Scalar::of(m),
                       array_of(ElementType::F32, {n}, random, any_float),
                       array_of(ElementType::F32, {m}, random, any_float),
                       array_of(ElementType::F32, {m}, random, any_float)},
                      m == 257 ? Arrangement::Reversed : Arrangement::Dense);
  };
  for (const std::int64_t n : {256, 257, 700})
    for (const std::int64_t m : {128, 129, 255, 256, 257, 500, 4097, 8300})
      check_by_tiles(attraction(n, m), false);
  if (is_gpu_under_test())
    for (const std::int64_t m : {128, 257, 600, 4097})
      check_by_tiles(attraction(40'000, m), true);
  for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{255, 200}, {300, 127}, {300, 0}})
    CHECK(attraction(n, m) != by_tiles);
}

TEST_CASE("the nearest of common rows is found by tiles, as long as those fit") {
  const Recorded both(nearest_text);
  generate::Random random(5);
  const auto arguments = [&](std::int64_t n, std::int64_t m, std::int64_t d) {
    return std::vector<ir::DenseValue>{Scalar::of(n), Scalar::of(m), Scalar::of(d),
                                       array_of(ElementType::F32, {n, d}, random, any_float),
                                       array_of(ElementType::F32, {m, d}, random, any_float)};
  };
  for (const std::int64_t d : {0, 1, 3, 40, 70})
    for (const std::int64_t m : {64, 65, 130})
      check_by_tiles(both.check(arguments(260, m, d)), false);
  if (is_gpu_under_test())
    for (const std::int64_t d : {1, 3, 40, 70}) {
      // (Of long rows, what neighbouring threads read is turned over before.)
      std::vector<std::string> launched = both.check(arguments(20'000, 130, d));
      CHECK(std::erase(launched, "transpose_4") == (d < 16 ? 0 : 1));
      check_by_tiles(launched, true);
    }
  CHECK(both.check(arguments(260, 64, 200)) != by_tiles); // 64 rows of 800 bytes do not fit
}

TEST_CASE("tiles are code without a stack frame, in few registers") {
  unsigned most_registers = 0;
  for (const std::string_view text : {product_text, distances_text, small_numbers_text, batch_text,
                                      planes_text, attraction_text, nearest_text}) {
    CAPTURE(text);
    const ir::Function function = ir::parse(text);
    const auto entries = gpu::make_entries_by(
        "tile", function, {ir::all_dense(function.body.parameters.size()), jit::FloatMode::Exact});
    REQUIRE(entries);
    for (const unsigned architecture : {75u, 80u, 90u}) {
      const gpu::PtxText ptx = gpu::to_ptx(entries->module, architecture);
      const auto assembled = gpu::assemble(ptx, ptx.architecture);
      if (!assembled) continue;
      for (const gpu::AssembledEntry& entry : *assembled) {
        if (entry.name != "tile") continue;
        CHECK(entry.facts.local_bytes == 0);
        CHECK(entry.spill_store_bytes == 0);
        CHECK(entry.facts.registers <= 128);
        most_registers = std::max(most_registers, entry.facts.registers);
      }
    }
  }
  MESSAGE("tiles take up to " << most_registers << " registers");
}

TEST_CASE("how long an array is gone through may be a number that only the device has") {
  const Both both(R"(fn f(n: i64, xs: [n]i64, ws: [n]f32) -> [n]f32 {
  k: i64 = soac n (xs) { (i: i64, x: i64)
    yield x
  } reduce (0i64) { (a: i64, b: i64)
    c: i64 = max a b
    yield c
  }
  ys: [n]f32 = soac n (ws) { (j: i64, w: f32)
    s: f32 = soac k () { (l: i64)
      v: f32 = index ws[l]
      u: f32 = sub v w
      yield u
    } reduce (0f32) { (d: f32, e: f32)
      g: f32 = add d e
      yield g
    }
    yield s
  } map
  ret ys
})");
  generate::Random random(5);
  for (const std::int64_t n : {300, 3000, is_gpu_under_test() ? 30'000 : 1000})
    both.check({Scalar::of(n), array_of(ElementType::I64, {n}, random, below(n)),
                array_of(ElementType::F32, {n}, random, any_float)});
}
