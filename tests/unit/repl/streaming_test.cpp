// Input that need not end: its bytes arrive whole whatever pieces they come in, and are cut into
// chunks of whole elements.
#include "lang/base/chance.h"
#include "lang/values/elements.h"
#include "repl/streaming/chunk_size.h"
#include "repl/streaming/chunk_source.h"
#include "tests/unit/sanitized.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace sinter;
using namespace sinter::repl;

namespace {

struct World {
  MemoryBudget memory;
  Representations representations;
  InterruptSource end;

  Step step(ElementType element, Extents inner = {}) {
    Step step;
    step.chunk = representations.array(static_cast<std::uint32_t>(inner.size() + 1),
                                       representations.scalar(element));
    step.inner = std::move(inner);
    return step;
  }
};

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    REQUIRE(count > 0);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string bytes_of(const ArrayRef& array) {
  std::string bytes;
  for (std::int64_t i = 0; i < array->shape.front(); ++i) {
    const std::uint32_t number = get_element(array, i).scalar().as<std::uint32_t>();
    bytes.append(reinterpret_cast<const char*>(&number), 4);
  }
  return bytes;
}

std::string format_error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FormatError& error) {
    return error.message;
  }
  return "";
}

} // namespace

TEST_CASE_FIXTURE(World, "bytes arrive whole, whatever pieces they come in and are taken in") {
  const int rounds = is_sanitized ? 20 : 100;
  for (int round = 0; round < rounds; ++round) {
    RepeatableChance chance(static_cast<std::uint64_t>(round));
    std::string sent;
    const std::int64_t size = chance.below(200'000);
    for (std::int64_t i = 0; i < size; ++i)
      sent += static_cast<char>(chance.next());
    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
    std::thread writer([&, seed = chance.next()] {
      RepeatableChance pieces(seed);
      std::string_view rest = sent;
      while (!rest.empty()) {
        const auto count =
            std::min(rest.size(), static_cast<std::size_t>(1 + pieces.below(20'000)));
        write_all(ends[1], rest.substr(0, count));
        rest.remove_prefix(count);
      }
      close(ends[1]);
    });
    const std::size_t unit = static_cast<std::size_t>(1 + chance.below(7));
    const auto room = [&] {
      return Buffer::allocate(memory, unit * static_cast<std::size_t>(1 + chance.below(5000)));
    };
    std::string received;
    {
      ReadAhead ahead(std::make_unique<Descriptor>(ends[0]), room(), end);
      while (true) {
        const ReadBytes bytes =
            ahead.take(static_cast<std::size_t>(chance.below(3000)), unit, room());
        if (bytes.count == 0) break;
        CHECK(bytes.count % unit == 0);
        received.append(reinterpret_cast<const char*>(bytes.buffer->contents()), bytes.count);
      }
      CHECK(ahead.left_over() == sent.size() % unit);
    }
    writer.join();
    CHECK(received == sent.substr(0, sent.size() - sent.size() % unit));
  }
}

TEST_CASE_FIXTURE(World, "input ends where somebody wishes it to, and what came is there") {
  std::array<int, 2> ends{};
  REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
  const Descriptor writer(ends[1]);
  write_all(writer.number(), "12345678");
  ReadAhead ahead(std::make_unique<Descriptor>(ends[0]), Buffer::allocate(memory, 64), end);
  CHECK(ahead.take(8, 4, Buffer::allocate(memory, 64)).count == 8);
  write_all(writer.number(), "1234");
  std::thread waiting([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    end.raise(InterruptSource::Reason::Interrupt);
  });
  // (More is wanted than will ever come.)
  CHECK(ahead.take(64, 4, Buffer::allocate(memory, 64)).count <= 4);
  waiting.join();
}

TEST_CASE_FIXTURE(World, "files are cut into chunks of the size that is wanted, and the rest") {
  const tests::TemporaryFolder folder;
  std::string bytes;
  for (std::uint32_t i = 0; i < 10'000; ++i)
    bytes.append(reinterpret_cast<const char*>(&i), 4);
  const std::string path = folder.write("numbers", bytes);
  const Step numbers = step(ElementType::U32);
  for (const bool exactly : {true, false}) {
    ChunkSource source({path, path}, numbers, memory, representations, end);
    CHECK(source.total_bytes() == 2 * bytes.size());
    std::string all;
    bool is_short = false;
    while (const ArrayRef chunk = source.next(3000, exactly)) {
      CHECK(chunk->shape.front() <= 3000);
      if (exactly) CHECK((chunk->shape.front() == 3000 || chunk->shape.front() == 1000));
      is_short |= chunk->shape.front() < 3000;
      all += bytes_of(chunk);
    }
    CHECK(is_short);
    CHECK(all == bytes + bytes);
    CHECK(source.bytes() == all.size());
  }
  ChunkSource source({path}, numbers, memory, representations, end);
  const ArrayRef first = source.next(10, true);
  source.put_back(first);
  CHECK(bytes_of(source.next(4, true)) == bytes.substr(0, 16));
  CHECK(bytes_of(source.next(100, true)) == bytes.substr(16, 24));
  CHECK(bytes_of(source.next(1, true)) == bytes.substr(40, 4));
}

TEST_CASE_FIXTURE(World, "elements have a shape; an end within one is an error that says where") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("rows", std::string(50, 'a'));
  const Step rows = step(ElementType::U8, {4, 3});
  ChunkSource source({path}, rows, memory, representations, end);
  const ArrayRef chunk = source.next(100, true);
  REQUIRE(chunk);
  CHECK(chunk->shape == Extents{4, 4, 3});
  CHECK(format_error_of([&] { source.next(100, true); }) ==
        path +
            ": it ends within an element of type [4][3]u8: 2 bytes are left behind 4 of 12 bytes "
            "each");
  const Step bools = step(ElementType::Bool);
  ChunkSource no_bools({path}, bools, memory, representations, end);
  CHECK(format_error_of([&] { no_bools.next(100, true); }).find("bool") != std::string::npos);
  ChunkSource none({folder.file("none")}, bools, memory, representations, end);
  CHECK(format_error_of([&] { none.next(100, true); }) ==
        folder.file("none") + ": cannot be opened: No such file or directory");
}

TEST_CASE_FIXTURE(World, "files that hold arrays are read as such, small and large") {
  const tests::TemporaryFolder folder;
  const Step numbers = step(ElementType::U32);
  for (const std::int64_t count : {3, 700'000}) {
    ArrayRef array = allocate_array(memory, representations.scalar(ElementType::U32), {count});
    auto* data = reinterpret_cast<std::uint32_t*>(array->leaves[0].buffer->overwrite());
    for (std::int64_t i = 0; i < count; ++i)
      data[i] = static_cast<std::uint32_t>(i * 7);
    for (const bool is_npy : {true, false}) {
      std::string bytes;
      (is_npy ? static_cast<void (*)(std::string&, const Value&, const Representation*)>(write_npy)
              : static_cast<void (*)(std::string&, const Value&, const Representation*)>(
                    write_binary))(bytes, array, numbers.chunk);
      const std::string path = folder.write("array", bytes);
      ChunkSource source({path}, numbers, memory, representations, end);
      std::string all;
      while (const ArrayRef chunk = source.next(1000, false))
        all += bytes_of(chunk);
      CHECK(all == bytes_of(array));
      const Step others = step(ElementType::F64);
      ChunkSource wrong({path}, others, memory, representations, end);
      CHECK(format_error_of([&] { wrong.next(1, false); }).find("[]f64") != std::string::npos);
    }
  }
}

TEST_CASE("chunks grow while that helps, shrink where it harms, and are halved for memory") {
  // A chunk costs 1 ms, and an element 1 us, or 3 us where more than 20,000 leave the cache.
  ChunkSize size(100, 1'000'000);
  for (int i = 0; i < 200; ++i) {
    const auto count = static_cast<double>(size.elements());
    size.note(1e-3 + count * (count > 20'000 ? 3e-6 : 1e-6));
  }
  CHECK(size.elements() > 5'000);
  CHECK(size.elements() <= 40'000);
  size.halve(8'000);
  CHECK(size.elements() == 4'000);
  for (int i = 0; i < 100; ++i)
    size.note(1e-3);
  CHECK(size.elements() <= 4'000);
  for (int i = 0; i < 20; ++i)
    size.halve(size.elements());
  CHECK(size.elements() == 1);
  CHECK(ChunkSize(4096, 10).elements() == 10);
}
