// What became of the regions of a program, for people: `:explain`, `sinter explain`.
#pragma once

#include "jit/gate/hot_swap.h"
#include "lang/base/source_map.h"

#include <string>

namespace sinter::repl {

/// Sums over all regions of a report.
struct ReportTotals {
  std::uint64_t soacs = 0;          ///< array operations that were met, fused ones counted once
  std::uint64_t compiled_soacs = 0; ///< those that run as compiled code
};
ReportTotals totals(const jit::Report& report);

/// "compiled", "interpreted", "waiting", "not compiled".
std::string_view name(jit::RegionReport::State state);

/// A paragraph for each region, then the totals; `with_ir` adds the intermediate code before and
/// after the passes, and that of each kernel.
std::string explanation(const SourceMap& sources, const jit::Report& report, bool with_ir);

} // namespace sinter::repl
