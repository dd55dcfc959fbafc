// The CPU as a backend: emission, engine and launcher together.

#include "jit/runtime/backend.h"
#include "jit/cpu/compiler_memory.h"
#include "jit/cpu/copy.h"
#include "jit/cpu/engine.h"
#include "jit/cpu/launch.h"
#include "jit/cpu/object_cache.h"
#include "jit/cpu/reach.h"
#include "jit/cpu/repeat.h"
#include "jit/cpu/standing_launch.h"
#include "jit/emit/emit.h"
#include "jit/emit/kernel_layout.h"
#include "jit/ir/parse.h"
#include "jit/passes/pipeline.h"
#include "jit/runtime/kernels_in_use.h"
#include "jit/runtime/prepare.h"
#include "lang/base/cache_folder.h"
#include "lang/base/runtime_error.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

namespace sinter::jit {

namespace {

constexpr std::size_t cache_bytes = std::size_t{256} << 20;

const TargetHooks& hooks() {
  static const CpuHooks of_this(facts_of(processor().vectors, processor().is_zen));
  return of_this;
}

/// What passes may know.
VectorRegisters vectors_of(const TargetFacts& facts) {
  if (!facts.has_gathers_and_masks) return {.bytes = 0, .count = 0};
  return {.bytes = static_cast<std::int64_t>(facts.vector_bytes),
          .count = static_cast<std::int64_t>(facts.vector_registers)};
}

EmitOptions emit_options(const CompileOptions& options, ir::ArrayLayouts layouts, unsigned tier) {
  EmitOptions result;
  result.lanes = options.lanes;
  result.floats = options.floats;
  result.layouts = std::move(layouts);
  result.hooks = &hooks();
  result.is_compact = tier < 2;
  return result;
}

/// What kernels share.
struct Shared {
  Shared() : engine(make_cache()) {}
  static std::shared_ptr<ObjectCache> make_cache() {
    std::optional<std::filesystem::path> folder = cache_folder();
    if (!folder) return nullptr;
    const CompilerMemory memory;
    return std::make_shared<ObjectCache>(*folder, cache_bytes, code_maker());
  }
  /// Of the modules that nobody asks to be checked, one of many is all the same.
  bool checks_next_module() {
    constexpr unsigned checked_every = 64;
    return modules.fetch_add(1, std::memory_order_relaxed) % checked_every == checked_every - 1;
  }
  Engine engine;
  Workers workers;
  std::atomic<unsigned> modules{0};
};

class CpuKernel final : public Kernel {
public:
  CpuKernel(const ir::Function& function, ir::ArrayLayouts layouts, const CompileOptions& options,
            std::shared_ptr<Shared> shared)
      : shared_(std::move(shared)), function_(function), layouts_(std::move(layouts)),
        options_(options) {
    const CompilerMemory memory;
    if (options_.tier < 2 && options_.takes_better && add_code_if_cached(2)) return;
    add_code(options_.tier);
  }

  Outcome launch(std::vector<Datum> arguments, const RunContext& context) override {
    try {
      return launch_kernel(layout_, current_, notes_, std::move(arguments), context,
                           shared_->workers, meter_);
    } catch (const RuntimeError& error) {
      return Stopped::by(error);
    }
  }
  std::optional<Outcome> repeat(Repetition& repetition, const RunContext& context) override {
    try {
      return repeat_kernel(layout_, reaches_, current_, repetition, context, shared_->workers,
                           repetition_meter_);
    } catch (const RuntimeError& error) {
      return Stopped::by(error);
    }
  }
  std::unique_ptr<StandingLaunch> stand(const LaunchSlots& slots,
                                        const RunContext& context) override {
    return CpuStandingLaunch::of(layout_, reaches_, current_, slots, context, shared_->workers,
                                 meter_);
  }
  void promote() override {
    const CompilerMemory memory;
    std::lock_guard lock(promoting_);
    if (facts().tier < 2) add_code(2);
  }
  KernelFacts facts() const override {
    std::lock_guard lock(facts_lock_);
    return facts_;
  }
  std::string assembly() const override {
    const CompilerMemory memory;
    const unsigned tier = facts().tier;
    return shared_->engine.assembly(emitted(tier), tier);
  }

private:
  EmittedKernel emitted(unsigned tier) const {
    EmitOptions emission = emit_options(options_, layouts_, tier);
    // (Launches go on with other code, in the midst of them.)
    emission.index_count = layout_.index_space.size();
    EmittedKernel kernel = emit_kernel(function_, emission);
    if (options_.passes.verify || shared_->checks_next_module())
      if (const std::optional<std::string> rule = broken_rule(kernel)) {
        const std::string words = "the code of a kernel is not well-formed: " + *rule;
        // (Whoever asks for the rules to be checked is not to overlook it.)
        if (options_.passes.verify) throw std::logic_error(words);
        throw std::runtime_error(words);
      }
    return kernel;
  }
  bool add_code_if_cached(unsigned tier) {
    const auto begin = std::chrono::steady_clock::now();
    EmittedKernel kernel = emitted(tier);
    if (!shared_->engine.is_cached(kernel, tier)) return false;
    add_code(std::move(kernel), tier, begin);
    return true;
  }
  void add_code(unsigned tier) {
    const auto begin = std::chrono::steady_clock::now();
    add_code(emitted(tier), tier, begin);
  }
  /// Makes code of that tier and lets launches run it.
  void add_code(EmittedKernel emitted, unsigned tier, std::chrono::steady_clock::time_point begin) {
    if (codes_.empty()) {
      layout_ = kernel_layout(function_, emitted.index_space);
      reaches_ = reaches(function_);
    }
    if (emitted.index_space.size() != layout_.index_space.size())
      throw std::runtime_error("code of two tiers has index spaces of two kinds");
    KernelFacts facts = this->facts();
    facts.skeleton = emitted.skeleton;
    facts.lanes = emitted.lanes;
    facts.tier = tier;
    codes_.push_back(shared_->engine.link(std::move(emitted), tier));
    facts.is_kept = codes_.back()->is_kept;
    facts.code_bytes = codes_.back()->code_bytes;
    facts.compile_milliseconds +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    current_.store(codes_.back().get(), std::memory_order_release);
    std::lock_guard lock(facts_lock_);
    facts_ = std::move(facts);
  }

