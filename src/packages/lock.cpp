#include "src/packages/lock.h"

#include "lang/values/format.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace sinter::packages {

namespace {

bool is_hash(const std::string& text) {
  return text.size() >= 40 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

} // namespace

std::vector<Locked> parse_lock(const std::string& text, const std::string& name) {
  std::vector<Locked> locked;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string path, version, commit, tree, more;
    if (!(words >> path) || path.starts_with("--")) continue;
    const bool complete = static_cast<bool>(words >> version >> commit >> tree);
    const std::optional<Path> known_path = Path::parse(path);
    const std::optional<Version> known_version = Version::parse(version);
    if (!complete || words >> more || !known_path || !known_version || !is_hash(commit) ||
        !is_hash(tree))
      throw FormatError(name + ", line " + std::to_string(number) +
                        ": expected PATH VERSION COMMIT TREE");
    locked.push_back({*known_path, *known_version, commit, tree});
  }
  return locked;
}

std::string lock_text(const std::vector<Locked>& locked) {
  std::string text = "-- What `sinter pkg sync` has put into lib/.\n";
  for (const Locked& one : locked)
    text += one.path.text + " " + one.version.text() + " " + one.commit + " " + one.tree + "\n";
  return text;
}

} // namespace sinter::packages
