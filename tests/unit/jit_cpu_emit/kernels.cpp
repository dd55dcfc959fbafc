// Emitted kernels against the IR's reference evaluator: every construct, in scalar code and in
// lanes, with tails and with several chunks.
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "lang/values/scalar.h"

#include <doctest/doctest.h>

#include <ostream>
#include <random>

using namespace sinter;
using namespace sinter::jit;

TEST_CASE("elementwise maps") {
  check_kernel(R"(fn saxpy(n: i64, a: f32, xs: [n]f32, ys: [n]f32) -> [n]f32 {
    r: [n]f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
      p: f32 = mul a x
      s: f32 = add p y
      yield s
    } map
    ret r
  })",
               lengths);
  check_kernel(R"(fn mixed(n: i64, xs: [n]i32, ks: [n]bool) -> ([n]f64, [n]bool, [n]u8, [n]i64) {
    r: [n]f64, b: [n]bool, u: [n]u8, j: [n]i64 = soac n (xs, ks) { (i: i64, x: i32, k: bool)
      d: f64 = convert x
      shifted: i64 = add i 3i64
      e: f64 = convert shifted
      s: f64 = add d e
      c: bool = lt x 3i32
      o: bool = xor c k
      bytes: u8 = convert x
      yield s, o, bytes, shifted
    } map map map map
    ret r, b, u, j
  })",
               lengths);
}

TEST_CASE("results are stored past the caches where they may be") {
  const auto count = [](std::string_view source, unsigned lanes) {
    const std::string text = kernel_text(ir::parse(source), {.lanes = lanes});
    std::size_t number = 0;
    for (std::size_t at = 0; (at = text.find(", !nontemporal", at)) != std::string::npos; ++at)
      ++number;
    return number;
  };
  const char* map = R"(fn map(n: i64, xs: [n]f32) -> [n]f32 {
    r: [n]f32 = soac n (xs) { (i: i64, x: f32)
      s: f32 = add x x
      yield s
    } map
    ret r
  })";
  CHECK(count(map, 16) == 1);
  CHECK(count(map, 1) == 0); // no vectors
  const char* rows = R"(fn rows(n: i64, m: i64, xs: [n][m]f32) -> [n][m]f32 {
    r: [n][m]f32 = soac n (xs) { (i: i64, row: [m]f32)
      q: [m]f32 = soac m (row) { (j: i64, x: f32)
        s: f32 = add x x
        yield s
      } map
      yield q
    } map
    ret r
  })";
  CHECK(count(rows, 16) == 1);
  check_kernel(rows, {{3, 16}, {5, 64}, {4, 19}, {2, 256}});
  // A scan's values are written by its second pass alone.
  const char* scan = R"(fn scan(n: i64, xs: [n]i32) -> [n]i32 {
    r: [n]i32 = soac n (xs) { (i: i64, x: i32)
      yield x
    } scan (0i32) { (a: i32, b: i32)
      s: i32 = add a b
      yield s
    }
    ret r
  })";
  CHECK(count(scan, 16) == 1);
  const char* sum = R"(fn sum(n: i64, xs: [n]i32) -> i32 {
    r: i32 = soac n (xs) { (i: i64, x: i32)
      yield x
    } reduce (0i32) { (a: i32, b: i32)
      s: i32 = add a b
      yield s
    }
    ret r
  })";
  CHECK(count(sum, 16) == 0); // nothing to store
}

