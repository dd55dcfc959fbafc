#include "repl/display/explanation.h"

#include <iomanip>
#include <sstream>

namespace sinter::repl {

namespace {

using State = jit::RegionReport::State;

/// Lines of a region's source that are shown.
constexpr std::size_t most_source_lines = 6;

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

std::string indented(std::string_view text, std::string_view margin) {
  std::string out(margin);
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) out += margin;
  }
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

/// "place: text", the text only if it is short.
std::string place_and_text(const SourceMap& sources, Span span) {
  std::string out = sources.describe(span);
  if (std::string_view text = sources.text(span);
      !text.empty() && text.size() <= 60 && text.find('\n') == std::string_view::npos)
    out += ": " + std::string(text);
  return out;
}

/// The region's text, long ones with their beginning only.
std::string shortened_source(const SourceMap& sources, Span span) {
  std::string_view text = sources.text(span);
  std::size_t end = 0;
  for (std::size_t line = 0; line < most_source_lines && end != std::string_view::npos; ++line)
    end = text.find('\n', line == 0 ? 0 : end + 1);
  if (end == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, end)) + "\n…";
}

std::string title(const SourceMap& sources, const jit::RegionReport& region) {
  return region.name + " (" + sources.describe(region.span) + ")";
}

std::string because(const SourceMap& sources, const jit::RegionReport& region) {
  std::string out = region.reason;
  if (region.reason_span.is_known())
    out += " (" + place_and_text(sources, region.reason_span) + ")";
  return out;
}

/// Whether another place than the processor is told of.
bool is_elsewhere(const jit::KernelReport& kernel) {
  return !kernel.runs_on.empty() && kernel.runs_on != "cpu";
}

std::string kernel_title(const SourceMap& sources, const jit::KernelReport& kernel,
                         std::size_t number) {
  std::string out = "kernel " + std::to_string(number) + ": ";
  if (!kernel.not_compiled.empty()) {
    out += "interpreted, because " + kernel.not_compiled;
  } else {
    out += kernel.skeleton + ", " + counted(kernel.lanes, "lane");
    // (An emulated device has neither registers nor code of its own.)
    if (kernel.code_bytes > 0 || !is_elsewhere(kernel))
      out += ", " + bytes_text(static_cast<double>(kernel.code_bytes)) + " of code";
    if (is_elsewhere(kernel)) {
      out += ", on " + kernel.runs_on;
      if (!kernel.way.empty()) out += " (" + kernel.way + ")";
      if (kernel.registers > 0) out += ", " + counted(kernel.registers, "register");
      out += ", " + bytes_text(static_cast<double>(kernel.local_bytes)) + " local, " +
             bytes_text(static_cast<double>(kernel.shared_bytes)) + " shared";
    }
  }
  if (kernel.span.is_known()) out += " (" + place_and_text(sources, kernel.span) + ")";
  return out;
}

/// "1.2 MB, 1.5 times the least possible".
std::string traffic(const jit::RegionReport& region) {
  const double runs = static_cast<double>(region.compiled_runs);
  const double moved = static_cast<double>(region.moved_bytes);
  const double least = static_cast<double>(region.least_bytes);
  std::string out =
      bytes_text(moved / runs) + " a run; its inputs and results have " + bytes_text(least / runs);
  if (least > 0) {
    std::ostringstream ratio;
    ratio << std::setprecision(3) << moved / least;
    out += " (" + ratio.str() + " times that)";
  }
  return out;
}

