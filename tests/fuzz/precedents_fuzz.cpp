// Any bytes may lie where precedents are kept: what is found there is what was noted, or nothing,
// and notes go on being taken.
//
// The first byte says whether the rest is the file, or edits of a good one, of the entry that it
// has: places and bytes, one and one.
#include "jit/gate/precedent_file.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/stat.h>

namespace {

using namespace sinter;
using namespace sinter::jit;

constexpr std::size_t entry_bytes = 16;

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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  static const std::filesystem::path file = folder.path / precedent_file_name;
  static const core::Expr expr{.node = core::Constant{}, .span = {}};
  static const Occasion occasion = Occasion::evaluation(expr);
  static const std::string good = [] {
    PrecedentFile(folder.path).note(occasion, 1'000'000);
    std::ifstream stored(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stored), {});
  }();
  require(!good.empty(), "nothing was noted");
  static const std::size_t entry = good.find_first_not_of('\0') / entry_bytes * entry_bytes;
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) {
    std::string edited = good;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
      edited[entry + static_cast<std::uint8_t>(bytes[i]) % entry_bytes] = bytes[i + 1];
    bytes = edited;
  }
  std::filesystem::remove(file);
  std::ofstream(file, std::ios::binary) << bytes;
  chmod(file.c_str(), 0600);
  PrecedentFile precedents(folder.path);
  const std::optional<Precedent> found = precedents.find(occasion);
  const bool is_whole =
      bytes.compare(std::min(entry, bytes.size()), entry_bytes, good, entry, entry_bytes) == 0;
  // (That a damaged entry has a check that fits is one case in four thousand million.)
  require(found.has_value() == is_whole, "found what is damaged, or not what is whole");
  require(!found || found->nanoseconds == 1'000'000, "found something else");
  precedents.note(occasion, 2'000'000);
  const std::optional<Precedent> noted = PrecedentFile(folder.path).find(occasion);
  require(noted && noted->nanoseconds == 2'000'000, "a note was not taken");
  return 0;
}
