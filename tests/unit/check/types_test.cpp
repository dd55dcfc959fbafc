// Types inferred for definitions and expressions, sizes included, and the annotations left behind.
#include "lang/check/checker.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

namespace {

/// The scheme of the last definition of a program, or the first error.
std::string scheme_of(const std::string& program, std::string_view name = "f") {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  const check::CheckedFile* file = checker.check_text("test.fut", program, diagnostics);
  if (!file || diagnostics.has_errors())
    return diagnostics.all().empty() ? "failed" : "error: " + diagnostics.all().front().message;
  return types::print(file->scope.values.at(name)->scheme);
}

std::string type_of(const std::string& expression) {
  return scheme_of("def f = " + expression);
}

} // namespace

TEST_CASE("literals and overloads") {
  CHECK(type_of("1") == "i32");
  CHECK(type_of("1.0") == "f64");
  CHECK(type_of("1u8") == "u8");
  CHECK(type_of("1f32") == "f32");
  CHECK(type_of("(1: f16)") == "f16");
  CHECK(type_of("1 + 2.0") == "f64");
  CHECK(type_of("'a'") == "i32");
  CHECK(type_of("\"abc\"") == "[3]u8");
  CHECK(type_of("1 < 2 && true") == "bool");
  CHECK(type_of("!true") == "bool");
  CHECK(type_of("-1i8") == "i8");
  CHECK(scheme_of("def f x = x + 1i64") == "i64 -> i64");
  CHECK(scheme_of("def f x y = x == y || x > 1f32") == "f32 -> f32 -> bool");
  CHECK(scheme_of("def f x = x + x") == "i32 -> i32");
}

TEST_CASE("polymorphism") {
  CHECK(scheme_of("def f x = x") == "'^a. a -> a");
  CHECK(scheme_of("def f x y = (x, y)") == "'^a '^b. a -> b -> (a, b)");
  CHECK(scheme_of("def f 'a (x: a) y = (x, y)") == "'a '^b. a -> b -> (a, b)");
  CHECK(scheme_of("def f c x y = if c then x else y") == "'~a. bool -> a -> a -> a");
  CHECK(scheme_of("def f x = [x]") == "'a. a -> *[1]a");
  CHECK(scheme_of("def f g x = g (g x)") == "'^a. (a -> a) -> a -> a");
  CHECK(scheme_of("def f (x: i32) = let g 'a (y: a) = (x, y) in (g true, g 1f32)") ==
        "i32 -> ((i32, bool), (i32, f32))");
}

TEST_CASE("records and sums") {
  CHECK(type_of("{x = 1, y = true}") == "{x: i32, y: bool}");
  CHECK(type_of("(1, true).1") == "bool");
  CHECK(scheme_of("def f (p: {x: i32, y: f32}) = p.y") == "{x: i32, y: f32} -> f32");
  CHECK(scheme_of("def f (p: {x: i32}) = p with x = 2") == "{x: i32} -> {x: i32}");
  CHECK(scheme_of("def g h (p: (i32, bool)) = h p def f = g (\\q -> q.1)") ==
        "(i32, bool) -> bool");
  CHECK(scheme_of("type t = #a i32 | #b\ndef f (x: t) = match x case #a y -> y case #b -> 0") ==
        "(#a i32 | #b) -> i32");
  CHECK(scheme_of("def f (b: bool): (#no | #yes i32) = if b then #yes 1 else #no") ==
        "bool -> #no | #yes i32");
  CHECK(scheme_of("def f = let {x, y = z} = {x = 1, y = true} in (z, x)") == "(bool, i32)");
}