void explain_kernels(std::ostream& out, const SourceMap& sources, const jit::RegionReport& region,
                     const ExplanationParts& parts) {
  std::size_t number = 0;
  for (const jit::KernelReport& kernel : region.kernels) {
    out << "  " << kernel_title(sources, kernel, ++number) << "\n";
    if (kernel.launches > 0)
      out << "    launched " << counted(kernel.launches, "time") << ", "
          << milliseconds(kernel.running) << ", moved "
          << bytes_text(static_cast<double>(kernel.moved_bytes))
          << (is_elsewhere(kernel)
                  ? ", transferred " + bytes_text(static_cast<double>(kernel.transferred_bytes)) +
                        ", waited for " + counted(kernel.waits, "time")
                  : std::string())
          << "\n";
    if (!kernel.why_waits.empty())
      out << "    each launch is waited for, because " << kernel.why_waits << "\n";
    for (const jit::KernelReport::Refusal& refusal : kernel.refusals)
      out << "    not on " << refusal.place << ", because " << refusal.why << "\n";
    if (parts.ir && !kernel.ir.empty()) out << indented(kernel.ir, "      ");
    if (parts.assembly && !kernel.assembly.empty()) out << indented(kernel.assembly, "      ");
  }
}

void explain_intermediates(std::ostream& out, const SourceMap& sources,
                           const jit::RegionReport& region) {
  for (const jit::IntermediateReport& array : region.intermediates) {
    out << "  not one: " << place_and_text(sources, array.producer) << " and "
        << place_and_text(sources, array.consumer) << ", because " << array.why;
    if (array.bytes)
      out << " (" << bytes_text(static_cast<double>(*array.bytes)) << " written and read)";
    if (!array.why_whole.empty()) out << "; as a whole, not in pieces, because " << array.why_whole;
    out << "\n";
  }
}

void explain_streams(std::ostream& out, const SourceMap& sources, const jit::RegionReport& region) {
  for (const jit::StreamReport& stream : region.streams) {
    if (stream.runs == 0) continue;
    out << "  in pieces that stay in the caches: " << place_and_text(sources, stream.span)
        << " and what it is made of, " << counted(stream.pieces, "piece") << " in "
        << counted(stream.runs, "run") << ", of " << stream.first_size;
    if (stream.last_size != stream.first_size) out << " and at last " << stream.last_size;
    out << " elements, " << stream.why << "\n";
  }
}

void explain_compiled(std::ostream& out, const SourceMap& sources, const jit::RegionReport& region,
                      const ExplanationParts& parts) {
  if (!region.inputs.empty()) {
    out << "  compiled for:";
    for (std::size_t i = 0; i < region.inputs.size(); ++i)
      out << (i == 0 ? " " : ", ") << region.inputs[i];
    out << ", of any size\n";
  }
  for (const jit::CheckReport& check : region.checks)
    out << "  checks: " << check.message
        << (check.span.is_known() ? " (" + place_and_text(sources, check.span) + ")" : "") << "\n";
  out << "  compiling: tracing " << milliseconds(region.tracing) << ", optimising "
      << milliseconds(region.optimising) << ", generating code " << milliseconds(region.compiling)
      << "\n";
  if (!region.reason.empty()) out << "  stays in the first tier, because " << region.reason << "\n";
  out << "  ran: " << counted(region.compiled_runs, "time") << ", " << milliseconds(region.running)
      << ", " << region.kernel_launches << (region.kernel_launches == 1 ? " launch" : " launches");
  if (region.failed_runs > 0) out << ", " << region.failed_runs << " failed";
  out << "\n";
  if (region.compiled_runs > 0) out << "  moved: " << traffic(region) << "\n";
  explain_kernels(out, sources, region, parts);
  explain_intermediates(out, sources, region);
  explain_streams(out, sources, region);
  if (!parts.ir) return;
  if (!region.traced_ir.empty()) out << "  as traced:\n" << indented(region.traced_ir, "      ");
  for (const jit::PassRecord& pass : region.passes)
    if (!pass.after.empty())
      out << "  after " << pass.name << ", " << milliseconds(pass.milliseconds) << ":\n"
          << indented(pass.after, "      ");
  if (!region.optimised_ir.empty())
    out << "  after the passes:\n" << indented(region.optimised_ir, "      ");
}

