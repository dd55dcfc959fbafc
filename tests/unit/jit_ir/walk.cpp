#include "jit/ir/walk.h"
#include "jit/ir/consumption.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::ir;

namespace {

/// Names of the values.
std::string names(const Function& function, const std::vector<ValueId>& values) {
  std::string text;
  for (ValueId value : values)
    text += (text.empty() ? "" : " ") + function.values[value.index].name;
  return text;
}

} // namespace

TEST_CASE("free values: operands, and what bodies and their types use from outside") {
  const Function function =
      parse("fn f(n: i64, m: i64, xs: [n]f32, ys: [m]f32, x: f32) -> [n]f32 { "
            "r: [n]f32 = soac n (xs) { (i: i64, a: f32) v: [m]f32 = copy ys b: f32 = index v[i] "
            "c: f32 = add b x yield c } map p: [m]f32 = slice r[0i64:1i64] ret r }");
  const Statement& map = function.body.statements[0];
  CHECK(names(function, free_values(function, map.operation)) == "n xs ys m x");
  CHECK(names(function, free_values(function, std::get<Soac>(map.operation).body)) == "ys m x");
  CHECK(names(function, free_values(function, function.body)) == "");
  const Statement& slice = function.body.statements[1];
  CHECK(names(function, free_values(function, slice.operation)) == "r");
  CHECK(names(function, free_values(function, slice)) == "r m");
}

TEST_CASE("consumed values are found through bodies and views") {
  const Function function = parse(
      "fn f(n: i64, c: bool, xs: [n]f32, ys: [n]f32, zs: [n]f32) -> () { "
      "a: [n]f32 = if c { v: [n]f32 = slice xs[0i64:1i64] u: [n]f32 = update v[0i64] = 1.0f32 "
      "d: [n]f32 = copy ys e: [n]f32 = update d[0i64] = 1.0f32 yield u } else { yield zs } "
      "b: [n]f32 = for n (ys) { (i: i64, s: [n]f32) t: [n]f32 = update s[i] = 1.0f32 yield t } "
      "g: [n]f32 = for n (zs) { (j: i64, w: [n]f32) yield w } "
      "h: [n]f32 = update g[0i64] = 2.0f32 "
      "k: [n]f32 = soac n (b) { (l: i64, o: f32) yield l, o } scatter 1 h "
      "p: [n]f32 = soac n (k) { (q: i64, r: f32) "
      "y: [n]f32 = copy b z: [n]f32 = update y[q] = r x: f32 = index z[0i64] yield x } map ret }");
  const auto consumed = [&](std::size_t statement) {
    return names(function,
                 consumed_values(function, function.body.statements[statement].operation));
  };
  CHECK(consumed(0) == "xs");
  CHECK(consumed(1) == "ys");
  CHECK(consumed(2) == "");
  CHECK(consumed(3) == "g");
  CHECK(consumed(4) == "h");
  CHECK(consumed(5) == "");
  const Roots roots(function);
  const auto value = [&](std::string_view name) {
    for (std::uint32_t i = 0; i < function.values.size(); ++i)
      if (function.values[i].name == name) return ValueId{i};
    FAIL("no such value");
    return ValueId{};
  };
  CHECK(roots.may_overlap(value("a"), value("zs")));
  CHECK(roots.may_overlap(value("g"), value("zs")));
  CHECK(roots.may_overlap(value("v"), value("xs")));
  CHECK_FALSE(roots.may_overlap(value("b"), value("zs")));
  CHECK_FALSE(roots.may_overlap(value("d"), value("ys")));
}

TEST_CASE("whether an operation may fail") {
  const Function function = parse(
      "fn f(c: bool) -> () { if c { x: i64 = soac 1i64 () { (i: i64) check c, \"m\" yield i } "
      "reduce (0i64) { (a: i64, b: i64) yield a } yield } else { yield } "
      "if c { y: i64 = add 1i64 1i64 yield } else { yield } ret }");
  CHECK(may_fail(function.body.statements[0].operation));
  CHECK_FALSE(may_fail(function.body.statements[1].operation));
}

TEST_CASE("a cloned body defines its own values, types included") {
  Function function =
      parse("fn f(n: i64, m: i64, c: bool) -> i64 { r: i64 = if c { k: i64 = add n 1i64 "
            "xs: [k]i64 = soac k () { (i: i64) j: i64 = mul i n yield j } map "
            "e: i64 = index xs[0i64] yield e } else { yield n } ret r }");
  auto& branch = std::get<If>(function.body.statements[0].operation);
  const ValueId n = function.body.parameters[0], m = function.body.parameters[1];
  Body copy = clone(function, branch.then_body, {{n, Operand(m)}});
  std::get<If>(function.body.statements[0].operation).else_body = std::move(copy);
  CHECK(verify(function) == std::nullopt);
  CHECK(print(function) == R"(fn f(n: i64, m: i64, c: bool) -> i64 {
  r: i64 = if c {
    k: i64 = add n 1i64
    xs: [k]i64 = soac k () { (i: i64)
      j: i64 = mul i n
      yield j
    } map
    e: i64 = index xs[0i64]
    yield e
  } else {
    k1: i64 = add m 1i64
    xs1: [k1]i64 = soac k1 () { (i1: i64)
      j1: i64 = mul i1 m
      yield j1
    } map
    e1: i64 = index xs1[0i64]
    yield e1
  }
  ret r
}
)");
  const Replacement number{n, Operand::i64(5)};
  replace_uses(function, std::get<If>(function.body.statements[0].operation).then_body,
               std::span(&number, 1));
  CHECK(print(function).find("k: i64 = add 5i64 1i64") != std::string::npos);
  CHECK(print(function).find("j: i64 = mul i 5i64") != std::string::npos);
}
