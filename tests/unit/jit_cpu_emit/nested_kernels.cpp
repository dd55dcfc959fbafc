// Emitted kernels with operations in operations, and those that run as one.
#include "check_kernel.h"
#include "jit/emit/plan.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "lang/values/scalar.h"

#include <doctest/doctest.h>

#include <ostream>
#include <random>

using namespace sinter;
using namespace sinter::jit;

TEST_CASE("rows shorter than a vector, as long, and a little longer; and long ones") {
  std::vector<std::vector<std::int64_t>> sizes = {{0, 3}, {3, 0}, {1, 1}, {3, 1500}};
  for (std::int64_t m = 1; m < 20; ++m)
    sizes.push_back({7, m});
  // Nothing tells where a row ends (with gaps between them they stay rows).
  check_kernel(R"(fn one_row(n: i64, m: i64, c: i32, a: [n][m]i32, b: [n][m]i32) -> [n][m]i32 {
    r: [n][m]i32 = soac n (a, b) { (i: i64, x: [m]i32, y: [m]i32)
      z: [m]i32 = soac m (y, x) { (j: i64, u: i32, v: i32)
        w: i32 = mul v c
        t: i32 = sub u w
        yield t
      } map
      yield z
    } map
    ret r
  })",
               sizes);
  check_kernel(R"(fn by_place(n: i64, m: i64, a: [n][m]f32, s: [n]f32) -> ([n][m]f32, [n][m]i64) {
    r: [n][m]f32, q: [n][m]i64 = soac n (a, s) { (i: i64, x: [m]f32, k: f32)
      z: [m]f32, p: [m]i64 = soac m (x) { (j: i64, u: f32)
        w: f32 = mul u k
        d: i64 = mul i 3i64
        e: i64 = add d j
        yield w, e
      } map map
      yield z, p
    } map map
    ret r, q
  })",
               sizes);
}

