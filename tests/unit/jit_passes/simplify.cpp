// What simplification (followed by the removal of dead code) makes of a few statements.  Whole
// functions are texts: tests/ir/simplify.
#include "check.h"

#include "jit/passes/dead_code.h"
#include "jit/passes/simplify.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::jit;

namespace {

void run(ir::Function& function) {
  simplify(function);
  remove_dead_code(function);
}

/// The statements of a body over a few parameters, and the result.
void rewrites(const std::string& before, const std::string& expected) {
  const std::string head = "fn f(n: i64, m: i64, x: i64, y: i64, u: f32, p: bool, q: bool, "
                           "xs: [n]f32, zs: [n][m]f32) ";
  check_rewrites(run, head + before, head + expected);
}

} // namespace

TEST_CASE("integer sums cancel, floats are left alone") {
  rewrites("-> i64 { a: i64 = add x y b: i64 = sub a y ret b }", "-> i64 { ret x }");
  rewrites("-> i64 { a: i64 = sub x y b: i64 = add a y ret b }", "-> i64 { ret x }");
  rewrites("-> i64 { a: i64 = sub x y b: i64 = sub x a ret b }", "-> i64 { ret y }");
  rewrites("-> i64 { a: i64 = sub x 3i64 b: i64 = add a 4i64 ret b }",
           "-> i64 { b: i64 = add x 1i64 ret b }");
  rewrites("-> f32 { a: f32 = add u 1.0f32 b: f32 = sub a 1.0f32 ret b }",
           "-> f32 { a: f32 = add u 1.0f32 b: f32 = sub a 1.0f32 ret b }");
  rewrites("-> f32 { a: f32 = add u 0.0f32 ret a }", "-> f32 { a: f32 = add u 0.0f32 ret a }");
  rewrites("-> f32 { a: f32 = mul u 1.0f32 ret a }", "-> f32 { ret u }");
}

TEST_CASE("powers that are one operation") {
  rewrites("-> f32 { a: f32 = pow u 2.0f32 ret a }", "-> f32 { a: f32 = mul u u ret a }");
  rewrites("-> f32 { a: f32 = pow u 1.0f32 ret a }", "-> f32 { ret u }");
  rewrites("-> f32 { a: f32 = pow u 0.0f32 ret a }", "-> f32 { ret 1.0f32 }");
  rewrites("-> f32 { a: f32 = pow u -1.0f32 ret a }", "-> f32 { a: f32 = div 1.0f32 u ret a }");
  rewrites("-> f32 { a: f32 = pow 2.0f32 u ret a }", "-> f32 { a: f32 = pow 2.0f32 u ret a }");
  rewrites("-> i64 { a: i64 = pow x 2i64 ret a }", "-> i64 { a: i64 = mul x x ret a }");
  rewrites("-> i64 { a: i64 = pow 2i64 x ret a }", "-> i64 { a: i64 = shl 1i64 x ret a }");
  rewrites("-> i64 { a: i64 = pow x -1i64 ret a }", "-> i64 { a: i64 = pow x -1i64 ret a }");
}

TEST_CASE("conditions") {
  rewrites("-> bool { a: bool = lt x y b: bool = not a ret b }",
           "-> bool { b: bool = ge x y ret b }");
  rewrites("-> bool { a: bool = lt u 1.0f32 b: bool = not a ret b }",
           "-> bool { a: bool = lt u 1.0f32 b: bool = not a ret b }");
  rewrites("-> i64 { a: i64 = select p x x ret a }", "-> i64 { ret x }");
  rewrites("-> bool { a: bool = select p q false ret a }", "-> bool { a: bool = and p q ret a }");
  rewrites("-> bool { a: i64 = select p 0i64 1i64 b: bool = eq a 0i64 ret b }",
           "-> bool { ret p }");
  rewrites("-> bool { a: i64 = select p 0i64 1i64 b: bool = eq a 1i64 ret b }",
           "-> bool { b: bool = not p ret b }");
  rewrites("-> bool { a: bool = eq p false ret a }", "-> bool { a: bool = not p ret a }");
}