TEST_CASE("reductions") {
  check_kernel(R"(fn dotp(n: i64, xs: [n]f32, ys: [n]f32) -> f32 {
    s: f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
      p: f32 = mul x y
      yield p
    } reduce (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    ret s
  })",
               lengths);
  // Not commutative: 2x2 matrices.
  check_kernel(R"(fn matrices(n: i64, as: [n]i32, bs: [n]i32) -> (i32, i32, i32, i32) {
    p: i32, q: i32, r: i32, s: i32 = soac n (as, bs) { (i: i64, a: i32, b: i32)
      yield a, b, 1i32, a
    } reduce (1i32, 0i32, 0i32, 1i32) { (c0: i32, b0: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32)
      ae: i32 = mul c0 e
      bg: i32 = mul b0 g
      af: i32 = mul c0 f
      bh: i32 = mul b0 h
      ce: i32 = mul c e
      dg: i32 = mul d g
      cf: i32 = mul c f
      dh: i32 = mul d h
      w: i32 = add ae bg
      x: i32 = add af bh
      y: i32 = add ce dg
      z: i32 = add cf dh
      yield w, x, y, z
    }
    ret p, q, r, s
  })",
               lengths);
  check_kernel(R"(fn map_and_minimum(n: i64, xs: [n]f64) -> ([n]f64, f64, i64) {
    ys: [n]f64, m: f64, c: i64 = soac n (xs) { (i: i64, x: f64)
      y: f64 = mul x x
      b: bool = gt x 0.0f64
      k: i64 = convert b
      yield y, x, k
    } map reduce (1e300f64) { (v: f64, w: f64)
      l: f64 = min v w
      yield l
    } reduce (0i64) { (d: i64, e: i64)
      f: i64 = add d e
      yield f
    }
    ret ys, m, c
  })",
               lengths);
  check_kernel(R"(fn columns(n: i64, m: i64, xs: [n][m]f32, z: [m]f32) -> [m]f32 {
    s: [m]f32 = soac n (xs) { (i: i64, row: [m]f32)
      yield row
    } reduce (z) { (a: [m]f32, b: [m]f32)
      c: [m]f32 = soac m (a, b) { (j: i64, x: f32, y: f32)
        t: f32 = max x y
        yield t
      } map
      yield c
    }
    ret s
  })",
               {{0, 5}, {1, 3}, {50, 7}, {80, 33}});
}

TEST_CASE("operators that call functions, for ever fewer lanes") {
  check_kernel(R"(fn sum(n: i64, xs: [n]f32) -> f32 {
    s: f32 = soac n (xs) { (i: i64, x: f32)
      y: f32 = sin x
      z: f32 = mul y 0.0f32
      w: f32 = add x z
      yield w
    } reduce commutative (0.0f32) { (a: f32, b: f32)
      c: f32 = add a b
      nothing: f32 = mul c 0.0f32
      still: f32 = sin nothing
      d: f32 = add c still
      yield d
    }
    ret s
  })",
               lengths);
}

TEST_CASE("scans whose prefixes are used on the way") {
  check_kernel(R"(fn exclusive(n: i64, xs: [n]i32, ys: [n]i32) -> ([n]i32, i32, i32, [n]i32) {
    d: [n]i32, s: i32, t: i32, w: [n]i32 = soac n (xs, ys) { (i: i64, x: i32, y: i32)
      z: i32 = mul x y
      yield z, x, z, y
    } scan (0i32) { (a: i32, b: i32)
      c: i32 = add a b
      yield c
    } post 2 { (j: i64, p: i32, x2: i32, z2: i32)
      e: i32 = sub p x2
      f: i32 = max e z2
      yield e, f, p
    } map reduce commutative (0i32) { (g: i32, h: i32)
      k: i32 = add g h
      yield k
    } reduce (-99i32) { (l: i32, m: i32)
      o: i32 = max l m
      yield o
    } end map
    ret d, s, t, w
  })",
               lengths);
}

