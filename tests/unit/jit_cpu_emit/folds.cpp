// The order of folding in emitted kernels: with operators that show it, every number of lanes,
// every unit and every cut into chunks gives the bits of the IR's reference evaluator.
#include "check_fold.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <random>

using namespace sinter;
using namespace sinter::jit;

namespace {

const std::vector<std::vector<std::int64_t>> fold_lengths = {{0},    {1},    {64},  {65},
                                                             {1000}, {4097}, {9000}};

} // namespace

TEST_CASE("sums by rows and blocks") {
  check_fold(R"(fn dot(n: i64, xs: [n]f32, ys: [n]f32) -> f32 {
    s: f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
      p: f32 = mul x y
      yield p
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    ret s
  })",
             fold_lengths);
}

TEST_CASE("folds of more than is read: what is read is turned over") {
  const std::string sums = R"(fn sums(n: i64, scale: f64, xs: [n]f32) -> (f64, f64, f64) {
    s: f64, q: f64, t: f64 = soac n (xs) { (i: i64, x: f32)
      y: f64 = convert x
      z: f64 = mul y y
      k: f64 = convert i
      w: f64 = mul k scale
      yield y, z, w
    } reduce (0f64, 1f64) { (a: f64, b: f64, c: f64, d: f64)
      e: f64 = sub a c
      f: f64 = add b d
      yield e, f
    } reduce (0f64) { (g: f64, h: f64)
      l: f64 = add g h
      yield l
    }
    ret s, q, t
  })";
  check_fold(sums, {{0}, {1}, {64}, {65}, {1000}, {4097}, {9000}});
  check_fold(R"(fn products(n: i64, xs: [n]i32) -> f64 {
    s: f64 = soac n (xs) { (i: i64, x: i32)
      y: f64 = convert x
      yield y
    } reduce (1f64) { (a: f64, b: f64)
      d: f64 = mul b 1.5f64
      c: f64 = sub a d
      e: f64 = mul c 0.75f64
      yield e
    }
    ret s
  })",
             fold_lengths);
  const std::string text = kernel_text(ir::parse(sums), {.lanes = 8});
  CHECK(text.find("shufflevector <8 x float>") != std::string::npos);
}

TEST_CASE("operators that are neither associative nor commutative show every bracket") {
  check_fold(R"(fn difference(n: i64, xs: [n]f64) -> f64 {
    s: f64 = soac n (xs) { (i: i64, x: f64)
      yield x
    } reduce (1f64) { (a: f64, b: f64)
      d: f64 = mul b 1.5f64
      c: f64 = sub a d
      e: f64 = mul c 0.75f64
      yield e
    }
    ret s
  })",
             fold_lengths);
  check_fold(R"(fn differences(n: i64, xs: [n]f32) -> [n]f32 {
    s: [n]f32 = soac n (xs) { (i: i64, x: f32)
      yield x
    } scan (1f32) { (a: f32, b: f32)
      d: f32 = mul b 1.5f32
      c: f32 = sub a d
      e: f32 = mul c 0.75f32
      yield e
    }
    ret s
  })",
             fold_lengths);
}

TEST_CASE("prefixes by rows and blocks") {
  check_fold(R"(fn prefixes(n: i64, xs: [n]f64) -> [n]f64 {
    s: [n]f64 = soac n (xs) { (i: i64, x: f64)
      yield x
    } scan (0f64) { (a: f64, b: f64)
      c: f64 = add a b
      yield c
    }
    ret s
  })",
             fold_lengths);
}