TEST_CASE("equal operations are computed once") {
  rewrites("-> i64 { a: i64 = mul x y b: i64 = mul x y c: i64 = add a b ret c }",
           "-> i64 { a: i64 = mul x y c: i64 = add a a ret c }");
  // What a branch computed is not known after it.
  rewrites("-> (i64, i64) { a: i64 = if p { b: i64 = div x y yield b } else { yield y } "
           "c: i64 = div x y ret a, c }",
           "-> (i64, i64) { a: i64 = if p { b: i64 = div x y yield b } else { yield y } "
           "c: i64 = div x y ret a, c }");
}

TEST_CASE("an element is not the row whose extent is its last index") {
  rewrites("-> ([m]f32, f32) { a: [m]f32 = index zs[x] b: f32 = index zs[x, m] ret a, b }",
           "-> ([m]f32, f32) { a: [m]f32 = index zs[x] b: f32 = index zs[x, m] ret a, b }");
}

TEST_CASE("checks that cannot fail disappear") {
  const std::string loop_with = "fn f(n: i64, k: i64, xs: [n]f32) -> [n]f32 { "
                                "ys: [n]f32 = soac n () { (i: i64) ";
  const std::string end = " yield x } map ret ys }";
  const auto vanishes = [&](const std::string& index, const std::string& checked) {
    const std::string result = after(run, loop_with + index + checked + end);
    INFO(result);
    CHECK(result.find("check") == std::string::npos);
  };
  const auto stays = [&](const std::string& index, const std::string& checked) {
    const std::string result = after(run, loop_with + index + checked + end);
    INFO(result);
    CHECK(result.find("check") != std::string::npos);
  };
  const std::string checked = " a: bool = le 0i64 j b: bool = lt j n c: bool = and a b "
                              "check c, \"index out of bounds\" x: f32 = index xs[j] ";
  vanishes("j: i64 = add i 0i64", checked);
  vanishes("a1: i64 = add i 1i64 j: i64 = sub n a1", checked);                       // reversed
  vanishes("a1: i64 = add i 1i64 a2: i64 = sub n 1i64 j: i64 = min a1 a2", checked); // clamped
  vanishes("a1: i64 = sub i 1i64 j: i64 = max 0i64 a1", checked);
  vanishes("a1: i64 = add i k j: i64 = mod a1 n", checked); // rotated
  vanishes("w: bool = gt i 0i64 v: i64 = sub i 1i64 j: i64 = select w v i", checked);
  stays("j: i64 = add i 1i64", checked);
  stays("j: i64 = sub i 1i64", checked);
  stays("j: i64 = add i k", checked);
  stays("a1: i64 = sub n 2i64 j: i64 = min i a1", checked); // -1 if n is 1
  // A sum of unknown numbers may wrap around.
  stays("w: bool = lt k n check w, \"k\" a1: i64 = sub k 1i64 a2: bool = lt a1 n "
        "check a2, \"k - 1\" j: i64 = add i 0i64",
        checked);
}

TEST_CASE("a small branch without reads becomes a select") {
  rewrites("-> f32 { r: f32 = if p { a: f32 = add u 1.0f32 yield a } else { yield u } ret r }",
           "-> f32 { a: f32 = add u 1.0f32 r: f32 = select p a u ret r }");
  rewrites("-> f32 { r: f32 = if p { a: f32 = index xs[x] yield a } else { yield u } ret r }",
           "-> f32 { r: f32 = if p { a: f32 = index xs[x] yield a } else { yield u } ret r }");
}

