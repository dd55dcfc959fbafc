#include "jit/runtime/versioned_kernel.h"

#include "jit/runtime/compile_threads.h"
#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/machine.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace sinter::jit {

/// A kernel that is walked, statement by statement.  Its inner kernels are compiled if the policy
/// says so.
class WalkedKernel final : public Kernel {
public:
  WalkedKernel(const ir::Function& function, KernelPolicy policy, Backend& backend,
               const CompileOptions& options)
      : plan_(make_plan(function, policy, backend, options)) {}
  Outcome launch(std::vector<Datum> arguments, const RunContext& context) override {
    return Machine(plan_, context).run(plan_.body, std::move(arguments));
  }
  KernelFacts facts() const override { return {.skeleton = "walked"}; }
  std::string assembly() const override { return {}; }
  void promote() override {
    for (const std::unique_ptr<VersionedKernel>& kernel : plan_.kernels)
      kernel->promote();
  }
  const Plan& plan() const { return plan_; }

private:
  Plan plan_;
};

namespace {

std::uint64_t bytes_of(const std::vector<Datum>& data) {
  std::uint64_t sum = 0;
  for (const Datum& datum : data)
    if (const auto* leaf = std::get_if<Leaf>(&datum)) sum += content_bytes(*leaf);
  return sum;
}

} // namespace

VersionedKernel::VersionedKernel(ir::Function function, Span span,
                                 std::optional<std::string> rejection, Backend& backend,
                                 const CompileOptions& options)
    : function_(std::make_shared<const ir::Function>(std::move(function))), span_(span),
      backend_(backend), options_(options), rejection_(std::move(rejection)) {
  if (rejection_)
    walked_ =
        std::make_shared<WalkedKernel>(*function_, KernelPolicy::WalkOutermost, backend_, options_);
}

VersionedKernel::~VersionedKernel() = default;

std::shared_ptr<Kernel> VersionedKernel::compile_version(const std::vector<bool>& dense,
                                                         const RunContext& context) {
  struct Job {
    Backend& backend;
    std::shared_ptr<const ir::Function> function;
    std::vector<bool> dense;
    CompileOptions options;
    std::shared_ptr<Kernel> kernel;
  };
  const auto job = std::make_shared<Job>(Job{backend_, function_, dense, options_, nullptr});
  const auto compile = [job](const std::byte*) {
    job->kernel = job->backend.compile(*job->function, job->dense, job->options);
  };
  auto begin = std::chrono::steady_clock::now();
  try {
    if (!context.compile_threads)
      compile(nullptr);
    else if (!context.compile_threads->run(compile, context.interrupt, context.epoch))
      throw Interrupted();
  } catch (const std::runtime_error& error) {
    // Nothing is lost but speed: the reason is kept for whoever asks.
    rejection_ = error.what();
    walked_ = std::make_shared<WalkedKernel>(*function_, KernelPolicy::WalkEverything, backend_,
                                             options_);
    return walked_;
  }
  compile_milliseconds_ +=
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  versions_.push_back(std::make_unique<const Version>(Version{dense, job->kernel}));
  latest_.store(versions_.back().get(), std::memory_order_release);
  return job->kernel;
}

bool VersionedKernel::Version::fits(const std::vector<Datum>& arguments) const {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (const Leaf* leaf = std::get_if<Leaf>(&arguments[i]);
        leaf && is_row_major(*leaf) != dense[i])
      return false;
  return true;
}

Kernel* VersionedKernel::latest(const std::vector<Datum>& arguments) const {
  const Version* const version = latest_.load(std::memory_order_acquire);
  return version && version->fits(arguments) ? version->kernel.get() : nullptr;
}

std::shared_ptr<Kernel> VersionedKernel::version(const std::vector<bool>& dense,
                                                 const RunContext& context) {
  std::lock_guard lock(mutex_);
  if (walked_) return walked_;
  for (const auto& version : versions_)
    if (version->dense == dense) {
      latest_.store(version.get(), std::memory_order_release);
      return version->kernel;
    }
  if (versions_.size() >= version_limit &&
      std::find(dense.begin(), dense.end(), false) != dense.end())
    return nullptr;
  return compile_version(dense, context);
}

