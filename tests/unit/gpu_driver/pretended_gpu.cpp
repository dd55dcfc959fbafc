#include "tests/unit/gpu_driver/pretended_gpu.h"

#include "gpu/ptx/lower.h"
#include "tests/unit/gpu_backend/forwarding_device.h"

#include <doctest/doctest.h>

#include <cstring>
#include <stdexcept>
#include <string_view>

#include <dlfcn.h>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace sinter::test {

namespace {

constexpr const char* library = SINTER_PRETENDED_DRIVER;
constexpr std::string_view cubin_begins = "pretended machine code of ";
constexpr unsigned capability = 86;
constexpr Result out_of_memory = 2, invalid_image = 200, invalid_ptx = 218, not_found = 500,
                 illegal_address = 700;

void set_machine(PretendedMachine* machine) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  REQUIRE_MESSAGE(handle, dlerror());
  const auto set = reinterpret_cast<SetMachine>(dlsym(handle, set_machine_name));
  REQUIRE(bool(set));
  set(machine);
}

gpu::GpuModule read_module(const std::string& bitcode, std::vector<gpu::EntryPoint> entries) {
  gpu::GpuModule module;
  module.context = std::make_unique<llvm::LLVMContext>();
  const auto buffer = llvm::MemoryBuffer::getMemBuffer(bitcode, "", false);
  module.module =
      llvm::cantFail(llvm::parseBitcodeFile(buffer->getMemBufferRef(), *module.context));
  module.entries = std::move(entries);
  return module;
}

/// Remembers what it is given before a driver's device has it.
class RememberingDevice final : public ForwardingDevice {
public:
  RememberingDevice(PretendedGpu& gpu, std::unique_ptr<gpu::Device> device)
      : ForwardingDevice(std::move(device)), gpu_(gpu) {}
  std::shared_ptr<gpu::DeviceCode> load(gpu::GpuModule module) override {
    gpu_.remember(module);
    return ForwardingDevice::load(std::move(module));
  }

private:
  PretendedGpu& gpu_;
};

} // namespace

PretendedGpu::PretendedGpu(const gpu::EmulationOptions& options)
    : emulated_(gpu::make_emulated_device(options)) {
  set_machine(this);
}

PretendedGpu::~PretendedGpu() {
  set_machine(nullptr);
}

void PretendedGpu::restore() {
  plant(UINT64_MAX, 0);
  set_machine(this);
}

void PretendedGpu::plant(std::uint64_t call, Result result) {
  calls_ = 0;
  planted_call_ = call;
  planted_ = result;
}

std::map<std::string, std::uint64_t> PretendedGpu::calls_by_name() const {
  const std::lock_guard lock(mutex_);
  return calls_by_name_;
}

std::shared_ptr<const gpu::driver::Driver> PretendedGpu::driver() {
  return gpu::driver::Driver::open(library);
}

std::unique_ptr<gpu::Device> PretendedGpu::device(const gpu::driver::DriverDeviceOptions& options) {
  return std::make_unique<RememberingDevice>(*this,
                                             gpu::driver::make_driver_device(driver(), options));
}

void PretendedGpu::remember(const gpu::GpuModule& module) {
  Kept kept;
  llvm::raw_string_ostream stream(kept.bitcode);
  llvm::WriteBitcodeToFile(*module.module, stream);
  stream.flush();
  kept.entries = module.entries;
  const std::lock_guard lock(mutex_);
  const auto [text, is_new] = texts_.try_emplace(kept.bitcode);
  if (is_new) text->second = gpu::to_ptx(module, capability).text;
  kept_.try_emplace(text->second, std::move(kept));
}

Result PretendedGpu::begin(const char* function) noexcept {
  {
    const std::lock_guard lock(mutex_);
    ++calls_by_name_[function];
  }
  return calls_++ == planted_call_ ? planted_ : 0;
}

template <typename Work>
Result PretendedGpu::result_of(Work&& work) noexcept {
  try {
    work();
    return 0;
  } catch (const gpu::DeviceError& error) {
    if (error.kind == gpu::DeviceError::Kind::OutOfMemory) return out_of_memory;
    MESSAGE(error.what()); // the emulator's checks: nothing that a test may provoke
    return illegal_address;
  } catch (const std::exception& error) {
    MESSAGE(error.what());
    return illegal_address;
  }
}

Result PretendedGpu::allocate(std::size_t bytes, std::uint64_t& address) noexcept {
  const Result result = result_of([&] { address = emulated_->allocate(bytes); });
  return result == 0 && address == 0 ? out_of_memory : result;
}
Result PretendedGpu::release(std::uint64_t address) noexcept {
  return result_of([&] { emulated_->release(address); });
}
Result PretendedGpu::copy_in(std::uint64_t target, const void* source, std::size_t bytes,
                             bool is_urgent) noexcept {
  return result_of([&] {
    if (!is_urgent)
      return emulated_->copy_in(target, {static_cast<const std::byte*>(source), bytes});
    std::uint32_t word = 0;
    if (bytes != sizeof word) throw std::logic_error("only words are written at once");
    std::memcpy(&word, source, sizeof word);
    emulated_->write_at_once(target, word);
  });
}
Result PretendedGpu::copy_out(void* target, std::uint64_t source, std::size_t bytes) noexcept {
  return result_of([&] { emulated_->copy_out({static_cast<std::byte*>(target), bytes}, source); });
}
Result PretendedGpu::copy_within(std::uint64_t target, std::uint64_t source,
                                 std::size_t bytes) noexcept {
  return result_of([&] { emulated_->copy_within(target, source, bytes); });
}
Result PretendedGpu::fill(std::uint64_t target, std::uint64_t element, std::size_t element_bytes,
                          std::size_t elements) noexcept {
  return result_of([&] { emulated_->fill(target, element, element_bytes, elements); });
}

Result PretendedGpu::assemble(const char* text, std::string& made) noexcept {
  ++assembled;
  if (refuses_texts) {
    made = "line 1: a pretended mistake";
    return invalid_ptx;
  }
  made = std::string(cubin_begins) + text;
  return 0;
}

Result PretendedGpu::load(const char* cubin, std::uint64_t& number) noexcept {
  const std::string_view image = cubin;
  if (!image.starts_with(cubin_begins)) return invalid_image;
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(std::string(image.substr(cubin_begins.size())));
  if (found == kept_.end()) return invalid_image;
  Kept& kept = found->second;
  const Result result = result_of([&] {
    if (!kept.code) kept.code = emulated_->load(read_module(kept.bitcode, kept.entries));
  });
  if (result != 0) return result;
  number = next_module_++;
  loaded_.emplace(number, Loaded{.entries = kept.entries, .code = kept.code});
  return 0;
}

void PretendedGpu::unload(std::uint64_t module) noexcept {
  const std::lock_guard lock(mutex_);
  loaded_.erase(module);
}

Result PretendedGpu::find(std::uint64_t module, const char* name, std::size_t& words) noexcept {
  const std::lock_guard lock(mutex_);
  for (const gpu::EntryPoint& entry : loaded_.at(module).entries)
    if (entry.name == name) {
      words = entry.words;
      return 0;
    }
  return not_found;
}

Result PretendedGpu::launch(std::uint64_t module, const std::string& entry,
                            const gpu::LaunchShape& shape,
                            std::span<const std::uint64_t> words) noexcept {
  std::shared_ptr<gpu::DeviceCode> code;
  {
    const std::lock_guard lock(mutex_);
    code = loaded_.at(module).code;
  }
  return result_of([&] { emulated_->launch(code, entry, shape, words); });
}

} // namespace sinter::test
