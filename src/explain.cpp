// sinter explain: what is compiled of an entry point, and why not the rest.
#include "repl/display/explanation.h"
#include "repl/display/mark_text.h"
#include "repl/session/interrupt_key.h"
#include "src/command.h"
#include "src/options.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace sinter {

namespace {

struct ExplainOptions {
  std::string file;
  std::string entry = "main";
  InputOptions inputs;
  unsigned runs = 2;
  bool json = false;
  bool dependencies = false;
  bool with_ir = false;
  bool with_assembly = false;
  bool with_ptx = false;
  std::vector<std::string> printed_passes;
  LimitOptions limits;
};

nlohmann::json place(const SourceMap& sources, Span span) {
  return span.is_known() ? nlohmann::json(sources.describe(span)) : nlohmann::json();
}

nlohmann::json to_json(const SourceMap& sources, const jit::KernelReport& kernel) {
  nlohmann::json refusals = nlohmann::json::array();
  for (const jit::KernelReport::Refusal& refusal : kernel.refusals)
    refusals.push_back({{"runs_on", refusal.place}, {"why", refusal.why}});
  return {{"place", place(sources, kernel.span)},
          {"skeleton", kernel.skeleton},
          {"lanes", kernel.lanes},
          {"runs_on", kernel.runs_on},
          {"way", kernel.way},
          {"registers", kernel.registers},
          {"local_bytes", kernel.local_bytes},
          {"shared_bytes", kernel.shared_bytes},
          {"transferred_bytes", kernel.transferred_bytes},
          {"waits", kernel.waits},
          {"why_waits", kernel.why_waits},
          {"refusals", refusals},
          {"tier", kernel.tier},
          {"code_bytes", kernel.code_bytes},
          {"versions", kernel.versions},
          {"not_compiled", kernel.not_compiled},
          {"launches", kernel.launches},
          {"milliseconds", {{"compiling", kernel.compiling}, {"running", kernel.running}}},
          {"moved_bytes", kernel.moved_bytes},
          {"ir", kernel.ir},
          {"assembly", kernel.assembly}};
}

nlohmann::json to_json(const SourceMap& sources, const jit::IntermediateReport& array) {
  return {{"producer", place(sources, array.producer)},
          {"consumer", place(sources, array.consumer)},
          {"reason", array.reason},
          {"why", array.why},
          {"whole", array.whole},
          {"why_whole", array.why_whole},
          {"bytes", array.bytes ? nlohmann::json(*array.bytes) : nlohmann::json()}};
}

nlohmann::json to_json(const SourceMap& sources, const jit::StreamReport& stream) {
  return {{"place", place(sources, stream.span)},
          {"runs", stream.runs},
          {"pieces", stream.pieces},
          {"first_size", stream.first_size},
          {"last_size", stream.last_size},
          {"why", stream.why}};
}

nlohmann::json to_json(const SourceMap& sources, const jit::RegionReport& region) {
  nlohmann::json kernels = nlohmann::json::array(), checks = kernels, intermediates = kernels,
                 streams = kernels, passes = kernels;
  for (const jit::KernelReport& kernel : region.kernels)
    kernels.push_back(to_json(sources, kernel));
  for (const jit::CheckReport& check : region.checks)
    checks.push_back({{"message", check.message}, {"place", place(sources, check.span)}});
  for (const jit::IntermediateReport& array : region.intermediates)
    intermediates.push_back(to_json(sources, array));
  for (const jit::StreamReport& stream : region.streams)
    streams.push_back(to_json(sources, stream));
  for (const jit::PassRecord& pass : region.passes)
    passes.push_back(
        {{"name", pass.name}, {"milliseconds", pass.milliseconds}, {"after", pass.after}});
  return {{"name", region.name},
          {"place", place(sources, region.span)},
          {"source", sources.text(region.source)},
          {"is_operation", region.is_operation},
          {"state", repl::name(region.state)},
          {"why", region.why},
          {"reason", region.reason},
          {"reason_place", place(sources, region.reason_span)},
          {"inputs", region.inputs},
          {"checks", checks},
          {"runs",
           {{"interpreted", region.interpreted_runs},
            {"compiled", region.compiled_runs},
            {"failed", region.failed_runs}}},
          {"milliseconds",
           {{"interpreting", region.interpreting},
            {"tracing", region.tracing},
            {"optimising", region.optimising},
            {"compiling", region.compiling},
            {"running", region.running}}},
          {"kernels", kernels},
          {"intermediates", intermediates},
          {"streams", streams},
          {"kernel_launches", region.kernel_launches},
          {"soacs", region.soacs},
          {"compiled_soacs", region.compiled_soacs},
          {"least_bytes", region.least_bytes},
          {"moved_bytes", region.moved_bytes},
          {"passes", passes},
          {"traced_ir", region.traced_ir},
          {"optimised_ir", region.optimised_ir}};
}

nlohmann::json to_json(const SourceMap& sources, const jit::Report& report) {
  nlohmann::json regions = nlohmann::json::array();
  for (const jit::RegionReport& region : report.regions)
    regions.push_back(to_json(sources, region));
  const repl::ReportTotals sums = repl::totals(report);
  return {{"regions", regions},
          {"soacs", sums.soacs},
          {"compiled_soacs", sums.compiled_soacs},
          {"milliseconds",
           {{"interpreting", sums.interpreting},
            {"tracing", sums.tracing},
            {"compiling", sums.compiling},
            {"running", sums.running}}},
          {"least_bytes", sums.least_bytes},
          {"moved_bytes", sums.moved_bytes}};
}

nlohmann::json to_json(const SourceMap& sources, const jit::MarkedValue& value) {
  const std::string name = repl::name_of(sources, value);
  return {{"name", name.empty() ? nlohmann::json() : nlohmann::json(name)},
          {"type", value.type},
          {value.is_array ? "bytes_per_element" : "bytes", value.bytes}};
}

nlohmann::json to_json(const SourceMap& sources, const jit::MarkReport& mark,
                       const jit::Report& report) {
  nlohmann::json functions = nlohmann::json::array(), inputs = functions, results = functions,
                 findings = functions;
  for (const jit::MarkReport::Function& function : mark.functions)
    functions.push_back({{"name", function.name}, {"place", place(sources, function.span)}});
  for (const jit::MarkedValue& input : mark.inputs)
    inputs.push_back(to_json(sources, input));
  for (const jit::MarkedValue& result : mark.results)
    results.push_back(to_json(sources, result));
  for (const jit::MarkFinding& finding : mark.findings)
    findings.push_back({{"id", finding.id},
                        {"message", finding.message},
                        {"place", place(sources, finding.span)}});
  const repl::MarkTraffic moved = repl::traffic(mark, report);
  return {{"mark", syntax::text(mark.mark)},
          {"place", place(sources, mark.mark_span)},
          {"source", sources.text(mark.span)},
          {"device", jit::name(mark.device)},
          {"is_inside", mark.is_inside},
          {"not_checked", mark.not_checked},
          {"findings", findings},
          {"functions", functions},
          {"inputs", inputs},
          {"results", results},
          {"runs", moved.runs},
          {"least_bytes", moved.least_bytes},
          {"transferred_bytes", moved.transferred_bytes}};
}

/// `--dependencies`.
void show_dependencies(repl::Session& session, bool as_json) {
  const std::vector<jit::MarkReport> marks = session.marks();
  const jit::Report report = session.report();
  if (!as_json) {
    std::cout << repl::dependencies(session.sources(), marks, report);
    return;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const jit::MarkReport& mark : marks)
    list.push_back(to_json(session.sources(), mark, report));
  std::cout << nlohmann::json{{"marks", list}}.dump(2) << "\n";
}

int explain(repl::Session& session, const ExplainOptions& options) {
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  core::EntryPoint entry = find_entry(session, *session.loaded(), options.entry);
  std::vector<Value> arguments;
  outcome = session.limited([&] { arguments = read_arguments(session, entry, options.inputs); });
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  repl::InterruptKey key(session.interrupt());
  for (unsigned i = 0; i < options.runs && outcome.ok(); ++i) {
    outcome = session.guarded([&] { return session.evaluator().call(*entry.function, arguments); });
    std::cerr << outcome.messages;
    session.finish_compiling();
  }
  if (options.dependencies) {
    show_dependencies(session, options.json);
    return exit_code(outcome);
  }
  const jit::Report report = session.report({.assembly = options.with_assembly});
  if (options.json)
    std::cout << to_json(session.sources(), report).dump(2) << "\n";
  else
    std::cout << repl::explanation(session.sources(), report,
                                   {.ir = options.with_ir || !options.printed_passes.empty(),
                                    .assembly = options.with_assembly});
  return exit_code(outcome);
}

} // namespace

