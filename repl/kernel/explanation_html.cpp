// The explanation as a collapsible view (`explanation_html` of html.h).
#include "repl/display/explanation.h"
#include "repl/kernel/html.h"

namespace sinter::repl {

namespace {

std::string preformatted(const std::string& text) {
  return "<pre>" + escaped(text) + "</pre>";
}

/// A part that opens on a click; `contents` are HTML already.
std::string part(const std::string& title, const std::string& contents) {
  return "<details style=\"margin-left: 1em\"><summary>" + escaped(title) + "</summary>" +
         contents + "</details>";
}

std::string region_html(const SourceMap& sources, const jit::RegionReport& region) {
  jit::Report alone;
  alone.regions.push_back(region);
  std::string contents = preformatted(explanation(sources, alone, {}));
  std::size_t number = 0;
  for (const jit::KernelReport& kernel : region.kernels) {
    ++number;
    if (!kernel.ir.empty())
      contents += part("kernel " + std::to_string(number) + ": its code", preformatted(kernel.ir));
  }
  if (!region.traced_ir.empty()) contents += part("as traced", preformatted(region.traced_ir));
  if (!region.optimised_ir.empty())
    contents += part("after the passes", preformatted(region.optimised_ir));
  return part(region.name + " (" + sources.describe(region.span) +
                  "): " + std::string(name(region.state)),
              contents);
}

} // namespace

std::string explanation_html(const SourceMap& sources, const jit::Report& report) {
  if (report.regions.empty()) return preformatted(explanation(sources, report, {}));
  const ReportTotals sums = totals(report);
  std::string html = "<div>" + std::to_string(sums.compiled_soacs) + " of " +
                     std::to_string(sums.soacs) + " array operations in compiled code</div>";
  for (const jit::RegionReport& region : report.regions)
    html += region_html(sources, region);
  return html;
}

} // namespace sinter::repl
