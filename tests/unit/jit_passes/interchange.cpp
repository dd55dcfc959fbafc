// Loops that carry arrays through maps: what they become gives the same.
#include "check.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/fuse.h"
#include "jit/passes/interchange.h"
#include "jit/passes/tile.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("a product that is a sum of rows is tiled, in the order of its rounds") {
  const ir::Function before = ir::parse(R"(
fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> [n][p]f32 {
  c: [n][p]f32 = soac n (a) { (i: i64, r: [m]f32)
    z: [p]f32 = soac p () { (j0: i64)
      yield 0.5f32
    } map
    u: [p]f32 = for m (z) { (k: i64, s: [p]f32)
      y: [p]f32 = index b[k]
      t: f32 = index r[k]
      v: [p]f32 = soac p (s, y) { (j: i64, x: f32, e: f32)
        q: f32 = mul t e
        w: f32 = add x q
        yield w
      } map
      yield v
    }
    yield u
  } map
  ret c
})");
  ir::Function after = before;
  jit::interchange(after);
  REQUIRE(ir::verify(after) == std::nullopt);
  jit::fuse(after);
  jit::tile(after);
  REQUIRE(ir::verify(after) == std::nullopt);
  REQUIRE(ir::print(after).find("array (") != std::string::npos); // it is tiled
  for (const std::int64_t n : {0, 1, 8, 17})
    for (const std::int64_t p : {0, 1, 16, 35})
      for (const std::int64_t m : {0, 16, 70}) {
        CAPTURE(n);
        CAPTURE(p);
        CAPTURE(m);
        const std::vector<ir::DenseValue> arguments = {Scalar::of(n), Scalar::of(m), Scalar::of(p),
                                                       jit::matrix(n, m, 7), jit::matrix(m, p, 5)};
        CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
      }
}

TEST_CASE("states that change places") {
  const ir::Function before = ir::parse(R"(
fn f(n: i64, m: i64, p: i64, a: [n][p]f32, b: [n][p]f32) -> ([n][p]f32, [n][p]f32) {
  c: [n][p]f32, d: [n][p]f32 = soac n (a, b) { (i: i64, r: [p]f32, q: [p]f32)
    u: [p]f32, v: [p]f32 = for m (r, q) { (k: i64, s: [p]f32, t: [p]f32)
      s2: [p]f32, t2: [p]f32 = soac p (s, t) { (j: i64, x: f32, y: f32)
        h: f32 = add x y
        g: f32 = convert j
        l: f32 = mul h g
        yield l, x
      } map map
      yield s2, t2
    }
    yield u, v
  } map map
  ret c, d
})");
  ir::Function after = before;
  jit::interchange(after);
  REQUIRE(ir::verify(after) == std::nullopt);
  CHECK(ir::print(after) != ir::print(before));
  for (const std::int64_t m : {0, 1, 5}) {
    const std::vector<ir::DenseValue> arguments = {Scalar::of(std::int64_t{3}), Scalar::of(m),
                                                   Scalar::of(std::int64_t{9}),
                                                   jit::matrix(3, 9, 7), jit::matrix(3, 9, 5)};
    CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
  }
}