TEST_CASE("what becomes of prefixes by rows and blocks") {
  // An input and a computed value go by the scan; a map is stored, two reductions fold.
  check_fold(R"(fn post(n: i64, xs: [n]f32) -> ([n]f32, f32, f32) {
    r: [n]f32, s: f32, t: f32 = soac n (xs) { (i: i64, x: f32)
      y: f32 = mul x 0.3f32
      yield y, x, y
    } scan (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    } post 2 { (j: i64, p: f32, x2: f32, y2: f32)
      d: f32 = sub p x2
      e: f32 = mul d y2
      yield d, e, p
    } map reduce (0f32) { (f: f32, g: f32)
      h: f32 = add f g
      yield h
    } reduce (0f32) { (k: f32, l: f32)
      m: f32 = max k l
      yield m
    } end
    ret r, s, t
  })",
             fold_lengths);
  // The order shows in what is folded afterwards only.
  check_fold(R"(fn after(n: i64, xs: [n]i64) -> (f64, i64) {
    s: f64, q: i64 = soac n (xs) { (i: i64, x: i64)
      yield x, i
    } scan (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    } post 1 { (j: i64, p: i64, w: i64)
      d: f64 = convert p
      e: f64 = div 1.0f64 d
      v: i64 = add w j
      yield e, v
    } reduce (0f64) { (f: f64, g: f64)
      h: f64 = add f g
      yield h
    } reduce (0i64) { (k: i64, l: i64)
      m: i64 = add k l
      yield m
    } end
    ret s, q
  })",
             fold_lengths);
  // In each row of a map.
  check_fold(R"(fn rows(n: i64, m: i64, xss: [n][m]f32) -> ([n]f32, [n][m]f32) {
    s: [n]f32, r: [n][m]f32 = soac n (xss) { (i: i64, xs: [m]f32)
      q: f32, t: [m]f32 = soac m (xs) { (j: i64, x: f32)
        yield x, x
      } scan (0f32) { (a: f32, b: f32)
        c: f32 = add a b
        yield c
      } post 1 { (k: i64, p: f32, x2: f32)
        d: f32 = sub p x2
        yield p, d
      } reduce (0f32) { (f: f32, g: f32)
        h: f32 = add f g
        yield h
      } map end
      yield q, t
    } map map
    ret s, r
  })",
             {{0, 3}, {3, 0}, {5, 64}, {70, 65}, {3, 4200}, {33, 200}});
}

TEST_CASE("several groups of one SOAC") {
  check_fold(R"(fn several(n: i64, xs: [n]f32) -> (f32, [n]f32, i64, f32, f32) {
    s: f32, r: [n]f32, k: i64, u: f32, v: f32 = soac n (xs) { (i: i64, x: f32)
      y: f32 = mul x 0.3f32
      yield y, y, i, x, y
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    } map reduce (0i64) { (d: i64, e: i64)
      f: i64 = add d e
      yield f
    } reduce (0f32, 1f32) { (g: f32, h: f32, o: f32, w: f32)
      p: f32 = mul g w
      q: f32 = add p o
      z: f32 = sub h o
      yield q, z
    }
    ret s, r, k, u, v
  })",
             fold_lengths);
  check_fold(R"(fn scans(n: i64, xs: [n]f32) -> ([n]f32, [n]f32, [n]i64, f32) {
    s: [n]f32, r: [n]f32, k: [n]i64, t: f32 = soac n (xs) { (i: i64, x: f32)
      y: f32 = mul x 0.3f32
      yield y, y, i, x
    } scan (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    } map scan (0i64) { (d: i64, e: i64)
      f: i64 = add d e
      yield f
    } reduce (0f32) { (g: f32, h: f32)
      o: f32 = add g h
      yield o
    }
    ret s, r, k, t
  })",
             fold_lengths);
}

