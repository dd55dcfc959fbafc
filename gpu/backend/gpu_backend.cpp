#include "gpu/backend/gpu_backend.h"

#include "gpu/backend/errors.h"
#include "gpu/backend/launch.h"
#include "gpu/ptx/lower.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/cpu/compiler_memory.h"
#include "jit/passes/pipeline.h"
#include "jit/runtime/kernels_in_use.h"
#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/prepare.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

namespace sinter::gpu {

namespace {

/// What kernels and the backend share.
struct Shared {
  Shared(std::unique_ptr<Device> given, jit::Backend& host)
      : device(std::move(given)), host(host), place(*device) {}
  std::unique_ptr<Device> device;
  jit::Backend& host;
  LaunchPlace place;
  std::atomic<std::uint64_t> launches_by_host{0};

  /// The first error that came of the device's loss.
  void note_loss(const std::string& words) {
    const std::lock_guard lock(mutex);
    if (loss.empty()) loss = words;
  }
  /// Why there was no code for some launch; the first such reason.
  void note_missing_code(const std::string& words) {
    const std::lock_guard lock(mutex);
    if (missing_code.empty()) missing_code = words;
  }
  mutable std::mutex mutex; ///< of what follows
  std::string loss, missing_code;
};

class GpuKernel final : public jit::Kernel {
public:
  GpuKernel(const ir::Function& function, ir::ArrayLayouts layouts,
            const jit::CompileOptions& options, std::shared_ptr<Shared> shared)
      : shared_(std::move(shared)), function_(function), layouts_(std::move(layouts)),
        options_(options) {
    const auto begin = std::chrono::steady_clock::now();
    LoadedKernel& loaded = loaded_[{}];
    load(loaded, {});
    read_at_launch_ = read_at_launch(loaded, function_);
    facts_.tier = options.tier;
    facts_.compile_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    make_code(*loaded.code);
  }

  jit::Outcome launch(std::vector<jit::Datum> arguments, const jit::RunContext& context) override {
    if (shared_->device->is_lost()) return launch_after_loss(std::move(arguments), context);
    const std::uint64_t before = shared_->place.cache.transferred_bytes();
    const std::uint64_t waits_before = shared_->place.queue.waits();
    try {
      const std::vector<bool> is_pending = pending_arguments(arguments);
      jit::Outcome outcome =
          launch_on_device(loaded_for(is_pending), shared_->place, arguments, context);
      transferred_bytes_ += shared_->place.cache.transferred_bytes() - before;
      waits_ += shared_->place.queue.waits() - waits_before;
      return outcome;
    } catch (const RuntimeError& error) {
      if (!shared_->device->is_lost()) return jit::Stopped::by(error);
      // (If something was only there, the host is told so.)
      shared_->note_loss(error.message);
      return launch_after_loss(std::move(arguments), context);
    } catch (const DeviceFull&) {
      return launch_on_host(std::move(arguments), context, "the device has no room");
    } catch (const DeviceError& error) {
      // (While its code was made: what goes wrong on the device is a RuntimeError by now.)
      if (shared_->device->is_lost()) {
        shared_->note_loss(error.what());
        return launch_after_loss(std::move(arguments), context);
      }
      if (error.kind == DeviceError::Kind::OutOfMemory)
        return launch_on_host(std::move(arguments), context, "the device has no room");
      shared_->note_missing_code(error.what()); // for such sizes
      return launch_on_host(std::move(arguments), context, "the device has no code");
    }
  }
  jit::KernelFacts facts() const override {
    const std::lock_guard lock(compiling_);
    jit::KernelFacts facts = facts_;
    for (const auto& [is_pending, loaded] : loaded_) {
      const CodeFacts code = loaded.code->facts();
      if (facts.why_waits.empty() && loaded.may_lack_scratch())
        facts.why_waits = "how much scratch memory a thread takes follows from " +
                          std::string(loaded.scratch.reason());
      facts.registers = std::max(facts.registers, code.registers);
      facts.local_bytes = std::max(facts.local_bytes, code.local_bytes);
      facts.shared_bytes = std::max(facts.shared_bytes, code.shared_bytes);
      facts.compile_milliseconds += loaded.code->milliseconds();
    }
    facts.transferred_bytes = transferred_bytes_;
    facts.waits = waits_;
    return facts;
  }
  std::string assembly() const override {
    const KernelCode& code = *loaded_.begin()->second.code;
    std::string text = code.text();
    if (!text.empty()) return text;
    // An emulation runs the module as it is: this is what a GPU would be given.
    const jit::CompilerMemory memory;
    try {
      std::vector<std::string> names = code.made();
      if (names.empty())
        for (const EntryPoint& point : code.entries())
          names.push_back(point.name);
      return to_ptx(emission({}, nullptr)(names), shared_->device->facts().compute_capability).text;
    } catch (const DeviceError& error) {
      return "// " + std::string(error.what()) + "\n";
    }
  }

private:
  SkeletonOptions options(const std::vector<bool>& is_pending) const {
    return {layouts_, options_.floats, is_pending};
  }
  /// Such as outlives the kernel.  It begins with what is planned already, if there is that.
  KernelCode::Emission emission(const std::vector<bool>& is_pending,
                                std::shared_ptr<KernelEntries> planned) const {
    return [function = function_, options = options(is_pending),
            planned = std::move(planned)](const std::vector<std::string>& names) mutable {
      const std::shared_ptr<KernelEntries> first = std::exchange(planned, nullptr);
      KernelEntries entries = first ? std::move(*first) : plan_entries(function, options);
      complete(entries, names, function, options);
      return std::move(entries.module);
    };
  }