std::function<int()> define_explain(Options& command_line) {
  auto options = std::make_shared<ExplainOptions>();
  options->limits.acceleration = AccelerationOptions(jit::Mode::Jit);
  command_line.add_option("FILE", options->file, "The program").required();
  command_line.add_option("-e,--entry", options->entry, "The entry point").show_default();
  options->inputs.add_to(command_line);
  command_line.add_option("-r,--runs", options->runs, "How often it is called").show_default();
  command_line.add_flag(
      "--ir", options->with_ir,
      "Show the intermediate code too: as traced, after the passes, and of each kernel");
  command_line
      .add_option("--print-after", options->printed_passes,
                  "Show the intermediate code after this pass too (`all`: each of them), and what "
                  "time each took; may be repeated")
      .value_name("PASS")
      .one_value_each();
  command_line.add_flag("--asm", options->with_assembly,
                        "Show the machine code of each kernel too");
  command_line.add_flag("--ptx", options->with_ptx,
                        "Compile for a pretended device what can be, and show each kernel's code "
                        "for a GPU");
  command_line.add_flag("--dependencies", options->dependencies,
                        "Show instead what each mark `#[accelerate]` takes out of the program: "
                        "functions, inputs and results with their bytes, what is copied where");
  command_line.add_flag("--json", options->json,
                        "Write all that is known as JSON (with `--asm` machine code too)");
  options->limits.add_to(command_line);
  command_line.footer(
      "Calls the entry point and shows which regions of the program were compiled, their "
      "kernels,\nthe times and traffic, and why the other regions were not.  Example:\n"
      "  echo '[1, 2, 3]' | sinter explain mean.fut --ir");
  return [options] {
    repl::SessionOptions session_options = options->limits.session_options();
    session_options.acceleration.keep_ir = true;
    if (options->with_ptx) {
      session_options.acceleration.device = jit::DeviceChoice::emulated();
      options->with_assembly = true;
    }
    // (So what is marked runs by itself, as the rest does not last long enough to be compiled.)
    if (options->dependencies) session_options.acceleration.mode = jit::Mode::Auto;
    if (const auto message = jit::unknown_pass(options->printed_passes)) throw UsageError(*message);
    session_options.acceleration.printed_passes = options->printed_passes;
    return in_session(std::move(session_options),
                      [&](repl::Session& session) { return explain(session, *options); });
  };
}

} // namespace sinter
