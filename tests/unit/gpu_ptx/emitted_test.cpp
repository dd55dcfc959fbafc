// What emission gives for one lane, as kernels: which have PTX, and why the others have none.
#include "child_process.h"
#include "emitted_kernels.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/ptx/lowerable.h"
#include "jit/emit/emit.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "module_text.h"
#include "primitive_map.h"
#include "tests/generate/ir/ir_generator.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace sinter;
using namespace sinter::gpu;

namespace {

double spent_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// What became of kernels.
struct Tally {
  std::size_t kernels = 0, lowered = 0, assembled = 0, with_stack_frame = 0, with_spills = 0;
  std::map<std::string, std::size_t> refusals;
  std::vector<double> times;

  std::string report() const {
    std::string text = std::to_string(lowered) + " of " + std::to_string(kernels) +
                       " kernels have PTX, " + std::to_string(assembled) + " assembled, " +
                       std::to_string(with_stack_frame) + " of them with a stack frame, " +
                       std::to_string(with_spills) + " with spills";
    if (!times.empty()) {
      std::vector<double> sorted = times;
      std::ranges::sort(sorted);
      text += "; processor time: median " + std::to_string(sorted[sorted.size() / 2]) +
              " ms, 90th percentile " + std::to_string(sorted[sorted.size() * 9 / 10]) + " ms";
    }
    for (const auto& [reason, count] : refusals)
      text += "\n  " + std::to_string(count) + ": " + reason;
    return text;
  }
  std::size_t of_host_calls() const {
    std::size_t count = 0;
    for (const auto& [reason, kernels_of_reason] : refusals)
      if (reason.find("of the host's function `sinter_") != std::string::npos ||
          reason.find("the host's variable `sinter_primitive_") != std::string::npos)
        count += kernels_of_reason;
    return count;
  }
};

/// A primitive's row is told by its name, which differs from kernel to kernel.
std::string generalised(const std::string& reason) {
  const std::string row = "the host's variable `sinter_primitive_";
  return reason.starts_with(row) ? row + "…`" : reason;
}

/// Whether it was lowered.
bool take(Tally& tally, const ir::Function& function, HostCalls calls, std::size_t assemble_each) {
  const GpuModule module = emitted_kernel(function, calls);
  ++tally.kernels;
  if (const auto reason = not_lowerable(*module.module)) {
    ++tally.refusals[generalised(*reason)];
    return false;
  }
  // What isn't refused may not end the process.
  const std::string outcome = outcome_in_child([&] { to_ptx(module, 80); });
  CHECK_MESSAGE(outcome.empty(), outcome << "\n" << ir::print(function));
  if (!outcome.empty()) return false;
  ++tally.lowered;
  const double before = spent_milliseconds();
  const PtxText ptx = to_ptx(module, 80);
  tally.times.push_back(spent_milliseconds() - before);
  CHECK_MESSAGE(small_extrema(ptx.text).empty(), ir::print(function));
  if (!has_assembler() || tally.lowered % assemble_each != 0) return true;
  const auto entries = assemble(ptx, 80);
  tally.with_spills += entries->front().spill_store_bytes > 0;
  tally.with_stack_frame += entries->front().facts.local_bytes > 0;
  ++tally.assembled;
  return true;
}

/// As it is, and with something in place of the host's functions if it calls some.
void take_both(Tally& kept, Tally& stood_for, const ir::Function& function,
               std::size_t assemble_each) {
  if (jit::cannot_emit(function)) return;
  if (!take(kept, function, HostCalls::Kept, assemble_each))
    take(stood_for, function, HostCalls::StoodFor, assemble_each);
}

} // namespace

TEST_CASE("every primitive's map has PTX, but for those that call out") {
  Tally kept, stood_for;
  std::uint64_t place = 0;
  for (const primitives::Primitive& primitive : primitives::all_primitives()) {
    if (!is_tried(place++)) continue;
    CAPTURE(std::string(primitive.name));
    const ir::Function function = map_of(primitive);
    REQUIRE(!ir::verify(function));
    take_both(kept, stood_for, function, 16);
  }
  MESSAGE(kept.report());
  MESSAGE("those that call out, with functions in their place: " << stood_for.report());
  CHECK(kept.lowered + kept.of_host_calls() == kept.kernels);
  CHECK(stood_for.kernels == kept.of_host_calls());
  CHECK(stood_for.lowered == stood_for.kernels);
}

TEST_CASE("random functions, alone and as maps, have PTX but for those that call out") {
  Tally kept, stood_for;
  for (std::uint64_t seed = 0; seed < some_of(24); ++seed) {
    CAPTURE(seed);
    sinter::generate::Random random(seed);
    generate::IrOptions options;
    options.statements = 5 + seed % 9;
    options.checks = seed % 3 == 0;
    options.updates = seed % 2 == 0;
    const ir::Function function = generate::random_function(random, options);
    take_both(kept, stood_for, function, 4);
    if (options.updates) continue;
    const ir::Function mapped = map_of(function);
    if (mapped.body.results.empty()) continue;
    REQUIRE_MESSAGE(!ir::verify(mapped), ir::print(mapped));
    take_both(kept, stood_for, mapped, 4);
  }
  MESSAGE(kept.report());
  MESSAGE("those that call out, with functions in their place: " << stood_for.report());
  CHECK(kept.lowered + kept.of_host_calls() == kept.kernels);
  CHECK(stood_for.kernels == kept.of_host_calls());
  CHECK(stood_for.lowered == stood_for.kernels);
}
