// Which version of each package is taken: the least that everybody who needs it accepts.
#pragma once

#include "src/packages/manifest.h"

#include <functional>
#include <map>

namespace sinter::packages {

using Selection = std::map<Path, Version>;

/// The manifest of a package at a version.  May throw.
using ManifestOf = std::function<const Manifest&(const Path& path, const Version& version)>;

/// Requirements are lower bounds, and a package's own ones count from each version of it that
/// somebody requires: so the greatest one that is required, directly or not, is the least that
/// everybody accepts, and what newer versions exist changes nothing.
Selection select_versions(const Manifest& root, const ManifestOf& manifest_of);

} // namespace sinter::packages