  void load(LoadedKernel& loaded, const std::vector<bool>& is_pending) {
    const jit::CompilerMemory memory;
    const auto entries =
        std::make_shared<KernelEntries>(plan_entries(function_, options(is_pending)));
    loaded.layout = jit::kernel_layout(function_, entries->index_space);
    loaded.plan = std::move(entries->plan);
    loaded.is_pending = is_pending;
    loaded.uses_scratch = entries->uses_scratch;
    loaded.scratch = std::move(entries->scratch);
    facts_.skeleton = entries->skeleton;
    facts_.way = entries->word;
    loaded.code =
        std::make_shared<KernelCode>(std::shared_ptr<Device>(shared_, shared_->device.get()),
                                     entries->module.entries, emission(is_pending, entries));
  }

  /// Beforehand, where it is known what launches take.
  static void make_code(KernelCode& code) {
    std::vector<std::string> names;
    for (const EntryPoint& point : code.entries()) {
      if (point.alternative > 0) return;
      names.push_back(point.name);
    }
    try {
      code.make(names);
    } catch (const DeviceError& error) {
      if (error.kind == DeviceError::Kind::Violation) rethrow(error);
      throw; // (It is a std::runtime_error: the place does not take the kernel.)
    }
  }

  /// Code that takes such arguments.
  LoadedKernel& loaded_for(const std::vector<bool>& is_pending) {
    const std::lock_guard lock(compiling_);
    const auto [found, is_new] = loaded_.try_emplace(is_pending);
    if (!is_new) return found->second;
    try {
      on_device([&] { load(found->second, is_pending); });
    } catch (...) {
      loaded_.erase(found);
      throw;
    }
    return found->second;
  }

  bool is_pending_scalar(const std::vector<jit::Datum>& arguments, std::size_t i) const {
    return std::holds_alternative<Leaf>(arguments[i]) &&
           function_.type(function_.body.parameters[i]).is_scalar();
  }
  /// Makes numbers of pending scalars that the launch reads; which of the others there are, by
  /// parameter (empty: none).
  std::vector<bool> pending_arguments(std::vector<jit::Datum>& arguments) {
    std::vector<bool> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!is_pending_scalar(arguments, i)) continue;
      if (read_at_launch_[i]) {
        resolve(arguments[i]);
      } else {
        result.resize(arguments.size());
        result[i] = true;
      }
    }
    return result;
  }
  void resolve(jit::Datum& scalar) {
    const Leaf leaf = std::get<Leaf>(scalar);
    scalar = load_scalar(leaf.element, leaf.buffer->contents(), leaf.offset);
  }

  jit::Outcome launch_after_loss(std::vector<jit::Datum> arguments,
                                 const jit::RunContext& context) {
    return launch_on_host(std::move(arguments), context, "the device is lost");
  }
  /// After what was launched before, whose results are looked at here.  `why` not on the device.
  jit::Outcome launch_on_host(std::vector<jit::Datum> arguments, const jit::RunContext& context,
                              const char* why) {
    try {
      if (!shared_->device->is_lost())
        if (std::optional<jit::Stopped> stopped =
                on_device_only([&] { return shared_->place.queue.wait(context.run); }))
          return *stopped;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (is_pending_scalar(arguments, i)) resolve(arguments[i]);
    } catch (const RuntimeError& error) {
      return jit::Stopped::by(error);
    }
    ++shared_->launches_by_host;
    std::shared_ptr<jit::Kernel> kernel;
    try {
      const std::lock_guard lock(compiling_);
      if (!on_host_ && !shared_->host.rejects(function_))
        on_host_ = shared_->host.compile(function_, layouts_, options_);
      kernel = on_host_;
    } catch (const std::runtime_error&) {
      // Then the evaluator does it.
    }
    if (!kernel) return jit::Stopped{.why = jit::Stopped::Why::Declined, .words = why};
    return kernel->launch(std::move(arguments), context);
  }

