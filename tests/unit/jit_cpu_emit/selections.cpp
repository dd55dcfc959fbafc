// Reductions that select by value and, among equals, by index: with ties, NaNs, infinities that are
// the neutral element's value, and neutral elements whose index is anything, every number of lanes
// and every cut gives the bits of the IR's reference evaluator.
#include "check_fold.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/passes/narrow.h"
#include "kernel_runner.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// What an operator on (a: f32, p: i64) and (b: f32, q: i64) does.
struct Selection {
  std::string before; ///< of values: `lt`, `gt`
  std::string tie;    ///< of indices, among equals: `lt`, `le`, `gt`, `ge`
  std::string neutral_value, neutral_index;
  bool asks_for_right = false; ///< whether the right one is to be taken, not the left one
};

std::string combine(const Selection& selection) {
  const auto pair = [&](const std::string& left, const std::string& right) {
    return selection.asks_for_right ? right + " " + left : left + " " + right;
  };
  return "reduce commutative (" + selection.neutral_value + ", " + selection.neutral_index +
         ") { (a: f32, p: i64, b: f32, q: i64) c: bool = " + selection.before + " " +
         pair("a", "b") + " d: bool = eq a b e: bool = " + selection.tie + " " + pair("p", "q") +
         " g: bool = and d e h: bool = or c g t: f32 = select h " + pair("a", "b") +
         " u: i64 = select h " + pair("p", "q") + " yield t, u }";
}

/// A few numbers, so that many are equal, and something special among them; of the i64 `w`.
std::string element(const std::string& special, const std::string& every) {
  return " r: i64 = mod w 13i64 y: f32 = convert r k: i64 = mod w " + every +
         "i64 is: bool = eq k 0i64 sp: f32 = " + special + " z: f32 = select is sp y ";
}

std::string alone(const Selection& selection, const std::string& special,
                  const std::string& every) {
  return "fn alone(n: i64, f: i64) -> (f32, i64) { s: f32, l: i64 = soac n () { (i: i64) "
         "w: i64 = add i f " +
         element(special, every) + " yield z, i } " + combine(selection) + " ret s, l }";
}

/// Each lane has its own; `extent` is a value of the map's body, or m.
std::string nested(const Selection& selection, const std::string& special, const std::string& every,
                   const std::string& extent = "m") {
  return "fn nested(n: i64, m: i64) -> ([n]f32, [n]i64) { x: [n]f32, o: [n]i64 = soac n () { "
         "(i: i64) v: i64 = mul i 7i64 m1: i64 = add m 1i64 ragged: i64 = mod v m1 "
         "s: f32, l: i64 = soac " +
         extent + " () { (j: i64) v1: i64 = mul j 3i64 w: i64 = add v v1 " +
         element(special, every) + " yield z, j } " + combine(selection) +
         " yield s, l } map map ret x, o }";
}

const std::vector<Selection> selections = {
    {"lt", "lt", "f32.inf", "N"},
    {"gt", "lt", "-f32.inf", "N"},
    {"lt", "le", "f32.inf", "-1i64"},
    {"gt", "gt", "-f32.inf", "-1i64"},
    {"lt", "lt", "5f32", "N"},
    {"lt", "lt", "f32.inf", "4i64"},
    {"gt", "lt", "-f32.inf", "N", true},
    {"lt", "gt", "f32.inf", "4i64", true},
    {"lt", "lt", "-f32.inf", "N"},
    {"gt", "lt", "f32.nan", "N"},
    {"lt", "lt", "0f32", "9223372036854775807i64"},
};
const std::string no_number = "add f32.nan y", least = "sub -f32.inf y", greatest = "sub f32.inf y",
                  zero = "mul -0f32 y";

Selection of_extent(Selection selection, const std::string& extent) {
  if (selection.neutral_index == "N") selection.neutral_index = extent;
  return selection;
}

} // namespace

TEST_CASE("the first or last of the least or greatest, in any order of lanes") {
  const std::vector<std::vector<std::int64_t>> sizes = {{0, 0}, {70, 0}, {9000, 2}};
  const std::vector<std::pair<std::string, std::string>> specials = {
      {least, "70"}, {greatest, "1"}, {zero, "2"}};
  std::size_t next = 0;
  for (const Selection& each : selections) {
    if (!is_tried(next)) break;
    const Selection selection = of_extent(each, "n");
    CAPTURE(combine(selection));
    const auto& [special, every] = specials[next++ % specials.size()];
    check_fold(alone(selection, special, every), sizes);
    if (next % 4 == 1) check_fold(alone(selection, no_number, "5000"), sizes);
  }
  // All are the neutral element's value.
  check_fold(alone(of_extent(selections[0], "n"), "sub f32.inf 1f32", "1"), sizes);
}

