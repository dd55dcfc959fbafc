#include "tests/differential/modes.h"

#include "repl/comparing/differences.h"
#include "tests/differential/arguments.h"
#include "tests/differential/programs.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <stdexcept>
#include <vector>

namespace sinter::differential {

/// What came of an evaluation.
struct ModeComparer::Run {
  jit::Mode mode{};
  repl::Outcome outcome;
  std::vector<Value> values;
  std::chrono::milliseconds time{};

  bool has_no_time() const { return outcome.failure == FailureKind::TimedOut; }
  bool has_no_memory() const { return outcome.failure == FailureKind::OutOfMemory; }
};

namespace {

/// Lanes that kernels have, one after the other; 0: as suits each.
constexpr std::array<unsigned, 8> widths = {0, 0, 0, 0, 1, 4, 8, 16};

/// An evaluation that goes on for so long after its time is over was not stopped, however busy the
/// machine is.
constexpr std::chrono::milliseconds patience{10000};

/// The entry point's results one by one: those of a tuple, or the only one.
std::vector<Value> results_of(const core::EntryPoint& entry, const Value& value) {
  if (entry.results.size() == 1) return {value};
  return {value.fields().begin(), value.fields().end()};
}

/// What the compiler did wrong by its own account: results do not show it, as the interpreter goes
/// on where nothing is compiled.
std::optional<std::string> internal_error(const jit::Report& report) {
  for (const jit::RegionReport& region : report.regions)
    if (region.reason.starts_with("internal error"))
      return region.name + ": " + region.reason + "\n";
  return std::nullopt;
}

std::string words(jit::Mode mode, const std::string& text) {
  return std::string(jit::name(mode)) + ": " + text;
}

} // namespace

Totals& Totals::operator+=(const Totals& other) {
  programs += other.programs;
  failed += other.failed;
  skipped += other.skipped;
  compiled += other.compiled;
  launched += other.launched;
  soacs += other.soacs;
  regions += other.regions;
  runs += other.runs;
  kernels += other.kernels;
  return *this;
}

void ModeComparer::count(const jit::Report& report) {
  bool has_run = false, has_launched = false, has_soac = false;
  for (const jit::RegionReport& region : report.regions) {
    if (region.state != jit::RegionReport::State::Compiled) continue;
    ++totals_.regions;
    totals_.runs += region.compiled_runs;
    totals_.kernels += region.kernels.size();
    has_run = has_run || region.compiled_runs > 0;
    has_launched = has_launched || region.kernel_launches > 0;
    has_soac = has_soac || region.compiled_soacs > 0;
  }
  totals_.compiled += has_run;
  totals_.launched += has_launched;
  totals_.soacs += has_soac;
}

void ModeComparer::open_gpu() {
  if (options_.device.kind != jit::DeviceChoice::Kind::Gpu) return;
  repl::SessionOptions options;
  options.trace = [](const std::string&) {};
  with_gpu_ = std::make_unique<repl::Session>(std::move(options));
  Diagnostics ignored;
  const check::CheckedFile* file = with_gpu_->checker().check_text(
      "opening.fut", "def main (xs: []i64): []i64 = map (+ 1) xs", ignored);
  const core::EntryPoint entry = with_gpu_->specialiser().entry_point(*file, "main");
  jit::SwapOptions acceleration;
  acceleration.mode = jit::Mode::Jit;
  acceleration.device = options_.device;
  with_gpu_->accelerate(acceleration);
  // (Whatever comes of it: where there is no GPU, programs tell.)
  with_gpu_->guarded([&] {
    const auto arguments = [&] { return arguments_of(*with_gpu_, entry, "[1i64, 2i64]"); };
    return with_gpu_->evaluator().call(*entry.function, arguments(), arguments);
  });
}

bool ModeComparer::is_program(const std::string& text) {
  Diagnostics ignored;
  repl::Session& session = session_.for_next_program();
  const check::CheckedFile* file = session.checker().check_text("generated.fut", text, ignored);
  if (!file) return false;
  try {
    session.specialiser().entry_point(*file, "main");
  } catch (const std::out_of_range&) {
    return false;
  }
  return true;
}

std::optional<std::string> ModeComparer::difference(const generate::Program& program,
                                                    std::uint64_t seed) {
  return difference(program.text, std::span(&program.input, 1), seed);
}

std::optional<std::string> ModeComparer::difference(const std::string& text,
                                                    std::span<const std::string> inputs,
                                                    std::uint64_t seed) {
  ++totals_.programs;
  repl::Session& session = session_.for_next_program();

  Diagnostics diagnostics;
  const check::CheckedFile* file = session.checker().check_text("generated.fut", text, diagnostics);
  if (!file) return "it is rejected:\n" + render(session.sources(), diagnostics);

  // Constants are evaluated once, by the mode that comes first.
  std::array modes = {jit::Mode::Interpret, jit::Mode::Jit, jit::Mode::Mixed, jit::Mode::Auto};
  std::rotate(modes.begin(), modes.begin() + seed % modes.size(), modes.end());
  std::vector<std::vector<Run>> runs(inputs.size()); // by input
  const core::EntryPoint entry = session.specialiser().entry_point(*file, "main");
  session.clear_report();
  for (jit::Mode mode : modes) {
    jit::SwapOptions acceleration;
    acceleration.mode = mode;
    acceleration.seed = seed;
    acceleration.threads = options_.threads != 0 ? options_.threads : 1 + seed / 2 % 2;
    acceleration.lanes = widths[seed / 4 % widths.size()];
    if (seed / 16 % 2 != 0) acceleration.least_inside = 1;
    acceleration.specialises_at_once = seed / 32 % 2 != 0;
    if (seed / 64 % 2 != 0) acceleration.piece = static_cast<std::int64_t>(1 + seed / 128 % 5);
    acceleration.verify = options_.verify;
    acceleration.device = options_.device;
    acceleration.tier =
        seed % options_.second_tier_one_in == 0 ? jit::Tier::Second : jit::Tier::First;
    session.accelerate(acceleration);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Run run{mode, {}, {}, {}};
      const auto began = std::chrono::steady_clock::now();
      run.outcome = session.guarded([&] {
        const auto arguments = [&] { return arguments_of(session, entry, inputs[i]); };
        return session.evaluator().call(*entry.function, arguments(), arguments);
      });
      run.time = std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - began);
      if (run.outcome.ok()) run.values = results_of(entry, run.outcome.value);
      runs[i].push_back(std::move(run));
    }
  }
  const jit::Report report = session.report();
  count(report);
  if (std::optional<std::string> error = internal_error(report)) return error;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (std::optional<std::string> found = difference_of(session, entry, runs[i]))
      return (inputs.size() > 1 ? "input " + inputs[i] : "") + *found;
  return std::nullopt;
}