  std::shared_ptr<Shared> shared_;
  ir::Function function_;
  ir::ArrayLayouts layouts_;
  jit::CompileOptions options_;
  /// By which arguments are pending; begins with the code for none.
  std::map<std::vector<bool>, LoadedKernel> loaded_;
  std::vector<bool> read_at_launch_; ///< by parameter
  jit::KernelFacts facts_;
  std::atomic<std::uint64_t> transferred_bytes_{0}, waits_{0};
  mutable std::mutex compiling_; ///< of what is compiled, and facts
  std::shared_ptr<jit::Kernel> on_host_;
};

class GpuBackendImplementation final : public GpuBackend {
private:
  DeviceCache& cache() { return shared_->place.cache; }
  Device& device() { return *shared_->device; }

  static DeviceAddress element_address(DeviceAddress begin, const Leaf& array,
                                       std::int64_t position) {
    return begin + static_cast<std::uint64_t>(position) * byte_size(array.element);
  }
  /// What the device has no room for, or cannot do as it is lost, is done in the host's memory.
  template <typename There, typename Here>
  auto on_device_or(There&& there, Here&& here) {
    if (device().is_lost()) return here();
    try {
      DeviceCache::Pins pins(cache());
      return there(pins);
    } catch (const DeviceFull&) {
    } catch (const RuntimeError& error) {
      if (!device().is_lost()) throw;
      shared_->note_loss(error.message);
    }
    return here();
  }
  Leaf undefined(MemoryBudget& memory, ElementType element, const Extents& extents,
                 DeviceCache::Pins& pins) {
    Leaf leaf;
    leaf.element = element;
    leaf.extents = extents;
    leaf.strides = row_major_strides(extents);
    leaf.buffer = cache().make(memory, block_bytes(element, extents), pins);
    return leaf;
  }
  Leaf filled(MemoryBudget& memory, ElementType element, const Extents& extents, std::uint64_t word,
              DeviceCache::Pins& pins) {
    Leaf leaf = undefined(memory, element, extents, pins);
    const DeviceAddress address = *cache().find(*leaf.buffer.get(), pins);
    const std::size_t size = byte_size(element);
    if (leaf.buffer->bytes() > 0)
      gpu::on_device([&] { device().fill(address, word, size, leaf.buffer->bytes() / size); });
    return leaf;
  }
  /// (What is copied home as a whole may be written in parts.)
  Leaf zeros(MemoryBudget& memory, ElementType element, const Extents& extents,
             DeviceCache::Pins& pins) {
    return filled(memory, element, extents, 0, pins);
  }

public:
  GpuBackendImplementation(std::string name, std::unique_ptr<Device> device, jit::Backend& host)
      : name_(std::move(name)), shared_(std::make_shared<Shared>(std::move(device), host)) {}
  ~GpuBackendImplementation() override { cache().keep_until_forgotten(shared_); }

