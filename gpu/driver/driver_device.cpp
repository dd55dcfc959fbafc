#include "gpu/driver/driver_device.h"

#include "gpu/driver/cubin_cache.h"
#include "gpu/driver/handles.h"
#include "gpu/driver/memory_pool.h"
#include "gpu/driver/staging.h"
#include "gpu/ptx/ptx_cache.h"
#include "jit/cpu/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sinter::gpu::driver {

namespace {

/// So many bytes of shared memory a block may have without asking for more.
constexpr std::uint32_t usual_shared_bytes = 48 << 10;

class DriverCode final : public DeviceCode {
public:
  DriverCode(std::shared_ptr<const PrimaryContext> context, const std::string& cubin, PtxText text,
             const std::vector<EntryPoint>& entries)
      : context_(std::move(context)), text_(std::move(text)) {
    const Driver& cu = context_->driver();
    Module module = nullptr;
    cu.check(cu->cuModuleLoadData(&module, cubin.data()), "cuModuleLoadData");
    module_ = OwnedModule(*context_, module);
    for (const EntryPoint& entry : entries) {
      Entry& made = entries_.emplace_back(entry);
      cu.check(cu->cuModuleGetFunction(&made.function, module, entry.name.c_str()),
               "cuModuleGetFunction");
      const auto attribute = [&](FunctionAttribute which) {
        int value = 0;
        cu.check(cu->cuFuncGetAttribute(&value, which, made.function), "cuFuncGetAttribute");
        return static_cast<unsigned>(value);
      };
      made.facts = {.registers = attribute(function_registers),
                    .local_bytes = attribute(function_local_bytes),
                    .shared_bytes = attribute(function_shared_bytes),
                    .constant_bytes = attribute(function_constant_bytes)};
    }
  }
  ~DriverCode() override {
    // What runs may be this.
    context_->at_end([](const Driver& cu) { (void)cu->cuCtxSynchronize(); });
  }
  CodeFacts facts(std::string_view name) const override { return entry(name).facts; }
  std::string text() const override { return text_.text; }

  struct Entry {
    explicit Entry(const EntryPoint& point) : point(point) {}
    EntryPoint point;
    Function function = nullptr;
    CodeFacts facts;
  };
  const Entry& entry(std::string_view name) const {
    for (const Entry& known : entries_)
      if (known.point.name == name) return known;
    throw DeviceError(DeviceError::Kind::NoCode, "there is no kernel `" + std::string(name) + "`");
  }

private:
  std::shared_ptr<const PrimaryContext> context_; ///< code may outlive the device
  PtxText text_;
  OwnedModule module_;
  std::vector<Entry> entries_;
};

class DriverDevice final : public Device {
private:
  /// Does it while the context is the thread's, unless the device is lost; sees to it that what
  /// loses it is remembered.
  template <typename Work>
  auto with_device(Work&& work) {
    using Kind = DeviceError::Kind;
    if (is_lost_) throw DeviceError(Kind::Lost, "the GPU is lost");
    try {
      const PrimaryContext::Current current(*context_);
      return work();
    } catch (const DeviceError& error) {
      if (error.kind == Kind::Lost || error.kind == Kind::Fault) is_lost_ = true;
      throw;
    }
  }
  void synchronize() {
    cu_->check((*cu_)->cuStreamSynchronize(stream_.get()), "cuStreamSynchronize");
  }

public:
  DriverDevice(std::shared_ptr<const Driver> driver, const DriverDeviceOptions& options)
      : cu_(std::move(driver)), facts_(device_facts(*cu_, options.number)),
        context_(std::make_shared<const PrimaryContext>(cu_, options.number)), pool_(*context_) {
    if (options.cache_folder) {
      texts_.emplace(*options.cache_folder, options.cache_bytes);
      cubins_.emplace(*options.cache_folder, options.cache_bytes, cu_->version(),
                      facts_.compute_capability);
    }
    const PrimaryContext::Current current(*context_);
    stream_ = make_stream(*context_);
    urgent_stream_ = make_stream(*context_);
    urgent_word_ = make_pinned(*context_, sizeof(std::uint32_t));
    staging_.emplace(*context_, stream_.get(), workers_);
  }
  ~DriverDevice() override {
    context_->at_end([&](const Driver& cu) { (void)cu->cuStreamSynchronize(stream_.get()); });
  }

  const DeviceFacts& facts() const override { return facts_; }

  DeviceAddress allocate(std::size_t bytes) override {
    return with_device([&] { return pool_.allocate(bytes); });
  }
  void release(DeviceAddress address) override { pool_.release(address); }
  void copy_in(DeviceAddress target, std::span<const std::byte> source) override {
    with_device([&] { staging_->copy_in(target, source); });
  }
  void copy_out(std::span<std::byte> target, DeviceAddress source) override {
    with_device([&] {
      staging_->copy_out(target, source);
      if (target.empty()) synchronize();
    });
  }
  void copy_within(DeviceAddress target, DeviceAddress source, std::size_t bytes) override {
    with_device([&] {
      if (bytes > 0)
        cu_->check((*cu_)->cuMemcpyDtoDAsync(target, source, bytes, stream_.get()),
                   "cuMemcpyDtoDAsync");
    });
  }
  void fill(DeviceAddress target, std::uint64_t element, std::size_t element_bytes,
            std::size_t count) override {
    with_device([&] {
      if (count > 0) fill_some(target, element, element_bytes, count);
    });
  }

