#include "lang/values/spill_file.h"

#include "lang/base/runtime_error.h"
#include "lang/values/file_writer.h"
#include "lang/values/format.h"
#include "tests/unit/file_size_limit.h"
#include "tests/unit/temporary_folder.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sinter;
using namespace sinter::test;
namespace fs = std::filesystem;

namespace {

/// A world with less memory than a matrix takes.
struct Scarce : World {
  static constexpr std::int64_t rows = 1000, columns = 700;
  static constexpr std::size_t matrix_bytes = rows * columns * sizeof(std::int32_t);

  Scarce() { memory.set_limit(std::size_t{1} << 20); }

  tests::TemporaryFolder folder;
  std::string path = folder.file("out.npy");
  const Representation* matrices = types.array(2, i32());

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
  }
  /// Whether a file without a name can be given one here.
  bool can_name_files() const {
    const Descriptor file(::open(folder.path().c_str(), O_RDWR | O_TMPFILE, 0600));
    return file.number() >= 0;
  }
  void write(const Value& value) {
    FileWriter file(path);
    write_npy(file, value, matrices);
    file.finish();
  }
};

/// What would be written of the matrix that memory has room for.
std::string written_in_memory() {
  World world;
  std::string bytes;
  write_npy(bytes, Value(world.matrix(Scarce::rows, Scarce::columns)),
            world.types.array(2, world.i32()));
  return bytes;
}

/// Why there is no memory; nothing if there is.
std::string shortage_in(const std::function<void()>& action) {
  try {
    action();
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::OutOfMemory);
    return error.message;
  }
  return "";
}

ino_t inode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  return status.st_ino;
}

} // namespace

TEST_CASE_FIXTURE(Scarce, "arrays that memory has no room for lie in files without a name") {
  CHECK(shortage_in([&] {
          (void)matrix(rows, columns);
        }).starts_with("out of memory: an array needs"));
  const MemoryBudget::Spilling spilling(memory, path);
  const ArrayRef array = matrix(rows, columns);
  CHECK(memory.in_use() == 0);
  CHECK(array->leaves[0].buffer->spill_file() != nullptr);
  CHECK(array->leaves[0].buffer.unique()); // it is overwritten as other memory is
  CHECK(files() == 0);
  // What has room is memory, and what is small is refused.
  const BufferRef half = Buffer::allocate(memory, std::size_t{512} << 10);
  CHECK_FALSE(half->spill_file());
  CHECK(memory.in_use() == half->bytes());
  CHECK(shortage_in([&] { (void)Buffer::allocate(memory, std::size_t{900} << 10); }) != "");
  // What nobody has written is zero, where that is asked for.
  const BufferRef zeros = Buffer::allocate_zeroed(memory, matrix_bytes);
  CHECK(zeros->spill_file());
  const std::span<const std::byte> bytes(zeros->contents(), zeros->bytes());
  const bool are_zero = std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{}; });
  CHECK(are_zero);
}

