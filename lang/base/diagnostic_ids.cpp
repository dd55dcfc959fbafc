#include "lang/base/diagnostic_ids.h"

#include <algorithm>
#include <array>

namespace sinter {

namespace {

constexpr auto table = std::to_array<DiagnosticId>({
#define DIAGNOSTIC(id, meaning) {id, meaning},
#include "lang/base/diagnostic_ids.def"
#undef DIAGNOSTIC
});

} // namespace

std::span<const DiagnosticId> diagnostic_ids() {
  return table;
}

const DiagnosticId* find_diagnostic_id(std::string_view id) {
  const auto* found = std::find_if(table.begin(), table.end(),
                                   [&](const DiagnosticId& row) { return row.id == id; });
  return found == table.end() ? nullptr : found;
}

} // namespace sinter
