// Fuzz target: `futhark.pkg`, `futhark.lock`, versions and paths, given any bytes.  They must be
// read or rejected with the line; what is read must be the same when it is written and read again,
// and after a requirement comes and goes.  `packages.dict` has what is not found by chance
// (`-dict=`).
#include "lang/values/format.h"
#include "src/packages/lock.h"
#include "src/packages/manifest.h"
#include "tests/fuzz/require.h"

#include <cstddef>
#include <cstdint>

using namespace sinter;
using namespace sinter::packages;

namespace {

template <typename Action>
void expecting_errors(Action&& action) {
  try {
    action();
  } catch (const FormatError& error) {
    require(error.message.starts_with("file, line "), "an error without its place");
  }
}

void check_version(const Version& version) {
  const std::optional<Version> again = Version::parse(version.text());
  require(again && *again == version && again->build == version.build, "another version came back");
}

void check_path(const Path& path) {
  require(Path::parse(path.text) == path, "another path came back");
  require(Path::parse(path.repository()).has_value(), "a repository that is no path");
  require(path.text.find("..") != 0 && path.text.find("/..") == std::string::npos &&
              !path.text.starts_with('/'),
          "a path that leads elsewhere");
}

void check_manifest(const std::string& input) {
  Manifest manifest = Manifest::parse(input, "file");
  const std::string text = manifest.text();
  const Manifest again = Manifest::parse(text, "file");
  require(again.text() == text, "another manifest came back");
  require(again.package() == manifest.package(), "another package came back");
  require(again.requirements().size() == manifest.requirements().size(),
          "other requirements came back");
  for (std::size_t i = 0; i < again.requirements().size(); ++i) {
    const Requirement &one = manifest.requirements()[i], &other = again.requirements()[i];
    require(one.path == other.path && one.version == other.version && one.commit == other.commit,
            "another requirement came back");
    check_path(one.path);
    check_version(one.version);
    require(one.path.takes(one.version), "a version that the path cannot have");
    require(manifest.find(one.path) == &one, "another requirement has the path");
  }
  const Path added{"example.org/added/package"};
  if (manifest.find(added)) return;
  manifest.require({added, Version{.major = 1}});
  require(Manifest::parse(manifest.text(), "file").find(added) != nullptr, "nothing was added");
  require(manifest.remove(added) && manifest.text() == text, "it is not gone");
}

void check_lock(const std::string& input) {
  const std::vector<Locked> locked = parse_lock(input, "file");
  const std::string text = lock_text(locked);
  require(lock_text(parse_lock(text, "file")) == text, "another lock came back");
  for (const Locked& one : locked) {
    check_path(one.path);
    check_version(one.version);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  expecting_errors([&] { check_manifest(input); });
  expecting_errors([&] { check_lock(input); });
  if (const std::optional<Path> path = Path::parse(input)) check_path(*path);
  const std::size_t line = input.find('\n');
  const std::optional<Version> a = Version::parse(input.substr(0, line));
  if (!a) return 0;
  check_version(*a);
  if (line == std::string::npos) return 0;
  const std::optional<Version> b = Version::parse(input.substr(line + 1));
  if (b) require((*a < *b) == (*b > *a) && (*a == *b) == (*b == *a), "an order with two sides");
  return 0;
}
