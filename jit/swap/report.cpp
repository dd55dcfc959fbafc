// What the swapper tells of its sites and regions, and the words for its reasons.
#include "jit/swap/swapper.h"

#include "jit/ir/walk.h"
#include "jit/reasons/reasons.h"
#include "jit/swap/intermediates.h"
#include "jit/swap/words.h"

#include <algorithm>

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
  report.skeleton = std::move(kernel.facts.skeleton);
  report.lanes = kernel.facts.lanes;
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
  const ExecutableStatistics statistics = compiled.executable->statistics();
  report.kernel_launches = statistics.kernel_launches;
  report.soacs = statistics.soacs;
  report.compiled_soacs = statistics.compiled_soacs;
  report.moved_bytes = statistics.moved_bytes;
}

} // namespace

std::string Swapper::reason_to_compile(const Site& site, const RegionKey& key,
                                       const Demand& demand) const {
  std::string again;
  if (!site.regions.empty())
    again = words(Reason::OtherInputs, {difference(site.regions.back()->key, key)});
  else if (site.evicted > 0)
    again = words(Reason::HadToMakeRoom);
  if (accelerate_depth_ > 0) return again + words(Reason::AcceleratedByAttribute);
  switch (mode()) {
  case Mode::Jit:
    return again + words(Reason::ModeCompilesAll);
  case Mode::Mixed:
    return again + words(Reason::ModeCompilesByChance);
  case Mode::Interpret:
  case Mode::Auto:
    break;
  }
  if (!demand.why.empty()) return again + demand.why;
  return again + words(Reason::RanForLong, {milliseconds(site.interpreted.nanoseconds)});
}

std::string Swapper::reason_to_interpret(const Site& site) const {
  if (options_.mode == Mode::Interpret) return words(Reason::ModeCompilesNothing);
  if (site.evicted > 0) return words(Reason::CodeMadeRoom);
  if (options_.mode != Mode::Auto) return words(Reason::NeverOffered);
  if (site.interpreted.runs > 0 &&
      site.interpreted.nanoseconds <
          static_cast<std::int64_t>(site.interpreted.runs) * launching_cost)
    return words(Reason::ShorterThanLaunch);
  return words(Reason::NotYetWorthIt,
               {milliseconds(site.interpreted.nanoseconds), milliseconds(compiling_cost)});
}

Report Swapper::report(const ReportOptions& options) const {
  Report report;
  profile_.for_each([&](const Site& site) {
    if (!site.is_met) return;
    RegionReport common;
    common.name = site.name;
    common.span = site.span;
    common.source = site.source.is_known() ? site.source : site.span;
    common.is_operation = site.is_operation;
    common.is_recent = site.last_met == evaluation_;
    common.interpreted_runs = site.interpreted.runs;
    common.interpreting = static_cast<double>(site.interpreted.nanoseconds) / 1e6;
    if (site.regions.empty()) {
      common.why = reason_to_interpret(site);
      report.regions.push_back(std::move(common));
      return;
    }
    for (const std::shared_ptr<Region>& region : site.regions) {
      RegionReport& shown = report.regions.emplace_back(common);
      common.interpreted_runs = 0; // once is enough
      common.interpreting = 0;
      shown.why = region->why;
      for (const Layout& input : region->key.inputs)
        shown.inputs.push_back(describe(input));
      switch (region->state()) {
      case Region::State::Waiting:
      case Region::State::Stalled:
        shown.state = RegionReport::State::Waiting;
        continue;
      case Region::State::Rejected:
        shown.state = RegionReport::State::Rejected;
        shown.reason = region->rejection().reason;
        shown.reason_span = region->rejection().span;
        break;
      case Region::State::Compiled:
        shown.state = RegionReport::State::Compiled;
        add_compiled(shown, *region, options);
        shown.reason = region->not_promoted();
        if (has_lost(site.interpreted, region->pace))
          shown.why += words(Reason::SlowerThanInterpreted,
                             {milliseconds(region->pace.time_for(site.interpreted.work)),
                              milliseconds(site.interpreted.nanoseconds)});
        break;
      }
      shown.tracing = region->times().tracing;
      shown.optimising = region->times().optimising;
      shown.compiling = region->times().compiling;
      shown.compiled_runs = region->runs;
      shown.failed_runs = region->failures;
      shown.running = static_cast<double>(region->run_nanoseconds) / 1e6;
      shown.least_bytes = region->least_bytes;
    }
  });
  return report;
}

void Swapper::clear_report() {
  profile_.for_each([](Site& site) {
    site.is_met = false;
    for (const std::shared_ptr<Region>& region : site.regions) {
      region->runs = region->failures = region->least_bytes = 0;
      region->run_nanoseconds = 0;
    }
  });
}

} // namespace sinter::jit
