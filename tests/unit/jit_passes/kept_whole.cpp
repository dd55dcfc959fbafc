// Why large arrays between operations are not made piece by piece: each reason of the table, from a
// function that has it.
#include "jit/passes/kept_whole.h"

#include "jit/ir/parse.h"
#include "jit/ir/verify.h"
#include "jit/passes/not_fused.h"
#include "jit/passes/streams.h"
#include "jit/reasons/reasons.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

const std::string of_float_sums = "reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } ";
const std::string total_of_all =
    "reduce (0i64) { (a2: i64, b2: i64) c2: i64 = add a2 b2 yield c2 } ";
const std::string prefixes_of_all = "ys: [n]i64 = soac n (xs) { (i: i64, x: i64) yield x } "
                                    "scan (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } ";
const std::string xor_of_prefixes =
    "s: i64 = soac n (ys) { (j: i64, y: i64) z: i64 = xor y j yield z } " + total_of_all;

struct WholeCase {
  Reason reason;
  std::string text;
};

std::vector<WholeCase> whole_cases() {
  const std::string head = "fn f(n: i64, xs: [n]i64) -> ";
  const std::string of_floats = "fn f(n: i64, xs: [n]f32) -> ";
  return {
      {Reason::FoldOrderShows,
       of_floats +
           "f32 { m: i64, ys: [m]f32 = soac n (xs) { (i: i64, x: f32) p: bool = lt x 1f32 "
           "yield p, x } filter 1 "
           "s: f32 = soac m (ys) { (j: i64, y: f32) yield y } " +
           of_float_sums + "ret s }"},
      {Reason::BinOrderShows,
       "fn f(n: i64, xs: [n]f32, us: [7]f32) -> [7]f32 { us2: [7]f32 = copy us "
       "m: i64, ys: [m]f32 = soac n (xs) { (i: i64, x: f32) p: bool = lt x 1f32 yield p, x } "
       "filter 1 hs: [7]f32 = soac m (ys) { (j: i64, y: f32) k: i64 = mod j 7i64 yield k, y } "
       "histogram 1 (us2) (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } ret hs }"},
      {Reason::PartitionedAsWhole,
       head +
           "i64 { c: [2]i64, ys: [n]i64 = soac n (xs) { (i: i64, x: i64) k: i32 = convert x "
           "l: i32 = and k 1i32 yield l, x } partition 2i64 1 "
           "s: i64 = soac n (ys) { (j: i64, y: i64) yield y } " +
           total_of_all + "ret s }"},
      {Reason::ElementsAreArrays,
       "fn f(n: i64, xs: [n][4]i64) -> i64 { m: i64, ys: [m][4]i64 = soac n (xs) "
       "{ (i: i64, x: [4]i64) e: i64 = index x[0i64] p: bool = lt e 1i64 yield p, x } filter 1 "
       "s: i64 = soac m (ys) { (j: i64, y: [4]i64) z: i64 = index y[1i64] yield z } " +
           total_of_all + "ret s }"},
      {Reason::OtherIndices, head + "i64 { " + prefixes_of_all +
                                 "s: i64 = soac n (xs) { (j: i64, v: i64) k: i64 = sub n j "
                                 "l: i64 = sub k 1i64 y: i64 = index ys[l] yield y } " +
                                 total_of_all + "ret s }"},
      {Reason::NeededByElements,
       head +
           "i64 { ys: [n]i64, t: i64 = soac n (xs) { (i: i64, x: i64) yield x, x } "
           "scan (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } "
           "reduce (0i64) { (d: i64, e: i64) f: i64 = xor d e yield f } u: i64 = mul t 3i64 "
           "s: i64 = soac n (ys) { (j: i64, y: i64) z: i64 = xor y u yield z } " +
           total_of_all + "ret s }"},
      {Reason::ArrayIsNeeded,
       head + "(i64, [n]i64) { " + prefixes_of_all + xor_of_prefixes + "ret s, ys }"},
      {Reason::InTheWay, head + "i64 { " + prefixes_of_all +
                             "us: [n]i64 = update xs[0i64] = 7i64 v: i64 = index us[1i64] " +
                             xor_of_prefixes + "r: i64 = add s v ret r }"},
  };
}

} // namespace

TEST_CASE("each reason against pieces is told where it holds") {
  for (const WholeCase& one : whole_cases()) {
    const std::string name(row_of(one.reason).name);
    CAPTURE(name);
    ir::Function function = ir::parse(one.text);
    const auto violation = ir::verify(function);
    if (violation) FAIL_CHECK(name << ": " << *violation);
    // The pass keeps to what is told.
    write_streams(function);
    const std::vector<NotFused> found = not_fused(function);
    REQUIRE(found.size() == 1);
    REQUIRE(found[0].kept_whole);
    CHECK(row_of(*found[0].kept_whole).name == name);
  }
}

TEST_CASE("each reason against pieces is told somewhere") {
  const std::vector<WholeCase> told = whole_cases();
  const auto rows = all_reasons();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].kind == ReasonKind::KeptWhole)
      CHECK_MESSAGE(
          std::ranges::any_of(
              told, [&](const WholeCase& one) { return one.reason == static_cast<Reason>(i); }),
          rows[i].name);
}

TEST_CASE("what goes by pieces has no reason not to") {
  ir::Function function = ir::parse("fn f(n: i64, xs: [n]i64) -> i64 { " + prefixes_of_all +
                                    xor_of_prefixes + "ret s }");
  write_streams(function);
  const std::vector<NotFused> found = not_fused(function);
  REQUIRE(found.size() == 1);
  CHECK(!found[0].kept_whole);
}
