// The registry of diagnostic ids (diagnostic_ids.def): what help pages and tests walk.
#pragma once

#include <span>
#include <string_view>

namespace sinter {

struct DiagnosticId {
  std::string_view id;
  std::string_view meaning; ///< one sentence, without a full stop
};

/// All registered ids, in the table's order.
std::span<const DiagnosticId> diagnostic_ids();

/// Null if the id is not registered.
const DiagnosticId* find_diagnostic_id(std::string_view id);

} // namespace sinter
