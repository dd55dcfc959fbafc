// What became of the regions of a program, for people: `:explain`, `:why`, `:ir`, `:asm` and
// `sinter explain`.
#pragma once

#include "jit/gate/hot_swap.h"
#include "lang/base/source_map.h"

#include <string>

namespace sinter::repl {

/// Sums over all regions of a report.
struct ReportTotals {
  std::uint64_t soacs = 0;          ///< array operations that were met, fused ones counted once
  std::uint64_t compiled_soacs = 0; ///< those that run as compiled code
  /// Milliseconds.  Work inside of what is interpreted may be compiled: times overlap.
  double interpreting = 0, tracing = 0, compiling = 0, running = 0;
  std::uint64_t moved_bytes = 0, least_bytes = 0;
};
ReportTotals totals(const jit::Report& report);

/// "compiled", "interpreted", "waiting", "not compiled".
std::string_view name(jit::RegionReport::State state);

/// What an explanation shows of each region beside what became of it, and why.
struct ExplanationParts {
  bool source = true;    ///< the region's text, shortened
  bool facts = true;     ///< times, guards, traffic, kernels
  bool ir = false;       ///< before and after the passes, and of each kernel; needs `keep_ir`
  bool assembly = false; ///< needs ReportOptions::assembly
};

/// A paragraph for each region, then the totals.
std::string explanation(const SourceMap& sources, const jit::Report& report,
                        const ExplanationParts& parts);
/// `:why`: some lines for each region of the last evaluation, without numbers.
std::string reasons(const SourceMap& sources, const jit::Report& report);
/// `:ir`: what the compiled regions of the last evaluation look like to the compiler.
std::string intermediate_code(const SourceMap& sources, const jit::Report& report);
/// `:asm`: their kernels as machine code.
std::string machine_code(const SourceMap& sources, const jit::Report& report);
/// The same of kernels that run on a device; of others only that they don't.
std::string device_code(const SourceMap& sources, const jit::Report& report);

} // namespace sinter::repl
