// Why arrays between operations stay: each reason of the table, from a function that has it.
#include "jit/passes/not_fused.h"

#include "jit/ir/parse.h"
#include "jit/ir/verify.h"
#include "jit/passes/fuse.h"
#include "jit/reasons/reasons.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::jit;

namespace {

const std::string sum = "reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } ";
const std::string sum2 = "reduce (0f32) { (a2: f32, b2: f32) c2: f32 = add a2 b2 yield c2 } ";
const std::string squares =
    "ys: [n]f32 = soac n (xs) { (i: i64, x: f32) y: f32 = mul x x yield y } map ";
const std::string scanned = "zs: [n]f32 = soac n (ys) { (j: i64, z: f32) yield z } "
                            "scan (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } ";

/// So many statements, each on what the one before gives.
std::string chain(const std::string& first, const std::string& name, int length) {
  std::string text;
  for (int k = 0; k < length; ++k)
    text += name + std::to_string(k) + ": f32 = " + (k % 2 == 0 ? "add " : "mul ") +
            (k == 0 ? first : name + std::to_string(k - 1)) + " 1.5f32 ";
  return text;
}

struct Case {
  Reason reason;
  std::string text;
};

std::vector<Case> cases() {
  const std::string head = "fn f(n: i64, xs: [n]f32) -> ";
  return {
      {Reason::OtherElements,
       head + "f32 { " + squares +
           "s: f32 = soac n () { (j: i64) k: i64 = sub n j l: i64 = sub k 1i64 "
           "e: f32 = index ys[l] yield e } " +
           sum + "ret s }"},
      {Reason::OnlyAtTheEnd,
       head +
           "f32 { zs: [n]f32 = soac n (xs) { (i: i64, x: f32) yield x } scan (0f32) "
           "{ (a: f32, b: f32) c: f32 = add a b yield c } "
           "s: f32 = soac n (zs) { (j: i64, z: f32) yield z } " +
           sum2 + "ret s }"},
      {Reason::TooLong, head + "[n]f32 { ys: [n]f32 = soac n (xs) { (i: i64, x: f32) " +
                            chain("x", "p", 201) +
                            "yield p200 } map zs: [n]f32 = soac n (ys) { (j: i64, y: f32) " +
                            chain("y", "q", 201) + "yield q200 } map ret zs }"},
      {Reason::ScannedTwice, head + "[n]f32 { ys: [n]f32 = soac n (xs) { (i: i64, x: f32) " +
                                 chain("x", "p", 250) + "yield p249 } map " + scanned + "ret zs }"},
      {Reason::WritesBesideScan,
       head +
           "(i64, [n]f32) { ys: [n]f32, k: i64, ks: [k]f32 = soac n (xs) { (i: i64, x: f32) "
           "p: bool = lt x 1f32 yield x, p, x } map filter 1 " +
           scanned + "ret k, zs }"},
      {Reason::BesidePartition,
       head +
           "(f32, [n]f32) { ys: [n]f32, s: f32 = soac n (xs) { (i: i64, x: f32) yield x, x } "
           "map " +
           sum +
           "cs: [2]i64, zs: [n]f32 = soac n (ys) { (j: i64, y: f32) k: i32 = convert y "
           "l: i32 = and k 1i32 yield l, y } partition 2i64 1 ret s, zs }"},
      {Reason::CutApart,
       "fn f(n: i64, m: i64, l: i64, xs: [n]f32, us: [m]f32, vs: [l]f32) -> ([m]f32, [l]f32) { "
       "us2: [m]f32 = copy us vs2: [l]f32 = copy vs "
       "ys: [n]f32, hs: [m]f32 = soac n (xs) { (i: i64, x: f32) yield x, i, x } map "
       "histogram 1 (us2) (0f32) { (a: f32, b: f32) c: f32 = add a b yield c } "
       "gs: [l]f32 = soac n (ys) { (j: i64, y: f32) yield j, y } "
       "histogram 1 (vs2) (0f32) { (a2: f32, b2: f32) c2: f32 = add a2 b2 yield c2 } "
       "ret hs, gs }"},
      {Reason::SomethingBetween,
       head + "f32 { ys: [n]f32, s: f32 = soac n (xs) { (i: i64, x: f32) yield x, x } map " + sum +
           "d: f32 = add s 1f32 "
           "t: f32 = soac n (ys) { (j: i64, y: f32) e: f32 = div y d yield e } " +
           sum2 + "ret t }"},
      {Reason::OneOverwrites,
       "fn f(n: i64, xs: [n]f32) -> [n]f32 { us: [n]f32 = copy xs "
       "ys: [n]f32 = soac n (us) { (i: i64, x: f32) y: f32 = mul x x yield y } map "
       "zs: [n]f32 = soac n (ys) { (j: i64, z: f32) k: i64 = sub n j yield k, z } scatter 1 us "
       "ret zs }"},
      {Reason::OtherExtent, "fn f(n: i64, m: i64, xs: [n]f32) -> f32 { " + squares +
                                "same: bool = eq n m check same, \"sizes\" "
                                "s: f32 = soac m (ys) { (j: i64, z: f32) yield z } " +
                                sum + "ret s }"},
      {Reason::NeverTried, head + "f32 { " + squares +
                               "s: f32 = soac n (ys) { (j: i64, y2: f32) yield y2 } " + sum +
                               "ret s }"},
  };
}

} // namespace

TEST_CASE("each reason is told where it holds") {
  for (const Case& one : cases()) {
    const std::string name(row_of(one.reason).name);
    CAPTURE(name);
    ir::Function function = ir::parse(one.text);
    const auto violation = ir::verify(function);
    if (violation) FAIL_CHECK(name << ": " << *violation);
    const std::vector<NotFused> found = not_fused(function);
    REQUIRE(found.size() == 1);
    CHECK(row_of(found[0].reason).name == name);
    // The pass keeps to what is told.
    fuse(function);
    CHECK(not_fused(function).size() == (one.reason == Reason::NeverTried ? 0 : 1));
  }
}

TEST_CASE("each reason against fusing is told somewhere") {
  const std::vector<Case> told = cases();
  const auto rows = all_reasons();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].kind == ReasonKind::NotFused)
      CHECK_MESSAGE(
          std::ranges::any_of(
              told, [&](const Case& one) { return one.reason == static_cast<Reason>(i); }),
          rows[i].name);
}

TEST_CASE("nothing is told of what does not go from one operation to another") {
  CHECK(
      not_fused(ir::parse("fn f(n: i64, xs: [n]f32) -> [n]f32 { " + squares + "ret ys }")).empty());
}

TEST_CASE("names of reasons are their own, and words say so many details") {
  const auto rows = all_reasons();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(!rows[i].words.empty());
    for (std::size_t k = 0; k < i; ++k)
      CHECK(rows[i].name != rows[k].name);
  }
  CHECK(words(Reason::NotYetWorthIt, {"1 ms", "10 ms"}) ==
        "it took 1 ms so far; from 10 ms on compiling is worth it");
}