TEST_CASE("scans, filters, histograms and scatters") {
  check_kernel(R"(fn sums(n: i64, xs: [n]i32) -> ([n]i32, [n]i32) {
    r: [n]i32, d: [n]i32 = soac n (xs) { (i: i64, x: i32)
      y: i32 = mul x 2i32
      yield x, y
    } scan (0i32) { (a: i32, b: i32)
      c: i32 = add a b
      yield c
    } map
    ret r, d
  })",
               lengths);
  check_kernel(R"(fn segmented(n: i64, xs: [n]f32, starts: [n]bool) -> ([n]f32, [n]bool) {
    r: [n]f32, s: [n]bool = soac n (xs, starts) { (i: i64, x: f32, start: bool)
      yield x, start
    } scan (0f32, false) { (a: f32, b: bool, c: f32, d: bool)
      e: f32 = add a c
      f: f32 = select d c e
      g: bool = or b d
      yield f, g
    }
    ret r, s
  })",
               lengths);
  check_kernel(R"(fn scan_rows(n: i64, m: i64, xs: [n][m]i32, z: [m]i32) -> [n][m]i32 {
    s: [n][m]i32 = soac n (xs) { (i: i64, row: [m]i32)
      yield row
    } scan (z) { (a: [m]i32, b: [m]i32)
      c: [m]i32 = soac m (a, b) { (j: i64, x: i32, y: i32)
        t: i32 = add x y
        yield t
      } map
      yield c
    }
    ret s
  })",
               {{0, 5}, {1, 3}, {50, 7}, {80, 33}});
  for (const std::string element : {"f32", "f64", "i8", "bool"})
    check_kernel("fn keep(n: i64, ks: [n]i32, xs: [n]" + element + R"() -> (i64, [c]i32, [c])" +
                     element + R"() {
    c: i64, r: [c]i32, s: [c])" +
                     element + R"( = soac n (ks, xs) { (i: i64, k: i32, x: )" + element + R"()
      b: bool = gt k 2i32
      yield b, k, x
    } filter 2
    ret c, r, s
  })",
                 lengths);
  check_kernel(R"(fn histogram(n: i64, k: i64, is: [n]i64, xs: [n]i32, d: [k]i32) -> [k]i32 {
    r: [k]i32 = soac n (is, xs) { (i: i64, j: i64, x: i32)
      yield j, x
    } histogram 1 (d) (0i32) { (a: i32, b: i32)
      c: i32 = add a b
      yield c
    }
    ret r
  })",
               {{0, 3}, {1, 5}, {100, 7}, {333, 9}});
  check_kernel(
      R"(fn histogram2(n: i64, k: i64, is: [n]i64, xs: [n]f64, d: [k][4]f64, e: [k][4]i32) -> ([k][4]f64, [k][4]i32) {
    r: [k][4]f64, s: [k][4]i32 = soac n (is, xs) { (i: i64, j: i64, x: f64)
      two: i64 = rem i 5i64
      yield j, two, x, 1i32
    } histogram 2 (d, e) (0f64, 0i32) { (a: f64, b: i32, c: f64, f: i32)
      g: f64 = add a c
      h: i32 = add b f
      yield g, h
    }
    ret r, s
  })",
      {{0, 3}, {1, 5}, {100, 7}});
  check_kernel(R"(fn scatter(n: i64, k: i64, is: [n]i64, xs: [n]f32, d: [k]f32) -> [k]f32 {
    r: [k]f32 = soac n (is, xs) { (i: i64, j: i64, x: f32)
      yield j, x
    } scatter 1 d
    ret r
  })",
               {{0, 3}, {1, 5}, {100, 7}, {333, 9}});
  check_kernel(
      R"(fn scatter_rows(n: i64, k: i64, is: [n]i64, xs: [n][3]f32, d: [k][3]f32) -> [k][3]f32 {
    r: [k][3]f32 = soac n (is, xs) { (i: i64, j: i64, x: [3]f32)
      yield j, x
    } scatter 1 d
    ret r
  })",
      {{0, 3}, {1, 5}, {100, 7}, {333, 9}});
}

TEST_CASE("several filters, and bins that are rows") {
  check_kernel(R"(fn buckets(n: i64, xs: [n]i32) -> (i64, [k]i32, i64, [l]i32, [l]i64) {
    k: i64, ks: [k]i32, l: i64, ls: [l]i32, is: [l]i64 = soac n (xs) { (i: i64, x: i32)
      p: bool = lt x 3i32
      q: bool = ge x 3i32
      y: i32 = mul x x
      yield p, x, q, y, i
    } filter 1 filter 2
    ret k, ks, l, ls, is
  })",
               lengths);
  const ir::Function rows = ir::parse(
      R"(fn row_sums(n: i64, m: i64, ks: [n]i64, xs: [n][m]f32, bins: [7][m]f32,
                     zero: [m]f32) -> [7][m]f32 {
    r: [7][m]f32 = soac n (ks, xs) { (i: i64, k: i64, row: [m]f32)
      yield k, row
    } histogram 1 (bins) (zero) { (a: [m]f32, b: [m]f32)
      c: [m]f32 = soac m (a, b) { (j: i64, x: f32, y: f32) z: f32 = add x y yield z } map
      yield c
    }
    ret r
  })");
  KernelRunner kernel(rows);
  std::mt19937 random(1);
  for (std::int64_t n : {0, 17}) {
    std::vector<ir::DenseValue> arguments = arguments_for(rows, {n, 5}, random);
    for (Scalar& element : std::get<ir::DenseArray>(arguments.back()).elements.own())
      element = Scalar::of(0.0f);
    const std::string expected = text_of(ir::evaluate(rows, arguments));
    for (unsigned lanes : {1u, 4u, 16u})
      for (std::int64_t chunk : {1 << 30, 7})
        CHECK(text_of(kernel.run(arguments, {.lanes = lanes, .chunk = chunk})) == expected);
  }
}