TEST_CASE("nested operations") {
  check_kernel(R"(fn matmul(n: i64, m: i64, k: i64, a: [n][k]f32, b: [k][m]f32) -> [n][m]f32 {
    t: [m][k]f32 = transpose b (1, 0)
    c: [n][m]f32 = soac n (a) { (i: i64, row: [k]f32)
      line: [m]f32 = soac m (t) { (j: i64, column: [k]f32)
        s: f32 = soac k (row, column) { (l: i64, x: f32, y: f32)
          p: f32 = mul x y
          yield p
        } reduce (0f32) { (v: f32, w: f32)
          z: f32 = add v w
          yield z
        }
        yield s
      } map
      yield line
    } map
    ret c
  })",
               {{0, 3, 4}, {1, 1, 1}, {5, 17, 3}, {20, 40, 9}});
  check_kernel(R"(fn row_sums(n: i64, m: i64, a: [n][m]f32) -> [n]f32 {
    c: [n]f32 = soac n (a) { (i: i64, row: [m]f32)
      s: f32 = soac m (row) { (l: i64, x: f32)
        yield x
      } reduce (0f32) { (v: f32, w: f32)
        z: f32 = add v w
        yield z
      }
      yield s
    } map
    ret c
  })",
               {{0, 3}, {1, 1}, {5, 17}, {20, 100}});
  check_kernel(R"(fn scratch(n: i64, m: i64, xs: [n]i32) -> ([n]i32, [n][m]i32) {
    r: [n]i32, q: [n][m]i32 = soac n (xs) { (i: i64, x: i32)
      row: [m]i32 = soac m () { (j: i64)
        k: i32 = convert j
        y: i32 = mul k x
        yield y
      } map
      prefix: [m]i32 = soac m (row) { (j1: i64, y1: i32)
        yield y1
      } scan (0i32) { (a: i32, b: i32)
        c: i32 = add a b
        yield c
      }
      total: i32 = soac m (row, prefix) { (j2: i64, y2: i32, z2: i32)
        p: i32 = mul y2 z2
        yield p
      } reduce (0i32) { (d: i32, e: i32)
        f: i32 = xor d e
        yield f
      }
      some: bool = gt m 0i64
      zero: [m]i32 = if some {
        changed: [m]i32 = update prefix[0i64] = x
        yield changed
      } else {
        yield prefix
      }
      yield total, zero
    } map map
    ret r, q
  })",
               {{0, 3}, {1, 1}, {5, 17}, {37, 10}, {3, 3000}});
  check_kernel(R"(fn ragged(n: i64, xs: [n]i32) -> ([n]i32, [n]i64) {
    r: [n]i32, q: [n]i64 = soac n (xs) { (i: i64, x: i32)
      m: i64 = rem i 7i64
      row: [m]i32 = soac m () { (j: i64)
        k: i32 = convert j
        y: i32 = mul k x
        yield y
      } map
      total: i32 = soac m (row) { (j2: i64, y2: i32)
        yield y2
      } reduce (0i32) { (d: i32, e: i32)
        f: i32 = add d e
        yield f
      }
      c: i64, kept: [c]i32 = soac m (row) { (j3: i64, y3: i32)
        odd: bool = gt y3 2i32
        yield odd, y3
      } filter 1
      sum: i32 = soac c (kept) { (j4: i64, y4: i32)
        yield y4
      } reduce (0i32) { (g: i32, h: i32)
        l: i32 = max g h
        yield l
      }
      t: i32 = add total sum
      yield t, c
    } map map
    ret r, q
  })",
               {{0}, {1}, {5}, {37}});
  check_kernel(R"(fn sieve(n: i64, m: i64, xs: [n]i32) -> [n]i32 {
    r: [n]i32 = soac n (xs) { (i: i64, x: i32)
      start: [m]i32 = soac m () { (j: i64)
        yield 1i32
      } map
      done: [m]i32 = for m (start) { (k: i64, state: [m]i32)
        s: i64 = mul k 2i64
        inside: bool = lt s m
        next: [m]i32 = if inside {
          u: [m]i32 = update state[s] = x
          yield u
        } else {
          yield state
        }
        yield next
      }
      stepped: [m]i32 = for 3i64 (done) { (l: i64, grid: [m]i32)
        moved: [m]i32 = soac m () { (p: i64)
          q: i64 = add p l
          w: i64 = rem q m
          e: i32 = index grid[w]
          v: i32 = add e 1i32
          yield v
        } map
        yield moved
      }
      sum: i32 = soac m (stepped) { (j2: i64, y2: i32)
        yield y2
      } reduce (0i32) { (d: i32, g: i32)
        f: i32 = add d g
        yield f
      }
      yield sum
    } map
    ret r
  })",
               {{0, 3}, {1, 1}, {5, 17}, {37, 10}});
  check_kernel(R"(fn views(n: i64, m: i64, xs: [n][m]i32) -> ([n][m]i32, [n]i32) {
    r: [n][m]i32, q: [n]i32 = soac n (xs) { (i: i64, row: [m]i32)
      last: i64 = sub m 1i64
      reversed: [m]i32 = slice row[last:-1i64]
      joined0: i64 = add m m
      joined: [joined0]i32 = concat (row, reversed)
      grid: [2][m]i32 = reshape joined
      turned: [m][2]i32 = transpose grid (1, 0)
      flat: [joined0]i32 = reshape turned
      back: [m]i32 = slice flat[0i64:1i64]
      own: [m]i32 = copy back
      few: [m]i32 = slice row[0i64:0i64]
      set: [m]i32 = update_slice own[0i64:1i64] = reversed
      three: [3]i32 = array (5i32, 6i32, 7i32)
      k: i64 = rem i 3i64
      t: i32 = index three[k]
      mixed: [2]i32 = array (t, 1i32)
      o: i64 = rem i 2i64
      v: i32 = index mixed[o]
      yield set, v
    } map map
    ret r, q
  })",
               {{0, 3}, {1, 1}, {5, 17}, {37, 10}});
}

TEST_CASE("sequential kernels") {
  check_kernel(R"(fn jacobi(steps: i64, n: i64, xs: [n]f32) -> ([n]f32, i64) {
    r: [n]f32, c: i64 = for steps (xs, 0i64) { (t: i64, state: [n]f32, count: i64)
      next: [n]f32 = soac n (state) { (i: i64, x: f32)
        j: i64 = add i t
        k: i64 = rem j n
        y: f32 = index state[k]
        z: f32 = add x y
        yield z
      } map
      more: i64 = add count n
      yield next, more
    }
    ret r, c
  })",
               {{0, 5}, {3, 0}, {1, 17}, {4, 40}});
  check_kernel(R"(fn fill(n: i64, m: i64, xs: [n]i32) -> [n]i32 {
    r: [n]i32 = for m (xs) { (t: i64, state: [n]i32)
      k: i64 = rem t n
      x: i32 = index state[k]
      y: i32 = mul x 3i32
      next: [n]i32 = update state[k] = y
      yield next
    }
    ret r
  })",
               {{1, 0}, {3, 5}, {40, 70}});
  // (Around the number of iterations between two looks for an interruption.)
  check_kernel(R"(fn fold(n: i64, xs: [n]i32) -> i32 {
    r: i32 = for n (1i32) { (t: i64, state: i32)
      x: i32 = index xs[t]
      y: i32 = mul state 31i32
      next: i32 = add y x
      yield next
    }
    ret r
  })",
               {{0}, {1}, {200}, {1023}, {1024}, {1025}, {2049}});
}

