#include "lang/values/file_writer.h"

#include "lang/values/format.h"
#include "lang/values/strided.h"
#include "tests/unit/file_size_limit.h"
#include "tests/unit/temporary_folder.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <functional>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sinter;
using namespace sinter::test;
namespace fs = std::filesystem;

namespace {

std::string writing_failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const FormatError& error) {
    return error.message;
  }
  return "no error";
}

std::size_t files_in(const tests::TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
}

/// Knows the largest piece.
class Pieces final : public ByteSink {
public:
  void write(std::string_view bytes) override {
    all.append(bytes);
    largest = std::max(largest, bytes.size());
  }
  std::string all;
  std::size_t largest = 0;
};

/// The same with the whole in one string: element by element.
template <typename T>
std::string one_by_one(const ArrayRef& array) {
  std::string bytes;
  for (std::int64_t i = 0; i < array->shape[0]; ++i)
    for (std::int64_t j = 0; j < array->shape[1]; ++j)
      for (const Leaf& leaf : array->leaves) {
        const T element = load_scalar(leaf.element, leaf.buffer->contents(),
                                      leaf.offset + i * leaf.strides[0] + j * leaf.strides[1])
                              .as<T>();
        bytes.append(reinterpret_cast<const char*>(&element), sizeof element);
      }
  return bytes;
}

} // namespace

TEST_CASE("arrays are written in pieces, however they lie") {
  World world;
  constexpr std::size_t piece = std::size_t{1} << 20;
  const ArrayRef matrix = world.matrix(1200, 700);
  const ArrayRef views[] = {
      matrix,
      transpose_view(matrix, 0, 1),
      slice_view(matrix, 1, 699, 700, -1),
      slice_view(matrix, 0, 5, 300, 3),
      slice_view(slice_view(matrix, 0, 0, 1, 1), 1, 3, 200, 2),
      slice_view(matrix, 0, 3, 0, 1),
      slice_view(transpose_view(world.matrix(600'000, 3), 0, 1), 1, 0, 600'000, 1), // long rows
  };
  for (const ArrayRef& view : views) {
    Pieces pieces;
    write_elements(pieces, view->leaves);
    const bool is_same = pieces.all == one_by_one<std::int32_t>(view);
    CHECK(is_same);
    CHECK(pieces.largest <= piece);
    if (block_bytes(ElementType::I32, view->shape) > piece) CHECK(pieces.all.size() > piece);
  }
  // Complex numbers: both parts by turns.
  Sampler sampler(world, 1);
  const Representation* pairs = world.types.array(2, world.types.tuple({world.f32(), world.f32()}));
  const std::int64_t extents[] = {700, 900};
  const Value value = sampler.value(pairs, extents);
  Pieces pieces;
  write_npy(pieces, value, pairs);
  const bool is_same = pieces.all.substr(128) == one_by_one<float>(value.array());
  CHECK(is_same);
  CHECK(pieces.largest <= 2 * piece);
}

TEST_CASE("what is not finished has not happened") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  {
    FileWriter file(path);
    file.write("half ");
    CHECK(files_in(folder) == 2);
  }
  CHECK(read_file_bytes(path) == "old");
  CHECK(files_in(folder) == 1);
  FileWriter file(path);
  file.write("one, ");
  file.write("two");
  CHECK(read_file_bytes(path) == "old");
  file.finish();
  CHECK(read_file_bytes(path) == "one, two");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a file that may not grow further leaves what was there") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  World world;
  const Value value(world.matrix(1000, 500));
  std::optional<tests::FileSizeLimit> limit(1'500'000);
  const std::string message = writing_failure([&] {
    FileWriter file(path);
    write_npy(file, value, world.types.array(2, world.i32()));
    file.finish();
  });
  limit.reset();
  CHECK(message == "cannot write `" + path + "`: File too large");
  CHECK(read_file_bytes(path) == "old");
  CHECK(files_in(folder) == 1);
  CHECK(writing_failure([] { FileWriter("/dev/full").write("x"); }) ==
        "cannot write `/dev/full`: No space left on device");
}

TEST_CASE("a pipe is written to as it is, and nobody dies of one that is not read") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  {
    FileWriter file(path);
    file.write("through");
    char bytes[8] = {};
    CHECK(read(reader, bytes, sizeof bytes) == 7);
    CHECK(std::string(bytes) == "through");
    file.finish();
    close(reader);
    CHECK(writing_failure([&] { file.write("more"); }) ==
          "cannot write `" + path + "`: Broken pipe");
  }
  CHECK(fs::is_fifo(path));
  CHECK(files_in(folder) == 1);
  // The signal has gone with it, and the next one would be seen.
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
}