TEST_CASE("the least of pairs, with values that are in no order and zeros of two signs") {
  const std::vector<std::vector<std::int64_t>> few_lengths = {{0}, {64}, {9000}};
  // What stands at every so many elements; NaN, and zeros, are computed.
  const auto least = [](const std::string& special, const std::string& every) {
    return R"(fn least(n: i64, xs: [n]f32) -> (f32, i64) {
      s: f32, k: i64 = soac n (xs) { (i: i64, x: f32)
        y: f32 = mul x x
        r: i64 = mod i )" +
           every + R"(i64
        t: bool = eq r 3i64
        q: f32 = )" +
           special + R"(
        z: f32 = select t q y
        yield z, i
      } reduce (1000f32, -1i64) { (a: f32, b: i64, c: f32, d: i64)
        e: bool = lt a c
        f: bool = eq a c
        g: bool = lt b d
        h: bool = and f g
        l: bool = or e h
        o: f32 = select l a c
        p: i64 = select l b d
        yield o, p
      }
      ret s, k
    })";
  };
  check_fold(least("add x 1f32", "64"), few_lengths);
  check_fold(least("div 0f32 0f32", "70"), few_lengths);
  check_fold(least("div 0f32 0f32", "5000"), few_lengths);
  const auto zero = [](const std::string& neutral) {
    return R"(fn zero(n: i64, xs: [n]f64) -> f64 {
      s: f64 = soac n (xs) { (i: i64, x: f64)
        r: i64 = mod i 7i64
        t: bool = lt r 3i64
        u: f64 = select t -1f64 1f64
        z: f64 = mul u 0f64
        yield z
      } reduce ()" +
           neutral + R"() { (a: f64, b: f64)
        c: bool = ge b a
        d: f64 = select c a b
        yield d
      }
      ret s
    })";
  };
  check_fold(zero("5f64"), few_lengths);
  check_fold(zero("-0f64"), few_lengths);
  check_fold(R"(fn nearest(n: i64, m: i64, xs: [n]f32, ys: [m]f32) -> [n]i64 {
    r: [n]i64 = soac n (xs) { (i: i64, x: f32)
      s: i64, t: f32 = soac m (ys) { (j: i64, y: f32)
        u: f32 = sub x y
        v: f32 = mul u u
        yield j, v
      } reduce commutative (m, 1000f32) { (a: i64, b: f32, c: i64, d: f32)
        e: bool = lt b d
        f: bool = eq b d
        g: bool = lt a c
        h: bool = and f g
        k: bool = or e h
        o: i64 = select k a c
        p: f32 = select k b d
        yield o, p
      }
      yield s
    } map
    ret r
  })",
             {{17, 64}, {4, 65}, {2, 5000}});
}

TEST_CASE("folds inside of maps") {
  const std::vector<std::vector<std::int64_t>> sizes = {{3, 5},   {17, 64},  {20, 65},
                                                        {5, 200}, {3, 4097}, {2, 9000}};
  check_fold(R"(fn rows(n: i64, m: i64, xs: [n][m]f32) -> [n]f32 {
    r: [n]f32 = soac n (xs) { (i: i64, row: [m]f32)
      s: f32 = soac m (row) { (j: i64, x: f32)
        yield x
      } reduce (0f32) { (a: f32, b: f32)
        c: f32 = add a b
        yield c
      }
      yield s
    } map
    ret r
  })",
             sizes);
  check_fold(R"(fn ragged(n: i64, m: i64, xs: [m]f64) -> [n]f64 {
    r: [n]f64 = soac n () { (i: i64)
      p: i64 = mul i 77i64
      q: i64 = add m 1i64
      k: i64 = mod p q
      s: f64 = soac k () { (j: i64)
        x: f64 = index xs[j]
        yield x
      } reduce (0f64) { (a: f64, b: f64)
        c: f64 = add a b
        yield c
      }
      yield s
    } map
    ret r
  })",
             sizes);
  check_fold(R"(fn cut(n: i64, m: i64, xs: [m]f32) -> ([n]f32, [n]f32) {
    r: [n]f32, t: [n]f32 = soac n () { (i: i64)
      p: i64 = mul i 7i64
      k: i64 = mod p m
      l: i64 = sub m k
      ys: [l]f32 = slice xs[k:1i64]
      s: f32, u: f32 = soac l (ys) { (j: i64, y: f32)
        z: f32 = mul y y
        yield y, z
      } reduce (-0f32, 1f32) { (a: f32, b: f32, c: f32, d: f32)
        e: f32 = add c a
        f: f32 = mul b d
        yield e, f
      }
      yield s, u
    } map map
    ret r, t
  })",
             {{3, 5}, {17, 64}, {20, 65}, {5, 200}, {2, 1500}});
  check_fold(R"(fn scans(n: i64, m: i64, xs: [n][m]f32) -> [n][m]f32 {
    r: [n][m]f32 = soac n (xs) { (i: i64, row: [m]f32)
      s: [m]f32 = soac m (row) { (j: i64, x: f32)
        yield x
      } scan (0f32) { (a: f32, b: f32)
        c: f32 = add a b
        yield c
      }
      yield s
    } map
    ret r
  })",
             sizes);
}