TEST_CASE("branches and loops in lanes") {
  check_kernel(R"(fn branches(n: i64, k: i64, xs: [n]i32, ys: [k]i32) -> ([n]i32, [n]i32) {
    r: [n]i32, q: [n]i32 = soac n (xs) { (i: i64, x: i32)
      inside: bool = lt i k
      v: i32 = if inside {
        y: i32 = index ys[i]
        yield y
      } else {
        yield 7i32
      }
      some: bool = lt x 3i32
      w: i32 = if some {
        twice: i32 = mul x 2i32
        yield twice
      } else {
        yield v
      }
      big: bool = gt k 3i64
      u: i32 = if big {
        first: i32 = index ys[0i64]
        yield first
      } else {
        yield w
      }
      yield w, u
    } map map
    ret r, q
  })",
               {{0, 0}, {1, 0}, {40, 17}, {16, 100}, {100, 0}});
  check_kernel(R"(fn collatz(n: i64, limit: i64) -> ([n]i64, [n]i64) {
    r: [n]i64, t: [n]i64 = soac n () { (i: i64)
      start: i64 = add i 1i64
      steps: i64, last: i64 = while (0i64, start) { (s: i64, v: i64)
        more: bool = gt v 1i64
        few: bool = lt s limit
        go: bool = and more few
        yield go
      } do { (s1: i64, v1: i64)
        bit: i64 = and v1 1i64
        odd: bool = eq bit 1i64
        half: i64 = shr v1 1i64
        three: i64 = mul v1 3i64
        up: i64 = add three 1i64
        next: i64 = select odd up half
        s2: i64 = add s1 1i64
        yield s2, next
      }
      yield steps, last
    } map map
    ret r, t
  })",
               {{0, 5}, {1, 5}, {40, 1000}, {16, 7}});
  check_kernel(R"(fn triangles(n: i64, m: i64, ys: [m]i32) -> ([n]i32, [n]i64) {
    r: [n]i32, t: [n]i64 = soac n () { (i: i64)
      bound: i64 = min i m
      sum: i32 = for bound (0i32) { (j: i64, acc: i32)
        y: i32 = index ys[j]
        next: i32 = add acc y
        yield next
      }
      other: i64 = for m (0i64) { (k: i64, acc1: i64)
        p: i64 = mul k i
        next1: i64 = add acc1 p
        yield next1
      }
      yield sum, other
    } map map
    ret r, t
  })",
               {{0, 5}, {1, 5}, {40, 20}, {16, 7}});
}

TEST_CASE("loops that end apart: counters, and state that is not needed afterwards") {
  check_kernel(R"(fn escape(n: i64, first: i32, xs: [n]i32) -> ([n]i32, [n]i32, [n]i32) {
    a: [n]i32, c: [n]i32, e: [n]i32 = soac n (xs) { (i: i64, x: i32)
      z: i32, k: i32, l: i32, d: i32 = while (x, first, 0i32, 1i32) {
          (z0: i32, k0: i32, l0: i32, d0: i32)
        few: bool = lt k0 9i32
        small: bool = lt z0 30i32
        go: bool = and few small
        yield go
      } do { (z1: i32, k1: i32, l1: i32, d1: i32)
        z2: i32 = add z1 d1
        k2: i32 = add k1 1i32
        l2: i32 = add l1 k1
        d2: i32 = add d1 z1
        yield z2, k2, l2, d2
      }
      yield k, l, x
    } map map map
    ret a, c, e
  })",
               lengths);
}

namespace {

/// Numbers whose sum depends on the order of adding them.
ir::DenseArray inexact(std::vector<std::int64_t> extents) {
  ir::DenseArray array{ElementType::F32, std::move(extents), {}};
  std::int64_t count = 1;
  for (std::int64_t extent : array.extents)
    count *= extent;
  for (std::int64_t i = 0; i < count; ++i)
    array.elements.push_back(
        Scalar::of((i % 3 == 0 ? -1.0f : 1.0f) / static_cast<float>(1 + i * 7 % 1009)));
  return array;
}

} // namespace

