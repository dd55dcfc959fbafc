// Every operation at every type: code generation neither ends the process nor is kept from what it
// could do; and what is refused for its sake does end it.
#include "child_process.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/code_generator.h"
#include "gpu/ptx/lower.h"
#include "gpu/ptx/lowerable.h"
#include "module_text.h"
#include "operation_cases.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

using namespace sinter;
using namespace sinter::gpu;

namespace {

constexpr unsigned capabilities[] = {75, 80, 90};

std::vector<LaneType> lane_types(std::initializer_list<unsigned> widths) {
  std::vector<LaneType> types;
  for (const unsigned lanes : widths)
    for (const char* element : {"i1", "i8", "i16", "i32", "i64", "i128", "half", "float", "double"})
      types.push_back({element, lanes});
  return types;
}

/// One by one, to find those at which the process ends.
std::string those_that_fail(const std::vector<OperationCase>& cases, unsigned capability) {
  std::string failing;
  for (const OperationCase& one : cases) {
    const GpuModule module = module_of(text_of(std::vector<OperationCase>{one}));
    const std::string outcome = outcome_in_child([&] { to_ptx(module, capability); });
    if (!outcome.empty()) failing += one.function + "=> " + outcome + "\n";
  }
  return failing;
}

} // namespace

TEST_CASE("every operation that emission makes has PTX, at every type and number of lanes") {
  std::uint64_t place = 0;
  for (const LaneType& type : lane_types({1, 2, 4, 8})) {
    if (!is_tried(place++, 7)) continue;
    const std::vector<OperationCase> cases = operation_cases(type);
    const GpuModule module = module_of(text_of(cases));
    CAPTURE(type.text());
    CHECK(not_lowerable(*module.module).value_or("") == "");
    for (const unsigned capability : capabilities) {
      const std::string outcome = outcome_in_child([&] { to_ptx(module, capability); });
      if (outcome.empty()) continue;
      const std::string failing = those_that_fail(cases, capability);
      CHECK_MESSAGE(outcome.empty(), "sm_" << capability << ": " << outcome << "\n" << failing);
    }
  }
}

TEST_CASE("the assembler takes every operation") {
  if (!has_assembler() || is_sanitized) {
    MESSAGE("skipped: there is no assembler, or it is called without sanitizers");
    return;
  }
  for (const LaneType& type : lane_types({1, 4}))
    for (const unsigned capability : {75u, 90u}) {
      const GpuModule module = module_of(text_of(operation_cases(type)));
      CAPTURE(type.text());
      const auto entries = assemble(to_ptx(module, capability), capability);
      CHECK(entries->size() == module.entries.size());
    }
}

