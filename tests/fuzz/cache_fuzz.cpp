// Any bytes may lie under a key of the object cache: what is found there is what was stored, or
// nothing.
//
// The first byte says whether the rest is the file, or edits of a good one: places and bytes, two
// and one, and a last odd byte that the file loses from its end.
#include "jit/cpu/object_cache.h"
#include "tests/fuzz/require.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace {

using sinter::require;

const std::string key = "ab", maker = "sinter, a processor", object = "code of a kernel";

/// A folder for as long as the fuzzer runs (where TMPDIR says: best in memory).
struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sinter-fuzz-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "there is no folder");
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  require(file >= 0 &&
              write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "the file cannot be written");
  close(file);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sinter::jit::ObjectCache;
  static const Folder folder;
  static const ObjectCache cache(folder.path, std::size_t{1} << 30, maker);
  static const std::string good = [] {
    cache.store(key, object);
    std::ifstream stored(folder.path / key, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stored), {});
  }();
  require(!good.empty(), "nothing was stored");
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) {
    std::string edited = good;
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
      const auto at =
          static_cast<std::uint8_t>(bytes[i]) * 256u + static_cast<std::uint8_t>(bytes[i + 1]);
      edited[at % edited.size()] = bytes[i + 2];
    }
    if (bytes.size() % 3 == 1)
      edited.resize(edited.size() - static_cast<std::uint8_t>(bytes.back()) % edited.size());
    bytes = edited;
  }
  write_file(folder.path / key, bytes);
  const std::optional<std::string> found = cache.find(key);
  require(found.has_value() == (bytes == good), "found what is damaged, or not what is whole");
  require(!found || *found == object, "another object came back");
  return 0;
}