TEST_CASE("loops that go along rows of memory, one for each lane") {
  std::vector<std::vector<std::int64_t>> sizes = {{0, 3}, {3, 0}, {1, 1}, {40, 1}, {70, 100}};
  for (const std::int64_t m : {2, 7, 8, 15, 16, 17, 33})
    sizes.push_back({37, m});
  // There and back, as systems of three diagonals are solved.
  check_kernel(R"(fn there_and_back(n: i64, m: i64, a: [n][m]f32, d: [n][m]f64) -> [n][m]f64 {
    r: [n][m]f64 = soac n (a, d) { (i: i64, x: [m]f32, y: [m]f64)
      z: [m]f64 = soac m () { (at: i64)
        yield 0f64
      } map
      q: [m]f64 = for m (z) { (j: i64, s: [m]f64)
        u: f32 = index x[j]
        v: f64 = index y[j]
        w: f64 = convert u
        c: bool = eq j 0i64
        p: f64 = if c {
          yield 0f64
        } else {
          k: i64 = add j -1i64
          e: f64 = index s[k]
          yield e
        }
        h: f64 = mul w p
        t: f64 = sub v h
        s1: [m]f64 = update s[j] = t
        yield s1
      }
      o: [m]f64 = for m (q) { (j2: i64, s2: [m]f64)
        l: i64 = sub m 1i64
        k2: i64 = sub l j2
        e2: f64 = index s2[k2]
        f: f64 = index s2[0i64]
        g: f64 = add e2 f
        s3: [m]f64 = update s2[k2] = g
        yield s3
      }
      yield o
    } map
    ret r
  })",
               sizes);
  // Rows that are longer and shorter than the loop, which a check ends.
  std::vector<std::vector<std::int64_t>> bounds;
  for (const std::int64_t m : {0, 1, 15, 16, 40})
    for (const std::int64_t bound : {0, 1, 9, 16, 31, 40, 41})
      bounds.push_back({35, m, bound});
  check_kernel(
      R"(fn as_far_as(n: i64, m: i64, b: i64, a: [n][m]i32, c: [n][m]f32) -> ([n]i32, [n]f32) {
    r: [n]i32, q: [n]f32 = soac n (a, c) { (i: i64, x: [m]i32, y: [m]f32)
      s: i32, p: f32 = for b (1i32, 1f32) { (j: i64, s0: i32, p0: f32)
        is_there: bool = lt j m
        check is_there, "beyond the row"
        e: i32 = index x[j]
        h: f32 = index y[j]
        t: i32 = mul s0 3i32
        s1: i32 = add t e
        o: bool = lt s1 0i32
        p1: f32 = if o {
          g: f32 = index y[j]
          u: f32 = add p0 g
          yield u
        } else {
          v: f32 = sub h p0
          yield v
        }
        yield s1, p1
      }
      yield s, p
    } map map
    ret r, q
  })",
      bounds);
}

