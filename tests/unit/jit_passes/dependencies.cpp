// Which statements must stay behind a check.
#include "jit/passes/dependencies.h"

#include "jit/ir/parse.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::jit;

TEST_CASE("what is put together from arrays stays behind the check of their sizes") {
  const ir::Function function = ir::parse(
      "fn f(n: i64, xs: [n]f32, m: i64, ys: [m]f32, x: f32) -> ([2][n]f32, [n]f32, [2]f32) { "
      "c: bool = eq n m check c, \"sizes\" rows: [2][n]f32 = array (xs, ys) "
      "a: [n]f32 = copy ys pair: [2]f32 = array (x, x) ret rows, a, pair }");
  const AliasClasses aliases(function);
  const DependencyGraph graph(function, aliases, function.body.statements, function.body.results);
  CHECK(graph.has_edge(1, 2));
  CHECK(graph.has_edge(1, 3));
  CHECK_FALSE(graph.has_edge(1, 4));
}

TEST_CASE("what has its extent by its type passes a check, what owes it to one stays behind") {
  const ir::Function function = ir::parse(
      "fn f(n: i64, xs: [n]f32, m: i64, ys: [m]f32) -> ([n]f32, [n]f32, [n]f32) { "
      "c: bool = eq n m check c, \"sizes\" "
      "a: [n]f32 = soac n (xs) { (i: i64, x: f32) u: f32 = mul x x yield u } map "
      "b: [n]f32 = soac n (xs, ys) { (j: i64, y: f32, z: f32) v: f32 = mul y z yield v } map "
      "d: [n]f32 = soac n (xs) { (k: i64, w: f32) e: f32 = index ys[k] t: f32 = mul w e yield t } "
      "map ret a, b, d }");
  const AliasClasses aliases(function);
  const DependencyGraph graph(function, aliases, function.body.statements, function.body.results);
  CHECK_FALSE(graph.has_edge(1, 2));
  CHECK(graph.has_edge(1, 3));
  CHECK(graph.has_edge(1, 4));
}
