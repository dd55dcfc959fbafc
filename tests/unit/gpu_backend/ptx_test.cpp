// The entry points that run in the emulator, as PTX: all of them have it, and NVIDIA's assembler
// takes it where it is installed.
#include "device_place.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/ptx/lowerable.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/ir/parse.h"
#include "jit/passes/pipeline.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace sinter;
using namespace sinter::test;

namespace {

struct Tally {
  std::size_t kernels = 0, entries = 0, frames = 0, spills = 0;
  unsigned most_registers = 0;
};

void check_kernel(const std::string& text, Tally& tally, bool is_assembled) {
  const ir::Function function = ir::parse(text);
  if (gpu::has_no_entries(function)) return;
  CAPTURE(text);
  const gpu::KernelEntries entries = gpu::make_entries(
      function, {ir::all_dense(function.body.parameters.size()), jit::FloatMode::Exact});
  ++tally.kernels;
  REQUIRE(gpu::not_lowerable(*entries.module.module).value_or("") == "");
  const gpu::PtxText ptx = gpu::to_ptx(entries.module, 80);
  if (!is_assembled) return;
  if (const auto assembled = gpu::assemble(ptx, ptx.architecture)) {
    CHECK(assembled->size() == entries.module.entries.size());
    for (const gpu::AssembledEntry& entry : *assembled) {
      ++tally.entries;
      tally.frames += entry.facts.local_bytes > 0;
      tally.spills += entry.spill_store_bytes > 0;
      tally.most_registers = std::max(tally.most_registers, entry.facts.registers);
    }
  }
}

void check_kernels(const DevicePlace& emulated, const ir::Function& function, Tally& tally,
                   bool is_assembled) {
  const auto executable = emulated.executable(function);
  for (const auto& kernel : executable->kernels(false))
    check_kernel(kernel.ir, tally, is_assembled);
}

} // namespace

TEST_CASE("what runs in the emulator has PTX") {
  const DevicePlace emulated;
  Tally tally;
  for (const IrProgram& program : ir_programs)
    check_kernels(emulated, ir::parse(program.text), tally, true);
  CHECK(tally.kernels > 25);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    ir::Function function = generate::random_function(random, {.depth = 1 + seed % 3});
    jit::optimise(function);
    check_kernels(emulated, function, tally, seed % 8 == 0);
  }
  MESSAGE(tally.kernels << " kernels; assembled: " << tally.entries << " entries, " << tally.frames
                        << " with a stack frame, " << tally.spills << " with spills, up to "
                        << tally.most_registers << " registers");
}