TEST_CASE_FIXTURE(Scarce, "an array in a file of its own becomes the .npy file") {
  const MemoryBudget::Spilling spilling(memory, path);
  const Value value(matrix(rows, columns));
  struct stat of_array {};
  REQUIRE(fstat(value.array()->leaves[0].buffer->spill_file()->descriptor(), &of_array) == 0);
  folder.write("out.npy", "old");
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  {
    FileWriter unfinished(path);
    write_npy(unfinished, Value(matrix(rows, columns)), matrices);
    CHECK(read_file_bytes(path) == "old");
    CHECK(files() == 2);
  }
  CHECK(read_file_bytes(path) == "old");
  write(value);
  const bool is_right = read_file_bytes(path) == written_in_memory();
  CHECK(is_right);
  CHECK(files() == 1);
  CHECK((inode_of(path) == of_array.st_ino) == can_name_files());
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE_FIXTURE(Scarce, "what others have, too, or what lies otherwise, is copied") {
  const MemoryBudget::Spilling spilling(memory, path);
  const Value value(matrix(rows, columns)), same = value;
  ino_t own = 0;
  {
    struct stat status {};
    REQUIRE(fstat(value.array()->leaves[0].buffer->spill_file()->descriptor(), &status) == 0);
    own = status.st_ino;
  }
  write(value);
  const bool is_right = read_file_bytes(path) == written_in_memory();
  CHECK(is_right);
  CHECK(inode_of(path) != own);
  // A view, and a part.
  for (const ArrayRef& view : {transpose_view(matrix(columns, rows), 0, 1),
                               slice_view(matrix(rows + 1, columns), 0, 1, rows, 1)}) {
    std::string bytes;
    write_npy(bytes, Value(view), matrices);
    write(Value(view));
    const bool is_same = read_file_bytes(path) == bytes;
    CHECK(is_same);
  }
  // A second value: what stands before it is not what there is room for.
  const Value binary(matrix(rows, columns));
  {
    FileWriter file(path);
    write_binary(file, Value(Scalar::of(std::uint8_t{1})), types.scalar(ElementType::U8));
    write_binary(file, binary, matrices);
    file.finish();
  }
  const std::string written = read_file_bytes(path);
  CHECK(written.size() == 8 + 23 + matrix_bytes);
  const bool ends_so = written.ends_with(written_in_memory().substr(128));
  CHECK(ends_so);
}

TEST_CASE_FIXTURE(Scarce,
                  "an array in a file of its own becomes the binary file, which is mapped") {
  {
    const MemoryBudget::Spilling spilling(memory, path);
    const Value value(matrix(rows, columns));
    struct stat of_array {};
    REQUIRE(fstat(value.array()->leaves[0].buffer->spill_file()->descriptor(), &of_array) == 0);
    {
      FileWriter file(path);
      write_binary(file, value, matrices);
      file.finish();
    }
    CHECK((inode_of(path) == of_array.st_ino) == can_name_files());
  }
  const FileContents contents = FileContents::of(path);
  REQUIRE(contents.file());
  CHECK(contents.bytes().size() == 128 + matrix_bytes);
  ValueReader reader(contents.bytes(), memory, types, contents.file());
  const ExternalValue read = reader.read();
  CHECK(read.value.array()->leaves[0].buffer->is_in_file());
  std::string bytes;
  write_npy(bytes, read.value, matrices);
  const bool is_right = bytes == written_in_memory();
  CHECK(is_right);
}

TEST_CASE_FIXTURE(Scarce, "files for what has no room nest") {
  const MemoryBudget::Spilling outer(memory, path);
  { const MemoryBudget::Spilling inner(memory, "/nowhere/out.npy"); }
  CHECK(Buffer::allocate(memory, matrix_bytes)->spill_file() != nullptr);
}

TEST_CASE_FIXTURE(Scarce, "a file is as long as the elements that were kept") {
  const MemoryBudget::Spilling spilling(memory, path);
  ArrayRef array = matrix(rows, columns);
  array->shape[0] = array->leaves[0].extents[0] = rows / 2;
  std::string bytes;
  write_npy(bytes, Value(array), matrices);
  write(Value(std::move(array)));
  const bool is_right = read_file_bytes(path) == bytes;
  CHECK(is_right);
}

TEST_CASE_FIXTURE(Scarce, "where the disk has no room either, that is told") {
  const MemoryBudget::Spilling spilling(memory, path);
  std::optional<tests::FileSizeLimit> limit(1'500'000);
  const std::string message = shortage_in([&] { (void)matrix(rows, columns); });
  limit.reset();
  CHECK(
      message.ends_with("nor has it room in a file: cannot write `" + path + "`: File too large"));
  CHECK(files() == 0);
  CHECK(memory.in_use() == 0);
}

TEST_CASE("a folder that is not there has no room") {
  World world;
  world.memory.set_limit(1000);
  const MemoryBudget::Spilling spilling(world.memory, "/nowhere/out.npy");
  CHECK(shortage_in([&] {
          (void)world.matrix(Scarce::rows, Scarce::columns);
        }).ends_with("cannot write `/nowhere/out.npy`: No such file or directory"));
}