  std::string name() const override { return name_; }
  jit::PreparedKernel prepare(ir::Function kernel,
                              const jit::CompileOptions& options) const override {
    return jit::prepared_by(jit::prepare_for_device, std::move(kernel), options);
  }
  std::optional<std::string> rejects(const ir::Function& kernel) const override {
    if (shared_->device->is_lost()) return "the device is lost";
    if (std::optional<std::string> objection = jit::unknown_result_size(kernel)) return objection;
    return has_no_entries(kernel);
  }
  std::shared_ptr<jit::Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts layouts,
                                       const jit::CompileOptions& options) override {
    return kernels_.find_or_make(kernel, layouts, options, [&] {
      return std::make_shared<GpuKernel>(kernel, layouts, options, shared_);
    });
  }

  std::string remark() const override {
    const std::lock_guard lock(shared_->mutex);
    if (!shared_->device->is_lost())
      return shared_->missing_code.empty()
                 ? std::string()
                 : name_ + " has no code for some launches, which the host does: " +
                       shared_->missing_code;
    return name_ + " is not used any more: " +
           (shared_->loss.empty() ? std::string("the device is lost") : shared_->loss);
  }

  Elsewhere* memory() override { return &cache(); }
  Leaf allocate(MemoryBudget& memory, ElementType element, Extents extents) override {
    return on_device_or(
        [&](DeviceCache::Pins& pins) { return zeros(memory, element, extents, pins); },
        [&] { return jit::Backend::allocate(memory, element, extents); });
  }
  Scalar load(const Leaf& array, std::int64_t position) override {
    DeviceCache::Pins pins(cache());
    const std::optional<DeviceAddress> there = cache().find(*array.buffer.get(), pins);
    if (!there || array.buffer->is_here()) return jit::Backend::load(array, position);
    shared_->place.queue.wait_before_reading();
    std::array<std::byte, 8> bytes = {};
    const std::size_t size = byte_size(array.element);
    gpu::on_device_only([&] {
      device().copy_out(std::span(bytes).first(size), element_address(*there, array, position));
    });
    return load_scalar(array.element, bytes.data(), 0);
  }
  void store(const Leaf& array, std::int64_t position, Scalar value) override {
    DeviceCache::Pins pins(cache());
    const std::optional<DeviceAddress> there = cache().find(*array.buffer.get(), pins);
    if (!there) return jit::Backend::store(array, position, value);
    std::array<std::byte, 8> bytes = {};
    store_scalar(array.element, bytes.data(), 0, value);
    gpu::on_device_only([&] {
      device().copy_in(element_address(*there, array, position),
                       std::span(bytes).first(byte_size(array.element)));
    });
    array.buffer->move_to(cache());
  }
  void copy(const Leaf& target, const Leaf& source, const jit::RunContext& context) override {
    if (is_empty(target.extents)) return;
    if (is_row_major(target) && is_row_major(source)) {
      const bool is_done = on_device_or(
          [&](DeviceCache::Pins& pins) {
            const std::optional<DeviceAddress> to = cache().find(*target.buffer.get(), pins);
            if (!to) return false;
            const DeviceAddress from = cache().hold(*source.buffer.get(), pins);
            gpu::on_device([&] {
              device().copy_within(element_address(*to, target, target.offset),
                                   element_address(from, source, source.offset),
                                   jit::content_bytes(target));
            });
            target.buffer->move_to(cache());
            return true;
          },
          [] { return false; });
      if (is_done) return;
    }
    jit::Backend::copy(target, source, context);
  }
  Leaf duplicate(const Leaf& array, const jit::RunContext& context) override {
    if (!is_row_major(array)) return jit::Backend::duplicate(array, context);
    Leaf result = allocate(*context.memory, array.element, array.extents);
    copy(result, array, context);
    return result;
  }
  Leaf fill(ElementType element, Extents extents, Scalar value,
            const jit::RunContext& context) override {
    return on_device_or(
        [&](DeviceCache::Pins& pins) {
          std::uint64_t word = 0;
          store_scalar(element, &word, 0, value);
          return filled(*context.memory, element, extents, word, pins);
        },
        [&] { return jit::Backend::fill(element, extents, value, context); });
  }
  Leaf list(ElementType element, Extents extents, std::span<const Scalar> elements,
            const jit::RunContext& context) override {
    std::vector<std::byte> bytes(elements.size() * byte_size(element));
    for (std::size_t i = 0; i < elements.size(); ++i)
      store_scalar(element, bytes.data(), static_cast<std::int64_t>(i), elements[i]);
    return on_device_or(
        [&](DeviceCache::Pins& pins) {
          Leaf leaf = undefined(*context.memory, element, extents, pins);
          const DeviceAddress address = *cache().find(*leaf.buffer.get(), pins);
          gpu::on_device([&] { device().copy_in(address, bytes); });
          return leaf;
        },
        [&] { return jit::Backend::list(element, extents, elements, context); });
  }

  std::size_t copies() const override { return shared_->place.cache.count(); }
  std::uint64_t transferred_bytes() const override {
    return shared_->place.cache.transferred_bytes();
  }
  std::uint64_t evictions() const override { return shared_->place.cache.evictions(); }
  std::uint64_t launches_by_host() const override { return shared_->launches_by_host; }

  std::uint64_t waits() const override { return shared_->place.queue.waits(); }

private:
  std::optional<jit::Stopped> wait(const jit::RunContext& context) override {
    try {
      return on_device_only([&] { return shared_->place.queue.wait(context.run); });
    } catch (const RuntimeError& error) {
      if (device().is_lost()) shared_->note_loss(error.message);
      return jit::Stopped::by(error);
    }
  }

  std::string name_;
  std::shared_ptr<Shared> shared_;
  jit::KernelsInUse kernels_;
};

} // namespace

std::unique_ptr<GpuBackend> make_gpu_backend(std::string name, std::unique_ptr<Device> device,
                                             jit::Backend& host) {
  return std::make_unique<GpuBackendImplementation>(std::move(name), std::move(device), host);
}

} // namespace sinter::gpu