/// What differs between the runs on one input.
std::optional<std::string> ModeComparer::difference_of(repl::Session& session,
                                                       const core::EntryPoint& entry,
                                                       std::span<const Run> runs) {
  for (const Run& run : runs)
    if (run.time > options_.time_limit + patience)
      return words(run.mode,
                   "it was not stopped for " + std::to_string(run.time.count()) + " ms\n");
  const Run& wanted = *std::ranges::find(runs, jit::Mode::Interpret, &Run::mode);
  // What is fused takes less memory, so that others may still have a result.
  if (wanted.has_no_memory() || std::ranges::any_of(runs, &Run::has_no_time)) {
    ++totals_.skipped;
    return std::nullopt;
  }
  totals_.failed += !wanted.outcome.ok();
  for (const Run& run : runs) {
    // Where only a part is compiled, as chance has it, that part may fill what the evaluator only
    // counts: this run says nothing then, the others still must be the same.
    if (run.mode == jit::Mode::Mixed && run.has_no_memory()) continue;
    if (run.outcome.ok() != wanted.outcome.ok() ||
        (!wanted.outcome.ok() && run.outcome.messages != wanted.outcome.messages))
      return words(wanted.mode, wanted.outcome.ok() ? "a result\n" : wanted.outcome.messages) +
             words(run.mode, run.outcome.ok() ? "a result\n" : run.outcome.messages);
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
      const Representation* type = entry.results[i].representation;
      const comparing::ScalarsOf left =
          comparing::scalars_of(session.representations(), wanted.values[i], type);
      const comparing::ScalarsOf right =
          comparing::scalars_of(session.representations(), run.values[i], type);
      const comparing::Difference found = comparing::difference(left, right);
      if (found.is_same()) continue;
      return "result " + std::to_string(i + 1) + ":\n" +
             words(wanted.mode, print_value(wanted.values[i], type)) + "\n" +
             words(run.mode, print_value(run.values[i], type)) + "\n";
    }
  }
  return std::nullopt;
}

} // namespace sinter::differential