TEST_CASE("rows that are read, folded and written again, with lanes outside and inside") {
  check_fold(R"(fn normalised(n: i64, m: i64, xs: [n][m]f32) -> [n][m]f32 {
    r: [n][m]f32 = soac n (xs) { (i: i64, row: [m]f32)
      es: [m]f32, s: f32 = soac m (row) { (j: i64, x: f32)
        e: f32 = mul x x
        yield e, e
      } map reduce (0f32) { (a: f32, b: f32)
        c: f32 = add a b
        yield c
      }
      q: [m]f32 = soac m (es) { (k: i64, y: f32)
        z: f32 = div y s
        yield z
      } map
      yield q
    } map
    ret r
  })",
             {{3, 1}, {100, 3}, {17, 16}, {65, 70}, {3, 300}, {20, 700}});
}

TEST_CASE("lanes that go along rows of their own") {
  // Rows of all lengths, with empty ones, short ones, and some longer than a row of the order.
  const auto ragged = [](const char* length) {
    return std::string(
               R"(fn products(n: i64, m: i64, vs: [m]f32, ks: [m]i64, xs: [100]f32) -> [n]f32 {
    r: [n]f32 = soac n () { (i: i64)
      a: i64 = mul i i
      b: i64 = mul a 31i64
      k: i64 = mod b m
      l: i64 = sub m k
      p: i64 = )") +
           length + R"(
      q: i64 = min l p
      ys: [q]f32 = slice vs[k:1i64]
      zs: [q]i64 = slice ks[k:1i64]
      g: f32 = convert i
      s: f32 = soac q (ys, zs) { (j: i64, y: f32, z: i64)
        c: bool = lt z 100i64
        check c, "outside"
        x: f32 = index xs[z]
        w: f32 = mul y x
        u: f32 = add w g
        yield u
      } reduce (g) { (d: f32, e: f32)
        f: f32 = add d e
        yield f
      }
      yield s
    } map
    ret r
  })";
  };
  for (const char* length :
       {"mod i 5i64", "mod i 6i64", "mod a 23i64", "mod i 64i64", "mod b 150i64"})
    check_fold(ragged(length), {{3, 7}, {40, 900}, {70, 3000}});
  check_fold(ragged("mul a 5i64"), {{35, 9000}});
  check_fold(R"(fn sums(n: i64, m: i64, xs: [m]f64) -> ([n]f64, [n]f64) {
    r: [n]f64, t: [n]f64 = soac n () { (i: i64)
      a: i64 = mul i 37i64
      k: i64 = mod a m
      l: i64 = sub m k
      p: i64 = mod a 90i64
      q: i64 = min l p
      ys: [q]f64 = slice xs[k:1i64]
      s: f64 = soac q (ys) { (j: i64, y: f64) yield y } reduce (0f64) { (d: f64, e: f64)
        f: f64 = add d e
        yield f
      }
      u: f64 = soac q (ys) { (j2: i64, y2: f64) yield y2 } reduce (1f64) { (d2: f64, e2: f64)
        h: f64 = mul d2 0.5f64
        g: f64 = add h e2
        yield g
      }
      yield s, u
    } map map
    ret r, t
  })",
             {{5, 20}, {40, 900}, {70, 3000}});
  // Rows beside one that all lanes share, and numbers of the lanes' own.
  check_fold(
      R"(fn weighted(n: i64, m: i64, ws: [m]f32, xs: [n][m]f32, gs: [n]f32) -> ([n][m]f32, [n]f32) {
    r: [n][m]f32, t: [n]f32 = soac n (xs, gs) { (i: i64, row: [m]f32, g: f32)
      h: f32 = convert i
      es: [m]f32, s: f32 = soac m (row, ws) { (j: i64, x: f32, w: f32)
        a: f32 = mul x w
        b: f32 = convert j
        c: f32 = add a b
        d: f32 = mul c g
        yield d, d
      } map reduce (0f32) { (a2: f32, b2: f32)
        c2: f32 = add a2 b2
        yield c2
      }
      u: f32 = soac m (es, row) { (j3: i64, e3: f32, x3: f32)
        a3: f32 = sub e3 s
        b3: f32 = mul a3 x3
        yield b3
      } reduce (1f32) { (a4: f32, b4: f32)
        c4: f32 = mul a4 0.25f32
        d4: f32 = add c4 b4
        yield d4
      }
      q: [m]f32 = soac m (es) { (k: i64, e: f32)
        z: f32 = div e s
        y: f32 = add z h
        yield y
      } map
      yield q, u
    } map map
    ret r, t
  })",
      {{3, 1}, {100, 3}, {17, 16}, {65, 70}, {3, 300}, {40, 130}});
}

