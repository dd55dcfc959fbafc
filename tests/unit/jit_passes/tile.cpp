// Nests that are tiled, on sizes around the blocks'.
#include "check.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/passes/tile.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sinter;

namespace {

/// A product of matrices; `column` is the index of the second one.
std::string product(const std::string& type, const std::string& column,
                    const std::string& after = "") {
  return "fn f(n: i64, m: i64, p: i64, w: i64, a: [n][m]" + type + ", b: " + type + ") -> [n][p]" +
         type + " { c: [n][p]" + type + " = soac n (a) { (i: i64, r: [m]" + type + ") u: [p]" +
         type + " = soac p () { (j: i64) s: " + type + " = soac m (r) { (k: i64, x: " + type +
         ") y: " + type + " = index b[" + column + "] z: " + type +
         " = mul x y yield z } reduce (0" + type + ") { (a0: " + type + ", b0: " + type +
         ") c0: " + type + " = add a0 b0 yield c0 } " + after + " } map yield u } map ret c }";
}

ir::DenseArray stepping_numbers(std::vector<std::int64_t> extents, std::int64_t step) {
  ir::DenseArray array{ElementType::I32, extents, {}};
  std::int64_t count = 1;
  for (const std::int64_t extent : extents)
    count *= extent;
  for (std::int64_t i = 0; i < count; ++i)
    array.elements.push_back(Scalar::of(static_cast<std::int32_t>(i * step % 23 - 11)));
  return array;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// Six rows at a time, eight, and none that lanes would have.
constexpr jit::VectorRegisters avx2, avx512{.bytes = 64, .count = 32}, none{.bytes = 0, .count = 0};

void check_same(const std::string& text, bool column_first, const jit::VectorRegisters& vectors) {
  const ir::Function before = ir::parse(text);
  ir::Function after = before;
  jit::tile(after, vectors);
  REQUIRE(ir::verify(after) == std::nullopt);
  REQUIRE(ir::print(after).find("array (") != std::string::npos); // it is tiled
  const auto check = [&](std::int64_t n, std::int64_t m, std::int64_t p) {
    CAPTURE(n);
    CAPTURE(p);
    CAPTURE(m);
    const std::vector<ir::DenseValue> arguments = {Scalar::of(n),
                                                   Scalar::of(m),
                                                   Scalar::of(p),
                                                   Scalar::of(std::int64_t{3}),
                                                   stepping_numbers({n, m}, 7),
                                                   column_first ? stepping_numbers({p, m}, 5)
                                                                : stepping_numbers({m, p}, 5)};
    CHECK(ir::evaluate(before, arguments) == ir::evaluate(after, arguments));
  };
  std::uint64_t place = 0;
  for (const std::int64_t n : {0, 1, 6, 8, 9, 17})
    for (const std::int64_t p : {1, 16, 17, 35})
      for (const std::int64_t m : {0, 15, 16, 19})
        if (is_tried(place++, 7)) check(n, m, p);
  // So many rows that their blocks follow each other.
  if (vectors.count == avx512.count) check(257, 16, 17);
}

void check_same(const std::string& text, bool column_first) {
  for (const jit::VectorRegisters& vectors : {avx2, avx512})
    check_same(text, column_first, vectors);
}

/// How many rows the block's sums are of, which the text's arrays of lines show.
std::size_t rows_of_block(const std::string& text, const jit::VectorRegisters& vectors) {
  ir::Function function = ir::parse(text);
  jit::tile(function, vectors);
  const std::string printed = ir::print(function);
  const std::size_t begin = printed.find("= array (");
  REQUIRE(begin != std::string::npos);
  const std::string lines = printed.substr(begin, printed.find(')', begin) - begin);
  return static_cast<std::size_t>(std::ranges::count(lines, ',')) + 1;
}

} // namespace

TEST_CASE("a block has as many rows as its sums have registers") {
  const std::string one = with(product("f32", "k, j", "yield s"), "b: ", "b: [m][p]");
  CHECK(rows_of_block(one, avx2) == 6); // two vectors each, beside which four are left
  CHECK(rows_of_block(one, avx512) == 8);
  CHECK(rows_of_block(one, none) == 8);
  const std::string two =
      "fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> [n][p]f32 { "
      "c: [n][p]f32 = soac n (a) { (i: i64, r: [m]f32) u: [p]f32 = soac p () { (j: i64) "
      "s: f32, l: f32 = for m (0f32, -f32.inf) { (k: i64, t: f32, g: f32) "
      "x: f32 = index r[k] y: f32 = index b[k, j] z: f32 = mul x y t1: f32 = add t z "
      "g1: f32 = max g z yield t1, g1 } q: f32 = sub s l yield q } map yield u } map ret c }";
  CHECK(rows_of_block(two, avx2) == 3);
  CHECK(rows_of_block(two, avx512) == 8);
}

TEST_CASE("products of matrices are tiled and stay the same") {
  check_same(with(product("i32", "k, j", "yield s"), "b: ", "b: [m][p]"), false);
  check_same(with(product("i32", "j, k", "yield s"), "b: ", "b: [p][m]"), true);
}

TEST_CASE("what is done with the sums is done for each of them") {
  check_same(
      with(product(
               "i32", "k, j",
               "h: i32 = convert j g: i32 = convert i q: i32 = mul s h v: i32 = add q g yield v"),
           "b: ", "b: [m][p]"),
      false);
}

TEST_CASE("rows have numbers of their own") {
  std::string text = with(product("i32", "k, j", "g: i32 = add s e yield g"), "b: ", "b: [m][p]");
  text = with(std::move(text), "{ c: [n][p]i32 = soac n (a) { (i: i64, r: [m]i32)",
              "{ d: [n]i32 = soac n () { (l: i64) o: i32 = convert l yield o } map "
              "c: [n][p]i32 = soac n (a, d) { (i: i64, r: [m]i32, e: i32)");
  check_same(text, false);
  check_same(with(std::move(text), "z: i32 = mul x y", "w0: i32 = mul y e z: i32 = mul x w0"),
             false);
}

TEST_CASE("rows that are computed on the way are computed first") {
  const std::string plain = with(product("i32", "k, j", "yield s"), "b: ", "b: [m][p]");
  const std::string computed = with(
      with(plain, "u: [p]i32 = soac p ()",
           "t: i32 = soac m (r) { (l: i64, o: i32) yield o } reduce (0i32) { (a1: i32, b1: i32) "
           "c1: i32 = add a1 b1 yield c1 } "
           "q: [m]i32 = soac m (r) { (l2: i64, o2: i32) h: i32 = sub o2 t yield h } map "
           "u: [p]i32 = soac p ()"),
      "soac m (r) { (k: i64, x: i32)", "soac m (q) { (k: i64, x: i32)");
  check_same(computed, false);
  // What was computed besides is used at the end, too.
  check_same(with(computed, "yield s }", "g: i32 = sub s t yield g }"), false);
  // Both what the row's body and what the reduction's body makes of it.
  check_same(with(computed, "z: i32 = mul x y", "v: i32 = mul x x z: i32 = mul v y"), false);
}

TEST_CASE("what is computed of elements of rows alone is computed once for all columns") {
  const std::string plain = with(product("i32", "k, j", "yield s"), "b: ", "b: [m][p]");
  const auto times = [](const std::string& text) {
    ir::Function function = ir::parse(text);
    jit::tile(function);
    const std::string printed = ir::print(function);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = printed.find("= max ", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  const std::string one = with(plain, "z: i32 = mul x y", "v: i32 = max x 1i32 z: i32 = mul v y");
  check_same(one, false);
  CHECK(times(one) == 2); // for all rows, and in the nest as it was
  const std::string of_index = with(plain, "z: i32 = mul x y",
                                    "v0: i32 = convert k v1: i32 = convert i v2: i32 = add v0 v1 "
                                    "v: i32 = max x v2 z: i32 = mul v y");
  check_same(of_index, false);
  CHECK(times(of_index) == 2);
  // Two of them, and the element itself.
  check_same(with(plain, "z: i32 = mul x y",
                  "v: i32 = max x 1i32 w1: i32 = min x 2i32 z0: i32 = mul v y z1: i32 = mul w1 z0 "
                  "z: i32 = add z1 x"),
             false);
}

TEST_CASE("rows of a matrix are columns too, beside what else comes with them") {
  // All columns' numbers `e`, and those of all elements, `g`.
  const std::string text =
      "fn f(n: i64, m: i64, p: i64, w: i64, a: [n][m]i32, b: [p][m]i32) -> [n][p]i32 {"
      " e: [p]i32 = soac p () { (l: i64) o: i32 = convert l yield o } map"
      " g: [n][p]i32 = soac n () { (l1: i64) o1: [p]i32 = soac p () { (l2: i64)"
      " h1: i64 = mul l1 l2 o2: i32 = convert h1 yield o2 } map yield o1 } map"
      " c: [n][p]i32 = soac n (a, g) { (i: i64, r: [m]i32, q: [p]i32)"
      " u: [p]i32 = soac p (b, e, q) { (j: i64, l3: [m]i32, v: i32, d: i32)"
      " s: i32 = soac m (r, l3) { (k: i64, x: i32, y: i32) z: i32 = mul x y yield z }"
      " reduce (0i32) { (a0: i32, b0: i32) c0: i32 = add a0 b0 yield c0 }"
      " v1: i32 = mul v s v2: i32 = sub d v1 yield v2 } map yield u } map ret c }";
  check_same(text, true);
  // Rows that are computed on the way.
  check_same(with(with(text, "u: [p]i32 = soac p (b",
                       "t: [m]i32 = soac m (r) { (k1: i64, x1: i32) x2: i32 = mul x1 x1 yield x2 }"
                       " map u: [p]i32 = soac p (b"),
                  "soac m (r, l3)", "soac m (t, l3)"),
             true);
}
