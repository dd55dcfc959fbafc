// Scans in lanes that each go along elements of their own: prefixes that are folded in any order.
#include "check_kernel.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// Around squares of 4, 8 and 16 lanes.
const std::vector<std::vector<std::int64_t>> square_lengths = {
    {0}, {1}, {15}, {16}, {17}, {63}, {64}, {65}, {100}, {255}, {256}, {257}, {1000}};

} // namespace

TEST_CASE("prefixes of what indices say, folded with what is passed by and beside them") {
  check_kernel(R"(fn folded(n: i64, k: i64) -> (i64, i64, i64, i32) {
    s: i64, t: i64, v: i64, u: i32 = soac n () { (i: i64)
      x: i64 = mul i 7919i64
      y: i64 = add x k
      z: i32 = convert y
      yield y, i, x, z
    } scan (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    } post 1 { (j: i64, p: i64, w: i64)
      q: i64 = mul p w
      r: i64 = sub q j
      yield p, r
    } reduce (-9223372036854775808i64) { (a1: i64, b1: i64)
      c1: i64 = max a1 b1
      yield c1
    } reduce (0i64) { (a2: i64, b2: i64)
      c2: i64 = add a2 b2
      yield c2
    } end reduce (5i64) { (a3: i64, b3: i64)
      c3: i64 = min a3 b3
      yield c3
    } reduce (0i32) { (a4: i32, b4: i32)
      c4: i32 = xor a4 b4
      yield c4
    }
    ret s, t, v, u
  })",
               [] {
                 std::vector<std::vector<std::int64_t>> sizes;
                 for (const auto& length : square_lengths)
                   sizes.push_back({length[0], 11});
                 return sizes;
               }());
}

TEST_CASE("prefixes of pairs, of narrow numbers and of truth values, and of constants") {
  check_kernel(R"(fn pairs(n: i64) -> (i64, bool) {
    s: i64, t: bool = soac n () { (i: i64)
      x: i8 = convert i
      m: i64 = mod i 37i64
      odd: bool = lt m 30i64
      yield x, 3i64, odd
    } scan (0i8, 0i64, true) { (a: i8, b: i64, o: bool, c: i8, d: i64, p: bool)
      e: i8 = add a c
      f: i64 = add b d
      g: bool = and o p
      yield e, f, g
    } post 0 { (j: i64, p8: i8, p64: i64, all: bool)
      w: i64 = convert p8
      q: i64 = mul w p64
      yield q, all
    } reduce (0i64) { (a1: i64, b1: i64)
      c1: i64 = add a1 b1
      yield c1
    } reduce (false) { (a2: bool, b2: bool)
      c2: bool = or a2 b2
      yield c2
    } end
    ret s, t
  })",
               square_lengths);
}
