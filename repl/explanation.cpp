#include "repl/explanation.h"

#include <iomanip>
#include <sstream>

namespace sinter::repl {

namespace {

using State = jit::RegionReport::State;

std::string milliseconds(double time) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(time < 10 ? 2 : 0) << time << " ms";
  return out.str();
}

std::string counted(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string bytes_text(double bytes) {
  constexpr std::string_view units[] = {"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit)
    bytes /= 1000;
  std::ostringstream out;
  out << std::setprecision(3) << bytes << " " << units[unit];
  return out.str();
}

std::string indented(const std::string& text) {
  std::string out = "      ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) out += "      ";
  }
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

void explain_kernels(std::ostream& out, const jit::RegionReport& region, bool with_ir) {
  std::size_t number = 0;
  for (const jit::KernelReport& kernel : region.kernels) {
    out << "  kernel " << ++number << ": ";
    if (!kernel.not_compiled.empty())
      out << "interpreted, because " << kernel.not_compiled;
    else
      out << kernel.skeleton << ", " << counted(kernel.lanes, "lane") << ", "
          << bytes_text(static_cast<double>(kernel.code_bytes)) << " of code";
    out << "\n";
    if (with_ir && !kernel.ir.empty()) out << indented(kernel.ir);
  }
}

void explain_region(std::ostream& out, const SourceMap& sources, const jit::RegionReport& region,
                    bool with_ir) {
  out << region.name << " (" << sources.describe(region.span) << "): " << name(region.state)
      << "\n";
  if (region.state == State::Rejected) {
    out << "  because: " << region.reason;
    if (region.reason_span.is_known()) {
      out << " (" << sources.describe(region.reason_span);
      if (std::string_view text = sources.text(region.reason_span);
          !text.empty() && text.size() <= 60 && text.find('\n') == std::string_view::npos)
        out << ": " << text;
      out << ")";
    }
    out << "\n";
  }
  if (region.interpreted_runs > 0)
    out << "  interpreted: " << counted(region.interpreted_runs, "time") << ", "
        << milliseconds(region.interpreting) << "\n";
  if (region.state != State::Compiled) return;
  out << "  compiled: tracing " << milliseconds(region.tracing) << ", optimising "
      << milliseconds(region.optimising) << ", generating code " << milliseconds(region.compiling)
      << "\n";
  out << "  ran: " << counted(region.compiled_runs, "time") << ", " << milliseconds(region.running)
      << ", " << region.kernel_launches << (region.kernel_launches == 1 ? " launch" : " launches");
  if (region.failed_runs > 0) out << ", " << region.failed_runs << " failed";
  out << "\n";
  if (region.compiled_runs > 0) {
    const double runs = static_cast<double>(region.compiled_runs);
    out << "  moved: at least " << bytes_text(static_cast<double>(region.least_bytes) / runs)
        << " a run (its inputs and results)\n";
  }
  explain_kernels(out, region, with_ir);
  if (!with_ir) return;
  if (!region.traced_ir.empty()) out << "  as traced:\n" << indented(region.traced_ir);
  if (!region.optimised_ir.empty()) out << "  after the passes:\n" << indented(region.optimised_ir);
}

} // namespace

std::string_view name(State state) {
  switch (state) {
  case State::Interpreted:
    return "interpreted";
  case State::Waiting:
    return "waiting to be compiled";
  case State::Compiled:
    return "compiled";
  case State::Rejected:
    return "not compiled";
  }
  __builtin_unreachable();
}

ReportTotals totals(const jit::Report& report) {
  ReportTotals totals;
  for (const jit::RegionReport& region : report.regions) {
    totals.soacs += region.soacs;
    totals.compiled_soacs += region.compiled_soacs;
    // Functions and loops that are interpreted show their operations as sites of their own.
    if (region.state != State::Compiled && region.is_operation) ++totals.soacs;
  }
  return totals;
}

std::string explanation(const SourceMap& sources, const jit::Report& report, bool with_ir) {
  if (report.regions.empty()) return "nothing that could be compiled ran\n";
  std::ostringstream out;
  for (const jit::RegionReport& region : report.regions)
    explain_region(out, sources, region, with_ir);
  const ReportTotals sums = totals(report);
  out << sums.compiled_soacs << " of " << counted(sums.soacs, "array operation")
      << " in compiled code\n";
  return out.str();
}

} // namespace sinter::repl
