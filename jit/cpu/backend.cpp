// The CPU as a backend: emission, engine and launcher together.

#include "jit/runtime/backend.h"
#include "jit/cpu/copy.h"
#include "jit/cpu/emit.h"
#include "jit/cpu/engine.h"
#include "jit/cpu/kernel_layout.h"
#include "jit/cpu/launch.h"
#include "jit/cpu/object_cache.h"
#include "lang/base/runtime_error.h"

#include <algorithm>
#include <chrono>

namespace sinter::jit {

namespace {

constexpr std::size_t cache_bytes = std::size_t{256} << 20;

EmitOptions emit_options(const CompileOptions& options, std::vector<bool> dense) {
  EmitOptions result;
  result.lanes = options.lanes;
  result.floats = options.floats;
  result.dense = std::move(dense);
  result.has_avx512 = processor().has_avx512;
  result.has_avx2 = processor().has_avx2;
  return result;
}

/// What kernels share.
struct Shared {
  Shared() : engine(make_cache()) {}
  static std::shared_ptr<ObjectCache> make_cache() {
    std::optional<std::filesystem::path> folder = object_cache_folder();
    if (!folder) return nullptr;
    return std::make_shared<ObjectCache>(*folder, cache_bytes);
  }
  Engine engine;
  Workers workers;
};

class CpuKernel final : public Kernel {
public:
  CpuKernel(const ir::Function& function, std::vector<bool> dense, const CompileOptions& options,
            std::shared_ptr<Shared> shared)
      : shared_(std::move(shared)), function_(function), dense_(std::move(dense)),
        options_(options) {
    auto begin = std::chrono::steady_clock::now();
    EmittedKernel emitted = emit_kernel(function_, emit_options(options_, dense_));
    layout_ = kernel_layout(function_, emitted.index_space);
    facts_.skeleton = emitted.skeleton;
    facts_.lanes = emitted.lanes;
    code_ = shared_->engine.link(std::move(emitted), options_.tier);
    facts_.code_bytes = code_->code_bytes;
    facts_.compile_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  Outcome launch(std::vector<Datum> arguments, const RunContext& context) override {
    try {
      return launch_kernel(layout_, *code_, std::move(arguments), context, shared_->workers);
    } catch (const RuntimeError& error) {
      // Sizes that are none were checked by the code around.
      return Stopped{error.kind == FailureKind::OutOfMemory ? Stopped::Why::OutOfMemory
                                                            : Stopped::Why::Failed,
                     0,
                     {}};
    }
  }
  KernelFacts facts() const override { return facts_; }
  std::string assembly() const override {
    return shared_->engine.assembly(emit_kernel(function_, emit_options(options_, dense_)),
                                    options_.tier);
  }

private:
  std::shared_ptr<Shared> shared_;
  ir::Function function_;
  std::vector<bool> dense_;
  CompileOptions options_;
  KernelLayout layout_;
  KernelFacts facts_;
  std::unique_ptr<LinkedCode> code_; ///< before `shared_` goes
};

class CpuBackend final : public Backend {
public:
  std::string name() const override { return "cpu"; }
  std::optional<std::string> rejects(const ir::Function& kernel) const override {
    if (std::optional<std::string> objection = unknown_result_size(kernel)) return objection;
    return cannot_emit(kernel);
  }
  std::unique_ptr<Kernel> compile(const ir::Function& kernel, std::vector<bool> dense,
                                  const CompileOptions& options) override {
    return std::make_unique<CpuKernel>(kernel, std::move(dense), options, shared_);
  }

  void copy(const Leaf& target, const Leaf& source, const RunContext& context) override {
    copy_in_parts(target, source, context, shared_->workers);
  }

private:
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

} // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

} // namespace sinter::jit