TEST_CASE("elements that are arrays") {
  check_fold(R"(fn columns(n: i64, m: i64, xs: [n][m]f32, zero: [m]f32) -> [m]f32 {
    r: [m]f32 = soac n (xs) { (i: i64, row: [m]f32)
      yield row
    } reduce (zero) { (a: [m]f32, b: [m]f32)
      s: [m]f32 = soac m (a, b) { (j: i64, x: f32, y: f32)
        c: f32 = add x y
        yield c
      } map
      yield s
    }
    ret r
  })",
             {{0, 3}, {1, 17}, {64, 5}, {65, 5}, {200, 40}, {4097, 3}, {9000, 2}});
}

TEST_CASE("histograms of floats") {
  check_fold(R"(fn bins(n: i64, m: i64, is: [n]i64, xs: [n]f32, dest: [m]f32) -> [m]f32 {
    r: [m]f32 = soac n (is, xs) { (i: i64, bin: i64, x: f32)
      yield bin, x
    } histogram 1 (dest) (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    ret r
  })",
             {{0, 3}, {1, 17}, {9000, 5}, {9000, 100}, {30000, 100}, {70000, 300}});
}

TEST_CASE("pieces that are short are folded one by one in compact code") {
  // (By a tile, a single row of a few elements is gathered, sixteen lanes at a time.)
  const ir::Function function =
      ir::parse(R"(fn f(n: i64, k: i64, ends: [n]i64, xs: [k]f32) -> [n]f32 {
  sums: [n]f32 = soac n (ends) { (i: i64, end: i64)
    length: i64 = min end k
    piece: [length]f32 = slice xs[0i64:1i64]
    sum: f32 = soac length (piece) { (j: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    yield sum
  } map
  ret sums
})");
  const std::string text = kernel_text(function, {.lanes = 16, .compact = true});
  const std::size_t row = text.find("icmp sle i64"), gather = text.find("masked.gather");
  REQUIRE(row != std::string::npos);
  REQUIRE(gather != std::string::npos); // of longer ones
  CHECK(text.substr(row, gather - row).find("fadd float") != std::string::npos);
  std::mt19937 random(7);
  for (const std::int64_t longest : {0, 1, 15, 64, 65, 200}) {
    std::vector<ir::DenseValue> arguments = uneven_arguments(function, {5, longest}, random);
    std::get<ir::DenseArray>(arguments[2]).elements.own().clear();
    for (std::int64_t i = 0; i < 5; ++i)
      std::get<ir::DenseArray>(arguments[2]).elements.push_back(Scalar::of(longest * i / 4));
    CHECK(run_kernel(function, arguments, {.lanes = 16, .compact = true}) ==
          ir::evaluate(function, arguments));
  }
}