TEST_CASE("sums and scans of floats have the same bits whatever the machine's registers hold") {
  const std::string plus = "{ (a: f32, b: f32) c: f32 = add a b yield c }";
  const std::string plus_again = "{ (a1: f32, b1: f32) c1: f32 = add a1 b1 yield c1 }";
  const std::string programs[] = {
      "fn sum(n: i64, m: i64, xs: [n]f32, zs: [n][m]f32) -> f32 { "
      "s: f32 = soac n (xs) { (i: i64, x: f32) yield x } reduce (0.0f32) " +
          plus + " ret s }",
      "fn logs(n: i64, m: i64, xs: [n]f32, zs: [n][m]f32) -> f32 { "
      "s: f32 = soac n (xs) { (i: i64, x: f32) y: f32 = exp x z: f32 = div y 3.0f32 yield z } "
      "reduce (0.0f32) " +
          plus + " ret s }",
      "fn prefixes(n: i64, m: i64, xs: [n]f32, zs: [n][m]f32) -> [n]f32 { "
      "s: [n]f32 = soac n (xs) { (i: i64, x: f32) yield x } scan (0.0f32) " +
          plus + " ret s }",
      "fn rows(n: i64, m: i64, xs: [n]f32, zs: [n][m]f32) -> ([n]f32, f32) { "
      "s: [n]f32, t: f32 = soac n (zs) { (i: i64, row: [m]f32) "
      "r: f32 = soac m (row) { (j: i64, z: f32) y: f32 = mul z z yield y } reduce (0.0f32) " +
          plus + " yield r, r } map reduce (0.0f32) " + plus_again + " ret s, t }",
  };
  using enum RunnerOptions::Processor;
  for (const std::string& program : programs) {
    const ir::Function function = ir::parse(program);
    KernelRunner kernel(function);
    for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{1000, 3}, {37, 90}}) {
      const std::vector<ir::DenseValue> arguments = {Scalar::of(n), Scalar::of(m), inexact({n}),
                                                     inexact({n, m})};
      const auto run = [&](RunnerOptions::Processor processor) {
        return kernel.run(arguments, {.lanes = 0, .chunk = 400, .processor = processor});
      };
      const ir::Evaluation reference = run(Sse2);
      CAPTURE(program);
      for (const auto processor : {Avx2, Avx512, Host})
        if (can_run(processor)) CHECK(text_of(run(processor)) == text_of(reference));
    }
  }
}

TEST_CASE("what filters keep is moved together, with each processor's instructions") {
  using enum RunnerOptions::Processor;
  const auto filter = [](const std::string& element) {
    return "fn f(n: i64, xs: [n]" + element + ", ys: [n]i32, zs: [n]f64) -> (i64, [k]" + element +
           ", [k]i32, i64, [l]" + element + ", [l]f64, i64, [j]i32) {\n  k: i64, a: [k]" + element +
           ", b: [k]i32, l: i64, c: [l]" + element +
           ", d: [l]f64, j: i64, e: [j]i32 = soac n (xs, ys, zs) { (i: i64, x: " + element +
           ", y: i32, z: f64)\n    p: bool = lt y 2i32\n    q: bool = lt z 2f64\n"
           "    r: bool = or p q\n    yield p, x, y, q, x, z, r, y\n"
           "  } filter 2 filter 2 filter 1\n  ret k, a, b, l, c, d, j, e\n}";
  };
  for (const std::string element : {"u8", "f16", "f32", "i64"}) {
    CAPTURE(element);
    const ir::Function function = ir::parse(filter(element));
    KernelRunner kernel(function);
    std::mt19937 random(1);
    for (const std::int64_t n : {0, 1, 7, 8, 64, 203}) {
      CAPTURE(n);
      const std::vector<ir::DenseValue> arguments = arguments_for(function, {n}, random);
      const std::string expected = text_of(ir::evaluate(function, arguments));
      for (const auto processor : {Sse2, Avx2, Avx512})
        for (const unsigned lanes : {0u, 8u, 16u})
          for (const std::int64_t chunk : {1 << 30, 19})
            if (can_run(processor))
              CHECK(text_of(kernel.run(arguments,
                                       {.lanes = lanes, .chunk = chunk, .processor = processor})) ==
                    expected);
    }
  }
  const auto code = [&](const std::string& element) {
    return kernel_text(ir::parse(filter(element)), {.lanes = 8, .processor = Avx2});
  };
  CHECK(code("f32").find("x86.avx2.permd") != std::string::npos);
  CHECK(code("f32").find("order_of_kept_8x1") != std::string::npos); // of the last one
  CHECK(code("i64").find("order_of_kept_4x2") != std::string::npos);
}

