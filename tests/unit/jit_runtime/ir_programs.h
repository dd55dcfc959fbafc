// Small IR functions that together have every operation, arguments for them, and their comparison
// with the reference evaluator.  For tests of whatever runs functions.
#pragma once

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/runtime/backend.h"
#include "jit/runtime/executable.h"
#include "lang/values/strided.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::test {

struct IrProgram {
  std::string_view name;
  std::string_view text;
};

/// In all of them `n` and `m` are sizes, `is` holds indices around 0 … n, `js` around 0 … m, and
/// other numbers are small integers, so that sums of floats do not depend on their order.
inline constexpr IrProgram ir_programs[] = {
    {"map", R"(fn f(n: i64, xs: [n]f32, ys: [n]f32) -> [n]f32 {
  zs: [n]f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
    p: f32 = mul x 2.5f32
    z: f32 = add p y
    yield z
  } map
  ret zs
})"},
    {"dotp", R"(fn f(n: i64, xs: [n]f32, ys: [n]f32) -> f32 {
  s: f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
    p: f32 = mul x y
    yield p
  } reduce commutative (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})"},
    {"a reduction whose order matters", R"(fn f(n: i64, xs: [n]i64) -> (i64, i64) {
  a: i64, b: i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = add x 1i64
    yield y, x
  } reduce (1i64, 0i64) { (a1: i64, b1: i64, c: i64, d: i64)
    ac: i64 = mul a1 c
    bc: i64 = mul b1 c
    bcd: i64 = add bc d
    yield ac, bcd
  }
  ret a, b
})"},
    {"rows of a few elements", R"(fn f(n: i64, xs: [n]f32, ys: [n]f64, ws: [n]i16)
      -> ([n][3]f32, [n][2]f64, [n][5]i16, [n][7]bool, [n][8]f32) {
  as: [n][3]f32, bs: [n][2]f64, cs: [n][5]i16, ds: [n][7]bool, es: [n][8]f32 = soac n (xs, ys, ws) {
    (i: i64, x: f32, y: f64, w: i16)
    x2: f32 = add x x
    y2: f64 = sub y 1f64
    w2: i16 = mul w w
    p: bool = lt x 1f32
    q: bool = lt y 2f64
    a: [3]f32 = array (x, x2, 7f32)
    b: [2]f64 = array (y2, y)
    c: [5]i16 = array (w, 1i16, w2, w, w2)
    d: [7]bool = array (p, q, true, p, p, false, q)
    e: [8]f32 = array (x, x2, x, x2, 3f32, x, x, x2)
    yield a, b, c, d, e
  } map map map map map
  ret as, bs, cs, ds, es
})"},
    {"fills", R"(fn f(n: i64, m: i64, x: i16) -> ([n]f32, [n][m]i16, [n][m]bool, [n]i64) {
  zeros: [n]f32 = soac n () { (i1: i64)
    yield 0f32
  } map
  rows: [n][m]i16 = soac n () { (i2: i64)
    row1: [m]i16 = soac m () { (j1: i64)
      yield x
    } map
    yield row1
  } map
  flags: [n][m]bool = soac n () { (i3: i64)
    row2: [m]bool = soac m () { (j2: i64)
      yield true
    } map
    yield row2
  } map
  ninths: [n]i64 = soac n () { (i4: i64)
    yield 9i64
  } map
  ret zeros, rows, flags, ninths
})"},
    {"what looks like fills",
     R"(fn f(n: i64, m: i64, row: [m]i8) -> ([n]i64, [n][m]i64, [n][m]i8, [n]i64) {
  is: [n]i64 = soac n () { (i1: i64)
    yield i1
  } map
  grid: [n][m]i64 = soac n () { (i2: i64)
    inner: [m]i64 = soac m () { (j1: i64)
      yield i2
    } map
    yield inner
  } map
  rows: [n][m]i8 = soac n () { (i3: i64)
    yield row
  } map
  is_small: bool = lt n 20i64
  checked: [n]i64 = soac n () { (i4: i64)
    check is_small, "large"
    yield 1i64
  } map
  ret is, grid, rows, checked
})"},
    {"scan", R"(fn f(n: i64, xs: [n]i32) -> ([n]i32, [n]i32) {
  p: [n]i32, t: [n]i32 = soac n (xs) { (i: i64, x: i32)
    y: i32 = mul x 3i32
    yield x, y
  } scan (0i32) { (a: i32, b: i32)
    c: i32 = add a b
    yield c
  } map
  ret p, t
})"},
    {"extremes of halves", R"(fn f(n: i64, xs: [n]f16) -> (f16, f16) {
  s: f16, t: f16 = soac n (xs) { (i: i64, x: f16)
    yield x, x
  } reduce (f16.inf) { (a: f16, b: f16)
    c: f16 = min a b
    yield c
  } reduce (-f16.inf) { (d: f16, e: f16)
    g: f16 = max d e
    yield g
  }
  ret s, t
})"},
    {"a scan whose order matters", R"(fn f(n: i64, xs: [n]i64) -> ([n]i64, [n]i64) {
  p: [n]i64, q: [n]i64 = soac n (xs) { (i: i64, x: i64)
    yield x, i
  } scan (1i64, 0i64) { (a: i64, b: i64, c: i64, d: i64)
    ac: i64 = mul a c
    bc: i64 = mul b c
    bcd: i64 = add bc d
    yield ac, bcd
  }
  ret p, q
})"},
    {"filter", R"(fn f(n: i64, xs: [n]i32, ys: [n]f64) -> (i64, f64) {
  k: i64, kept: [k]i32, others: [k]f64 = soac n (xs, ys) { (i: i64, x: i32, y: f64)
    c: bool = lt x 2i32
    yield c, x, y
  } filter 2
  s: i32, t: f64 = soac k (kept, others) { (i1: i64, x1: i32, y1: f64)
    j: i32 = convert i1
    w: i32 = mul x1 j
    yield w, y1
  } reduce (0i32) { (a: i32, b: i32)
    c1: i32 = add a b
    yield c1
  } reduce (0f64) { (a1: f64, b1: f64)
    c2: f64 = add a1 b1
    yield c2
  }
  u: f64 = convert s
  v: f64 = add u t
  ret k, v
})"},
    {"partition",
     R"(fn f(n: i64, m: i64, xs: [n]i32, ys: [n]f64) -> ([4]i64, [n]f64, [n]i64, [m]i64, [n]i16) {
  c: [4]i64, r: [n]f64, s: [n]i64 = soac n (xs, ys) { (i: i64, x: i32, y: f64)
    k: i32 = and x 3i32
    yield k, y, i
  } partition 4i64 2
  d: [m]i64, t: [n]i16 = soac n (xs) { (i1: i64, x1: i32)
    q: i64 = mod i1 m
    l: i32 = convert q
    h: i16 = convert x1
    yield l, h
  } partition m 1
  ret c, r, s, d, t
})"},
    {"partitions in a loop and in a map", R"(fn f(n: i64, m: i64, xs: [n]i64) -> ([n]i64, [m]i64) {
  rs: [n]i64 = for 3i64 (xs) { (j: i64, ys: [n]i64)
    c: [4]i64, zs: [n]i64 = soac n (ys) { (i: i64, y: i64)
      jj: i64 = add j j
      d: i64 = shr y jj
      e: i64 = and d 3i64
      k: i32 = convert e
      yield k, y
    } partition 4i64 1
    yield zs
  }
  ts: [m]i64 = soac m () { (g: i64)
    d1: [m]i64, us: [n]i64 = soac n (xs) { (i1: i64, x: i64)
      a: i64 = add x g
      b: i64 = mod a m
      l: i32 = convert b
      yield l, a
    } partition m 1
    w: i64 = for n (0i64) { (i2: i64, v: i64)
      u: i64 = index us[i2]
      v3: i64 = mul v 3i64
      v4: i64 = add v3 u
      yield v4
    }
    z: i64 = index d1[g]
    wz: i64 = sub w z
    yield wz
  } map
  ret rs, ts
})"},
    {"partition of rows",
     R"(fn f(n: i64, m: i64, xss: [n][m]i32, is: [n]i64) -> ([3]i64, [n][m]i32, [n]bool) {
  c: [3]i64, rows: [n][m]i32, bs: [n]bool = soac n (xss, is) { (i: i64, xs: [m]i32, j: i64)
    k: i64 = mod j 3i64
    l: i32 = convert k
    b: bool = lt j 2i64
    yield l, xs, b
  } partition 3i64 2
  ret c, rows, bs
})"},
    {"filter of rows", R"(fn f(n: i64, m: i64, xss: [n][m]i32, is: [n]i64) -> (i64, [m]i32) {
  k: i64, kept: [k][m]i32 = soac n (xss, is) { (i: i64, xs: [m]i32, j: i64)
    c: bool = lt j 3i64
    yield c, xs
  } filter 1
  s: [m]i32 = soac m () { (i1: i64)
    t: i32 = for k (0i32) { (j1: i64, a: i32)
      x: i32 = index kept[j1, i1]
      aa: i32 = mul a 3i32
      y: i32 = add aa x
      yield y
    }
    yield t
  } map
  ret k, s
})"},
    {"scatter", R"(fn f(n: i64, xs: [n]i32, is: [n]i64, d: [n]i32) -> [n]i32 {
  e: [n]i32 = soac n (xs, is) { (i: i64, x: i32, j: i64)
    yield j, x
  } scatter 1 d
  ret e
})"},
    {"scatter of rows",
     R"(fn f(n: i64, m: i64, xss: [n][m]i32, is: [n]i64, d: [n][m]i32) -> [n][m]i32 {
  e: [n][m]i32 = soac n (xss, is) { (i: i64, xs: [m]i32, j: i64)
    yield j, xs
  } scatter 1 d
  ret e
})"},
    {"histogram", R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]i32, d: [m]i32) -> [m]i32 {
  e: [m]i32 = soac n (js, xs) { (i: i64, j: i64, x: i32)
    yield j, x
  } histogram 1 (d) (0i32) { (a: i32, b: i32)
    c: i32 = add a b
    yield c
  }
  ret e
})"},
    // A single chunk has private storage for the sum, but not for the bins.
    {"histogram beside a reduction",
     R"(fn f(n: i64, m: i64, js: [n]i64, xs: [n]i32, d: [m]i32) -> ([m]i32, i32) {
  e: [m]i32, s: i32 = soac n (js, xs) { (i: i64, j: i64, x: i32)
    yield j, x, x
  } histogram 1 (d) (0i32) { (a: i32, b: i32)
    c: i32 = add a b
    yield c
  } reduce (0i32) { (p: i32, q: i32)
    r: i32 = add p q
    yield r
  }
  ret e, s
})"},
    {"nested maps and reductions",
     R"(fn f(n: i64, m: i64, xss: [n][m]f32, ys: [m]f32) -> ([n]f32, [m]f32) {
  zs: [n]f32, t: [m]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs, ys) { (j: i64, x: f32, y: f32)
      p: f32 = mul x y
      yield p
    } reduce commutative (0f32) { (a: f32, b: f32)
      c: f32 = add a b
      yield c
    }
    yield s, xs
  } map reduce (ys) { (a1: [m]f32, b1: [m]f32)
    c1: [m]f32 = soac m (a1, b1) { (j1: i64, x1: f32, y1: f32)
      p1: f32 = max x1 y1
      yield p1
    } map
    yield c1
  }
  ret zs, t
})"},
    {"scalars and branches", R"(fn f(n: i64, a: i64, xs: [n]i32) -> (i64, [n]i32) {
  b: i64 = mul a 7i64
  c: bool = lt b 5i64
  e: i64 = select c b a
  m: i64, ys: [m]i32 = if c {
    ts: [2]i32 = array (1i32, 2i32)
    yield 2i64, ts
  } else {
    yield n, xs
  }
  total: i64 = add e m
  r: i32 = soac m (ys) { (i: i64, y: i32)
    yield y
  } reduce (0i32) { (p: i32, q: i32)
    s: i32 = add p q
    yield s
  }
  rr: i64 = convert r
  all: i64 = add total rr
  ret all, xs
})"},
    {"loops around kernels", R"(fn f(n: i64, xs: [n]f64) -> ([n]f64, [n]f64, f64) {
  as: [n]f64, bs: [n]f64, t: f64 = for 5i64 (xs, xs, 0f64) { (i: i64, as1: [n]f64, bs1: [n]f64, t1: f64)
    k: f64 = convert i
    cs: [n]f64 = soac n (as1, bs1) { (j: i64, a: f64, b: f64)
      c: f64 = add a k
      d: f64 = add c b
      yield d
    } map
    s: f64 = soac n (cs) { (j1: i64, c1: f64)
      yield c1
    } reduce commutative (0f64) { (p: f64, q: f64)
      r: f64 = add p q
      yield r
    }
    u: f64 = add s t1
    yield bs1, cs, u
  }
  ret as, bs, t
})"},
    {"a sequential loop with updates", R"(fn f(n: i64, xs: [n]i64, d: [n]i64) -> ([n]i64, i64) {
  r: [n]i64, s: i64 = for n (d, 1i64) { (i: i64, d1: [n]i64, s1: i64)
    x: i64 = index xs[i]
    y: i64 = index d1[i]
    z: i64 = mul x s1
    w: i64 = add z y
    e: [n]i64 = update d1[i] = w
    yield e, w
  }
  ret r, s
})"},
    {"a while loop", R"(fn f(a: i64, n: i64, d: [n]i64) -> (i64, [n]i64) {
  k: i64, e: [n]i64 = while (1i64, d) { (k1: i64, d1: [n]i64)
    c: bool = lt k1 1000i64
    yield c
  } do { (k2: i64, d2: [n]i64)
    e1: [n]i64 = soac n (d2) { (i: i64, x: i64)
      y: i64 = add x k2
      yield y
    } map
    kk: i64 = mul k2 3i64
    yield kk, e1
  }
  ret k, e
})"},
    {"updates of rows and slices",
     R"(fn f(n: i64, m: i64, xss: [n][m]i32, ys: [m]i32) -> ([n][m]i32, [n][m]i32) {
  a: [n][m]i32 = copy xss
  c: bool = lt 1i64 n
  r: [n][m]i32 = if c {
    first: [m]i32 = index a[1i64]
    row: [m]i32 = copy first
    b: [n][m]i32 = update a[0i64] = row
    yield b
  } else {
    yield a
  }
  part: [n][m]i32 = slice r[0i64:1i64, 0i64:1i64]
  q: [n][m]i32 = copy part
  last: i64 = sub m 1i64
  flipped: [n][m]i32 = slice q[0i64:1i64, last:-1i64]
  p: [n][m]i32 = copy flipped
  some: [1][m]i32 = array (ys)
  o: [n][m]i32 = if c {
    w: [n][m]i32 = update_slice p[1i64:1i64, 0i64:1i64] = some
    yield w
  } else {
    yield p
  }
  ret o, flipped
})"},
    {"rearrangements", R"(fn f(n: i64, m: i64, xss: [n][m]f32) -> ([m][n]f32, [m][n]f32, [m]f32) {
  t: [m][n]f32 = transpose xss (1, 0)
  r: [m][n]f32 = reshape xss
  tt: [m][n]f32 = reshape t
  nm: i64 = mul n m
  flat: [nm]f32 = reshape t
  s: [m]f32 = soac m (t, tt) { (i: i64, a: [n]f32, b: [n]f32)
    v: f32 = for n (0f32) { (j: i64, v1: f32)
      x: f32 = index a[j]
      y: f32 = index b[j]
      w: f32 = mul v1 2f32
      z: f32 = add x w
      u: f32 = sub z y
      yield u
    }
    yield v
  } map
  u1: [m][n]f32 = soac m (r) { (i1: i64, a1: [n]f32)
    q: [n]f32 = soac n (a1) { (j1: i64, x1: f32)
      at: i64 = mul i1 n
      k: i64 = add at j1
      y1: f32 = index flat[k]
      z1: f32 = sub x1 y1
      yield z1
    } map
    yield q
  } map
  ret t, u1, s
})"},
    {"concatenation", R"(fn f(n: i64, m: i64, xs: [n]u8, ys: [m]u8) -> (u8, i64) {
  k: i64 = add n m
  kk: i64 = add k n
  zs: [kk]u8 = concat (xs, ys, xs)
  s: u8 = soac kk (zs) { (i: i64, z: u8)
    j: u8 = convert i
    w: u8 = mul z j
    yield w
  } reduce (0u8) { (a: u8, b: u8)
    c: u8 = add a b
    yield c
  }
  ret s, kk
})"},
    {"checks in a map", R"(fn f(n: i64, m: i64, is: [n]i64, xs: [n]f32) -> [n]f32 {
  ys: [n]f32 = soac n (is) { (i: i64, j: i64)
    low: bool = le 0i64 j
    high: bool = lt j n
    c: bool = and low high
    check c, "index out of bounds"
    y: f32 = index xs[j]
    z: bool = ne i 1000i64
    check z, "a thousand"
    yield y
  } map
  ret ys
})"},
    {"many types",
     R"(fn f(n: i64, a: [n]i8, b: [n]u16, c: [n]bool, d: [n]f64, e: [n]u64) -> ([n]u16, [n]bool, [n]f64, [n]i8) {
  p: [n]u16, q: [n]bool, r: [n]f64, s: [n]i8 = soac n (a, b, c, d, e) { (i: i64, a1: i8, b1: u16, c1: bool, d1: f64, e1: u64)
    x: u16 = convert a1
    y: u16 = add x b1
    z: bool = lt y 3u16
    w: bool = ne z c1
    t: f64 = convert e1
    u: f64 = select w t d1
    v: i8 = convert u
    yield y, w, u, v
  } map map map map
  ret p, q, r, s
})"},
    {"branches and loops in a body", R"(fn f(n: i64, xs: [n]i32) -> [n]i32 {
  ys: [n]i32 = soac n (xs) { (i: i64, x: i32)
    c: bool = lt x 0i32
    k: i32 = if c {
      j: i32 = neg x
      yield j
    } else {
      l: i32 = while (x) { (v: i32)
        d: bool = lt v 100i32
        yield d
      } do { (v1: i32)
        w: i32 = mul v1 2i32
        ww: i32 = add w 1i32
        yield ww
      }
      yield l
    }
    t: i32 = for k (0i32) { (q: i32, s: i32)
      r: i32 = add q s
      u: i32 = xor r x
      yield u
    }
    yield t
  } map
  ret ys
})"},
    {"a stream", R"(fn f(n: i64, xs: [n]i64) -> (i64, i64, [n]i64) {
  ys: [n]i64 = copy xs
  m: i64, sum: i64, zs: [n]i64 = stream n by 3 bytes 24 (0i64, 0i64, ys) {
    (b: i64, c: i64, before: i64, s: i64, ts: [n]i64)
    part: [c]i64 = slice xs[b:1i64]
    k: i64, kept: [k]i64 = soac c (part) { (i: i64, x: i64)
      p: bool = lt x 3i64
      yield p, x
    } filter 1
    t: i64 = soac k (kept) { (j: i64, y: i64)
      place: i64 = add before j
      z: i64 = mul y place
      yield z
    } reduce (0i64) { (d: i64, e: i64)
      f: i64 = add d e
      yield f
    }
    us: [c]i64 = soac c (part) { (l: i64, v: i64)
      place2: i64 = add b l
      w: i64 = sub v place2
      yield w
    } map
    next: [n]i64 = update_slice ts[b:1i64] = us
    before2: i64 = add before k
    s2: i64 = add s t
    yield before2, s2, next
  }
  ret m, sum, zs
})"},
    {"arrays inside of bodies",
     R"(fn f(n: i64, m: i64, xs: [n]i64, ys: [m]i64) -> ([n][m]i64, [n]i64) {
  zss: [n][m]i64, ts: [n]i64 = soac n (xs) { (i: i64, x: i64)
    zs: [m]i64 = soac m (ys) { (j: i64, y: i64)
      z: i64 = mul x y
      yield z
    } map
    ps: [m]i64 = soac m (zs) { (j1: i64, z1: i64)
      yield z1
    } scan (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    }
    some: bool = lt 0i64 m
    t: i64 = if some {
      q: [m]i64 = update ps[0i64] = 17i64
      l: i64 = sub m 1i64
      r: i64 = index q[l]
      yield r
    } else {
      yield 0i64
    }
    yield zs, t
  } map map
  ret zss, ts
})"},
};

/// It ends for elements that are -1 only.
inline constexpr std::string_view endless = R"(fn f(n: i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    l: i64 = while (x) { (v: i64)
      d: bool = ne v -1i64
      yield d
    } do { (v1: i64)
      w: i64 = and v1 1023i64
      yield w
    }
    yield l
  } map
  ret ys
})";

/// Values as small as `ir_programs` says, different for each seed.
std::vector<ir::DenseValue> make_arguments(const ir::Function& function, std::int64_t n,
                                           std::int64_t m, unsigned seed);

/// How arrays lie in memory.
enum class Arrangement { Dense, Reversed, Spread };

/// The same for code that runs on buffers.
std::vector<jit::Datum> to_leaves(const ir::Function& function,
                                  const std::vector<ir::DenseValue>& data, MemoryBudget& memory,
                                  Arrangement arrangement);
std::vector<ir::DenseValue> from_leaves(const std::vector<jit::Datum>& data);

/// Checks that the executable gives what the reference evaluator gives, on arrays of all
/// arrangements, and that it leaves its arguments as they were where they are used elsewhere too.
void check_executable(jit::Executable& executable, std::int64_t n, std::int64_t m, unsigned seed,
                      unsigned threads = 1);

} // namespace sinter::test