TEST_CASE("views are seen through") {
  rewrites("-> f32 { s: [m]f32 = slice xs[x:y] r: f32 = index s[3i64] ret r }",
           "-> f32 { a: i64 = mul y 3i64 b: i64 = add x a r: f32 = index xs[b] ret r }");
  rewrites("-> f32 { t: [m][n]f32 = transpose zs (1, 0) r: f32 = index t[x, y] ret r }",
           "-> f32 { r: f32 = index zs[y, x] ret r }");
  rewrites("-> f32 { row: [m]f32 = index zs[x] r: f32 = index row[y] ret r }",
           "-> f32 { r: f32 = index zs[x, y] ret r }");
  rewrites("-> [n][m]f32 { t: [m][n]f32 = transpose zs (1, 0) r: [n][m]f32 = transpose t (1, 0) "
           "ret r }",
           "-> [n][m]f32 { ret zs }");
  rewrites("-> f32 { l: [2]f32 = array (u, 1.0f32) r: f32 = index l[0i64] ret r }",
           "-> f32 { ret u }");
}

TEST_CASE("arrays that are joined twice are copied once") {
  rewrites("-> [k]f32 { l: i64 = add n n a: [l]f32 = concat (xs, xs) k: i64 = add l n "
           "b: [k]f32 = concat (a, xs) ret b }",
           "-> [k]f32 { l: i64 = add n n k: i64 = add n l b: [k]f32 = concat (xs, xs, xs) ret b }");
}

TEST_CASE("what is cut and joined again is the whole") {
  const std::string cut = "{ k: i64 = sub n x a: [x]f32 = slice xs[0i64:1i64] "
                          "b: [k]f32 = slice xs[x:1i64] ";
  rewrites("-> [n]f32 " + cut + "r: [n]f32 = concat (a, b) ret r }", "-> [n]f32 { ret xs }");
  // Three parts, rows of a matrix.
  rewrites("-> [n][m]f32 { z: i64 = add x y k: i64 = sub n z a: [x][m]f32 = slice "
           "zs[0i64:1i64, 0i64:1i64] b: [y][m]f32 = slice zs[x:1i64, 0i64:1i64] "
           "c: [k][m]f32 = slice zs[z:1i64, 0i64:1i64] r: [n][m]f32 = concat (a, b, c) ret r }",
           "-> [n][m]f32 { ret zs }");
  // In another order, or not from where the part before ended.
  const std::string other_order = cut + "r: [n]f32 = concat (b, a) ret r }";
  rewrites("-> [n]f32 " + other_order, "-> [n]f32 " + other_order);
  const std::string gap = "{ k: i64 = sub n x a: [x]f32 = slice xs[0i64:1i64] "
                          "b: [k]f32 = slice xs[y:1i64] r: [n]f32 = concat (a, b) ret r }";
  rewrites("-> [n]f32 " + gap, "-> [n]f32 " + gap);
}

TEST_CASE("replicated values and numbers below n are not read from memory") {
  rewrites("-> f32 { a: [n]f32 = soac n () { (i: i64) yield u } map r: f32 = index a[x] ret r }",
           "-> f32 { ret u }");
  rewrites("-> [n]i64 { a: [n]i64 = soac n () { (i: i64) yield i } map "
           "r: [n]i64 = soac n (a) { (j: i64, e: i64) s: i64 = add e x yield s } map ret r }",
           "-> [n]i64 { r: [n]i64 = soac n () { (i: i64) s: i64 = add x i yield s } map ret r }");
}

TEST_CASE("loops lose state that never changes, and state that nobody needs") {
  rewrites("-> f32 { a: f32, b: i64 = for n (u, x) { (i: i64, s: f32, k: i64) "
           "t: f32 = mul s s yield t, k } ret a }",
           "-> f32 { a: f32 = for n (u) { (i: i64, s: f32) t: f32 = mul s s yield t } ret a }");
  rewrites("-> f32 { a: f32, b: i64 = for n (u, x) { (i: i64, s: f32, k: i64) "
           "t: f32 = mul s s l: i64 = add k i yield t, l } ret a }",
           "-> f32 { a: f32 = for n (u) { (i: i64, s: f32) t: f32 = mul s s yield t } ret a }");
  rewrites("-> f32 { a: f32 = for 0i64 (u) { (i: i64, s: f32) t: f32 = mul s s yield t } ret a }",
           "-> f32 { ret u }");
}