TEST_CASE("the first or last of the least or greatest, of each lane") {
  const std::vector<std::vector<std::int64_t>> sizes = {{17, 0}, {17, 1}, {20, 65}, {9, 4200}};
  std::uint64_t place = 0;
  for (const Selection& each : selections) {
    if (!is_tried(place)) break;
    const bool is_even = place++ % 2 == 0;
    const Selection selection = of_extent(each, "m");
    CAPTURE(combine(selection));
    check_fold(nested(selection, is_even ? no_number : greatest, is_even ? "7" : "4"), sizes);
  }
  if (is_sanitized) return;
  const Selection first = of_extent(selections[0], "m");
  check_fold(nested(first, least, "9"), sizes);
  check_fold(nested(first, no_number, "1"), sizes);
  check_fold(nested(of_extent(selections[0], "ragged"), greatest, "4", "ragged"), sizes);
  check_fold(nested(of_extent(selections[0], "32i64"), greatest, "4", "32i64"), {{17, 0}});
  // As many as there may be lanes, for few that each go along all of them.
  check_fold(nested(of_extent(selections[0], "64i64"), greatest, "4", "64i64"), {{2, 0}, {300, 0}});
  check_fold(nested(of_extent(selections[3], "64i64"), least, "2", "64i64"), {{2, 0}});
  check_fold(nested(of_extent(selections[0], "70i64"), no_number, "9", "70i64"), {{2, 0}});
  // Fewer than lanes, and zeros of both signs.
  check_fold(nested(of_extent(selections[0], "48i64"), zero, "2", "48i64"), {{2, 0}});
  check_fold(nested(of_extent(selections[7], "64i64"), zero, "3", "64i64"), {{2, 0}});
  check_fold(nested(of_extent(selections[1], "5i64"), no_number, "7", "5i64"), {{2, 0}});
  // With indices of 32 bits where they fit.
  ir::Function narrow = ir::parse(nested(first, greatest, "4"));
  narrow_indices(narrow);
  REQUIRE(ir::print(narrow).find("i32") != std::string::npos);
  check_fold(ir::print(narrow), sizes);
}

TEST_CASE("while elements are folded by ascending index nothing compares indices") {
  const auto text = [](const std::string& source) {
    return kernel_text(ir::parse(source), {.lanes = 8});
  };
  const auto counts = [](const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  const Selection first = of_extent(selections[0], "32i64");
  const std::string in_lanes = text(nested(first, greatest, "4", "32i64"));
  CHECK(counts(in_lanes, "fcmp ole <8 x float>") != 0);
  CHECK(counts(in_lanes, "fcmp olt <8 x float>") == 0);
  // Of lanes that have one each, the lane is the index.
  const std::string nearest =
      "fn nearest(n: i64, m: i64, xs: [n][m]f32, ys: [m][8]f32, bins: [8]i32) -> [8]i32 { "
      "r: [8]i32 = soac n (xs) { (i: i64, x: [m]f32) s: f32, l: i64 = soac 8i64 () { (k: i64) "
      "v: f32 = soac m (x) { (j: i64, x1: f32) y1: f32 = index ys[j, k] z: f32 = sub x1 y1 "
      "w: f32 = mul z z yield w } reduce (0f32) { (x2: f32, y2: f32) o: f32 = add x2 y2 yield o } "
      "yield v, k } " +
      combine(of_extent(selections[0], "8i64")) +
      " yield l, 1i32 } histogram 1 (bins) (0i32) { (x3: i32, y3: i32) o1: i32 = add x3 y3 "
      "yield o1 } ret r }";
  CHECK(counts(text(nearest), "call i8 @llvm.cttz.i8") != 0);
  // Four parts of a block at a time.
  CHECK(counts(text(alone(of_extent(selections[0], "n"), greatest, "4")), "fcmp ole <8 x float>") ==
        4);
  // Where the neutral element's index may be an element's, it is compared with that.
  Selection among = first;
  among.neutral_index = "4i64";
  CHECK(counts(text(nested(among, greatest, "4", "32i64")), "fcmp ole <8 x float>") == 0);
}
