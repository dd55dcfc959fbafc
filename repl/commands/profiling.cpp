// Commands that show where an evaluation spends its time.
#include "repl/commands/command.h"
#include "repl/observing/profiler.h"
#include "repl/text/time_text.h"

#include <algorithm>

namespace sinter::repl {

namespace {

/// The regions that ran as compiled code, the dearest first.
std::string compiled_regions(const SourceMap& sources, const jit::Report& report) {
  std::vector<jit::RegionReport> regions;
  for (const jit::RegionReport& region : report.regions)
    if (region.compiled_runs > 0) regions.push_back(region);
  if (regions.empty()) return {};
  std::ranges::stable_sort(regions, std::ranges::greater{}, &jit::RegionReport::running);
  std::string text = "\ncompiled regions:\n";
  for (const jit::RegionReport& region : regions) {
    std::string line = time_text(region.running / 1e3);
    line.insert(0, line.size() < 10 ? 10 - line.size() : 0, ' ');
    text += line + "  " + std::to_string(region.compiled_runs) +
            (region.compiled_runs == 1 ? " run   " : " runs  ") + region.name + "  " +
            sources.describe(region.span) + "\n";
  }
  return text;
}

void profile(Console& console, const std::string& argument) {
  Session& session = console.session();
  Profiler profiler(session.sources());
  session.observe(&profiler);
  const Outcome outcome = console.evaluate(argument);
  session.observe(nullptr);
  profiler.finish();
  Outcome shown = outcome;
  if (shown.ok()) shown.kind = Outcome::Kind::Done; // the value isn't asked for
  console.show(shown);
  if (outcome.kind != Outcome::Kind::Value) return;
  std::string text =
      profile_text(session.sources(), profiler.root(), console.options().display.width);
  if (session.options().acceleration.mode != jit::Mode::Interpret) {
    session.clear_report();
    if (console.evaluate(argument).ok())
      text += compiled_regions(session.sources(), session.report());
  }
  console.presenter().text(text);
}

constexpr Command table[] = {
    {"profile", "EXPRESSION", "evaluate, and show which functions and lines take the time",
     Completes::Names, profile},
};

} // namespace

std::span<const Command> profiling_commands() {
  return table;
}

} // namespace sinter::repl