void explain_region(std::ostream& out, const SourceMap& sources, const jit::RegionReport& region,
                    const ExplanationParts& parts) {
  out << title(sources, region) << ": " << name(region.state) << "\n";
  if (parts.source && !sources.text(region.source).empty())
    out << indented(shortened_source(sources, region.source), "  | ");
  if (!region.why.empty()) out << "  why: " << region.why << "\n";
  if (region.state == State::Rejected)
    out << "  not compiled, because: " << because(sources, region) << "\n";
  if (!parts.facts) return;
  if (region.interpreted_runs > 0)
    out << "  interpreted: " << counted(region.interpreted_runs, "time") << ", "
        << milliseconds(region.interpreting) << "\n";
  if (region.state == State::Compiled) explain_compiled(out, sources, region, parts);
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
    totals.interpreting += region.interpreting;
    totals.tracing += region.tracing;
    totals.compiling += region.optimising + region.compiling;
    totals.running += region.running;
    totals.moved_bytes += region.moved_bytes;
    totals.least_bytes += region.least_bytes;
  }
  return totals;
}

std::string explanation(const SourceMap& sources, const jit::Report& report,
                        const ExplanationParts& parts) {
  if (report.regions.empty()) return "nothing that could be compiled ran\n";
  std::ostringstream out;
  for (const jit::RegionReport& region : report.regions)
    explain_region(out, sources, region, parts);
  const ReportTotals sums = totals(report);
  out << sums.compiled_soacs << " of " << counted(sums.soacs, "array operation")
      << " in compiled code; tracing " << milliseconds(sums.tracing) << ", compiling "
      << milliseconds(sums.compiling) << ", running " << milliseconds(sums.running) << "\n";
  return out.str();
}

std::string reasons(const SourceMap& sources, const jit::Report& report) {
  std::ostringstream out;
  for (const jit::RegionReport& region : report.regions)
    if (region.is_recent) explain_region(out, sources, region, {.source = false, .facts = false});
  return out.str();
}

namespace {

/// What `write_code` has to say of each compiled region of the last evaluation; of the others, why
/// there is none.
template <class WriteCode>
std::string recent_code(const SourceMap& sources, const jit::Report& report, WriteCode write_code) {
  std::ostringstream out;
  for (const jit::RegionReport& region : report.regions) {
    if (!region.is_recent) continue;
    if (region.state == State::Compiled)
      write_code(out, region);
    else
      explain_region(out, sources, region, {.source = false, .facts = false});
  }
  return out.str().empty() ? "nothing that could be compiled ran\n" : out.str();
}

} // namespace

std::string intermediate_code(const SourceMap& sources, const jit::Report& report) {
  return recent_code(sources, report, [&](std::ostream& out, const jit::RegionReport& region) {
    out << "-- " << title(sources, region) << ", as traced\n" << region.traced_ir;
    out << "-- after the passes\n" << region.optimised_ir;
  });
}

namespace {

/// The code of those kernels for which `is_wanted` holds.
template <typename IsWanted>
std::string code_of_kernels(const SourceMap& sources, const jit::Report& report,
                            IsWanted&& is_wanted) {
  return recent_code(sources, report, [&](std::ostream& out, const jit::RegionReport& region) {
    std::size_t number = 0;
    out << "; " << title(sources, region) << "\n";
    for (const jit::KernelReport& kernel : region.kernels) {
      out << "; " << kernel_title(sources, kernel, ++number) << "\n";
      if (is_wanted(kernel)) out << kernel.assembly;
    }
    if (region.kernels.empty()) out << "; no kernels: nothing in it loops\n";
  });
}

} // namespace

std::string machine_code(const SourceMap& sources, const jit::Report& report) {
  return code_of_kernels(sources, report, [](const jit::KernelReport&) { return true; });
}

std::string device_code(const SourceMap& sources, const jit::Report& report) {
  return code_of_kernels(sources, report,
                         [](const jit::KernelReport& kernel) { return kernel.runs_on != "cpu"; });
}

} // namespace sinter::repl
