// Members of zip archives that lie there as they are, not packed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// A member whose contents are bytes of the archive.
struct StoredMember {
  std::size_t index = 0; ///< among all members
  std::string name;
  std::string_view contents;
};

/// Those of an archive, in its directory's order.  Empty where the directory is not understood:
/// then who unpacks archives says what is wrong, if anything is.  (The contents' checksums are not
/// looked at: that would read all of them.)
std::vector<StoredMember> stored_members(std::string_view archive);

} // namespace sinter::repl
