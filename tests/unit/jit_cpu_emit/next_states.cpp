// States of loops that are made where the ones before lie.
#include "jit/emit/next_states.h"
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace sinter;
using namespace sinter::jit;

namespace {

std::size_t states_in(const std::string& source) {
  return states_made_in_place(ir::parse(source)).size();
}

/// Rounds over two rows, `s` and `o`; what is before the yield is `round`, and it yields `next`.
std::string of_round(const std::string& round, const std::string& next) {
  return R"(fn f(n: i64, rounds: i64, m: i64, a: [n][m]i32, b: [n][m]i32) -> ([n][m]i32, [n][m]i32) {
    last: i64 = sub m 1i64
    r: [n][m]i32, r2: [n][m]i32 = soac n (a, b) { (e: i64, given: [m]i32, other: [m]i32)
      p: [m]i32, q: [m]i32 = for rounds (given, other) { (k: i64, s: [m]i32, o: [m]i32)
)" + round +
         "        yield " + next + R"(
      }
      yield p, q
    } map map
    ret r, r2
  })";
}

const std::vector<std::vector<std::int64_t>> sizes = {{1, 3, 17},  {2, 1, 1}, {3, 4, 200},
                                                      {40, 2, 20}, {2, 3, 0}, {1, 2, 5000}};

} // namespace

TEST_CASE("the next state is made in the state where each element needs its own alone") {
  const std::string map = of_round(R"(
        t: [m]i32 = soac m (s, o) { (i: i64, x: i32, y: i32)
          z: i32 = mul x 3i32
          w: i32 = add z y
          yield w
        } map
        u: [m]i32 = soac m () { (j: i64)
          c: i32 = index o[j]
          d: i32 = index t[j]
          e2: i32 = sub c d
          yield e2
        } map
)",
                                   "t, u");
  CHECK(states_in(map) == 2); // (the second one's is read by the first map, too, but before)
  check_kernel(map, sizes);
}

TEST_CASE("also beside a fold, whose order shows, and in a loop with a condition") {
  const std::string fold =
      R"(fn f(n: i64, rounds: i64, m: i64, a: [n][m]f32) -> ([n][m]f32, [n]f32) {
    r: [n][m]f32, sums: [n]f32 = soac n (a) { (e: i64, given: [m]f32)
      p: [m]f32, q: f32 = for rounds (given, 1f32) { (k: i64, s: [m]f32, t: f32)
        u: [m]f32, v: f32 = soac m (s) { (i: i64, x: f32)
          y: f32 = mul x 1.1f32
          z: f32 = add y t
          w: f32 = mul z 0.3f32
          yield z, w
        } map reduce (0f32) { (g: f32, h: f32)
          l: f32 = add g h
          yield l
        }
        yield u, v
      }
      yield p, q
    } map map
    ret r, sums
  })";
  CHECK(states_in(fold) == 1);
  check_kernel(fold, sizes);
  const std::string condition = R"(fn f(n: i64, rounds: i64, m: i64, a: [n][m]i32) -> [n][m]i32 {
    r: [n][m]i32 = soac n (a) { (e: i64, given: [m]i32)
      p: [m]i32, q: i64 = while (given, e) { (s: [m]i32, k: i64)
        b: bool = lt k rounds
        yield b
      } do { (s1: [m]i32, k1: i64)
        u: [m]i32 = soac m (s1) { (i: i64, x: i32)
          y: i32 = mul x 3i32
          yield y
        } map
        k2: i64 = add k1 1i64
        yield u, k2
      }
      yield p
    } map
    ret r
  })";
  CHECK(states_in(condition) == 1);
  check_kernel(condition, sizes);
}

TEST_CASE("what is made there and put into another array, too, is in both") {
  const std::string kept = R"(fn f(n: i64, rounds: i64, m: i64, a: [n][m]i32) -> [n][rounds][m]i32 {
    r: [n][rounds][m]i32 = soac n (a) { (e: i64, given: [m]i32)
      none: [rounds][m]i32 = soac rounds () { (o: i64)
        line: [m]i32 = soac m () { (l: i64) yield 0i32 } map
        yield line
      } map
      p: [m]i32, q: [rounds][m]i32 = for rounds (given, none) {
        (k: i64, s: [m]i32, all: [rounds][m]i32)
        t: [m]i32 = soac m (s) { (i: i64, x: i32)
          y: i32 = mul x 3i32
          z: i32 = add y 1i32
          yield z
        } map
        more: [rounds][m]i32 = update all[k] = t
        yield t, more
      }
      yield q
    } map
    ret r
  })";
  CHECK(states_in(kept) == 1);
  check_kernel(kept, sizes);
}

TEST_CASE("it is not where other elements are read, or any later") {
  const std::string neighbours = of_round(R"(
        t: [m]i32 = soac m () { (i: i64)
          h: i64 = sub last i
          x: i32 = index s[h]
          yield x
        } map
        u: [m]i32 = soac m (o) { (j: i64, y: i32)
          z: i32 = add y 1i32
          yield z
        } map
)",
                                          "t, u");
  CHECK(states_in(neighbours) == 1); // `u`
  check_kernel(neighbours, sizes);
  const std::string reversed = of_round(R"(
        back: [m]i32 = slice s[last:-1i64]
        t: [m]i32 = soac m (s, back) { (i: i64, x: i32, y: i32)
          z: i32 = sub x y
          yield z
        } map
)",
                                        "t, o");
  CHECK(states_in(reversed) == 0);
  check_kernel(reversed, sizes);
  const std::string inside = of_round(R"(
        t: [m]i32 = soac m (s) { (i: i64, x: i32)
          v: i32 = for 2i64 (x) { (l: i64, w: i32)
            g: bool = lt l m
            h: i64 = select g l 0i64
            z: i32 = index s[h]
            c: i32 = add w z
            yield c
          }
          yield v
        } map
)",
                                      "t, o");
  CHECK(states_in(inside) == 0);
  check_kernel(inside, sizes);
  const std::string later = of_round(R"(
        t: [m]i32 = soac m (s) { (i: i64, x: i32)
          z: i32 = add x 5i32
          yield z
        } map
        u: [m]i32 = soac m (s, t) { (j: i64, y: i32, w: i32)
          c: i32 = mul y w
          yield c
        } map
)",
                                     "t, u");
  CHECK(states_in(later) == 1); // `u`
  check_kernel(later, sizes);
  const std::string handed_on = of_round(R"(
        t: [m]i32 = soac m (s) { (i: i64, x: i32)
          z: i32 = add x 5i32
          yield z
        } map
)",
                                         "t, s");
  CHECK(states_in(handed_on) == 0);
  check_kernel(handed_on, sizes);
  const std::string scanned = of_round(R"(
        t: [m]i32 = soac m (s) { (i: i64, x: i32)
          yield x
        } scan (0i32) { (g: i32, h: i32)
          c: i32 = add g h
          yield c
        }
)",
                                       "t, o");
  CHECK(states_in(scanned) == 0);
  check_kernel(scanned, sizes);
}
