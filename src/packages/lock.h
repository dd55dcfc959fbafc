// `futhark.lock`: which versions of packages are under `lib/`, and what they are to be:
//
//     github.com/user/sorts 0.4.0 COMMIT TREE
//
// with the hashes that git gives the commit and the package's files.
#pragma once

#include "src/packages/version.h"

#include <string>
#include <vector>

namespace sinter::packages {

struct Locked {
  Path path;
  Version version;
  std::string commit;
  std::string tree; ///< of the files
};

/// Throws FormatError with the line; `name` is what messages call the text.
std::vector<Locked> parse_lock(const std::string& text, const std::string& name);
std::string lock_text(const std::vector<Locked>& locked);

} // namespace sinter::packages