  std::shared_ptr<DeviceCode> load(GpuModule module) override {
    PtxText text = texts_ ? texts_->to_ptx(module, facts_.compute_capability)
                          : to_ptx(module, facts_.compute_capability);
    return with_device([&] {
      const std::string cubin =
          cubins_ ? cubins_->cubin(*context_, text) : assemble(*context_, text);
      return std::make_shared<DriverCode>(context_, cubin, std::move(text), module.entries);
    });
  }
  void launch(const std::shared_ptr<DeviceCode>& code, std::string_view name,
              const LaunchShape& shape, std::span<const std::uint64_t> words) override {
    const DriverCode::Entry& entry = static_cast<const DriverCode&>(*code).entry(name);
    if (words.size() != entry.point.words)
      throw DeviceError(DeviceError::Kind::Violation,
                        "`" + std::string(name) + "`: " + std::to_string(words.size()) +
                            " words of parameters, " + std::to_string(entry.point.words) +
                            " are expected");
    std::vector<void*> places(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      places[i] = const_cast<std::uint64_t*>(&words[i]); // (it only reads them)
    with_device([&] {
      if (shape.shared_bytes > usual_shared_bytes)
        cu_->check((*cu_)->cuFuncSetAttribute(entry.function, function_most_dynamic_shared_bytes,
                                              static_cast<int>(shape.shared_bytes)),
                   "cuFuncSetAttribute");
      cu_->check((*cu_)->cuLaunchKernel(entry.function, shape.blocks[0], shape.blocks[1],
                                        shape.blocks[2], shape.threads, 1, 1, shape.shared_bytes,
                                        stream_.get(), places.data(), nullptr),
                 "cuLaunchKernel");
    });
  }
  void finish() override {
    with_device([&] { synchronize(); });
  }

  bool is_lost() const override { return is_lost_; }
  void write_at_once(DeviceAddress address, std::uint32_t word) override {
    const std::lock_guard lock(urgent_);
    with_device([&] {
      std::memcpy(urgent_word_.get(), &word, sizeof word);
      cu_->check(
          (*cu_)->cuMemcpyHtoDAsync(address, urgent_word_.get(), sizeof word, urgent_stream_.get()),
          "cuMemcpyHtoDAsync");
      cu_->check((*cu_)->cuStreamSynchronize(urgent_stream_.get()), "cuStreamSynchronize");
    });
  }

private:
  void fill_some(DeviceAddress target, std::uint64_t element, std::size_t element_bytes,
                 std::size_t count);

  std::shared_ptr<const Driver> cu_;
  DeviceFacts facts_;
  std::shared_ptr<const PrimaryContext> context_;
  MemoryPool pool_;
  jit::Workers workers_;
  OwnedStream stream_, urgent_stream_;
  PinnedMemory urgent_word_;
  std::mutex urgent_; ///< of the word and its stream
  std::optional<Staging> staging_;
  std::optional<PtxCache> texts_;
  std::optional<CubinCache> cubins_;
  std::atomic<bool> is_lost_{false};
};

void DriverDevice::fill_some(DeviceAddress target, std::uint64_t element, std::size_t element_bytes,
                             std::size_t count) {
  const Driver& cu = *cu_;
  const Stream stream = stream_.get();
  const auto low = static_cast<std::uint32_t>(element),
             high = static_cast<std::uint32_t>(element >> 32);
  if (element_bytes == 8 && low == high) {
    element_bytes = 4;
    count *= 2;
  }
  switch (element_bytes) {
  case 1:
    cu.check(cu->cuMemsetD8Async(target, static_cast<unsigned char>(low), count, stream),
             "cuMemsetD8Async");
    return;
  case 2:
    cu.check(cu->cuMemsetD16Async(target, static_cast<unsigned short>(low), count, stream),
             "cuMemsetD16Async");
    return;
  case 4:
    cu.check(cu->cuMemsetD32Async(target, low, count, stream), "cuMemsetD32Async");
    return;
  default:
    break;
  }
  // The driver fills with no more than four bytes: what is there is doubled until it is enough.
  constexpr std::size_t first_count = 8192;
  const std::vector<std::uint64_t> first(std::min(count, first_count), element);
  staging_->copy_in(target, std::as_bytes(std::span(first)));
  for (std::size_t done = first.size(); done < count;) {
    const std::size_t more = std::min(done, count - done);
    cu.check(
        cu->cuMemcpyDtoDAsync(target + done * element_bytes, target, more * element_bytes, stream),
        "cuMemcpyDtoDAsync");
    done += more;
  }
}

} // namespace

std::unique_ptr<Device> make_driver_device(std::shared_ptr<const Driver> driver,
                                           const DriverDeviceOptions& options) {
  if (options.number >= driver->device_count())
    throw std::runtime_error(
        "there is no GPU number " + std::to_string(options.number) + ": " +
        (driver->device_count() == 1
             ? std::string("the only one has number 0")
             : "they are numbered from 0 to " + std::to_string(driver->device_count() - 1)));
  return std::make_unique<DriverDevice>(std::move(driver), options);
}

} // namespace sinter::gpu::driver
