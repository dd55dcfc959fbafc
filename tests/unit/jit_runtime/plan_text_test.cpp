// Host-level code as text.
#include "jit/ir/parse.h"
#include "jit/runtime/places.h"
#include "jit/runtime/plan_text.h"
#include "jit/runtime/versioned_kernel.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace sinter;
using namespace sinter::jit;

namespace {

/// Takes every kernel; nobody launches one here.
class Taking final : public Backend {
public:
  std::string name() const override { return "taking"; }
  std::optional<std::string> rejects(const ir::Function&) const override { return {}; }
  std::shared_ptr<Kernel> compile(const ir::Function&, ir::ArrayLayouts,
                                  const CompileOptions&) override {
    throw std::runtime_error("never");
  }
};

std::string text(const char* source, KernelPolicy policy) {
  Taking backend;
  Plan plan = make_plan(ir::parse(source), policy, backend, {});
  mark_last_uses(plan);
  return print(plan);
}

const char* const doubled_in_a_loop = "fn f(n: i64, k: i64, xs: [n]f32) -> [n]f32 {\n"
                                      "  r: [n]f32 = for k (xs) { (j: i64, ys: [n]f32)\n"
                                      "    zs: [n]f32 = soac n (ys) { (i: i64, y: f32)\n"
                                      "      z: f32 = add y y\n"
                                      "      yield z\n"
                                      "    } map\n"
                                      "    yield zs\n"
                                      "  }\n"
                                      "  ret r\n"
                                      "}\n";

} // namespace

TEST_CASE("launches, loops and last uses are told") {
  CHECK(text(doubled_in_a_loop, KernelPolicy::Compile) == "plan (s0, s1, a0) {\n"
                                                          "  a1 = for s1, a repeated launch (a0!)\n"
                                                          "    block 0 (s2, a1) {\n"
                                                          "      a2 = launch kernel 0 (s0, a1!)\n"
                                                          "      give a2!\n"
                                                          "    }\n"
                                                          "  give a1!\n"
                                                          "}\n");
}

TEST_CASE("a SOAC that is walked is told with its body") {
  const std::string walked = text(doubled_in_a_loop, KernelPolicy::WalkEverything);
  CHECK(walked.find("a2 = walk s0 map (a1!)") != std::string::npos);
  CHECK(walked.find("        block 0 (s3, s4) {\n"
                    "          s5 = apply s4, s4, s0\n"
                    "          give s5\n"
                    "        }\n") != std::string::npos);
}