Outcome VersionedKernel::launch(std::vector<Datum> arguments, const RunContext& context) {
  if (Kernel* const known = latest(arguments)) return launch(*known, std::move(arguments), context);
  std::vector<bool> dense(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Leaf* leaf = std::get_if<Leaf>(&arguments[i]);
    dense[i] = !leaf || is_row_major(*leaf);
  }
  std::shared_ptr<Kernel> kernel;
  try {
    kernel = version(dense, context);
    if (!kernel) {
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!dense[i]) arguments[i] = copy(*context.memory, std::get<Leaf>(arguments[i]));
      kernel = version(std::vector<bool>(arguments.size(), true), context);
    }
  } catch (const Interrupted&) {
    return Stopped{Stopped::Why::Interrupted, 0, {}};
  }
  return launch(*kernel, std::move(arguments), context);
}

Outcome VersionedKernel::launch(Kernel& kernel, std::vector<Datum> arguments,
                                const RunContext& context) {
  // (Looking at the clock takes as long as little work does: of short launches some are timed, and
  // stand for those after them.)
  constexpr std::uint64_t short_nanoseconds = 10'000, timed_every = 16;
  using Clock = std::chrono::steady_clock;
  std::uint64_t bytes = bytes_of(arguments);
  const std::uint64_t number = launches_.fetch_add(1, std::memory_order_relaxed);
  std::uint64_t elapsed = last_nanoseconds_.load(std::memory_order_relaxed);
  const bool is_timed = number % timed_every == 0 || elapsed >= short_nanoseconds;
  const Clock::time_point began = is_timed ? Clock::now() : Clock::time_point();
  Outcome outcome = kernel.launch(std::move(arguments), context);
  if (is_timed) {
    elapsed = static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - began).count());
    last_nanoseconds_.store(elapsed, std::memory_order_relaxed);
  }
  if (const auto* results = std::get_if<std::vector<Datum>>(&outcome)) bytes += bytes_of(*results);
  nanoseconds_.fetch_add(elapsed, std::memory_order_relaxed);
  moved_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return outcome;
}

std::optional<Outcome> VersionedKernel::repeat(Repetition& repetition, const RunContext& context) {
  using Clock = std::chrono::steady_clock;
  Kernel* const kernel = latest(repetition.arguments);
  if (!kernel) return std::nullopt;
  std::uint64_t bytes = bytes_of(repetition.arguments);
  const Clock::time_point began = Clock::now();
  std::optional<Outcome> outcome = kernel->repeat(repetition, context);
  if (!outcome) return std::nullopt;
  const std::chrono::nanoseconds elapsed = Clock::now() - began;
  nanoseconds_.fetch_add(static_cast<std::uint64_t>(elapsed.count()), std::memory_order_relaxed);
  if (const auto* results = std::get_if<std::vector<Datum>>(&*outcome)) bytes += bytes_of(*results);
  launches_.fetch_add(repetition.count, std::memory_order_relaxed);
  moved_bytes_.fetch_add(repetition.count * bytes, std::memory_order_relaxed);
  return outcome;
}

void VersionedKernel::compile() {
  (void)version(std::vector<bool>(function_->body.parameters.size(), true), RunContext{});
}

void VersionedKernel::promote() {
  std::vector<std::shared_ptr<Kernel>> kernels;
  {
    std::lock_guard lock(mutex_);
    options_.tier = 2;
    for (const auto& version : versions_)
      kernels.push_back(version->kernel);
    if (walked_) kernels.push_back(walked_);
  }
  // Meanwhile the kernels are launched.
  for (const std::shared_ptr<Kernel>& kernel : kernels)
    kernel->promote();
}

std::optional<std::string> VersionedKernel::rejection() const {
  std::lock_guard lock(mutex_);
  return rejection_;
}

KernelFacts VersionedKernel::facts() const {
  std::lock_guard lock(mutex_);
  if (walked_) return walked_->facts();
  return versions_.empty() ? KernelFacts{} : versions_.front()->kernel->facts();
}

std::size_t VersionedKernel::version_count() const {
  std::lock_guard lock(mutex_);
  return versions_.size();
}

double VersionedKernel::compile_milliseconds() const {
  std::lock_guard lock(mutex_);
  return compile_milliseconds_;
}

LaunchStatistics VersionedKernel::launches() const {
  return {launches_, static_cast<double>(nanoseconds_) * 1e-6, moved_bytes_};
}

std::string VersionedKernel::assembly() {
  return version(std::vector<bool>(function_->body.parameters.size(), true), RunContext{})
      ->assembly();
}

const Plan* VersionedKernel::walked_plan() const {
  std::lock_guard lock(mutex_);
  return walked_ ? &walked_->plan() : nullptr;
}

} // namespace sinter::jit