TEST_CASE("loops that go along parts of an array, from places of their own on") {
  // All that numbers of rounds can be: none, less than a square, many, of a few lanes alone.
  const auto along = [](const std::string& rounds, const std::string& before,
                        const std::string& index) {
    return "fn along(n: i64, m: i64, xs: [m]f32, ys: [m]i32) -> ([n]f32, [n]i32) { "
           "r: [n]f32, t: [n]i32 = soac n () { (i: i64) a: i64 = mul i 37i64 b: i64 = mod a m "
           "left: i64 = sub m b " +
           before + " p: i64 = " + rounds +
           " q: i64 = min left p narrow: i32 = convert b "
           "s: f32, u: i32 = for q (0f32, 7i32) { (j: i64, s0: f32, u0: i32) " +
           index +
           " is_in: bool = lt k m is_out: bool = le 0i64 k both: bool = and is_in is_out "
           "check both, \"outside\" x: f32 = index xs[k] y: i32 = index ys[k] "
           "h: f32 = mul s0 0.5f32 s1: f32 = add h x v: i32 = mul u0 3i32 u1: i32 = add v y "
           "yield s1, u1 } yield s, u } map map ret r, t }";
  };
  const std::string wide = "k: i64 = add b j";
  const std::string narrow = "c: i32 = convert j d: i32 = add c narrow k: i64 = convert d";
  for (const char* rounds : {"mod i 5i64", "mod a 23i64", "mod a 150i64"})
    for (const std::string& index : {wide, narrow}) {
      CAPTURE(rounds);
      check_kernel(along(rounds, "", index), {{3, 7}, {40, 900}, {17, 64}});
    }
  // (The first lane goes on for long, the others end one after the other.)
  check_kernel(along("div 300i64 o", "o: i64 = add i 1i64", wide), {{40, 900}});
  // (As many rounds as the lane's number says, along a slice of so many.)
  check_kernel(
      "fn triangle(n: i64, m: i64, xs: [m]f32) -> [n]f32 { r: [n]f32 = soac n () { (i: i64) "
      "a: i64 = mul i 37i64 b: i64 = mod a 50i64 row: [i]f32 = slice xs[b:1i64] "
      "s: f32 = for i (0f32) { (j: i64, t: f32) x: f32 = index row[j] h: f32 = mul t 0.5f32 "
      "u: f32 = add h x yield u } yield s } map ret r }",
      {{40, 900}, {70, 200}});
  // A part that begins outside is an error in the round that reads there.
  check_kernel(along("mod a 23i64", "e: i64 = sub b 9i64", "k: i64 = add e j"),
               {{40, 900}, {3, 5}});
  check_kernel(along("mod a 23i64", "e: i64 = sub 0i64 m", "k: i64 = add e j"), {{40, 900}});
}

TEST_CASE("what loops read along parts of an array is read in squares") {
  const auto has_squares = [](const std::string& index) {
    const std::string source =
        "fn along(n: i64, m: i64, bs: [n]i64, ls: [n]i32, xs: [m]f32) -> [n]f32 { "
        "r: [n]f32 = soac n (bs, ls) { (i: i64, b: i64, l: i32) w: i64 = convert l "
        "s: f32 = for w (0f32) { (j: i64, t: f32) " +
        index +
        " is_in: bool = lt k m is_out: bool = le 0i64 k both: bool = and is_in is_out "
        "check both, \"outside\" x: f32 = index xs[k] u: f32 = add t x yield u } yield s } map "
        "ret r }";
    const std::string text = kernel_text(ir::parse(source), {.lanes = 16});
    // (Else no lanes go along: each would gather.)
    CHECK(text.find("masked.gather") == std::string::npos);
    return text.find("masked.load.v16f32") != std::string::npos;
  };
  CHECK(has_squares("k: i64 = add b j"));
  CHECK_FALSE(has_squares("e: i64 = mul j 2i64 k: i64 = add b e"));
  // (An index of 32 bits may be what is left of one of more.)
  CHECK_FALSE(has_squares("e: i64 = add b j f: i32 = convert e k: i64 = convert f"));
  CHECK(has_squares("e: i64 = add w j f: i32 = convert e k: i64 = convert f"));
}

TEST_CASE("rows that a loop makes anew in each round lie in lanes until its end") {
  for (const std::string element : {"f32", "f64", "i32", "i16"}) {
    CAPTURE(element);
    const std::string text =
        "fn again(n: i64, m: i64, k: i64, as: [n]" + element + ") -> [n][m]" + element +
        " { r: [n][m]" + element + " = soac n (as) { (i: i64, a: " + element + ") z: [m]" +
        element + " = soac m () { (j: i64) c: " + element + " = convert j d: " + element +
        " = mul c a yield d } map q: [m]" + element + " = for k (z) { (t: i64, s: [m]" + element +
        ") u: " + element + " = soac m (s) { (l: i64, x: " + element + ") yield x } reduce (0" +
        element + ") { (v: " + element + ", w: " + element + ") y: " + element +
        " = add v w yield y } e: [m]" + element + " = soac m (s) { (o: i64, p: " + element +
        ") h: " + element + " = sub p u yield h } map yield e } yield q } map ret r }";
    std::vector<std::vector<std::int64_t>> sizes;
    for (const std::int64_t m : {0, 1, 7, 16, 17, 33, 100})
      for (const std::int64_t k : {0, 1, 3})
        sizes.push_back({37, m, k});
    check_kernel(text, sizes);
    // (Each round of rows in memory would read them apart.)
    if (element == "f32")
      CHECK(kernel_text(ir::parse(text), {.lanes = 16}).find("masked.gather") == std::string::npos);
  }
}

