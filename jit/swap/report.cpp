#include "jit/swap/report.h"

#include "jit/ir/walk.h"
#include "jit/reasons/reasons.h"
#include "jit/swap/intermediates.h"
#include "jit/swap/words.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// The checks that passes have left, each once.
void collect_checks(const ir::Function& function, const ir::Body& body,
                    std::vector<CheckReport>& checks) {
  for (const ir::Statement& statement : body.statements) {
    if (const auto* check = std::get_if<ir::Check>(&statement.operation)) {
      const ir::FailureSite& failure = function.failures[check->site.index];
      if (std::ranges::none_of(checks, [&](const CheckReport& known) {
            return known.span == failure.span && known.message == failure.message;
          }))
        checks.push_back({failure.message, failure.span});
    }
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { collect_checks(function, inner, checks); });
  }
}

KernelReport kernel_report(Executable::KernelDescription kernel) {
  KernelReport report;
  report.span = kernel.span;
  report.ir = std::move(kernel.ir);
  report.skeleton = ir::name(kernel.facts.skeleton);
  report.lanes = kernel.facts.lanes;
  report.runs_on = std::move(kernel.facts.place);
  report.way = std::move(kernel.facts.way);
  report.registers = kernel.facts.registers;
  report.local_bytes = kernel.facts.local_bytes;
  report.shared_bytes = kernel.facts.shared_bytes;
  report.transferred_bytes = kernel.facts.transferred_bytes;
  report.waits = kernel.facts.waits;
  report.why_waits = std::move(kernel.facts.why_waits);
  for (PlaceRefusal& refusal : kernel.refusals)
    report.refusals.push_back({std::move(refusal.place), std::move(refusal.why)});
  report.versions = kernel.versions;
  report.not_compiled = std::move(kernel.not_compiled);
  report.tier = report.not_compiled.empty() ? kernel.facts.tier : 0;
  report.code_bytes = kernel.facts.code_bytes;
  report.compiling = kernel.facts.compile_milliseconds;
  report.running = kernel.launches.milliseconds;
  report.launches = kernel.launches.launches;
  report.moved_bytes = kernel.launches.moved_bytes;
  report.assembly = std::move(kernel.assembly);
  return report;
}

void add_compiled(RegionReport& report, const Region& region, const ReportOptions& options) {
  const CompiledRegion& compiled = region.compiled();
  report.traced_ir = compiled.traced_ir;
  report.optimised_ir = compiled.optimised_ir;
  report.passes = compiled.passes;
  const ir::Function& function = compiled.executable->function();
  collect_checks(function, function.body, report.checks);
  for (Executable::KernelDescription& kernel : compiled.executable->kernels(options.assembly))
    report.kernels.push_back(kernel_report(std::move(kernel)));
  report.intermediates = intermediates(function, region.first_scalars);
  for (const Executable::StreamDescription& stream : compiled.executable->streams())
    report.streams.push_back({stream.span, stream.totals.runs, stream.totals.pieces,
                              stream.totals.first_size, stream.totals.last_size,
                              words(stream.totals.why)});
  const ExecutableStatistics statistics = compiled.executable->statistics();
  report.kernel_launches = statistics.kernel_launches;
  report.soacs = statistics.soacs;
  report.compiled_soacs = statistics.compiled_soacs;
  report.moved_bytes = statistics.moved_bytes;
}

void add_runs(RegionReport& report, const Region& region) {
  report.tracing = region.times().tracing;
  report.optimising = region.times().optimising;
  report.compiling = region.times().compiling;
  report.compiled_runs = region.runs;
  report.failed_runs = region.failures;
  report.running = static_cast<double>(region.run_nanoseconds) / 1e6;
  report.least_bytes = region.least_bytes;
}

/// What is told of a site, whether it has regions or not.
RegionReport site_report(const Site& site, const Evaluation& evaluation) {
  RegionReport report;
  report.name = site.name;
  report.span = site.span;
  report.source = site.source.is_known() ? site.source : site.span;
  report.is_operation = site.is_operation;
  report.is_recent = site.last_met == evaluation.number;
  report.interpreted_runs = site.interpreted.runs;
  report.interpreting = static_cast<double>(site.interpreted.nanoseconds) / 1e6;
  return report;
}

/// Adds what is told of one of its regions.
void add_region(RegionReport& report, const Site& site, const Region& region,
                const ReportOptions& options) {
  report.why = region.why;
  for (const Layout& input : region.key.inputs)
    report.inputs.push_back(describe(input));
  switch (region.state()) {
  case Region::State::Waiting:
  case Region::State::Stalled:
    report.state = RegionReport::State::Waiting;
    return;
  case Region::State::Rejected:
    report.state = RegionReport::State::Rejected;
    report.reason = region.rejection().reason;
    report.reason_span = region.rejection().span;
    break;
  case Region::State::Compiled:
    report.state = RegionReport::State::Compiled;
    add_compiled(report, region, options);
    report.reason = region.not_promoted();
    if (has_lost(site.interpreted, region.pace))
      report.why += words(Reason::SlowerThanInterpreted,
                          {milliseconds(region.pace.time_for(site.interpreted.work)),
                           milliseconds(site.interpreted.nanoseconds)});
    break;
  }
  add_runs(report, region);
}

} // namespace

Report report_on(const Profile& profile, const Situation& situation, const ReportOptions& options) {
  Report report;
  profile.for_each([&](const Site& site) {
    if (!site.is_met) return;
    RegionReport common = site_report(site, situation.evaluation);
    if (site.regions.empty()) {
      common.why = reason_to_interpret(situation, site);
      report.regions.push_back(std::move(common));
      return;
    }
    for (const std::shared_ptr<Region>& region : site.regions) {
      add_region(report.regions.emplace_back(common), site, *region, options);
      common.interpreted_runs = 0; // once is enough
      common.interpreting = 0;
    }
  });
  return report;
}

void clear_report(Profile& profile) {
  profile.for_each([](Site& site) {
    site.is_met = false;
    for (const std::shared_ptr<Region>& region : site.regions) {
      region->runs = region->failures = region->least_bytes = 0;
      region->run_nanoseconds = 0;
    }
  });
}

} // namespace sinter::jit
