// A kernel that is a plan of its own: host-level code around other kernels, or none.
#pragma once

#include "jit/runtime/machine.h"
#include "jit/runtime/versioned_kernel.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinter::jit {

/// A kernel that is walked, statement by statement.  Its inner kernels are compiled if the policy
/// says so.
class WalkedKernel final : public Kernel {
public:
  WalkedKernel(const ir::Function& function, KernelPolicy policy, const Places& places,
               const CompileOptions& options)
      : places_(places), plan_(make_plan(function, policy, places_, options)) {}
  Outcome launch(std::vector<Datum> arguments, const RunContext& context) override {
    Machine machine(plan_, context, places_);
    Outcome outcome = machine.run(plan_.body, std::move(arguments));
    runs_.fetch_add(1, std::memory_order_relaxed);
    launches_.fetch_add(machine.launches(), std::memory_order_relaxed);
    copied_bytes_.fetch_add(machine.copied_bytes(), std::memory_order_relaxed);
    return outcome;
  }
  KernelFacts facts() const override { return {.skeleton = ir::Skeleton::Walked}; }
  std::string assembly() const override { return {}; }
  void promote() override {
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels)
      kernel->promote();
  }
  void compile() {
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels)
      kernel->compile();
  }
  VersionedKernel::Walked walked(bool is_glue) const {
    return {.plan = &plan_,
            .is_glue = is_glue,
            .runs = runs_,
            .launches = launches_,
            .copied_bytes = copied_bytes_};
  }

private:
  Places places_;
  Plan plan_;
  std::atomic<std::uint64_t> runs_{0}, launches_{0}, copied_bytes_{0};
};

} // namespace sinter::jit