  std::shared_ptr<Shared> shared_;
  ir::Function function_;
  ir::ArrayLayouts layouts_;
  CompileOptions options_;
  KernelLayout layout_;
  std::vector<std::optional<Reach>> reaches_; ///< by parameter
  /// By tier; all are kept, as a launch may still run an earlier one.  Before `shared_` goes.
  std::vector<std::unique_ptr<LinkedCode>> codes_;
  CurrentCode current_{nullptr};
  NotesKeeper notes_;
  WorkMeter meter_, repetition_meter_;
  std::mutex promoting_;
  mutable std::mutex facts_lock_;
  KernelFacts facts_;
};

class CpuBackend final : public Backend {
public:
  std::string name() const override { return "cpu"; }
  PreparedKernel prepare(ir::Function kernel, const CompileOptions& options) const override {
    CompileOptions for_this = options;
    for_this.passes.vectors = vectors_of(hooks().facts());
    return prepared_by(prepare_for_cpu, std::move(kernel), for_this);
  }
  std::optional<std::string> rejects(const ir::Function& kernel) const override {
    if (std::optional<std::string> objection = unknown_result_size(kernel)) return objection;
    return cannot_emit(kernel);
  }
  std::shared_ptr<Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts layouts,
                                  const CompileOptions& options) override {
    return kernels_.find_or_make(kernel, layouts, options, [&] {
      return std::make_shared<CpuKernel>(kernel, layouts, options, shared_);
    });
  }

  void warm_up(const CompileOptions& options) override {
    const CompilerMemory memory;
    const ir::Function function = ir::parse(usual_function);
    ir::ArrayLayouts layouts = ir::all_dense(function.body.parameters.size());
    EmittedKernel kernel =
        emit_kernel(function, emit_options(options, std::move(layouts), options.tier));
    // (It is not kept on disk: finding it there would warm nothing up.)
    (void)shared_->engine.link(std::move(kernel), options.tier, Engine::Cache::Unused);
  }

  unsigned thread_limit(const RunContext& context) const override {
    return shared_->workers.thread_limit(context.threads);
  }
  void on_threads(unsigned threads, const std::function<void(unsigned)>& body) override {
    shared_->workers.run(threads, threads, [&](std::int64_t number, unsigned) {
      body(static_cast<unsigned>(number));
    });
  }
  void copy(const Leaf& target, const Leaf& source, const RunContext& context) override {
    copy_in_parts(target, source, context, shared_->workers);
  }

private:
  static constexpr const char* usual_function = R"(fn warm_up(n: i64, xs: [n]f64) -> ([n]f64, f64) {
  ys: [n]f64, sum: f64 = soac n (xs) { (i: i64, x: f64)
    number: f64 = convert i
    y: f64 = mul x number
    yield y, y
  } map reduce commutative (0f64) { (a: f64, b: f64)
    c: f64 = add a b
    yield c
  }
  ret ys, sum
})";

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  KernelsInUse kernels_;
};

} // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

} // namespace sinter::jit
