// Input that need not end: its bytes arrive whole whatever pieces they come in, and are cut into
// chunks of whole elements.
#include "lang/base/chance.h"
#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "lang/values/array.h"
#include "lang/values/binary_header.h"
#include "lang/values/elements.h"
#include "lang/values/format.h"
#include "lang/values/npy_header.h"
#include "repl/streaming/array_place.h"
#include "repl/streaming/chunk_size.h"
#include "repl/streaming/chunk_source.h"
#include "repl/streaming/fetch_ahead.h"
#include "repl/streaming/mapped_elements.h"
#include "repl/streaming/text_elements.h"
#include "tests/unit/resident_memory.h"
#include "tests/unit/sanitized.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
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
    ChunkSource source({path, path}, InputFormat::Found, numbers, memory, representations, end);
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
  ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
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
  ChunkSource source({path}, InputFormat::Found, rows, memory, representations, end);
  const ArrayRef chunk = source.next(100, true);
  REQUIRE(chunk);
  CHECK(chunk->shape == Extents{4, 4, 3});
  CHECK(format_error_of([&] { source.next(100, true); }) ==
        path +
            ": it ends within an element of type [4][3]u8: 2 bytes are left behind 4 of 12 bytes "
            "each");
  const Step bools = step(ElementType::Bool);
  ChunkSource no_bools({path}, InputFormat::Found, bools, memory, representations, end);
  CHECK(format_error_of([&] { no_bools.next(100, true); }).find("bool") != std::string::npos);
  ChunkSource none({folder.file("none")}, InputFormat::Found, bools, memory, representations, end);
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
      ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
      std::string all;
      while (const ArrayRef chunk = source.next(1000, false))
        all += bytes_of(chunk);
      CHECK(all == bytes_of(array));
      const Step others = step(ElementType::F64);
      ChunkSource wrong({path}, InputFormat::Found, others, memory, representations, end);
      CHECK(format_error_of([&] { wrong.next(1, false); }).find("[]f64") != std::string::npos);
    }
  }
}

TEST_CASE_FIXTURE(World, "where an array's elements lie is found if they lie as in memory") {
  const tests::TemporaryFolder folder;
  const Step rows = step(ElementType::U32, {3}), bytes = step(ElementType::U8, {3});
  const auto place_of = [&](const std::string& contents, const Step& step, off_t start = 0) {
    const Descriptor file(open(folder.write("array", contents).c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE(lseek(file.number(), start, SEEK_SET) == start);
    const std::optional<FilePlace> place = array_place(file.number(), step);
    CHECK(lseek(file.number(), 0, SEEK_CUR) == start);
    return place ? std::to_string(place->begin) + "+" + std::to_string(place->bytes) : "none";
  };
  const std::string elements(24, 'x');
  const std::string npy = npy_header_of(ElementType::U32, false, {2, 3}) + elements;
  const std::string binary = binary_header_of(ElementType::U32, {2, 3}) + elements;
  CHECK(place_of(npy, rows) == "128+24");
  CHECK(place_of(binary, rows) == "23+24");
  CHECK(place_of("before" + npy, rows, 6) == "134+24");
  CHECK(place_of(npy_header_of(ElementType::U32, false, {0, 3}), rows) == "128+0");
  // Of another type or shape, or not all that the header tells of, or more.
  CHECK(place_of(npy, bytes) == "none");
  CHECK(place_of(binary, bytes) == "none");
  CHECK(place_of(npy_header_of(ElementType::U32, false, {3, 2}) + elements, rows) == "none");
  CHECK(place_of(npy_header_of(ElementType::U32, false, {6}) + elements, rows) == "none");
  CHECK(place_of(npy + "x", rows) == "none");
  CHECK(place_of(binary.substr(0, binary.size() - 1), rows) == "none");
  CHECK(place_of(npy.substr(0, 90), rows) == "none");
  CHECK(place_of(binary.substr(0, 11), rows) == "none");
  CHECK(place_of("", rows) == "none");
  CHECK(place_of(binary_header_of(ElementType::U32, {INT64_MAX, 3}) + elements, rows) == "none");
  // In another order, of bytes or of dimensions.
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = npy;
    return changed.replace(changed.find(from), from.size(), to);
  };
  CHECK(place_of(with("<u4", ">u4"), rows) == "none");
  CHECK(place_of(with("False", "True "), rows) == "none");
  // Whatever a header is made of, the place is one in the file.
  const int rounds = is_sanitized ? 500 : 5000;
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    RepeatableChance chance(static_cast<std::uint64_t>(round));
    std::string changed = round % 2 == 0 ? npy : binary;
    for (std::int64_t i = chance.below(3); i >= 0; --i)
      changed[static_cast<std::size_t>(chance.below(static_cast<std::int64_t>(changed.size())))] =
          static_cast<char>(chance.next());
    const std::string place = place_of(changed, rows);
    found += place != "none";
    if (place != "none") CHECK((place == "128+24" || place == "23+24"));
  }
  CHECK(found > 0);
  CHECK(found < rounds);
}

