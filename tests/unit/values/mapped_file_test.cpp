#include "lang/values/mapped_file.h"

#include "lang/base/runtime_error.h"
#include "lang/values/file_writer.h"
#include "lang/values/format.h"
#include "lang/values/npy_header.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"
#include "tests/unit/resident_memory.h"
#include "tests/unit/temporary_folder.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace sinter;
using namespace sinter::test;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t rows = 500, columns = 1000;

/// A file of one value, and a world to read it in.
struct Files : World {
  tests::TemporaryFolder folder;

  std::string npy_of(const Value& value, const Representation* type) {
    std::string bytes;
    write_npy(bytes, value, type);
    return folder.write("x.npy", bytes);
  }
  /// 2 MB, row by row.
  std::string matrix_file() { return npy_of(Value(matrix(rows, columns)), types.array(2, i32())); }
  ExternalValue read(const std::string& path) {
    const FileContents contents = FileContents::of(path);
    ValueReader reader(contents.bytes(), memory, types, contents.file());
    ExternalValue value = reader.read();
    CHECK(reader.at_end());
    return value;
  }
  std::string failure(const std::string& path) {
    try {
      (void)read(path);
    } catch (const FormatError& error) {
      return error.message;
    } catch (const RuntimeError& error) {
      return "changed: " + error.message;
    }
    return "";
  }
  static const Leaf& leaf(const ExternalValue& value) {
    return value.value.array()->leaves.front();
  }
  std::int32_t at(const ExternalValue& value, std::int64_t row, std::int64_t column) {
    const Leaf& leaf = this->leaf(value);
    return load_scalar(ElementType::I32, leaf.buffer->contents(),
                       leaf.offset + row * leaf.strides[0] + column * leaf.strides[1])
        .as<std::int32_t>();
  }
};

void overwrite(const std::string& path, std::size_t at, std::string_view bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file << bytes;
}

} // namespace

TEST_CASE_FIXTURE(Files, "large arrays of .npy files take no memory until somebody writes") {
  const std::string path = matrix_file();
  {
    const ExternalValue value = read(path);
    CHECK(memory.in_use() == 0);
    CHECK(leaf(value).buffer->is_in_file());
    CHECK(reinterpret_cast<std::uintptr_t>(leaf(value).buffer->contents()) % Buffer::alignment ==
          0);
    CHECK(at(value, 0, 0) == 0);
    CHECK(at(value, rows - 1, columns - 1) == rows * columns - 1);

    // Who is the only one that has it writes into a copy.
    CHECK_FALSE(leaf(value).buffer.unique());
    Leaf written = writable(memory, leaf(value));
    CHECK(memory.in_use() == rows * columns * 4);
    CHECK(written.buffer.unique());
    store_scalar(ElementType::I32, written.buffer->overwrite(), 0, Scalar::of(7));
    CHECK(at(value, 0, 0) == 0);
    written = {};
    CHECK(memory.in_use() == 0);

    // And so does who does not look.
    Leaf other = leaf(value);
    std::byte* const place = other.buffer->overwrite();
    CHECK(memory.in_use() == rows * columns * 4);
    CHECK_FALSE(other.buffer->is_in_file());
    store_scalar(ElementType::I32, place, 1, Scalar::of(7));
    CHECK(at(value, 0, 1) == 7);
    CHECK(at(value, rows - 1, columns - 1) == rows * columns - 1);
  }
  CHECK(memory.in_use() == 0);
  CHECK(at(read(path), 0, 1) == 1);
}

TEST_CASE_FIXTURE(Files, "room for contents that are all written is made without reading") {
  const std::string path = matrix_file();
  const ExternalValue value = read(path);
  const BufferRef buffer = leaf(value).buffer;
  CHECK(truncate(path.c_str(), 0) == 0);
  std::memset(buffer->overwrite_all(), 1, buffer->bytes());
  CHECK(buffer->contents()[buffer->bytes() - 1] == std::byte{1});
  CHECK_FALSE(memory.files().change());
}

TEST_CASE_FIXTURE(Files, "all versions are mapped, and columns are a view") {
  const std::string whole = read_file_bytes(matrix_file());
  for (const char version : {'\1', '\2', '\3'})
    for (const bool by_columns : {false, true}) {
      std::string dictionary = "{'descr': '<i4', 'fortran_order': ";
      dictionary += by_columns ? "True" : "False";
      dictionary += ", 'shape': (500, 1000), }";
      std::string header = std::string(npy_magic) + version + '\0';
      dictionary.resize(128 - header.size() - (version == '\1' ? 2 : 4), ' ');
      header += static_cast<char>(dictionary.size());
      header += '\0';
      if (version != '\1') header += std::string(2, '\0');
      const ExternalValue value =
          read(folder.write("y.npy", header + dictionary + whole.substr(128)));
      CHECK(memory.in_use() == 0);
      CHECK(value.shape == Extents{rows, columns});
      // What is written row by row is the other's columns.
      const std::int64_t place = by_columns ? 3 + 7 * rows : 3 * columns + 7;
      CHECK(at(value, 3, 7) == place);
    }
}

