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
  const DependencyGraph graph(function, aliases, function.body.statements);
  CHECK(graph.has_edge(1, 2));
  CHECK(graph.has_edge(1, 3));
  CHECK_FALSE(graph.has_edge(1, 4));
}
