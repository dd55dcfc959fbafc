#include "src/packages/selection.h"

#include <set>

namespace sinter::packages {

Selection select_versions(const Manifest& root, const ManifestOf& manifest_of) {
  Selection selected;
  std::set<std::pair<Path, std::string>> seen; // with the version's text
  std::vector<Requirement> open = root.requirements();
  while (!open.empty()) {
    const Requirement next = std::move(open.back());
    open.pop_back();
    // A package that needs one which needs it again is there already.
    if (root.package() == next.path || !seen.emplace(next.path, next.version.text()).second)
      continue;
    const auto [found, is_new] = selected.emplace(next.path, next.version);
    if (!is_new && found->second < next.version) found->second = next.version;
    const Manifest& manifest = manifest_of(next.path, next.version);
    open.insert(open.end(), manifest.requirements().begin(), manifest.requirements().end());
  }
  return selected;
}

} // namespace sinter::packages