TEST_CASE_FIXTURE(Files, "other byte orders and misaligned elements are copied, words are read") {
  const std::string whole = read_file_bytes(matrix_file());
  std::string swapped = whole;
  swapped.replace(swapped.find("<i4"), 3, ">i4");
  {
    const ExternalValue value = read(folder.write("big.npy", swapped));
    CHECK(memory.in_use() == rows * columns * 4);
    CHECK(at(value, 0, 1) == 1 << 24);
  }
  // A header of the binary format has an odd length.
  const ExternalValue numbers = read(matrix_file());
  std::string bytes;
  write_binary(bytes, numbers.value, types.array(2, i32()));
  {
    const ExternalValue value = read(folder.write("x.bin", bytes));
    CHECK(memory.in_use() == rows * columns * 4);
    CHECK(at(value, 2, 3) == 2 * columns + 3);
  }
  // Bytes lie anywhere; the next value follows.
  std::string small = "b\2\1  u8";
  const std::int64_t count = std::int64_t{2} << 20;
  small.append(reinterpret_cast<const char*>(&count), 8);
  small.append(static_cast<std::size_t>(count), '\5');
  small += "b\2\0 i32\1\0\0\0"s;
  const FileContents contents = FileContents::of(folder.write("y.bin", small));
  REQUIRE(contents.file());
  ValueReader reader(contents.bytes(), memory, types, contents.file());
  const ExternalValue first = reader.read(ElementType::U8, 1);
  CHECK(leaf(first).buffer->is_in_file());
  CHECK(leaf(first).offset == 15);
  CHECK(static_cast<int>(*first_element(leaf(first))) == 5);
  CHECK(reader.read(ElementType::I32, 0).value.scalar().as<std::int32_t>() == 1);
  CHECK(reader.at_end());
  // What is small, or no array, is read.
  CHECK_FALSE(FileContents::of(folder.write("small.npy", whole.substr(0, 4096))).file());
  CHECK_FALSE(FileContents::of(folder.write("text", std::string(2 << 20, '1'))).file());
}

TEST_CASE_FIXTURE(Files, "what a header promises must be there, and bools be bools") {
  const std::string whole = read_file_bytes(matrix_file());
  CHECK(failure(folder.write("cut.npy", whole.substr(0, whole.size() - 1))) ==
        "byte 0: an array of shape [500][1000] and type i32 needs more elements than the 499999 "
        "that follow");
  std::string bools = "b\2\1bool";
  const std::int64_t count = std::int64_t{2} << 20;
  bools.append(reinterpret_cast<const char*>(&count), 8);
  bools.append(static_cast<std::size_t>(count), '\1');
  const std::string path = folder.write("bools.bin", bools);
  CHECK(leaf(read(path)).buffer->is_in_file());
  overwrite(path, 1'000'000, "\2");
  CHECK(failure(path) == "byte 1000000: a bool must be a byte 0 or 1, found 2");
}

TEST_CASE_FIXTURE(Files, "who used a file that has changed is told; who did not is not") {
  const std::string path = matrix_file();
  ExternalValue value = read(path);
  CHECK(at(value, 1, 0) == columns);
  CHECK_FALSE(memory.files().change());
  overwrite(path, 200, "changed");
  CHECK_FALSE(memory.files().change()); // nobody looked
  (void)at(value, 1, 0);
  CHECK(memory.files().change() == "the file `" + path + "` was written while it was in use");
  CHECK_FALSE(memory.files().change());
  // Whoever has it is told each time.
  (void)at(value, 1, 0);
  CHECK(memory.files().change());

  value = read(path);
  REQUIRE(truncate(path.c_str(), 4096) == 0);
  CHECK(at(value, rows - 1, 0) == 0); // no signal, and no number of the file's
  CHECK(memory.files().change() == "the file `" + path +
                                       "` was cut while it was in use: of 2000128 bytes it has "
                                       "4096 left");
  // Also if nobody has the array any more.
  value = read(matrix_file());
  (void)at(value, 1, 0);
  REQUIRE(truncate(path.c_str(), 0) == 0);
  value = {};
  CHECK(memory.files().change());
  CHECK_FALSE(memory.files().change());
}

TEST_CASE_FIXTURE(Files,
                  "for who reads from front to back, a file may get longer, and no shorter") {
  const std::string path = matrix_file();
  const auto map = [&](MappedFile::Growth growth) {
    const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    return MappedFile::map(descriptor.number(), path, growth);
  };
  const auto any = map(MappedFile::Growth::IsChange), growing = map(MappedFile::Growth::IsNone);
  REQUIRE(any);
  REQUIRE(growing);
  std::ofstream(path, std::ios::app) << "more";
  CHECK(any->change() == "the file `" + path + "` was written while it was in use");
  CHECK_FALSE(growing->change());
  CHECK(growing->bytes().size() == 2000128);
  REQUIRE(truncate(path.c_str(), 2000128) == 0);
  CHECK(growing->change() == any->change()); // it is as long, and others have written
  // Systems note the time before the bytes come.
  std::thread appending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::ofstream(path, std::ios::app) << "more";
  });
  CHECK_FALSE(growing->change());
  appending.join();
  REQUIRE(truncate(path.c_str(), 4096) == 0);
  CHECK(growing->change() ==
        "the file `" + path + "` was cut while it was in use: of 2000128 bytes it has 4096 left");
}

