// A device on a pretended driver: memory, copies, code, and what is kept on disk.
#include "gpu/kernels/control_block.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/ir/parse.h"
#include "tests/unit/gpu_driver/pretended_gpu.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include <time.h>

using namespace sinter;
using namespace sinter::test;
using gpu::DeviceError;

namespace {

gpu::KernelEntries doubled() {
  return gpu::make_entries(ir::parse(R"(fn f(n: i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = add x x
    yield y
  } map
  ret ys
})"),
                           {.layouts = ir::all_dense(2)});
}

template <typename Element>
std::vector<Element> read(gpu::Device& device, gpu::DeviceAddress address, std::size_t count) {
  std::vector<Element> elements(count);
  device.copy_out(std::as_writable_bytes(std::span(elements)), address);
  return elements;
}

double processor_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string message_of(const auto& work) {
  try {
    work();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

} // namespace

TEST_CASE("without a driver, or a device, the words say so") {
  const auto open = [] { (void)gpu::driver::Driver::open("libsinter-no-such-library.so.1"); };
  CHECK(message_of(open) == "there is no GPU to be used: NVIDIA's driver is not installed "
                            "(`libsinter-no-such-library.so.1` cannot be opened)");
  const auto open_other = [] { (void)gpu::driver::Driver::open("libm.so.6"); };
  CHECK(message_of(open_other) ==
        "there is no GPU to be used: NVIDIA's driver is too old (it has no `cuInit`)");
  PretendedGpu gpu;
  gpu.count = 0;
  CHECK(message_of([&] { (void)gpu.driver(); }) == "there is no GPU: NVIDIA's driver finds none");
  gpu.count = 2;
  gpu.plant(0, 100);
  CHECK(message_of([&] { (void)gpu.driver(); }) ==
        "there is no GPU to be used: NVIDIA's driver says: pretended error (CUDA_ERROR_100)");
  CHECK(message_of([&] { (void)gpu.device({.number = 2}); }) ==
        "there is no GPU number 2: they are numbered from 0 to 1");
  gpu.count = 1;
  CHECK(message_of([&] { (void)gpu.device({.number = 1}); }) ==
        "there is no GPU number 1: the only one has number 0");
}

TEST_CASE("a driver's device tells what it is") {
  PretendedGpu gpu;
  const auto device = gpu.device();
  const gpu::DeviceFacts& facts = device->facts();
  CHECK(facts.name == "Pretended GPU");
  CHECK(facts.compute_capability == 86);
  CHECK(facts.multiprocessors == 3);
  CHECK(facts.memory_bytes == std::size_t{64} << 20);
  CHECK(facts.shared_bytes == 48 << 10);
  CHECK(facts.bytes_per_second == 2 * 2e9 * 32);
}

TEST_CASE("memory is copied, filled and given back") {
  PretendedGpu gpu;
  {
    const auto device = gpu.device();
    // (Larger than a piece of what is pinned, and not a multiple.)
    std::vector<std::uint32_t> numbers((9u << 20) / 4 + 3);
    std::iota(numbers.begin(), numbers.end(), 7u);
    const std::size_t bytes = numbers.size() * sizeof numbers[0];
    const gpu::DeviceAddress first = device->allocate(bytes), second = device->allocate(bytes);
    REQUIRE(first != 0);
    REQUIRE(second != 0);
    const std::vector<std::uint32_t> kept = numbers;
    device->copy_in(first, std::as_bytes(std::span(numbers)));
    std::fill(numbers.begin(), numbers.end(), 0); // nobody looks at it any more
    device->copy_within(second, first, bytes);
    device->fill(first, 0xabcd, 2, 1000);
    CHECK(read<std::uint32_t>(*device, second, kept.size()) == kept);
    CHECK(read<std::uint16_t>(*device, first, 1000) == std::vector<std::uint16_t>(1000, 0xabcd));
    CHECK(read<std::uint32_t>(*device, first + 2000, 1)[0] == kept[500]);
    device->fill(first, 0x12, 1, 77);
    CHECK(read<std::uint8_t>(*device, first, 77) == std::vector<std::uint8_t>(77, 0x12));
    device->fill(first, 0x12345678, 4, 78);
    CHECK(read<std::uint32_t>(*device, first, 78) == std::vector<std::uint32_t>(78, 0x12345678));
    for (const std::size_t count : {std::size_t{1}, std::size_t{5000}, std::size_t{100'001}})
      for (const std::uint64_t element : {UINT64_C(0), UINT64_C(0x123456789abcdef0)}) {
        device->fill(first, element, 8, count);
        CHECK(read<std::uint64_t>(*device, first, count) ==
              std::vector<std::uint64_t>(count, element));
      }
    // Many small copies share pinned memory.
    for (std::uint32_t i = 0; i < 200'000; ++i)
      device->copy_in(second + 4 * (i % 1000), std::as_bytes(std::span(&i, 1)));
    std::vector<std::uint32_t> last(1000);
    std::iota(last.begin(), last.end(), 199'000u);
    CHECK(read<std::uint32_t>(*device, second, 1000) == last);
    device->write_at_once(first, 99);
    CHECK(read<std::uint32_t>(*device, first, 1)[0] == 99);
    device->release(first);
    CHECK_THROWS_AS(device->release(first), DeviceError);
  }
  CHECK(gpu.objects() == 0);
  CHECK(gpu.emulated().leaks().empty());
}

TEST_CASE("memory that was released is used again, and given back when there is no other") {
  PretendedGpu gpu({.memory_bytes = std::size_t{64} << 20});
  const auto device = gpu.device();
  const gpu::DeviceAddress address = device->allocate(100'000);
  device->release(address);
  CHECK(device->allocate(120'000) == address);
  CHECK(gpu.calls_by_name()["cuMemAlloc"] == 1);
  std::vector<gpu::DeviceAddress> all;
  for (int i = 0; i < 10; ++i)
    all.push_back(device->allocate(std::size_t{4} << 20));
  for (const gpu::DeviceAddress one : all)
    device->release(one);
  CHECK(gpu.calls_by_name()["cuMemFree"] == 0);
  const gpu::DeviceAddress large = device->allocate(std::size_t{50} << 20);
  CHECK(large != 0);
  CHECK(gpu.calls_by_name()["cuMemFree"] == 10);
  CHECK(device->allocate(std::size_t{50} << 20) == 0);
}

TEST_CASE("machine code is made once, and found on disk by the next process") {
  const tests::TemporaryFolder folder;
  PretendedGpu gpu;
  const gpu::driver::DriverDeviceOptions options{.cache_folder = folder.path()};
  const auto load = [&](gpu::Device& device) { return device.load(doubled().module); };
  {
    const auto device = gpu.device(options);
    const auto code = load(*device);
    CHECK(gpu.assembled == 1);
    CHECK(code->facts("run").registers == 32);
    CHECK(code->text().find(".entry run") != std::string::npos);
    CHECK_THROWS_AS((void)code->facts("nothing"), DeviceError);
    (void)load(*device);
    CHECK(gpu.assembled == 1);
  }
  const auto device = gpu.device(options);
  double least = 1;
  for (int i = 0; i < 10; ++i) {
    gpu::GpuModule module = doubled().module;
    const double begin = processor_seconds();
    CHECK_NOTHROW((void)device->load(std::move(module)));
    least = std::min(least, processor_seconds() - begin);
  }
  CHECK(gpu.assembled == 1);
  CHECK(least < 0.002);
  MESSAGE("a kernel from the disk: " << least * 1e6 << " microseconds");
  // What damages a file makes it absent.
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    std::ofstream(file.path(), std::ios::app | std::ios::binary) << "x";
  CHECK_NOTHROW((void)load(*device));
  CHECK(gpu.assembled == 2);
  // Without a folder nothing is kept.
  const auto other = gpu.device();
  (void)load(*other);
  (void)load(*other);
  CHECK(gpu.assembled == 4);
}

TEST_CASE("a text that the linker refuses is no code, in the linker's words") {
  PretendedGpu gpu;
  const auto device = gpu.device();
  gpu.refuses_texts = true;
  try {
    (void)device->load(doubled().module);
    FAIL("it was loaded");
  } catch (const DeviceError& error) {
    CHECK(error.kind == DeviceError::Kind::NoCode);
    CHECK(std::string(error.what()) == "line 1: a pretended mistake");
  }
  CHECK(!device->is_lost());
  gpu.refuses_texts = false;
  CHECK_NOTHROW((void)device->load(doubled().module));
}

TEST_CASE("a fault loses the device, and what has no memory does not") {
  PretendedGpu gpu;
  {
    const auto device = gpu.device();
    const gpu::DeviceAddress address = device->allocate(100);
    const auto kind = [&](const auto& work) {
      try {
        work();
      } catch (const DeviceError& error) {
        return error.kind;
      }
      FAIL("nothing was thrown");
      return DeviceError::Kind::NoCode;
    };
    gpu.plant(1, 2); // (the first call makes the context the thread's)
    CHECK(kind([&] { device->fill(address, 0, 4, 10); }) == DeviceError::Kind::OutOfMemory);
    CHECK(!device->is_lost());
    CHECK_NOTHROW(device->fill(address, 0, 4, 10));
    gpu.plant(1, 719);
    CHECK(kind([&] { device->finish(); }) == DeviceError::Kind::Fault);
    CHECK(device->is_lost());
    const std::uint64_t calls = gpu.calls();
    CHECK(kind([&] { device->fill(address, 0, 4, 10); }) == DeviceError::Kind::Lost);
    CHECK(kind([&] { (void)device->allocate(10); }) == DeviceError::Kind::Lost);
    CHECK(gpu.calls() == calls);
    CHECK_NOTHROW(device->release(address));
  }
  CHECK(gpu.objects() == 0);
}