namespace {

/// What is refused, and whether code generation would end the process at it.
struct Refused {
  std::string declarations, code, words;
  bool ends_process = true;
};

const Refused refused[] = {
    {"declare float @llvm.exp.f32(float)",
     "%x = load float, ptr addrspace(1) %p\n  %v = call float @llvm.exp.f32(float %x)\n"
     "  store float %v, ptr addrspace(1) %p",
     "`llvm.exp.f32`, for which a device has no instruction"},
    {"declare double @llvm.log.f64(double)",
     "%x = load double, ptr addrspace(1) %p\n  %v = call double @llvm.log.f64(double %x)\n"
     "  store double %v, ptr addrspace(1) %p",
     "`llvm.log.f64`, for which a device has no instruction"},
    {"declare float @llvm.pow.f32(float, float)",
     "%x = load float, ptr addrspace(1) %p\n  %v = call float @llvm.pow.f32(float %x, float %x)\n"
     "  store float %v, ptr addrspace(1) %p",
     "`llvm.pow.f32`, for which a device has no instruction"},
    {"declare double @llvm.sin.f64(double)",
     "%x = load double, ptr addrspace(1) %p\n  %v = call double @llvm.sin.f64(double %x)\n"
     "  store double %v, ptr addrspace(1) %p",
     "`llvm.sin.f64`, for which a device has no instruction"},
    {"",
     "%x = load i128, ptr addrspace(1) %p\n  %v = udiv i128 %x, 10\n"
     "  %w = udiv i128 %v, %x\n  store i128 %w, ptr addrspace(1) %p",
     "a division of the type `i128`", false},
    {"",
     "%x = load i128, ptr addrspace(1) %p\n  %v = sitofp i128 %x to float\n"
     "  store float %v, ptr addrspace(1) %p",
     "a conversion of `i128`"},
    {"", "fence seq_cst", "a fence that is not `sinter_gpu_fence`"},
    {"",
     "%v = load atomic i32, ptr addrspace(1) %p acquire, align 4\n"
     "  store i32 %v, ptr addrspace(1) %p",
     "an atomic load with an ordering"},
    {"", "store atomic i32 1, ptr addrspace(1) %p release, align 4",
     "an atomic store with an ordering"},
    {"", "%slots = alloca i32, i64 %word\n  store volatile i32 1, ptr %slots",
     "memory on the stack whose size is not known"},
    {"declare <8 x i64> @llvm.x86.avx512.mask.compress.v8i64(<8 x i64>, <8 x i64>, <8 x i1>)",
     "%x = load <8 x i64>, ptr addrspace(1) %p\n"
     "  %v = call <8 x i64> @llvm.x86.avx512.mask.compress.v8i64(<8 x i64> %x, <8 x i64> %x, "
     "<8 x i1> zeroinitializer)\n  store <8 x i64> %v, ptr addrspace(1) %p",
     "`llvm.x86.avx512.mask.compress.v8i64`, for which a device has no instruction"},
    // Refused for other reasons.
    {"declare void @sinter_note_failure(ptr, i64, i32)",
     "call void @sinter_note_failure(ptr null, i64 0, i32 0)",
     "a call of the host's function `sinter_note_failure`", false},
    {"", "call void asm sideeffect \"trap;\", \"\"()", "inline assembly", false},
    {"", "%f = load ptr, ptr addrspace(1) %p\n  call void %f()", "an indirect call", false},
    {"", "%x = load bfloat, ptr addrspace(1) %p\n  store bfloat %x, ptr addrspace(1) %p",
     "the type `bfloat`", false},
    {"", "%x = load fp128, ptr addrspace(1) %p\n  store fp128 %x, ptr addrspace(1) %p",
     "the type `fp128`", false},
    {"declare float @llvm.fmuladd.f32(float, float, float)",
     "%v = call float @llvm.fmuladd.f32(float 1.0, float 1.0, float 1.0)\n"
     "  store float %v, ptr addrspace(1) %p",
     "`llvm.fmuladd.f32`, which rounds as the target likes", false},
    {"", "%v = atomicrmw add ptr addrspace(1) %p, i8 1 monotonic",
     "an atomic update of the type `i8`", false},
    {"", "%v = atomicrmw nand ptr addrspace(1) %p, i32 1 monotonic", "an atomic `nand`", false},
    {"@table = external global i32",
     "%v = load i32, ptr @table\n  store i32 %v, ptr addrspace(1) %p",
     "the host's variable `table`", false},
    {"@table = thread_local global i32 0",
     "%v = load i32, ptr @table\n  store i32 %v, ptr addrspace(1) %p",
     "the variable `table`, which has no memory on a device", false},
    {"define internal void @self(i64 %n) {\n  call void @self(i64 %n)\n  ret void\n}",
     "call void @self(i64 %word)", "the function `self`, which calls itself", false},
    {"declare void @sinter_gpu_barrier2()", "call void @sinter_gpu_barrier2()",
     "a call of the host's function `sinter_gpu_barrier2`", false},
};

} // namespace

TEST_CASE("what code generation would end the process at is refused in words") {
  for (const Refused& one : refused) {
    CAPTURE(one.words);
    const GpuModule module =
        module_of(one.declarations + "\ndefine void @kernel(ptr addrspace(1) %p, i64 %word) {\n  " +
                  one.code + "\n  ret void\n}\n");
    CHECK(not_lowerable(*module.module).value_or("") == one.words);
    CHECK(outcome_in_child([&] { to_ptx(module, 80); }) == one.words);
    if (!one.ends_process) continue;
    // So the refusal is needed.
    const std::string outcome = outcome_in_child([&] {
      const auto machine = make_ptx_machine(80);
      module.module->setTargetTriple(machine->getTargetTriple().str());
      module.module->setDataLayout(machine->createDataLayout());
      generate_ptx(*module.module, *machine);
    });
    CHECK(!outcome.empty());
  }
}

TEST_CASE("functions that need the host's run time are refused") {
  const auto why = [](const std::string& text) {
    return not_lowerable(*module_of(text).module).value_or("");
  };
  CHECK(why(R"(
define internal void @callee() {
  ret void
}
define internal void @thrower(i64 %word) personality ptr @personality {
  invoke void @callee() to label %fine unwind label %bad
fine:
  ret void
bad:
  %pad = landingpad {ptr, i32} cleanup
  resume {ptr, i32} %pad
}
define internal i32 @personality(...) {
  ret i32 0
})") == "the function `thrower`, which needs the host's run time");
  CHECK(why("define internal void @many(...) {\n  ret void\n}\ndefine void @kernel(i64 %word) {\n"
            "  call void (...) @many(i64 1)\n  ret void\n}") ==
        "a function with any number of arguments");
  CHECK(why("module asm \"nothing\"\ndefine void @kernel(i64 %word) {\n  ret void\n}") ==
        "inline assembly");
  CHECK(why("define internal void @f() {\n  ret void\n}\n@table = constant ptr @f\n"
            "define void @kernel(ptr addrspace(1) %p) {\n  %v = load ptr, ptr @table\n"
            "  store ptr %v, ptr addrspace(1) %p\n  ret void\n}") ==
        "the variable `table`, which refers to others");
  CHECK(why("define internal void @f() {\n  ret void\n}\n"
            "define void @kernel(ptr addrspace(1) %p) {\n"
            "  store ptr @f, ptr addrspace(1) %p\n  ret void\n}") == "the address of code");
}