TEST_CASE_FIXTURE(Files, "pages that were given back are not resident, and hold the same bytes") {
  const std::string path = folder.write("x", std::string(64 << 20, 'x'));
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto file = MappedFile::map(descriptor.number(), path);
  REQUIRE(file);
  file->read_in_order();
  const std::string_view all = file->bytes(), part = all.substr(100, (32 << 20) + 1000);
  const auto count = [](std::string_view bytes) { return std::ranges::count(bytes, 'x'); };
  const std::size_t before = tests::resident_bytes();
  CHECK(count(all) == 64 << 20);
  const std::size_t read = tests::resident_bytes();
  CHECK(read > before + (60 << 20));
  file->give_back(part);
  const std::size_t given = tests::resident_bytes();
  CHECK(given < read - (30 << 20));
  CHECK(given > read - (34 << 20)); // nothing else
  file->give_back(all.substr(all.size()));
  CHECK(count(all) == 64 << 20);
  CHECK_FALSE(file->change());
}

TEST_CASE_FIXTURE(Files,
                  "what was just written is in memory; what nobody has written or read is not") {
  constexpr std::size_t bytes = std::size_t{4} << 20, half = bytes / 2;
  const std::string path = folder.write("x", std::string(half, 'x'));
  REQUIRE(truncate(path.c_str(), bytes) == 0);
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto file = MappedFile::map(descriptor.number(), path);
  REQUIRE(file);
  const std::string_view all = file->bytes();
  CHECK(file->is_in_memory(all.substr(0, half)));
  CHECK(file->is_in_memory(all.substr(5000, half - 5000)));
  CHECK(file->is_in_memory(all.substr(100, 0)));
  CHECK_FALSE(file->is_in_memory(all));
  CHECK_FALSE(file->is_in_memory(all.substr(half + 100)));
}

TEST_CASE_FIXTURE(Files, "a file that another one has replaced is still there") {
  const std::string path = matrix_file();
  const ExternalValue value = read(path);
  write_file_bytes(path, "other bytes");
  CHECK(at(value, rows - 1, columns - 1) == rows * columns - 1);
  CHECK_FALSE(memory.files().change());
}

TEST_CASE_FIXTURE(Files, "a file that is cut while it is read is no array") {
  const std::string path = matrix_file();
  const FileContents contents = FileContents::of(path);
  REQUIRE(truncate(path.c_str(), 4096) == 0);
  ValueReader reader(contents.bytes(), memory, types, contents.file());
  CHECK_THROWS_AS((void)reader.read(), RuntimeError);
  CHECK_THROWS_AS((void)read_npy(contents.bytes(), memory, types, contents.file()), RuntimeError);
  // Nor is its end one of a text: the error is not about what was read.
  const std::string bools = folder.write("bools.bin", "b\2\1bool" + std::string(2 << 20, '\7'));
  const FileContents wrong = FileContents::of(bools);
  REQUIRE(truncate(bools.c_str(), 0) == 0);
  ValueReader of_bools(wrong.bytes(), memory, types, wrong.file());
  CHECK_THROWS_AS((void)of_bools.read(), RuntimeError);
}

TEST_CASE_FIXTURE(Files, "standard input that is a file is mapped from its beginning") {
  const std::string path = matrix_file();
  const int before = dup(STDIN_FILENO), file = open(path.c_str(), O_RDONLY);
  dup2(file, STDIN_FILENO);
  {
    const FileContents contents = FileContents::of("-");
    REQUIRE(contents.file());
    CHECK(contents.file()->name() == "standard input");
    CHECK(lseek(STDIN_FILENO, 0, SEEK_CUR) == 2000128); // it is used up
  }
  lseek(STDIN_FILENO, 128, SEEK_SET);
  const FileContents rest = FileContents::of("-");
  CHECK_FALSE(rest.file());
  CHECK(rest.bytes().size() == 2000000);
  dup2(before, STDIN_FILENO);
  close(before);
  close(file);
}

TEST_CASE_FIXTURE(Files, "nothing is written of a file that was cut") {
  const std::string path = matrix_file(), target = folder.write("out.npy", "old");
  const ExternalValue value = read(path);
  REQUIRE(truncate(path.c_str(), 4096) == 0);
  {
    FileWriter file(target);
    CHECK_THROWS_AS(write_npy(file, value.value, types.array(2, i32())), RuntimeError);
  }
  CHECK(read_file_bytes(target) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
}
