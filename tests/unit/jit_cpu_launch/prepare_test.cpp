// What the processor makes of kernels before it compiles them.
#include "cpu_backend.h"

#include "jit/ir/parse.h"
#include "jit/ir/verify.h"
#include "jit/runtime/extract.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;

TEST_CASE("a kernel that needs what its function knows of sizes is prepared all the same") {
  const ir::Function function =
      ir::parse("fn f(n: i64, m: i64, xs: [n]i64, ys: [m]i64) -> [n]i64 {\n"
                "  are_equal: bool = eq n m\n"
                "  check are_equal, \"of different lengths\"\n"
                "  r: [n]i64 = soac n (xs, ys) { (i: i64, x: i64, y: i64)\n"
                "    z: i64 = add x y\n"
                "    yield z\n"
                "  } map\n"
                "  ret r\n"
                "}\n");
  const ir::Function kernel =
      jit::extract_kernel(function, function.body.statements.back(), ir::SizesBefore()).function;
  REQUIRE(ir::verify(kernel)); // alone, nobody says that n is m
  jit::CompileOptions options;
  options.passes.verify = true;
  const jit::PreparedKernel prepared = test::backend().prepare(kernel, options);
  CHECK_FALSE(prepared.is_changed);
}

TEST_CASE("a kernel knows the sizes that its function has checked") {
  const ir::Function function =
      ir::parse("fn f(n: i64, m: i64, sums: [n]i64, bins: [m]i64) -> [n]i64 {\n"
                "  is_known: bool = eq n 1024i64\n"
                "  check is_known, \"another length\"\n"
                "  r: [n]i64 = soac m (bins) { (i: i64, bin: i64)\n"
                "    x: i64 = mul bin n\n"
                "    yield bin, x\n"
                "  } histogram 1 (sums) (0i64) { (a: i64, b: i64)\n"
                "    c: i64 = add a b\n"
                "    yield c\n"
                "  }\n"
                "  ret r\n"
                "}\n");
  ir::SizesBefore before;
  for (const ir::Statement& statement : function.body.statements)
    before.note(statement);
  const ir::Statement& statement = function.body.statements.back();
  const auto extents_of = [](const jit::ExtractedKernel& kernel) {
    std::vector<std::string> extents;
    for (const ir::ValueId parameter : kernel.function.body.parameters)
      for (const ir::Operand& extent : kernel.function.type(parameter).extents)
        extents.push_back(extent.is_constant() ? std::to_string(extent.scalar().as<std::int64_t>())
                                               : "?");
    return extents;
  };
  using Extents = std::vector<std::string>;
  CHECK(extents_of(jit::extract_kernel(function, statement, ir::SizesBefore())) ==
        Extents{"?", "?"});
  const jit::ExtractedKernel known = jit::extract_kernel(function, statement, before);
  CHECK(extents_of(known) == Extents{"?", "1024"});
  CHECK(known.arguments.size() == 3); // the length, and two arrays
  // What was told inside of a body ends with it.
  ir::SizesBefore left;
  const std::size_t entered = left.enter();
  for (const ir::Statement& inside : function.body.statements)
    left.note(inside);
  left.leave(entered);
  CHECK(extents_of(jit::extract_kernel(function, statement, left)) == Extents{"?", "?"});
}
