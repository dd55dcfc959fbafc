#include "lang/values/compression.h"
#include "lang/values/format.h"
#include "lang/values/value_generator.h"
#include "tests/unit/temporary_folder.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace sinter;
using namespace sinter::test;
namespace fs = std::filesystem;

namespace {

std::size_t file_count(const tests::TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
}

void put(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string compressed(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string format_failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const FormatError& error) {
    return error.message;
  }
  return "no error";
}

} // namespace

TEST_CASE("files are read whole, and decompressed by their contents") {
  const tests::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += std::to_string(i * 7919 % 1000) + " ";
  put(folder.file("a"), text);
  CHECK(read_file_bytes(folder.file("a")) == text);
  put(folder.file("empty"), "");
  CHECK(read_file_bytes(folder.file("empty")).empty());
  std::string packed = compressed(text);
  put(folder.file("b"), packed);
  CHECK(read_file_bytes(folder.file("b")) == text);
  put(folder.file("two.gz"), compressed("one ") + compressed("two"));
  CHECK(read_file_bytes(folder.file("two.gz")) == "one two");
  put(folder.file("cut.gz"), packed.substr(0, packed.size() / 2));
  CHECK(format_failure([&] { read_file_bytes(folder.file("cut.gz")); }).find("it is cut short") !=
        std::string::npos);
  std::string damaged = packed;
  damaged[damaged.size() / 2] ^= 0x55;
  put(folder.file("damaged.gz"), damaged);
  CHECK(format_failure([&] {
          read_file_bytes(folder.file("damaged.gz"));
        }).find("is not valid gzip data") != std::string::npos);
  put(folder.file("more.gz"), packed + "more");
  CHECK(format_failure([&] {
          read_file_bytes(folder.file("more.gz"));
        }).find("something else follows") != std::string::npos);
  CHECK(format_failure([&] { read_file_bytes(folder.file("missing")); }) ==
        "cannot open `" + folder.file("missing") + "`: No such file or directory");
  CHECK(format_failure([&] { read_file_bytes(folder.path().string()); }) ==
        "cannot read `" + folder.path().string() + "`: Is a directory");
}

