// Buffers whose contents are not in the host's memory.
#include "lang/base/runtime_error.h"
#include "lang/values/array.h"
#include "lang/values/elements.h"
#include "tests/unit/temporary_folder.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

using namespace sinter;
using namespace sinter::test;

namespace {

/// A device's memory: copies by buffer, and how often it was asked for what.
class Device final : public Elsewhere {
public:
  void fetch(Buffer& buffer, std::byte* target) override {
    ++fetches;
    if (is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (is_broken) throw RuntimeError(FailureKind::OutOfMemory, "the device is gone");
    const std::lock_guard lock(mutex_);
    const std::vector<std::byte>& copy = copies_.at(&buffer);
    std::memcpy(target, copy.data(), copy.size());
  }
  void invalidate(Buffer& buffer) noexcept override {
    ++invalidations;
    const std::lock_guard lock(mutex_);
    copies_.erase(&buffer);
  }
  void forget(Buffer& buffer) noexcept override {
    ++forgotten;
    const std::lock_guard lock(mutex_);
    copies_.erase(&buffer);
  }

  /// A buffer that only this device has, all bytes alike.
  BufferRef make(MemoryBudget& memory, std::size_t bytes, int byte) {
    BufferRef buffer = Buffer::allocate_elsewhere(memory, bytes, *this);
    put(*buffer.get(), byte);
    return buffer;
  }
  void put(Buffer& buffer, int byte) {
    const std::lock_guard lock(mutex_);
    copies_[&buffer].assign(buffer.bytes(), static_cast<std::byte>(byte));
  }
  /// Copies what the host has.
  void copy(Buffer& buffer) {
    const std::byte* const contents = buffer.contents();
    {
      const std::lock_guard lock(mutex_);
      copies_[&buffer].assign(contents, contents + buffer.bytes());
    }
    buffer.share_with(*this);
  }
  /// Makes room, as a device that is full does.
  bool evict(Buffer& buffer) {
    if (!buffer.return_from(*this)) return false;
    const std::lock_guard lock(mutex_);
    copies_.erase(&buffer);
    return true;
  }
  std::size_t kept() const { return copies_.size(); }

  std::atomic<int> fetches{0}, invalidations{0}, forgotten{0};
  std::atomic<bool> is_slow{false}, is_broken{false};

private:
  std::mutex mutex_;
  std::map<Buffer*, std::vector<std::byte>> copies_;
};

constexpr std::size_t sizes[] = {1, 100, Buffer::mapped_size - 1, Buffer::mapped_size,
                                 (std::size_t{3} << 20) + 7};

} // namespace

TEST_CASE("contents elsewhere take no memory until they are read, and are fetched once") {
  for (const std::size_t bytes : sizes) {
    MemoryBudget memory;
    Device device;
    {
      const BufferRef buffer = device.make(memory, bytes, 7);
      CHECK(buffer.unique());
      CHECK(buffer->elsewhere() == &device);
      CHECK_FALSE(buffer->is_here());
      CHECK(memory.in_use() == 0);
      CHECK(reinterpret_cast<std::uintptr_t>(buffer->contents()) % Buffer::alignment == 0);
      CHECK(memory.in_use() == bytes);
      CHECK(buffer->is_here());
      for (std::size_t i = 0; i < bytes; i += 97)
        CHECK(buffer->contents()[i] == std::byte{7});
      CHECK(device.fetches == 1);
      CHECK(buffer->elsewhere() == &device); // reading leaves the copy as good as it was
      CHECK(device.invalidations == 0);
    }
    CHECK(device.forgotten == 1);
    CHECK(device.kept() == 0);
    CHECK(memory.in_use() == 0);
  }
}

TEST_CASE("a buffer that is never read goes away elsewhere, and is never counted") {
  MemoryBudget memory(0);
  Device device;
  for (const std::size_t bytes : sizes)
    (void)device.make(memory, bytes, 1);
  CHECK(device.forgotten == 5);
  CHECK(device.fetches == 0);
  CHECK(device.kept() == 0);
}

TEST_CASE("who overwrites a part gets the rest before, and the copy elsewhere is stale") {
  for (const std::size_t bytes : sizes) {
    MemoryBudget memory;
    Device device;
    {
      const BufferRef buffer = device.make(memory, bytes, 7);
      buffer->overwrite()[0] = std::byte{9};
      CHECK(device.fetches == 1);
      CHECK(device.invalidations == 1);
      CHECK(buffer->elsewhere() == nullptr);
      CHECK(buffer->contents()[0] == std::byte{9});
      for (std::size_t i = 1; i < bytes; i += 89)
        CHECK(buffer->contents()[i] == std::byte{7});
      buffer->overwrite()[0] = std::byte{10};
      CHECK(device.invalidations == 1);
    }
    CHECK(device.forgotten == 0); // nothing was kept any more
    CHECK(memory.in_use() == 0);
  }
}

TEST_CASE("who overwrites all fetches nothing") {
  MemoryBudget memory;
  Device device;
  const BufferRef buffer = device.make(memory, 100, 7);
  std::memset(buffer->overwrite_all(), 3, 100);
  CHECK(memory.in_use() == 100);
  CHECK(device.fetches == 0);
  CHECK(device.invalidations == 1);
  CHECK(buffer->contents()[50] == std::byte{3});
}

TEST_CASE("what the host has may be elsewhere too, until the host writes") {
  MemoryBudget memory;
  Device device, second; // they outlive the buffer
  const BufferRef buffer = Buffer::allocate_zeroed(memory, 1000);
  const std::byte* const data = buffer->contents();
  device.copy(*buffer.get());
  CHECK(buffer->contents() == data);
  CHECK(device.fetches == 0);
  CHECK(buffer->overwrite() == data);
  CHECK(device.invalidations == 1);
  // A second device takes over from the first.
  device.copy(*buffer.get());
  second.copy(*buffer.get());
  CHECK(device.invalidations == 2);
  CHECK(device.kept() == 0);
  CHECK(buffer->elsewhere() == &second);
}

TEST_CASE("what a device overwrites is stale here, and pages are given back") {
  for (const std::size_t bytes : sizes) {
    MemoryBudget memory;
    Device device;
    {
      const BufferRef buffer = Buffer::allocate_zeroed(memory, bytes);
      device.copy(*buffer.get());
      device.put(*buffer.get(), 5);
      buffer->move_to(device);
      CHECK(memory.in_use() == (bytes >= Buffer::mapped_size ? 0 : bytes));
      CHECK(buffer->contents()[bytes - 1] == std::byte{5});
      CHECK(memory.in_use() == bytes);
      CHECK(device.fetches == 1);
    }
    CHECK(memory.in_use() == 0);
    CHECK(device.forgotten == 1);
  }
}

TEST_CASE("a device that is full gives contents back") {
  MemoryBudget memory;
  Device device;
  const BufferRef only_there = device.make(memory, 1000, 4);
  const BufferRef both = Buffer::allocate_zeroed(memory, 1000);
  device.copy(*both.get());
  CHECK(device.evict(*only_there.get()));
  CHECK(device.evict(*both.get()));
  CHECK(device.fetches == 1);
  CHECK(only_there->elsewhere() == nullptr);
  CHECK(only_there->contents()[999] == std::byte{4});
  CHECK(both->contents()[999] == std::byte{0});
  CHECK(device.fetches == 1);
  CHECK(device.kept() == 0);
}

TEST_CASE("threads that read at once fetch once") {
  MemoryBudget memory;
  Device device;
  device.is_slow = true;
  const BufferRef buffer = device.make(memory, 100'000, 6);
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 8; ++i)
      readers.emplace_back([&] {
        const std::byte* const contents = buffer->contents();
        right += contents[0] == std::byte{6} && contents[99'999] == std::byte{6};
      });
  }
  CHECK(right == 8);
  CHECK(device.fetches == 1);
  CHECK(memory.in_use() == 100'000);
}

TEST_CASE("readers and a device that makes room do not wait for each other in a circle") {
  MemoryBudget memory;
  Device device;
  for (int round = 0; round < 200; ++round) {
    const BufferRef buffer = device.make(memory, 5000, round % 100);
    std::atomic<int> right{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 3; ++i)
        threads.emplace_back(
            [&] { right += buffer->contents()[4999] == static_cast<std::byte>(round % 100); });
      threads.emplace_back([&] { (void)device.evict(*buffer.get()); });
    }
    CHECK(right == 3);
  }
  CHECK(memory.in_use() == 0);
  CHECK(device.kept() == 0);
}

TEST_CASE("contents that find no memory stay where they are, and the next reader tries again") {
  for (const std::size_t bytes : {std::size_t{4000}, std::size_t{1} << 20}) {
    MemoryBudget memory(bytes / 2);
    Device device;
    const BufferRef buffer = device.make(memory, bytes, 8);
    CHECK_THROWS_AS((void)buffer->contents(), RuntimeError);
    CHECK_THROWS_AS((void)buffer->overwrite(), RuntimeError);
    CHECK_THROWS_AS((void)buffer->return_from(device), RuntimeError);
    CHECK(device.fetches == 0);
    CHECK(memory.in_use() == 0);
    memory.set_limit(bytes);
    // And so if the device fails.
    device.is_broken = true;
    CHECK_THROWS_AS((void)buffer->contents(), RuntimeError);
    CHECK_FALSE(buffer->is_here());
    device.is_broken = false;
    CHECK(buffer->contents()[bytes - 1] == std::byte{8});
  }
}

TEST_CASE("arrays over contents elsewhere are read, copied and compared as all others") {
  World world;
  Device device;
  const auto array_there = [&](int byte) {
    ArrayRef array = world.matrix(3, 5);
    Leaf& leaf = array->leaves[0];
    leaf.buffer = device.make(world.memory, leaf.buffer->bytes(), byte);
    return array;
  };
  const ArrayRef a = array_there(1), b = array_there(1), c = array_there(2);
  const std::int64_t indices[] = {2, 4};
  CHECK(get_element(a, indices).scalar().as<std::int32_t>() == 0x01010101);
  const Representation* const type = world.types.array(2, world.i32());
  CHECK(equal(Value(a), Value(b), type));
  CHECK_FALSE(equal(Value(a), Value(c), type));
  const ArrayRef joined =
      concatenate(world.memory, std::vector<ArrayRef>{transpose_view(array_there(3), 0, 1),
                                                      transpose_view(array_there(4), 0, 1)});
  const std::int64_t last[] = {9, 2};
  CHECK(get_element(joined, last).scalar().as<std::int32_t>() == 0x04040404);
  // In place: nobody else has it.
  ArrayRef mine = array_there(5);
  const int before = device.invalidations;
  mine = writable(world.memory, std::move(mine));
  set_element(world.memory, *mine, 0, Value(world.vector({1, 2, 3, 4, 5})));
  CHECK(device.invalidations == before + 1);
  CHECK(get_element(mine, indices).scalar().as<std::int32_t>() == 0x05050505);
}

TEST_CASE("contents in a file are copied elsewhere, and still are the file's") {
  const tests::TemporaryFolder folder;
  const std::size_t bytes = MappedFile::least_bytes;
  const std::string path = folder.write("x", std::string(bytes, '\7'));
  const int descriptor = open(path.c_str(), O_RDONLY);
  std::shared_ptr<MappedFile> file = MappedFile::map(descriptor, "x");
  close(descriptor);
  REQUIRE(file);
  MemoryBudget memory;
  Device device, other;
  const auto make = [&] { return Buffer::in_file(memory, file, file->bytes().data(), bytes); };
  {
    const BufferRef buffer = make();
    CHECK(buffer->is_here());
    CHECK(buffer->elsewhere() == nullptr);
    device.copy(*buffer.get());
    CHECK(buffer->is_here());
    CHECK(buffer->elsewhere() == &device);
    CHECK(memory.in_use() == 0);
    CHECK(buffer->contents()[5] == std::byte{7});
    // Another device's copy instead; then none.
    other.copy(*buffer.get());
    CHECK(device.invalidations == 1);
    CHECK(buffer->elsewhere() == &other);
    CHECK(other.evict(*buffer.get()));
    CHECK(buffer->elsewhere() == nullptr);
    CHECK(buffer->contents()[5] == std::byte{7});
    CHECK(device.fetches + other.fetches == 0);
    CHECK(buffer->is_in_file());
  }
  {
    const BufferRef buffer = make();
    device.copy(*buffer.get());
    device.invalidations = 0;
    buffer->overwrite()[0] = std::byte{9};
    CHECK(device.invalidations == 1);
    CHECK(memory.in_use() == bytes);
    CHECK(buffer->elsewhere() == nullptr);
    CHECK_FALSE(buffer->is_in_file());
    CHECK(buffer->contents()[1] == std::byte{7});
  }
  {
    const BufferRef buffer = make();
    buffer->move_to(device);
    device.put(*buffer.get(), 8);
    CHECK_FALSE(buffer->is_here());
    CHECK(buffer->contents()[1] == std::byte{8});
    CHECK(memory.in_use() == bytes);
  }
  CHECK(memory.in_use() == 0);
  CHECK(file->bytes()[0] == '\7');
}