TEST_CASE("lanes do not go where each would wait for its own stores") {
  // Ranks of digits: counters that are read and written at places that depend on the data.
  const ir::Function function = ir::parse(R"(fn ranks(n: i64, m: i64, xs: [n][m]i64) -> [n][m]i64 {
    r: [n][m]i64 = soac n (xs) { (i: i64, row: [m]i64)
      zeros: [256]i64 = soac 256i64 () { (j: i64) yield 0i64 } map
      none: [m]i64 = soac m () { (k: i64) yield 0i64 } map
      counts: [256]i64, ranks: [m]i64 = for m (zeros, none) { (t: i64, c: [256]i64, q: [m]i64)
        x: i64 = index row[t]
        d: i64 = and x 255i64
        v: i64 = index c[d]
        w: i64 = add v 1i64
        e: [256]i64 = update c[d] = w
        f: [m]i64 = update q[t] = v
        yield e, f
      }
      yield ranks
    } map
    ret r
  })");
  const auto* outermost = std::get_if<ir::Soac>(&function.body.statements[0].operation);
  REQUIRE(outermost);
  for (const unsigned lanes : {4u, 8u, 16u})
    CHECK_FALSE(LanePlan(function, lanes, AlongRows::InLongVectors).runs_in_lanes(*outermost));
}