TEST_CASE("each compression gives back what it was given, and says what is wrong") {
  std::string text;
  for (std::int64_t i = 0; i < 300'000; ++i)
    text += std::to_string(i * 7919 % 1000) + " ";
  for (Compression kind :
       {Compression::Gzip, Compression::Bzip2, Compression::Xz, Compression::Zstandard}) {
    const std::string packed = compress(text, kind);
    CHECK(packed.size() < text.size() / 2);
    REQUIRE(compression_of(packed) == kind);
    const bool is_same = decompress(packed, kind, "f") == text;
    CHECK(is_same);
    const bool are_both = decompress(packed + compress("more", kind), kind, "f") == text + "more";
    CHECK(are_both);
    CHECK(decompress(compress("", kind), kind, "f").empty());
    const std::string few = compress("a few words", kind);
    for (std::size_t size = 0; size < few.size(); ++size) {
      const std::string why = format_failure([&] { decompress(few.substr(0, size), kind, "f"); });
      CHECK_MESSAGE(why.starts_with("`f` is not valid "), size << ": " << why);
    }
    CHECK(format_failure([&] {
            decompress(few + "more", kind, "f");
          }).find("something else follows") != std::string::npos);
    for (std::size_t at = 0; at < packed.size(); at += packed.size() / 50 + 1) {
      std::string damaged = packed;
      damaged[at] ^= 0x55; // which a part without meaning may bear
      std::string unpacked;
      const std::string why = format_failure([&] { unpacked = decompress(damaged, kind, "f"); });
      const bool is_same = unpacked == text, is_told = why.starts_with("`f` is not valid ");
      CHECK_MESSAGE((is_same || is_told), at);
    }
  }
  CHECK(compression_of("BZh91 and other words") == Compression::None);
  CHECK(compression_of("") == Compression::None);
  CHECK(compression_named("a/b.CSV.Xz") == Compression::Xz);
  CHECK(without_compression("a/b.CSV.Xz") == "a/b.CSV");
  CHECK(without_compression("a.gz/b") == "a.gz/b");
}

TEST_CASE("a file is replaced whole or not at all") {
  const tests::TemporaryFolder folder;
  std::string path = folder.file("out");
  write_file_bytes(path, "first");
  CHECK(read_file_bytes(path) == "first");
  ::chmod(path.c_str(), 0640);
  write_file_bytes(path, "second");
  CHECK(read_file_bytes(path) == "second");
  struct stat status {};
  ::stat(path.c_str(), &status);
  CHECK((status.st_mode & 0777) == 0640);
  CHECK(file_count(folder) == 1);
  // Through a link, the link stays.
  fs::create_symlink(path, folder.path() / "link");
  write_file_bytes(folder.file("link"), "third");
  CHECK(fs::is_symlink(folder.path() / "link"));
  CHECK(read_file_bytes(path) == "third");
  CHECK(format_failure([&] {
          write_file_bytes(folder.file("no/such/folder"), "x");
        }).starts_with("cannot write `"));
  CHECK(format_failure([&] {
          write_file_bytes(folder.path().string(), "x");
        }).find("Is a directory") != std::string::npos);
  write_file_bytes("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(format_failure([&] { write_file_bytes("/dev/full", "x"); }) ==
        "cannot write `/dev/full`: No space left on device");
  CHECK(file_count(folder) == 2);
}

TEST_CASE("random input: the same seed, the same data") {
  World world;
  auto generate = [&](std::string_view types, std::uint64_t seed, const RandomBounds& bounds = {},
                      std::span<const ElementType> wanted = {}) {
    std::string out;
    for (const ExternalValue& value :
         generate_values(types, seed, world.memory, world.types, bounds, wanted)) {
      auto rank = static_cast<std::uint32_t>(value.shape.size());
      write_text(out, value.value, world.types.array(rank, world.of(value.element)));
      out += ' ';
    }
    return out;
  };
  CHECK(generate("[3]i32 f64", 1) == generate("[3]i32 f64", 1));
  CHECK(generate("[3]i32", 1) != generate("[3]i32", 2));
  // For ever: these are the documented generator's numbers.
  CHECK(generate("[2]u64", 42) == "[6332618229526065668u64, 17630415256238047317u64] ");
  CHECK(generate("[2][0]i8 5 7i64 true 0.5f32", 1) == "empty([2][0]i8) 5i32 7i64 true 0.5f32 ");
  ElementType wanted[] = {ElementType::I64, ElementType::F32};
  CHECK(generate("5 6", 1, {}, wanted) == "5i64 6.0f32 ");
  CHECK(format_failure([&] { generate("[x]i32", 1); }) ==
        "line 1, column 2: expected a size between `[` and `]`");
  CHECK(format_failure([&] { generate("[1]i31", 1); }) ==
        "line 1, column 4: expected an element type, from i8 to f64 or bool");
  CHECK(format_failure([&] { generate("(i32, i32)", 1); }) ==
        "line 1, column 1: expected a type such as `[10]f32`, or a number");
}

TEST_CASE("random values keep to their bounds and reach them") {
  World world;
  for (ElementType element : all_element_types)
    with_cpp_type(element, [&]<typename T>() {
      RandomBounds bounds;
      if constexpr (!std::is_same_v<T, bool>)
        bounds[element] = {Scalar::of(static_cast<T>(3)), Scalar::of(static_cast<T>(6))};
      ExternalValue value = generate_value(element, {4000}, 9, world.memory, world.types, bounds);
      double low = 1e9, high = -1e9, sum = 0;
      for (std::int64_t i = 0; i < 4000; ++i) {
        auto x = static_cast<double>(get_element(value.value.array(), i).scalar().as<T>());
        low = std::min(low, x);
        high = std::max(high, x);
        sum += x;
      }
      CAPTURE(std::string(name(element)));
      if constexpr (std::is_same_v<T, bool>) {
        CHECK(std::abs(sum / 4000 - 0.5) < 0.05);
      } else {
        CHECK(low >= 3);
        CHECK(low < 3.01);
        CHECK(high <= 6);
        CHECK(high > 5.98);
        CHECK(std::abs(sum / 4000 - 4.5) < 0.1);
      }
    });
  // By default floats lie below 1, integers anywhere.
  ExternalValue halves = generate_value(ElementType::F16, {10000}, 1, world.memory, world.types);
  ExternalValue bytes = generate_value(ElementType::I8, {4000}, 1, world.memory, world.types);
  std::vector<int> seen(256);
  for (std::int64_t i = 0; i < 4000; ++i)
    ++seen[static_cast<std::size_t>(get_element(bytes.value.array(), i).scalar().as<std::int8_t>() +
                                    128)];
  CHECK(std::count(seen.begin(), seen.end(), 0) == 0);
  for (std::int64_t i = 0; i < 10000; ++i)
    REQUIRE(get_element(halves.value.array(), i).scalar().as<Half>() < static_cast<Half>(1));
}
