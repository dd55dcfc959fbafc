// Rows of a few elements that each lane reads at constant places (jit/emit/own_rows.cpp): points,
// matrices, blocks of words; as inputs and at the element's own index; under masks.
#include "check_kernel.h"
#include "jit/ir/parse.h"
#include "kernel_runner.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// A kernel that adds up such elements of rows `[row]type`: "0i64, 1i64" is a matrix' element.
std::string sums(const std::string& type, const std::string& row,
                 const std::vector<std::string>& places) {
  std::string text = "fn sums(n: i64, ps: [n]" + row + type + ") -> [n]" + type + " { a: [n]" +
                     type + " = soac n (ps) { (i: i64, p: " + row + type + ") ";
  std::string sum;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::string number = std::to_string(k);
    text += "x" + number + ": " + type + " = index p[" + places[k] + "] ";
    if (k > 0) text += "s" + number + ": " + type + " = sub " + sum + " x" + number + " ";
    sum = (k > 0 ? "s" : "x") + number;
  }
  return text + "yield " + sum + " } map ret a }";
}

std::vector<std::string> each_of(std::int64_t count, std::int64_t step = 1) {
  std::vector<std::string> places;
  for (std::int64_t i = 0; i < count; i += step)
    places.push_back(std::to_string(i) + "i64");
  return places;
}

std::string gathers_of(const std::string& source) {
  const std::string text = kernel_text(ir::parse(source), {.lanes = 16});
  return text.find("masked.gather") == std::string::npos ? "none" : "some";
}

} // namespace

TEST_CASE("points are what they are one element at a time") {
  std::uint64_t number = 0;
  for (const char* const type : {"f32", "f64", "u8", "i16", "f16"})
    for (const std::int64_t length : {1, 2, 3, 4, 5})
      if (is_tried(number++, 3))
        check_kernel(sums(type, "[" + std::to_string(length) + "]", each_of(length)), lengths);
}

TEST_CASE("longer rows are turned over, halves and parts of squares too") {
  std::uint64_t number = 0;
  for (const char* const type : {"f32", "i64"}) {
    for (const std::int64_t length : {7, 8, 9, 16, 20, 33})
      if (is_tried(number++, 3))
        check_kernel(sums(type, "[" + std::to_string(length) + "]", each_of(length)), lengths);
    check_kernel(sums(type, "[40]", each_of(40, 2)), lengths);
    check_kernel(sums(type, "[40]", each_of(5)), lengths);
  }
}

TEST_CASE("small matrices are rows") {
  check_kernel(
      sums("f32", "[3][3]", {"0i64, 0i64", "1i64, 1i64", "2i64, 2i64", "0i64, 2i64", "2i64, 0i64"}),
      lengths);
  check_kernel(sums("f64", "[2][5]", {"0i64, 4i64", "1i64, 0i64", "1i64, 4i64"}), lengths);
}

TEST_CASE("what is read at the element's own index is its own") {
  check_kernel("fn own(n: i64, m: i64, ps: [n][3]f32, qs: [m][3]f32) -> ([n]f32, [n]f32) { "
               "a: [n]f32, b: [n]f32 = soac n () { (i: i64) x: f32 = index ps[i, 0i64] "
               "y: f32 = index ps[i, 2i64] d: f32 = sub x y j: i64 = mod i m "
               "z: f32 = index qs[j, 1i64] e: f32 = sub d z yield d, e } map map ret a, b }",
               {{0, 3}, {1, 3}, {15, 16}, {16, 2}, {17, 40}, {200, 7}});
}

TEST_CASE("reductions, branches and loops read rows") {
  check_kernel("fn fold(n: i64, ps: [n][3]f32) -> (f32, [n]f32) { "
               "s: f32, a: [n]f32 = soac n (ps) { (i: i64, p: [3]f32) x: f32 = index p[0i64] "
               "y: f32 = index p[1i64] is: bool = lt x y "
               "z: f32 = if is { q: f32 = index p[2i64] o: f32 = div q 3.0f32 yield o } "
               "else { yield x } w: f32 = for 3i64 (z) { (k: i64, t: f32) "
               "u: f32 = index p[1i64] v: f32 = sub t u yield v } yield w, w } "
               "reduce (0.0f32) { (l: f32, r: f32) c: f32 = add l r yield c } map ret s, a }",
               lengths);
}

TEST_CASE("dense rows of a few elements are not gathered") {
  CHECK(gathers_of(sums("f32", "[3]", each_of(3))) == "none");
  CHECK(gathers_of(sums("f32", "[16]", each_of(16))) == "none");
  CHECK(gathers_of(sums("f32", "[3][3]", {"0i64, 0i64", "1i64, 1i64", "2i64, 2i64"})) == "none");
  // Of no rows, there may be some with more elements than i64 counts.
  CHECK(gathers_of(sums("f32", "[4294967296][4294967296]", {"0i64, 0i64"})) == "some");
  // One element of a long row would not be worth the others.
  CHECK(gathers_of(sums("f32", "[64]", {"7i64"})) == "some");
}