TEST_CASE("what lanes compute side by side of no row does not lie in rows") {
  const auto partial_reads = [](const char* rows, const char* input, const char* element) {
    const ir::Function function = ir::parse(
        std::string("fn f(n: i64, m: i64, xs: [n][m]f32) -> [n]f32 { r: [n]f32 = soac n (") + rows +
        ") { (i: i64" + (*rows ? ", row: [m]f32" : "") + ")\n" + "e: [m]f32 = soac m (" + input +
        ") { (k: i64" + (*input ? ", x: f32" : "") + ")\n" + element +
        " yield z } map\n"
        "s: f32 = soac m (e) { (j: i64, y: f32) yield y } reduce (0f32) { (a: f32, b: f32)\n"
        "c: f32 = add a b yield c }\n"
        "t: f32 = soac m (e) { (l: i64, w: f32) v: f32 = div w s yield v } reduce (0f32) {\n"
        "(d: f32, g: f32) h: f32 = add d g yield h }\n"
        "yield t } map ret r }");
    const std::string text =
        kernel_text(function, {.lanes = 16, .processor = RunnerOptions::Processor::Avx512});
    int count = 0;
    for (std::size_t at = 0; (at = text.find("llvm.masked.load", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  CHECK(partial_reads("", "", "p: i64 = mul i k\nz: f32 = convert p") <
        partial_reads("xs", "row", "z: f32 = exp x"));
}

TEST_CASE("rows that begin where an input says are asked for before it is their turn") {
  const auto sums = [](std::string_view begin) {
    return "fn f(n: i64, m: i64, k: i64, xs: [m]f32, is: [n]u8) -> [n]f32 { r: [n]f32 = soac n "
           "(is) { (i: i64, at: u8) g: i64 = convert at p: i64 = " +
           std::string(begin) +
           " row: [k]f32 = slice xs[p:1i64] s: f32 = soac k (row) { (j: i64, x: f32) yield x } "
           "reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } yield s } map ret r }";
  };
  const auto fetches_of = [&](const std::string& source) {
    const std::string text = kernel_text(
        ir::parse(source), {.lanes = 16, .processor = RunnerOptions::Processor::Avx512});
    int count = 0;
    for (std::size_t at = 0; (at = text.find("call void @llvm.prefetch", at)) != std::string::npos;
         ++at)
      ++count;
    return count;
  };
  const auto fetches = [&](std::string_view begin) { return fetches_of(sums(begin)); };
  CHECK(fetches("convert at") >= fetches("mul g 1i64") + 3 * 16);
  // Also of loops, and where the element reads the input itself, but not those that follow each
  // other.
  const auto loops = [&](const std::string& before, const std::string& end) {
    return fetches_of(
        "fn f(n: i64, m: i64, xs: [m]f32, is: [n]i64) -> [n]f32 { r: [n]f32 = soac n () { (i: i64) "
        "p: i64 = index is[i] k: i64 = " +
        before + " q: i64 = " + end +
        " s: f32 = for q (0f32) { (j: i64, t: f32) at: i64 = add p j x: f32 = index xs[at] "
        "u: f32 = add t x yield u } yield s } map ret r }");
  };
  const int none = loops("index is[0i64]", "min k 20i64");
  CHECK(loops("add i 1i64", "mod k 20i64") >= none + 3 * 16);
  CHECK(loops("add i 1i64 e: i64 = index is[k]", "sub e p") == none);
  // (The last ones have none behind them, whose places would be read.)
  std::vector<std::vector<std::int64_t>> sizes;
  for (const std::int64_t n : {0, 1, 15, 16, 17, 31, 32, 33, 47, 64, 100})
    sizes.push_back({n, 400, 20});
  check_kernel(sums("convert at"), sizes);
  // (Floats are no places before they are converted.)
  CHECK(fetches_of("fn h(n: i64, m: i64, k: i64, xs: [m]f32, is: [n]f32) -> [n]f32 { r: [n]f32 = "
                   "soac n (is) { (i: i64, at: f32) p: i64 = convert at row: [k]f32 = slice "
                   "xs[p:1i64] s: f32 = soac k (row) { (j: i64, x: f32) yield x } reduce (0f32) { "
                   "(a: f32, b: f32) c: f32 = add a b yield c } yield s } map ret r }") ==
        fetches("mul g 1i64"));
  // Rows of what each element makes itself are not there before.
  check_kernel(R"(fn own(n: i64, k: i64, is: [n]u8) -> [n]f32 {
    r: [n]f32 = soac n (is) { (i: i64, at: u8)
      p: i64 = convert at
      ys: [300]f32 = soac 300i64 () { (q: i64)
        y: f32 = convert q
        yield y
      } map
      row: [k]f32 = slice ys[p:1i64]
      s: f32 = soac k (row) { (j: i64, x: f32) yield x } reduce (0f32) { (a: f32, b: f32)
        c: f32 = add a b
        yield c
      }
      yield s
    } map
    ret r
  })",
               {{1, 20}, {16, 20}, {33, 20}, {100, 20}});
}

TEST_CASE("prefixes of rows that lanes go along are written as rows") {
  constexpr std::string_view scans = R"(fn f(n: i64, m: i64, a: [n][m]i32)
      -> ([n][m]i32, [n][m]i64, [n][m]i32) {
    r: [n][m]i32, s: [n][m]i64, t: [n][m]i32 = soac n (a) { (i: i64, row: [m]i32)
      p: [m]i32, q: [m]i64 = soac m (row) { (j: i64, x: i32)
        y: i64 = convert x
        yield x, y
      } scan (0i32, 1i64) { (c: i32, d: i64, e: i32, g: i64)
        h: i32 = add c e
        k: i64 = mul d g
        yield h, k
      }
      z: [m]i32 = soac m (row) { (j2: i64, x2: i32)
        yield x2, x2
      } scan (0i32) { (c2: i32, e2: i32)
        h2: i32 = max c2 e2
        yield h2
      } post 1 { (l: i64, u: i32, v: i32)
        w: i32 = sub u v
        yield w
      } map end
      yield p, q, z
    } map map map
    ret r, s, t
  })";
  check_kernel(scans, {{3, 1}, {100, 3}, {17, 16}, {65, 70}, {3, 300}, {40, 33}, {0, 5}, {5, 0}});
  const std::string text =
      kernel_text(ir::parse(scans), {.lanes = 16, .processor = RunnerOptions::Processor::Avx512});
  CHECK(text.find("llvm.masked.load") != std::string::npos); // (rows go in squares)
  CHECK(text.find("llvm.masked.scatter") == std::string::npos);
}

TEST_CASE("a branch that exchanges arrays") {
  // Each is a view of the other's old memory, which is read before it is written.
  check_kernel(R"(fn loops(n: i64, k: i64) -> ([n][3]i64, [n][3]i64) {
    r: [n][3]i64, s: [n][3]i64 = soac n () { (i: i64)
      x0: [3]i64 = soac 3i64 () { (j: i64) yield i } map
      y0: [3]i64 = soac 3i64 () { (l: i64) yield l } map
      x: [3]i64, y: [3]i64 = for k (x0, y0) { (t: i64, p: [3]i64, q: [3]i64)
        odd: i64 = and t 1i64
        c: bool = eq odd 1i64
        p1: [3]i64, q1: [3]i64 = if c { yield q, p } else {
          m: [3]i64 = soac 3i64 (p) { (o: i64, e: i64) f: i64 = add e 5i64 yield f } map
          yield m, q
        }
        yield p1, q1
      }
      yield x, y
    } map map
    ret r, s
  })",
               {{0, 3}, {1, 4}, {40, 7}});
  check_kernel(R"(fn folds(n: i64, k: i64, zeros: [k]i64, xs: [n][k]i64) -> ([k]i64, [k]i64) {
    r: [k]i64, s: [k]i64 = soac n (xs) { (i: i64, x: [k]i64) yield x, x }
    reduce (zeros, zeros) { (a: [k]i64, b: [k]i64, c: [k]i64, d: [k]i64)
      first: i64 = index c[0i64]
      odd: i64 = and first 1i64
      z: bool = eq odd 1i64
      p: [k]i64, q: [k]i64 = if z { yield b, a } else { yield c, a }
      yield p, q
    }
    ret r, s
  })",
               {{0, 3}, {1, 4}, {40, 3}, {700, 2}});
}

