// The skeletons' own kernels as machine code: what they keep is in registers, of which there are
// few enough for all threads that a multiprocessor has room for.
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/ir/parse.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace sinter;

namespace {

struct SkeletonKernel {
  std::string_view way, text;
  std::string_view access = {}; ///< that its code has, where a stream is aligned
};

constexpr SkeletonKernel skeleton_kernels[] = {
    {"reduce", R"(fn f(n: i64, xs: [n]i32) -> i32 {
  s: i32 = soac n (xs) { (i: i64, x: i32)
    yield x
  } reduce (0i32) { (a: i32, b: i32)
    c: i32 = add a b
    yield c
  }
  ret s
})",
     "v4.u32"},
    {"reduce_by_rows", R"(fn f(n: i64, xs: [n]f32, ys: [n]f32) -> f32 {
  s: f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
    z: f32 = mul x y
    yield z
  } reduce (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})",
     "v4.f32"},
    {"reduce_by_rows", R"(fn f(n: i64, xs: [n]f64) -> (f64, i64) {
  s: f64, t: i64 = soac n (xs) { (i: i64, x: f64)
    yield x, i
  } reduce (0f64, -1i64) { (a: f64, j: i64, b: f64, k: i64)
    is: bool = lt a b
    c: f64 = select is b a
    l: i64 = select is k j
    yield c, l
  }
  ret s, t
})",
     "v2.f64"},
    {"scan", R"(fn f(n: i64, xs: [n]i32) -> [n]i32 {
  s: [n]i32 = soac n (xs) { (i: i64, x: i32)
    yield x
  } scan (0i32) { (a: i32, b: i32)
    c: i32 = add a b
    yield c
  }
  ret s
})",
     "v4.u32"},
    {"scan_by_rows", R"(fn f(n: i64, xs: [n]f32) -> [n]f32 {
  s: [n]f32 = soac n (xs) { (i: i64, x: f32)
    yield x
  } scan (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})",
     "v4.f32"},
    {"segmented_reduce", R"(fn f(n: i64, m: i64, xss: [n][m]i32) -> [n]i32 {
  c: [n]i32 = soac n (xss) { (i: i64, xs: [m]i32)
    s: i32 = soac m (xs) { (k: i64, x: i32)
      z: i32 = mul x x
      yield z
    } reduce (0i32) { (a: i32, b: i32)
      c1: i32 = add a b
      yield c1
    }
    yield s
  } map
  ret c
})",
     "v4.u32"},
    {"segmented_reduce", R"(fn f(n: i64, m: i64, xss: [n][m]f32, ys: [m]f32) -> [n]f32 {
  c: [n]f32 = soac n (xss) { (i: i64, xs: [m]f32)
    s: f32 = soac m (xs) { (k: i64, x: f32)
      yield x
    } reduce (0f32) { (a: f32, b: f32)
      c1: f32 = add a b
      yield c1
    }
    r: f32 = sqrt s
    yield r
  } map
  ret c
})",
     "v4.f32"},
    {"segmented_reduce",
     R"(fn f(n: i64, p: i64, m: i64, xsss: [n][p][m]f64) -> ([n][p]f64, [n][p]i64) {
  c: [n][p]f64, d: [n][p]i64 = soac n (xsss) { (i: i64, xss: [p][m]f64)
    e: [p]f64, g: [p]i64 = soac p (xss) { (j: i64, xs: [m]f64)
      s: f64, t: i64 = soac m (xs) { (k: i64, x: f64)
        yield x, k
      } reduce (0f64, -1i64) { (a: f64, h: i64, b: f64, l: i64)
        is: bool = lt a b
        c1: f64 = select is b a
        o: i64 = select is l h
        yield c1, o
      }
      yield s, t
    } map map
    yield e, g
  } map map
  ret c, d
})"},
    {"segmented_scan", R"(fn f(n: i64, m: i64, xss: [n][m]i32) -> [n][m]i32 {
  c: [n][m]i32 = soac n (xss) { (i: i64, xs: [m]i32)
    s: [m]i32 = soac m (xs) { (k: i64, x: i32)
      yield x
    } scan (0i32) { (a: i32, b: i32)
      c1: i32 = add a b
      yield c1
    }
    yield s
  } map
  ret c
})",
     "v4.u32"},
    {"segmented_scan",
     R"(fn f(n: i64, p: i64, m: i64, xsss: [n][p][m]f64) -> ([n][p][m]f64, [n][p][m]i64, [n][p][m]f64) {
  c: [n][p][m]f64, d: [n][p][m]i64, o: [n][p][m]f64 = soac n (xsss) { (i: i64, xss: [p][m]f64)
    e: [p][m]f64, g: [p][m]i64, q: [p][m]f64 = soac p (xss) { (j: i64, xs: [m]f64)
      s: [m]f64, t: [m]i64, y: [m]f64 = soac m (xs) { (k: i64, x: f64)
        z: f64 = mul x x
        yield z, k, z
      } scan (0f64, -1i64) { (a: f64, h: i64, b: f64, l: i64)
        is: bool = lt a b
        c1: f64 = add a b
        o1: i64 = select is l h
        yield c1, o1
      } map
      yield s, t, y
    } map map map
    yield e, g, q
  } map map map
  ret c, d, o
})"},
    {"filter", R"(fn f(n: i64, xs: [n]i32) -> (i64, [k]i32) {
  k: i64, ks: [k]i32 = soac n (xs) { (i: i64, x: i32)
    is: bool = lt x 5i32
    yield is, x
  } filter 1
  ret k, ks
})",
     "v4.u32"},
    {"partition", R"(fn f(n: i64, xs: [n]u32) -> ([256]i64, [n]u32) {
  c: [256]i64, ys: [n]u32 = soac n (xs) { (i: i64, x: u32)
    y: u32 = and x 255u32
    k: i32 = convert y
    yield k, x
  } partition 256i64 1
  ret c, ys
})"},
    {"partition", R"(fn f(n: i64, m: i64, xs: [n]f64) -> ([m]i64, [n]f64, [n]i64) {
  c: [m]i64, ys: [n]f64, is: [n]i64 = soac n (xs) { (i: i64, x: f64)
    l: i64 = mod i m
    k: i32 = convert l
    yield k, x, i
  } partition m 2
  ret c, ys, is
})"},
};

