// What the processor makes of kernels before it compiles them.
#include "cpu_backend.h"

#include "jit/ir/parse.h"
#include "jit/ir/verify.h"
#include "jit/runtime/extract.h"

#include <doctest/doctest.h>

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
      jit::extract_kernel(function, function.body.statements.back()).function;
  REQUIRE(ir::verify(kernel)); // alone, nobody says that n is m
  jit::CompileOptions options;
  options.passes.verify = true;
  const jit::PreparedKernel prepared = test::backend().prepare(kernel, options);
  CHECK_FALSE(prepared.is_changed);
}