TEST_CASE("what lanes store at places of their own, and what they do not") {
  using enum RunnerOptions::Processor;
  for (const std::string element : {"bool", "u8", "f32", "i64"}) {
    CAPTURE(element);
    const ir::Function scatter = ir::parse(
        "fn g(n: i64, m: i64, is: [n]i64, xs: [n]" + element + ", ys: [m]" + element + ") -> [m]" +
        element + " {\n  r: [m]" + element + " = soac n (is, xs) { (i: i64, j: i64, x: " + element +
        ")\n    yield j, x\n  } scatter 1 ys\n  ret r\n}");
    KernelRunner kernel(scatter);
    std::mt19937 random(1);
    for (const std::int64_t n : {0, 1, 7, 64, 203}) {
      CAPTURE(n);
      std::vector<ir::DenseValue> arguments = arguments_for(scatter, {n, 5}, random);
      const std::string expected = text_of(ir::evaluate(scatter, arguments));
      for (const auto processor : {Sse2, Avx2, Avx512})
        for (const unsigned lanes : {0u, 16u})
          if (can_run(processor))
            CHECK(text_of(kernel.run(arguments, {.lanes = lanes, .processor = processor})) ==
                  expected);
    }
  }
}

TEST_CASE("checks note the site that failed") {
  check_kernel(R"(fn checked(n: i64, m: i64, is: [n]i64, xs: [m]f32) -> [n]f32 {
    r: [n]f32 = soac n (is) { (i: i64, j: i64)
      low: bool = ge j -5i64
      check low, "too low"
      high: bool = lt j m
      check high, "too high"
      k: i64 = max j 0i64
      x: f32 = index xs[k]
      yield x
    } map
    ret r
  })",
               {{0, 5}, {1, 20}, {40, 20}, {40, 11}, {50, 3}});
}

TEST_CASE("an operation that only checks") {
  check_kernel(R"(fn checked(n: i64, xs: [n]f32) -> () {
    soac n (xs) { (i: i64, x: f32)
      low: bool = lt x 1f32
      check low, "not low"
      yield
    }
    ret
  })",
               {{0}, {1}, {40}});
}

namespace {

std::size_t count_of(std::string_view what, const std::string& text) {
  std::size_t number = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
    ++number;
  return number;
}

/// A weighted sum of neighbours in two rows.
std::string weighted_sum(int neighbours) {
  std::string text = "fn f(n: i64, m: i64, xs: [m]f32, ys: [m]f32) -> [n]f32 {\n"
                     "  r: [n]f32 = soac n () { (i: i64)\n    s0: f32 = convert i\n";
  for (int i = 0; i < neighbours; ++i) {
    const std::string number = std::to_string(i), next = std::to_string(i + 1);
    text += "    i" + number + ": i64 = add i " + number + "i64\n    x" + number +
            ": f32 = index " + (i % 2 == 0 ? "xs" : "ys") + "[i" + number + "]\n    p" + number +
            ": f32 = mul x" + number + " 3.5f32\n    s" + next + ": f32 = add s" + number + " p" +
            number + "\n";
  }
  return text + "    yield s" + std::to_string(neighbours) + "\n  } map\n  ret r\n}";
}

} // namespace

TEST_CASE("long bodies have no masks for whole vectors, and ask for a row once") {
  const auto text = [](int neighbours) {
    return kernel_text(ir::parse(weighted_sum(neighbours)),
                       {.lanes = 8, .processor = RunnerOptions::Processor::Avx2});
  };
  const std::string whole = text(60); // 240 statements
  CHECK(count_of(" = load <8 x float>", whole) >= 60);
  CHECK(count_of("@llvm.prefetch", whole) == 0);
  const std::string masked = text(120); // more than there is to be twice
  CHECK(count_of("@llvm.masked.load", masked) >= 120);
  CHECK(count_of("call void @llvm.prefetch", masked) == 2);
}