/// Whether an access to global memory is such a one; nothing: none has to be.
bool reads_by(const std::string& text, std::string_view access) {
  if (access.empty()) return true;
  for (std::size_t line = text.find("ld.global"); line != std::string::npos;
       line = text.find("ld.global", line + 1))
    if (text.substr(line, text.find('\n', line) - line).find(access) != std::string::npos)
      return true;
  return false;
}

} // namespace

TEST_CASE("skeletons keep what they have in registers, and read streams by 16 bytes") {
  for (const SkeletonKernel& kernel : skeleton_kernels) {
    CAPTURE(kernel.way);
    const ir::Function function = ir::parse(std::string(kernel.text));
    const gpu::KernelEntries entries =
        gpu::make_entries(function, {ir::all_dense(function.body.parameters.size()), {}});
    CHECK(entries.word == kernel.way);
    for (const unsigned architecture : {75u, 80u, 90u}) {
      CAPTURE(architecture);
      const gpu::PtxText ptx = gpu::to_ptx(entries.module, architecture);
      CHECK(reads_by(ptx.text, kernel.access));
      CHECK(ptx.text.find(".pragma \"nounroll\"") != std::string::npos);
      if (!gpu::has_assembler()) continue;
      const auto assembled = gpu::assemble(ptx, architecture);
      REQUIRE(assembled);
      CHECK(assembled->size() == entries.module.entries.size());
      for (const gpu::AssembledEntry& entry : *assembled) {
        CAPTURE(entry.name);
        CHECK(entry.facts.local_bytes == 0);
        CHECK(entry.spill_store_bytes == 0);
        CHECK(entry.facts.registers <= 64);
      }
    }
  }
}

namespace {

/// Steps of each point, at most so many.
std::string steps_text(std::string_view most) {
  return R"(fn f(n: i64, m: i32, xs: [n]f32) -> [n]i32 {
  c: [n]i32 = soac n (xs) { (i: i64, x: f32)
    z: f32, k: i32 = while (x, 0i32) { (v: f32, l: i32)
      is_near: bool = le v 4f32
      is_early: bool = lt l )" +
         std::string(most) + R"(
      is_both: bool = and is_early is_near
      yield is_both
    } do { (v1: f32, l1: i32)
      w: f32 = mul v1 v1
      u: f32 = add w x
      l2: i32 = add l1 1i32
      yield u, l2
    }
    yield k
  } map
  ret c
})";
}

} // namespace

TEST_CASE("loops that end soon do not look whether to stop") {
  const auto counts_turns = [](std::string_view most) {
    const ir::Function function = ir::parse(steps_text(most));
    const auto entries = gpu::make_entries_by(
        "map", function, {ir::all_dense(function.body.parameters.size()), jit::FloatMode::Exact});
    REQUIRE(entries);
    return gpu::to_ptx(entries->module, 90).text.find(", 1023;") != std::string::npos;
  };
  CHECK_FALSE(counts_turns("255i32"));
  CHECK(counts_turns("100000i32"));
  CHECK(counts_turns("m"));
}
