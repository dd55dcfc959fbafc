// Rows that are made where updates put them, and arrays that need no elements before loops fill
// them.
#include "jit/emit/updated_rows.h"
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "lang/values/scalar.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>

using namespace sinter;
using namespace sinter::jit;

namespace {

std::size_t rows_in(const std::string& source) {
  return rows_of_updates(ir::parse(source)).size();
}
std::size_t filled_in(const std::string& source) {
  const ir::Function function = ir::parse(source);
  const std::vector<bool> filled = filled_by_loops(function);
  return static_cast<std::size_t>(std::ranges::count(filled, true));
}

/// A loop's round over rows of `a` and `b`, which are given; what is before the yield is `round`.
std::string of_round(const std::string& round) {
  return R"(fn f(n: i64, k: i64, t: i64, m: i64, s: [n][k][m]i32) -> ([n][k][m]i32, [n][t][m]bool) {
    last: i64 = sub k 1i64
    one: bool = ge k 1i64
    check one, "none"
    r: [n][k][m]i32, r2: [n][t][m]bool = soac n (s) { (o: i64, given: [k][m]i32)
      a: [k][m]i32 = copy given
      line: [m]bool = soac m () { (l: i64) yield true } map
      b: [t][m]bool = soac t () { (u: i64) yield line } map
      a1: [k][m]i32, b1: [t][m]bool = for t (a, b) { (i: i64, c: [k][m]i32, d: [t][m]bool)
        here: i64 = mod i k
        up: i64 = add here 1i64
        next: i64 = min up last
)" + round +
         R"(
        yield c1, d1
      }
      yield a1, b1
    } map map
    ret r, r2
  })";
}

const std::string own_elements = R"(
        row: [m]i32 = index c[next]
        p: [m]i32, q: [m]bool = soac m (row) { (j: i64, x: i32)
          y: i32 = mul x 3i32
          z: bool = lt y 5i32
          yield y, z
        } map map
        c1: [k][m]i32 = update c[here] = p
        d1: [t][m]bool = update d[i] = q
)";

} // namespace

TEST_CASE("rows are made where updates put them") {
  CHECK(rows_in(of_round(own_elements)) == 2);
  CHECK(filled_in(of_round(own_elements)) == 1);
  // (The last row is renewed of itself.)
  check_kernel(of_round(own_elements),
               {{0, 1, 1, 3}, {1, 1, 3, 17}, {2, 3, 7, 1}, {3, 4, 9, 40}, {1, 2, 5, 200}});
}

TEST_CASE("they are not where something else of the array is read") {
  // Another element of the row that is overwritten.
  const std::string neighbours = R"(
        row: [m]i32 = index c[here]
        p: [m]i32, q: [m]bool = soac m (row) { (j: i64, x: i32)
          some: bool = ge j 1i64
          y: i32 = if some {
            h: i64 = sub j 1i64
            w: i32 = index row[h]
            yield w
          } else { yield x }
          z: bool = lt y 5i32
          yield y, z
        } map map
        c1: [k][m]i32 = update c[here] = p
        d1: [t][m]bool = update d[i] = q
)";
  CHECK(rows_in(of_round(neighbours)) == 1);
  check_kernel(of_round(neighbours), {{1, 1, 3, 17}, {2, 3, 7, 40}});
  // The row turned round.
  const std::string reversed = R"(
        row: [m]i32 = index c[here]
        end: i64 = sub m 1i64
        back: [m]i32 = slice row[end:-1i64]
        p: [m]i32, q: [m]bool = soac m (back) { (j: i64, x: i32)
          z: bool = lt x 5i32
          yield x, z
        } map map
        c1: [k][m]i32 = update c[here] = p
        d1: [t][m]bool = update d[i] = q
)";
  CHECK(rows_in(of_round(reversed)) == 1);
  check_kernel(of_round(reversed), {{1, 1, 3, 17}, {2, 3, 7, 40}});
  // What was there is read after the row is made, and before it is put there.
  const std::string read_between = R"(
        row: [m]i32 = index c[next]
        p: [m]i32 = soac m (row) { (j: i64, x: i32)
          y: i32 = mul x 3i32
          yield y
        } map
        old: [m]i32 = index c[here]
        q: [m]bool = soac m (old) { (j2: i64, x2: i32)
          z: bool = lt x2 5i32
          yield z
        } map
        c1: [k][m]i32 = update c[here] = p
        d1: [t][m]bool = update d[i] = q
)";
  CHECK(rows_in(of_round(read_between)) == 1);
  check_kernel(of_round(read_between), {{1, 1, 3, 17}, {2, 3, 7, 40}});
  // The row is used once more; where it goes is known later than it.
  const std::string used_twice = R"(
        row: [m]i32 = index c[next]
        p: [m]i32 = soac m (row) { (j: i64, x: i32)
          y: i32 = add x 3i32
          yield y
        } map
        sum: i32 = soac m (p) { (j2: i64, x2: i32) yield x2 } reduce (0i32) { (e: i32, g: i32)
          h: i32 = add e g
          yield h
        }
        q: [m]bool = soac m () { (j3: i64)
          z: bool = lt sum 5i32
          yield z
        } map
        wide: i64 = convert sum
        at: i64 = mod wide t
        c1: [k][m]i32 = update c[here] = p
        d1: [t][m]bool = update d[at] = q
)";
  CHECK(rows_in(of_round(used_twice)) == 0);
  CHECK(filled_in(of_round(used_twice)) == 0);
  check_kernel(of_round(used_twice), {{1, 1, 3, 17}, {2, 3, 7, 40}});
}

