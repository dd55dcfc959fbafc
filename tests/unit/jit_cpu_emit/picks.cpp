// Lanes that each ask for an element of one short row pick from a register that has it: rows of 16
// numbers and of fewer, of integers and floats, under masks too.
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using namespace sinter::jit;

namespace {

const std::string source =
    "fn picks(n: i64, t: [3][16]i32, u: [7]f32, v: [17]i32, xs: [n]i32) -> ([n]i32, [n]f32, "
    "[n]i32, "
    "[n]i32) { a: [n]i32, b: [n]f32, c: [n]i32, d: [n]i32 = soac n (xs) { (i: i64, x: i32) "
    "x1: i32 = and x 15i32 at: i64 = convert x1 y: i32 = index t[1i64, at] "
    "k: i64 = mod i 7i64 z: f32 = index u[k] is: bool = lt x 2i32 "
    "w: i32 = if is { i1: i64 = mul i 3i64 k1: i64 = mod i1 16i64 q: i32 = index t[2i64, k1] "
    "q1: i32 = div q 3i32 yield q1 } else { yield x } "
    "k2: i64 = mod i 17i64 r: i32 = index v[k2] yield y, z, w, r } map map map map "
    "ret a, b, c, d }";

} // namespace

TEST_CASE("lanes pick from short rows") {
  check_kernel(source, lengths);
}

TEST_CASE("short rows are read once, longer ones where lanes ask") {
  const std::string text = kernel_text(ir::parse(source), {.lanes = 16});
  const bool picks = text.find("avx512.permvar") != std::string::npos ||
                     text.find("avx2.permd") != std::string::npos;
  CHECK(picks == (__builtin_cpu_supports("avx2") != 0));
  CHECK(text.find("masked.gather") != std::string::npos);
}