TEST_CASE("code does not depend on where its function lies in memory") {
  // Lanes go along the rows or along what is summed, by the extents: the order of those shows.
  constexpr int sums = 12;
  std::string parameters = "n: i64, p: bool", types, results, names, body, yields, maps;
  for (int k = 0; k < sums; ++k) {
    const std::string i = std::to_string(k), comma = k == 0 ? "" : ", ";
    parameters += ", m" + i + ": i64, xs" + i + ": [m" + i + "]i32";
    body += "s" + i + ": i32 = if p { t" + i + ": i32 = soac m" + i + " (xs" + i + ") { (j" + i +
            ": i64, x" + i + ": i32) y" + i + ": i32 = mul x" + i + " x" + i + " yield y" + i +
            " } reduce (0i32) { (a" + i + ": i32, b" + i + ": i32) c" + i + ": i32 = add a" + i +
            " b" + i + " yield c" + i + " } yield t" + i + " } else { yield 0i32 }\n";
    types += comma + "[n]i32";
    results += comma + "r" + i + ": [n]i32";
    names += comma + "r" + i;
    yields += comma + "s" + i;
    maps += " map";
  }
  const std::string text = "fn f(" + parameters + ") -> (" + types + ") {\n" + results +
                           " = soac n () { (i: i64)\n" + body + "yield " + yields + " }" + maps +
                           "\nret " + names + "\n}";
  std::vector<ir::Function> copies;
  for (int i = 0; i < 8; ++i)
    copies.push_back(ir::parse(text));
  const std::string code = kernel_text(copies[0], {.lanes = 4});
  CHECK(code.find("run_inside") != std::string::npos);
  for (const ir::Function& copy : copies)
    CHECK(kernel_text(copy, {.lanes = 4}) == code);
}

TEST_CASE("a chunk of full vectors keeps its lanes outside, however few elements there are") {
  const std::string code = kernel_text(ir::parse(R"(fn f(n: i64, m: i64, x: i32) -> [n]i32 {
    r: [n]i32 = soac n () { (i: i64)
      s: i32 = soac m () { (j: i64)
        a: i64 = xor i j
        b: i32 = convert a
        c: i32 = mul b x
        yield c
      } reduce (0i32) { (d: i32, e: i32) f: i32 = add d e yield f }
      yield s
    } map
    ret r
  })"),
                                       {.lanes = 4});
  REQUIRE(code.find("run_inside") != std::string::npos);
  const std::size_t begin = code.find("@kernel_run(ptr");
  REQUIRE(begin != std::string::npos);
  // (Which way it goes depends on the chunk that it is given.)
  CHECK(code.substr(begin, code.find("\n}", begin) - begin).find("sub i64 %2, %1") !=
        std::string::npos);
}