TEST_CASE("what loops fill needs no elements before; what they read, or leave out, does") {
  const auto loops = [](const std::string& bound, const std::string& value) {
    return R"(fn f(n: i64, k: i64, m: i64) -> [n][k][m]i64 {
    s: bool = ge k 1i64
    less: i64 = select s k 0i64
    r: [n][k][m]i64 = soac n () { (o: i64)
      a: [k][m]i64 = soac k () { (x: i64)
        line: [m]i64 = soac m () { (y: i64) yield 7i64 } map
        yield line
      } map
      b: [k][m]i64 = for )" +
           bound + R"( (a) { (i: i64, c: [k][m]i64)
        d: [k][m]i64 = for m (c) { (j: i64, e: [k][m]i64)
          v: i64 = )" +
           value + R"(
          g: [k][m]i64 = update e[i, j] = v
          yield g
        }
        yield d
      }
      yield b
    } map
    ret r
  })";
  };
  const std::vector<std::vector<std::int64_t>> sizes = {{0, 1, 1}, {3, 0, 4}, {2, 5, 17}};
  CHECK(filled_in(loops("k", "add i j")) == 1);
  CHECK(filled_in(loops("k", "index e[i, j]")) == 0);
  CHECK(filled_in(loops("less", "add i j")) == 0);
  check_kernel(loops("k", "add i j"), sizes);
  check_kernel(loops("k", "index e[i, j]"), sizes);
  check_kernel(loops("less", "add i j"), sizes);
}

TEST_CASE("rows of arrays that are larger than the caches go past them") {
  const ir::Function function = ir::parse(R"(fn f(n: i64, t: i64, m: i64) -> [n]i64 {
    r: [n]i64 = soac n () { (o: i64)
      line: [m]i32 = soac m () { (l: i64) yield 1i32 } map
      a: [t][m]i32 = soac t () { (u: i64) yield line } map
      b: [t][m]i32 = for t (a) { (i: i64, c: [t][m]i32)
        row: [m]i32 = soac m () { (j: i64)
          p: i64 = mul i j
          q: i64 = add p o
          s: i32 = convert q
          yield s
        } map
        d: [t][m]i32 = update c[i] = row
        yield d
      }
      sum: i64 = soac t (b) { (i2: i64, row2: [m]i32)
        of_row: i64 = soac m (row2) { (j2: i64, e: i32)
          wide: i64 = convert e
          weight: i64 = add j2 1i64
          w: i64 = mul wide weight
          yield w
        } reduce (0i64) { (x: i64, y: i64) z: i64 = add x y yield z }
        yield of_row
      } reduce (0i64) { (g: i64, h: i64) k: i64 = add g h yield k }
      yield sum
    } map
    ret r
  })");
  CHECK(rows_of_updates(function).size() == 1);
  KernelRunner kernel(function);
  constexpr std::int64_t rows = 5000;
  for (const std::int64_t length : {2048, 2041}) { // rows that begin at multiples of a line, or not
    const ir::Evaluation result =
        kernel.run({Scalar::of(std::int64_t{2}), Scalar::of(rows), Scalar::of(length)},
                   {.lanes = 16, .chunk = 1});
    for (std::int64_t o = 0; o < 2; ++o) {
      std::int64_t expected = 0;
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < length; ++j)
          expected += (i * j + o) * (j + 1);
      const auto& array = std::get<ir::DenseArray>(std::get<0>(result)[0]);
      CHECK(array.elements[static_cast<std::size_t>(o)].as<std::int64_t>() == expected);
    }
  }
}
