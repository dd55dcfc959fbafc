#include "repl/display/mark_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace sinter::repl {

namespace {

std::string counted_bytes(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string size_text(const jit::MarkedValue& value) {
  return counted_bytes(value.bytes) + (value.is_array ? " an element" : "");
}

std::string value_text(const SourceMap& sources, const jit::MarkedValue& value) {
  const std::string name = name_of(sources, value);
  std::string text = name.empty() ? "" : name + " : ";
  return text + value.type + ", " + size_text(value);
}

/// "  heading: first\n           second\n"
std::string listed(const std::string& heading, const std::vector<std::string>& entries) {
  std::string text = "  " + heading + ": ";
  const std::string margin(text.size(), ' ');
  if (entries.empty()) return text + "none\n";
  for (std::size_t i = 0; i < entries.size(); ++i)
    text += (i == 0 ? "" : margin) + entries[i] + "\n";
  return text;
}

std::string copies_text(const jit::MarkReport& mark, const MarkTraffic& moved) {
  if (mark.device.kind == jit::DeviceChoice::Kind::Cpu)
    return "  copied: nothing, as it runs where the program does\n";
  std::string text = "  copied: to " + jit::name(mark.device) +
                     " what is not there yet of the inputs; back what the program looks at of the "
                     "results\n";
  if (moved.runs > 0)
    text += "          " + counted_bytes(moved.transferred_bytes) + " in " +
            std::to_string(moved.runs) + (moved.runs == 1 ? " run\n" : " runs\n");
  return text;
}

std::string paragraph(const SourceMap& sources, const jit::MarkReport& mark,
                      const MarkTraffic& moved) {
  std::string text = syntax::text(mark.mark) + " (" + sources.describe(mark.mark_span) + "): for " +
                     jit::name(mark.device) + "\n";
  if (mark.is_inside) return text + "  is part of another mark, which counts\n";
  if (!mark.not_checked.empty()) return text + "  not looked at: " + mark.not_checked + "\n";
  bool is_whole = true;
  for (const jit::MarkFinding& finding : mark.findings) {
    text += "  " + finding.message + " (" + sources.describe(finding.span) + ") [" +
            std::string(finding.id) + "]\n";
    is_whole = is_whole && finding.severity == Severity::Warning;
  }
  if (!is_whole && mark.results.empty()) return text;
  std::vector<std::string> functions, inputs, results;
  for (const jit::MarkReport::Function& function : mark.functions)
    functions.push_back(function.name + " (" + sources.describe(function.span) + ")");
  for (const jit::MarkedValue& input : mark.inputs)
    inputs.push_back(value_text(sources, input));
  for (const jit::MarkedValue& result : mark.results)
    results.push_back(value_text(sources, result));
  text += listed("functions", functions) + listed("inputs", inputs) + listed("results", results) +
          copies_text(mark, moved);
  if (moved.runs > 0)
    text += "  inputs and results: " + counted_bytes(moved.least_bytes / moved.runs) + " a run\n";
  return text;
}

} // namespace

MarkTraffic traffic(const jit::MarkReport& mark, const jit::Report& report) {
  MarkTraffic moved;
  for (const jit::RegionReport& region : report.regions) {
    if (region.span != mark.span || region.is_operation) continue;
    moved.runs += region.compiled_runs;
    moved.least_bytes += region.least_bytes;
    for (const jit::KernelReport& kernel : region.kernels)
      moved.transferred_bytes += kernel.transferred_bytes;
  }
  return moved;
}

std::string name_of(const SourceMap& sources, const jit::MarkedValue& value) {
  if (!value.name.is_known()) return {};
  // (A size is read by what needs it for a type, where no name stands.)
  const std::string_view text = sources.text(value.name);
  const bool is_name = std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'';
  });
  return is_name ? std::string(text) : std::string();
}

std::string dependencies(const SourceMap& sources, std::span<const jit::MarkReport> marks,
                         const jit::Report& report) {
  if (std::ranges::all_of(marks, &jit::MarkReport::is_loop))
    return "nothing is marked with `#[accelerate]`\n";
  std::string text;
  for (const jit::MarkReport& mark : marks) {
    if (mark.is_loop) continue;
    if (!text.empty()) text += "\n";
    text += paragraph(sources, mark, traffic(mark, report));
  }
  return text;
}

} // namespace sinter::repl
