// What is kept of the code of kernels, and for whom.
#include "jit/cpu/object_cache.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

using namespace sinter;
using namespace sinter::jit;

TEST_CASE("what cannot be stored leaves nothing behind") {
  const tests::TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("key")); // which no file can replace
  const ObjectCache cache(folder.path(), 1000, "maker");
  CHECK_FALSE(cache.store("key", "object"));
  CHECK_FALSE(cache.find("key").has_value());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("objects are for one key, one maker and one user") {
  const tests::TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path() / "new" / "cache";
  auto mode_of = [](const std::filesystem::path& path) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
  };
  const mode_t mask = umask(0);
  {
    ObjectCache cache(folder, 1000, "maker");
    cache.store("one", "object");
  }
  umask(mask);
  CHECK(mode_of(folder.parent_path()) == 0700);
  CHECK(mode_of(folder) == 0700);
  CHECK(mode_of(folder / "one") == 0600);
  const auto found = [&](const char* key, const char* maker) {
    return ObjectCache(folder, 1000, maker).find(key);
  };
  CHECK(found("one", "maker") == "object");
  CHECK_FALSE(found("one", "other").has_value());
  // Under another name, behind a link, or where others could have written, it does not count.
  std::filesystem::copy_file(folder / "one", folder / "two");
  CHECK_FALSE(found("two", "maker").has_value());
  std::filesystem::rename(folder / "one", folder / "away");
  std::filesystem::create_symlink(folder / "away", folder / "one");
  CHECK_FALSE(found("one", "maker").has_value());
  std::filesystem::rename(folder / "away", folder / "one");
  CHECK(found("one", "maker") == "object");
  chmod((folder / "one").c_str(), 0620);
  CHECK_FALSE(found("one", "maker").has_value());
  chmod((folder / "one").c_str(), 0600);
  // Every byte counts.
  std::string bytes;
  {
    std::ifstream file(folder / "one", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 1;
    std::ofstream(folder / "one", std::ios::binary) << damaged;
    CHECK_FALSE(found("one", "maker").has_value());
    std::ofstream(folder / "one", std::ios::binary) << bytes.substr(0, i);
    CHECK_FALSE(found("one", "maker").has_value());
  }
  // A folder where others may read is used, one where others may write is not, and is left as it
  // is.
  const auto refusal = [&] { return ObjectCache(folder, 1000, "maker").refusal(); };
  std::ofstream(folder / "one", std::ios::binary) << bytes;
  for (mode_t mode : {0755, 0770, 01777}) {
    chmod(folder.c_str(), mode);
    CHECK((refusal() == "`" + folder.string() + "` can be written by other users") ==
          (mode != 0755));
    CHECK(found("one", "maker").has_value() == (mode == 0755));
    CHECK(mode_of(folder) == mode);
  }
  chmod(folder.c_str(), 0700);
  // Nor is somebody else's.
  const bool is_root = geteuid() == 0;
  const std::filesystem::path others = is_root ? folder : std::filesystem::path("/usr");
  if (is_root) REQUIRE(chown(others.c_str(), 12345, 12345) == 0);
  ObjectCache cache(others, 1000, "maker");
  CHECK(cache.refusal() == "`" + others.string() + "` belongs to another user");
  cache.store("three", "object");
  CHECK_FALSE(cache.find("three").has_value());
  CHECK_FALSE(std::filesystem::exists(others / "three"));
}