namespace {

/// A sparse file of so many bytes, of which the last word is 7.
std::string sparse_file(const tests::TemporaryFolder& folder, std::int64_t bytes) {
  const std::string path = folder.write("sparse", "");
  REQUIRE(truncate(path.c_str(), bytes) == 0);
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const std::uint32_t word = 7;
  REQUIRE(pwrite(file.number(), &word, sizeof word, bytes - 4) == 4);
  return path;
}

} // namespace

TEST_CASE("pages are fetched as far as is wanted and somewhat further; lost ones stop nobody") {
  const tests::TemporaryFolder folder;
  constexpr std::size_t bytes = std::size_t{128} << 20, part = std::size_t{16} << 20;
  const std::string path = sparse_file(folder, bytes);
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::shared_ptr<MappedFile> file = MappedFile::map(descriptor.number(), path);
  REQUIRE(file);
  const std::size_t before = tests::resident_bytes();
  FetchAhead ahead(file, file->bytes());
  ahead.await(part, 0);
  ahead.await(part, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::size_t fetched = tests::resident_bytes() - before;
  CHECK(fetched >= part);
  CHECK(fetched < part + 2 * FetchAhead::ahead_bytes);
  CHECK_FALSE(file->change());
  REQUIRE(truncate(path.c_str(), 3 * part) == 0);
  ahead.await(bytes, 0);
  CHECK(file->change() == "the file `" + path + "` was cut while it was in use: of " +
                              std::to_string(bytes) + " bytes it has " + std::to_string(3 * part) +
                              " left");
}

TEST_CASE("pages that are in memory already are left to who reads them") {
  const tests::TemporaryFolder folder;
  constexpr std::size_t bytes = std::size_t{64} << 20;
  const std::string path = folder.write("x", std::string(bytes, 'x'));
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::shared_ptr<MappedFile> file = MappedFile::map(descriptor.number(), path);
  REQUIRE(file);
  const std::size_t before = tests::resident_bytes();
  FetchAhead ahead(file, file->bytes());
  ahead.await(bytes, 0);
  CHECK(tests::resident_bytes() < before + bytes / 2);
}

TEST_CASE("pages that are done with are given back, and nobody waits for what is in memory") {
  const tests::TemporaryFolder folder;
  constexpr std::size_t bytes = std::size_t{64} << 20, part = std::size_t{16} << 20;
  const std::string path = folder.write("x", std::string(bytes, 'x'));
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::shared_ptr<MappedFile> file = MappedFile::map(descriptor.number(), path);
  REQUIRE(file);
  FetchAhead ahead(file, file->bytes());
  const std::size_t before = tests::resident_bytes();
  std::size_t sum = 0, most = 0;
  for (std::size_t done = 0; done < bytes; done += part) {
    ahead.await(done + part, done);
    for (std::size_t at = done; at < done + part; at += 64)
      sum += static_cast<unsigned char>(file->bytes()[at]);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    most = std::max(most, tests::resident_bytes());
  }
  CHECK(sum == bytes / 64 * 'x');
  CHECK(most < before + 3 * part);
}

TEST_CASE(
    "to wait for pages of a file is stopped as everything is, and they can be waited for again") {
  const tests::TemporaryFolder folder;
  constexpr std::size_t bytes = std::size_t{256} << 20;
  const std::string path = sparse_file(folder, bytes);
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::shared_ptr<MappedFile> file = MappedFile::map(descriptor.number(), path);
  REQUIRE(file);
  FetchAhead ahead(file, file->bytes());
  {
    InterruptSource source;
    const Interruptible interruptible(source);
    source.raise(InterruptSource::Reason::Interrupt);
    CHECK_THROWS_AS(ahead.await(bytes, 0), RuntimeError);
  }
  ahead.await(bytes, 0);
  CHECK_FALSE(file->change());
}

TEST_CASE_FIXTURE(World, "chunks of a large file are the file's own bytes, and few are resident") {
  const tests::TemporaryFolder folder;
  constexpr std::int64_t bytes = std::int64_t{512} << 20, chunk_bytes = std::int64_t{4} << 20;
  const std::string path = sparse_file(folder, bytes);
  const Step numbers = step(ElementType::U32);
  ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
  const std::size_t before = tests::resident_bytes();
  std::size_t most = 0;
  std::uint64_t sum = 0;
  while (const ArrayRef chunk = source.next(chunk_bytes / 4, false)) {
    CHECK(chunk->leaves.front().buffer->is_in_file());
    CHECK(memory.in_use() == 0);
    const auto* words =
        reinterpret_cast<const std::uint32_t*>(first_element(chunk->leaves.front()));
    for (std::int64_t i = 0; i < chunk->shape.front(); ++i)
      sum += words[i];
    most = std::max(most, tests::resident_bytes());
  }
  CHECK(sum == 7);
  CHECK(source.bytes() == bytes);
  CHECK(most < before + 2 * (chunk_bytes + FetchAhead::ahead_bytes));
  CHECK_FALSE(memory.files().change());
}

TEST_CASE_FIXTURE(World, "a chunk of a file may be written, and stay longer than the next one") {
  const tests::TemporaryFolder folder;
  const std::string path = sparse_file(folder, std::int64_t{4} << 20);
  const Step numbers = step(ElementType::U32);
  ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
  const ArrayRef first = source.next(1 << 19, true), second = source.next(1 << 19, true);
  REQUIRE(first);
  REQUIRE(second);
  CHECK_FALSE(source.next(1 << 19, true));
  CHECK(get_element(second, (1 << 19) - 1).scalar().as<std::uint32_t>() == 7);
  CHECK(get_element(first, (1 << 19) - 1).scalar().as<std::uint32_t>() == 0);
  reinterpret_cast<std::uint32_t*>(first_place(first->leaves.front()))[0] = 5;
  CHECK(memory.in_use() == std::size_t{1} << 21);
  CHECK(get_element(first, 0).scalar().as<std::uint32_t>() == 5);
  CHECK(get_element(second, 0).scalar().as<std::uint32_t>() == 0);
}

TEST_CASE_FIXTURE(World, "what a mapped file gets at its end is read; what is cut off is told") {
  const tests::TemporaryFolder folder;
  constexpr std::int64_t bytes = std::int64_t{4} << 20;
  const Step numbers = step(ElementType::U32);
  const auto append = [](const std::string& path, std::string_view more) {
    const Descriptor file(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    write_all(file.number(), more);
  };
  for (const bool exactly : {false, true}) {
    const std::string path = sparse_file(folder, bytes + 2);
    ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
    constexpr std::int64_t chunk = 300'000;
    std::int64_t count = source.next(chunk, exactly)->shape.front();
    // Whole elements, and the rest of one that was begun.
    append(path, "xy");
    append(path, std::string(400'000, 'z'));
    std::int64_t last = 0;
    while (const ArrayRef next = source.next(chunk, exactly)) {
      if (exactly && last != 0) CHECK(last == chunk);
      count += last = next->shape.front();
      (void)get_element(next, 0);
    }
    CHECK(count == (bytes + 4 + 400'000) / 4);
    CHECK(source.bytes() == bytes + 4 + 400'000);
    CHECK_FALSE(memory.files().change());
  }
  {
    const std::string path = sparse_file(folder, bytes + 3);
    ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
    CHECK(format_error_of([&] {
            while (source.next(300'000, false)) {
            }
          }) == path + ": it ends within an element of type u32: 3 bytes are left behind 1048576 "
                       "of 4 bytes each");
    CHECK_FALSE(memory.files().change());
  }
  const std::string path = sparse_file(folder, bytes);
  ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
  REQUIRE(source.next(1000, false));
  REQUIRE(truncate(path.c_str(), 8192) == 0);
  const ArrayRef lost = source.next(10'000, false);
  CHECK(get_element(lost, 9'999).scalar().as<std::uint32_t>() == 0); // no signal
  CHECK(memory.files().change() == "the file `" + path + "` was cut while it was in use: of " +
                                       std::to_string(bytes) + " bytes it has 8192 left");
}

TEST_CASE_FIXTURE(World, "a mapped file ends where somebody wishes it to") {
  const tests::TemporaryFolder folder;
  const std::string path = sparse_file(folder, std::int64_t{4} << 20);
  const Step numbers = step(ElementType::U32);
  ChunkSource source({path, path}, InputFormat::Bytes, numbers, memory, representations, end);
  REQUIRE(source.next(1000, true));
  end.raise(InterruptSource::Reason::Interrupt);
  CHECK_FALSE(source.next(1000, true));
  CHECK(source.bytes() == 4000);
}

TEST_CASE_FIXTURE(World, "elements that lie between multiples of their size are read") {
  const tests::TemporaryFolder folder;
  const std::int64_t count = 500'000;
  std::string all;
  for (std::uint32_t i = 0; i < count; ++i)
    all.append(reinterpret_cast<const char*>(&i), 4);
  const std::string path = folder.write("array", binary_header_of(ElementType::U32, {count}) + all);
  const Step numbers = step(ElementType::U32);
  ChunkSource source({path}, InputFormat::Found, numbers, memory, representations, end);
  std::string found;
  std::size_t most = 0;
  while (const ArrayRef chunk = source.next(10'000, false)) {
    CHECK_FALSE(chunk->leaves.front().buffer->is_in_file());
    most = std::max(most, memory.in_use());
    found += bytes_of(chunk);
  }
  CHECK(found == all);
  CHECK(most < all.size() / 4); // not the whole array
}

TEST_CASE_FIXTURE(World, "elements written as text are the same whatever pieces they come in") {
  const Step pairs = step(ElementType::I16, {2});
  const Step numbers = step(ElementType::F32);
  const int rounds = is_sanitized ? 50 : 300;
  for (int round = 0; round < rounds; ++round) {
    RepeatableChance chance(static_cast<std::uint64_t>(round));
    const bool is_pairs = chance.below(2) == 0;
    const Step& step = is_pairs ? pairs : numbers;
    std::string text, expected, found;
    const std::int64_t count = chance.below(200);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto number = static_cast<std::int16_t>(chance.below(20'000) - 10'000);
      if (is_pairs) {
        const std::int16_t pair[] = {number, static_cast<std::int16_t>(i)};
        expected.append(reinterpret_cast<const char*>(pair), sizeof pair);
        text += "[" + std::to_string(number) + "i16, " + std::to_string(i) + "]";
      } else {
        const auto scalar = static_cast<float>(number);
        expected.append(reinterpret_cast<const char*>(&scalar), sizeof scalar);
        text += std::to_string(number) + ".0";
      }
      const char* const ends[] = {" ", "\n", "\t\r\n", "\n\n -- 1 [\n"};
      text += ends[chance.below(4)];
    }
    TextElements elements(step, memory, representations);
    const auto take = [&] {
      std::vector<std::byte> room(step.element_bytes() * 10);
      while (true) {
        const std::int64_t most = 1 + chance.below(10);
        const auto taken = static_cast<std::size_t>(elements.take(room.data(), most));
        REQUIRE(taken <= static_cast<std::size_t>(most));
        found.append(reinterpret_cast<const char*>(room.data()), taken * step.element_bytes());
        if (taken == 0) return;
      }
    };
    for (std::string_view rest = text; !rest.empty();) {
      const auto piece = std::min(rest.size(), static_cast<std::size_t>(1 + chance.below(60)));
      elements.add(rest.substr(0, piece));
      rest.remove_prefix(piece);
      if (chance.below(3) > 0) take();
    }
    elements.end();
    take();
    CHECK(found == expected);
  }
}

TEST_CASE_FIXTURE(World, "any text gives elements, or an error that names a line") {
  const Step pairs = step(ElementType::I32, {2});
  const Step numbers = step(ElementType::F64);
  constexpr std::string_view letters = "0123456789.e-+if[], \n\t\r\"'x_";
  const int rounds = is_sanitized ? 500 : 5000;
  std::int64_t accepted = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    RepeatableChance chance(static_cast<std::uint64_t>(round));
    std::string text;
    for (std::int64_t i = chance.below(40); i > 0; --i)
      text += letters[static_cast<std::size_t>(
          chance.below(static_cast<std::int64_t>(chance.below(2) == 0 ? 10 : letters.size())))];
    TextElements elements(round % 2 == 0 ? pairs : numbers, memory, representations);
    std::byte room[64 * 8];
    const std::string error = format_error_of([&] {
      elements.add(text);
      elements.end();
      accepted += elements.take(room, 64);
    });
    refused += !error.empty();
    if (!error.empty()) CHECK(error.starts_with("line "));
  }
  CHECK(accepted > rounds / 50);
  CHECK(refused > rounds / 50);
}

TEST_CASE_FIXTURE(World,
                  "pipes give arrays one after the other, and end behind what was promised") {
  const Step rows = step(ElementType::U32, {3});
  const auto array = [&](std::uint32_t from, std::int64_t count) {
    std::string bytes = npy_header_of(ElementType::U32, false, {count, 3});
    for (std::uint32_t i = from; i < from + 3 * static_cast<std::uint32_t>(count); ++i)
      bytes.append(reinterpret_cast<const char*>(&i), 4);
    return bytes;
  };
  const tests::TemporaryFolder folder;
  const auto taken_of = [&](const std::string& sent) {
    const std::string path = folder.file("pipe");
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    std::thread writer([&] {
      const Descriptor pipe(open(path.c_str(), O_WRONLY | O_CLOEXEC));
      write_all(pipe.number(), sent);
    });
    std::int64_t count = 0;
    const std::string error = format_error_of([&] {
      ChunkSource source({path}, InputFormat::Found, rows, memory, representations, end);
      while (const ArrayRef chunk = source.next(7, false)) {
        for (std::int64_t i = 0; i < chunk->shape.front(); ++i, ++count)
          CHECK(get_element(chunk, i).array()->shape == Extents{3});
      }
    });
    writer.join();
    unlink(path.c_str());
    return std::to_string(count) + error.substr(std::min(error.size(), path.size()));
  };
  const std::string two = array(0, 20) + array(60, 1);
  CHECK(taken_of(two) == "21");
  CHECK(taken_of(two + array(0, 0)) == "21");
  CHECK(taken_of("") == "0");
  CHECK(taken_of(two.substr(0, two.size() - 12)) ==
        "20: it ends 12 bytes before the array that its .npy header tells of");
  CHECK(taken_of(array(0, 2).substr(0, 40)) == "0: the .npy header is cut short");
  CHECK(taken_of(two + "\x93NUMPX").starts_with("21: behind an array comes something else"));
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

TEST_CASE("chunks that take no time grow at once") {
  ChunkSize size(1000, 1'000'000);
  for (int i = 0; i < 6; ++i) {
    CHECK(size.elements() == std::int64_t{1000} << i);
    size.note(1e-3);
  }
  size.note(3e-3);
  CHECK(size.elements() == 64'000);
  for (int i = 0; i < 20; ++i)
    size.note(1e-3);
  CHECK(size.elements() == 1'000'000);
}
