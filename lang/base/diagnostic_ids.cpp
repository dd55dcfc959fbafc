#include "lang/base/diagnostic_ids.h"

#include <algorithm>

namespace sinter {

const DiagnosticId* find_diagnostic_id(std::string_view id) {
  const std::span<const DiagnosticId> ids = diagnostic_ids();
  const auto found =
      std::find_if(ids.begin(), ids.end(), [&](const DiagnosticId& row) { return row.id == id; });
  return found == ids.end() ? nullptr : &*found;
}

} // namespace sinter