TEST_CASE("sizes") {
  CHECK(type_of("[1, 2, 3]") == "[3]i32");
  CHECK(type_of("[[1, 2], [3, 4]]") == "[2][2]i32");
  CHECK(scheme_of("def f (n: i64) = iota n") == "(n: i64) -> *[n]i64");
  CHECK(scheme_of("def f (n: i64) = replicate (n + 1) true") == "(n: i64) -> *[n + 1]bool");
  CHECK(type_of("iota 10") == "[10]i64");
  CHECK(scheme_of("def f [n] (xs: [n]i32) = map (+ 1) xs") == "[n]. [n]i32 -> *[n]i32");
  CHECK(scheme_of("def f (xs: []i32) = map (+ 1) xs") == "[d₀]. [d₀]i32 -> *[d₀]i32");
  CHECK(scheme_of("def f xs = map (+ 1) xs") == "[d₀]. [d₀]i32 -> *[d₀]i32");
  CHECK(scheme_of("def f [n] (xs: [n]i32) = filter (> 0) xs") == "[n]. [n]i32 -> ?[d₀].*[d₀]i32");
  CHECK(scheme_of("def f [n] (xs: [n]i32) = xs |> filter (> 0)") == "[n]. [n]i32 -> ?[d₀].[d₀]i32");
  CHECK(scheme_of("def f = map (+ 1i32) >-> filter (> 2)") == "[d₀]. [d₀]i32 -> ?[d₁].[d₁]i32");
  CHECK(scheme_of("def f (n: i64) (m: i64) = map (\\x -> map (+ x) (iota m)) (iota n)") ==
        "(n: i64) -> (m: i64) -> *[n][m]i64");
  CHECK(scheme_of(
            "def f [n][m] (x: [n][m]f32) = map (\\i -> map (\\j -> x[j, i]) (iota n)) (iota m)") ==
        "[n] [m]. [n][m]f32 -> *[m][n]f32");
  CHECK(scheme_of("def f (n: i64) = let m = n * 2 in iota m") == "(n: i64) -> *[n * 2]i64");
  CHECK(scheme_of("def f (n: i64) = 0..<n") == "(n: i64) -> *[n]i64");
  CHECK(scheme_of("def f (n: i64) = 1..2...n") == "(n: i64) -> *[n]i64");
  CHECK(scheme_of("def f (n: i64) = 3..<n") == "(n: i64) -> *[n - 3]i64");
  CHECK(scheme_of("def f [n] (xs: [n]i32) (k: i64) = xs[:k]") ==
        "[n]. [n]i32 -> (k: i64) -> [k]i32");
  CHECK(scheme_of("def f [n] (xs: [n]i32) (k: i64) = xs[k:]") ==
        "[n]. [n]i32 -> (k: i64) -> [n - k]i32");
  CHECK(scheme_of("def f [n] (xs: [n]i32) = xs[::-1]") == "[n]. [n]i32 -> [n]i32");
  CHECK(scheme_of("def f (b: bool) = if b then [1, 2] else [3]") == "bool -> ?[d₀].*[d₀]i32");
  CHECK(scheme_of("def f (b: bool) = if b then [[1, 2]] else [[3, 4], [5, 6]]") ==
        "bool -> ?[d₀].*[d₀][2]i32");
  CHECK(scheme_of("def f (b: bool) [n] (xs: [n]i32) = if b then xs else map (+ 1) xs", "f")
            .starts_with("error"));
  CHECK(scheme_of("def f [n] (b: bool) (xs: [n]i32) = if b then xs else map (+ 1) xs") ==
        "[n]. bool -> [n]i32 -> [n]i32");
  CHECK(scheme_of("def f (x: (i64, i64)) = let (n, _) = x in iota n") ==
        "(i64, i64) -> ?[d₀].*[d₀]i64");
  CHECK(scheme_of("def f [n] (xs: [n]i32) = let [m] (ys: [m]i32) = xs in iota m") ==
        "[n]. [n]i32 -> ?[d₀].*[d₀]i64");
  CHECK(scheme_of("def f [n] (xs: [n]i32) = xs :> [3]i32") == "[n]. [n]i32 -> [3]i32");
}

TEST_CASE("loops") {
  CHECK(scheme_of("def f (n: i64) = loop s = 0 for i < n do s + i32.i64 i") == "i64 -> i32");
  CHECK(scheme_of("def f [n] (ys: [n]i32) = loop xs = ys for _i < 3 do map (+ 1) xs") ==
        "[n]. [n]i32 -> [n]i32");
  CHECK(scheme_of("def f (n: i64) = loop xs = [1] for _i < n do xs ++ xs") ==
        "i64 -> ?[d₀].*[d₀]i32");
  CHECK(scheme_of(
            "def f [n] (a: [n]i32) (b: [n]i32) = loop (x, y) = (a, b) while x[0] < 1 do (y, x)") ==
        "[n]. [n]i32 -> [n]i32 -> ([n]i32, [n]i32)");
  CHECK(scheme_of("def f (x: i32) = loop x for i in [1, 2] do x + i") == "i32 -> i32");
  CHECK(scheme_of("def f [n] (a: [n]f32) = loop a' = copy a for i < n do a' with [i] = 0") ==
        "[n]. [n]f32 -> *[n]f32");
}

TEST_CASE("type abbreviations") {
  CHECK(scheme_of("type v [n] 'a = ([n]a, [n]a)\ndef f (x: v [2] i32) = x.0") ==
        "([2]i32, [2]i32) -> [2]i32");
  CHECK(scheme_of("type v [n] 'a = ([n]a, [n]a)\ndef f (x: v [] i32) = x") ==
        "[d₀]. ([d₀]i32, [d₀]i32) -> ([d₀]i32, [d₀]i32)");
  CHECK(scheme_of("type~ any = []i32\ndef f (x: any): any = x") == "[d₀]. [d₀]i32 -> [d₀]i32");
  CHECK(scheme_of("type^ fn 'a = a -> a\ndef f (g: fn i32) = g 1") == "(i32 -> i32) -> i32");
}

TEST_CASE("recursion is monomorphic in types and polymorphic in sizes") {
  CHECK(scheme_of("def f (n: i32): i32 = if n == 0 then 1 else n * f (n - 1)") == "i32 -> i32");
  CHECK(scheme_of("def f n = if n <= 0i64 then 0i64 else f (n - 1)") == "i64 -> i64");
  CHECK(scheme_of("def f [n] (xs: [n]i32): i32 = if n == 0 then 0 else xs[0] + f xs[1:]") ==
        "[n]. [n]i32 -> i32");
}

TEST_CASE("every overloaded operator and section") {
  CHECK(type_of("(+ 1f32)") == "f32 -> f32");
  CHECK(type_of("(1u8 <<)") == "u8 -> u8");
  CHECK(type_of("map (.0) [(1, true)]") == "[1]i32");
  CHECK(type_of("(.[0]) [1f32]") == "f32");
  CHECK(type_of("reduce (&&) true [false]") == "bool");
}
