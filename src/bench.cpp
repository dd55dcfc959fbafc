// sinter bench: the inputs of test blocks, timed.
//
// A warm-up run first; then runs until there are enough, for long enough, and their spread is small
// (or the time for one dataset is up).  The median is what to compare: it ignores the stray slow
// run.
#include "repl/session/interrupt_key.h"
#include "repl/text/time_text.h"
#include "src/bench_generated.h"
#include "src/command.h"
#include "src/options.h"
#include "src/testing/cases.h"
#include "src/testing/programs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace sinter {

namespace {

using namespace testing;
using Clock = std::chrono::steady_clock;

struct BenchOptions {
  std::vector<std::string> paths;
  Selection selection;
  unsigned runs = 10;
  double longest = 10;
  std::string json;
  std::int64_t size = 0; ///< more than 0: the program makes its own input
  std::string variant;
  LimitOptions limits;
};

/// Times of one dataset in seconds.
struct Measurement {
  std::vector<double> calls; ///< in the order of calling, with the warm-up
  std::vector<double> times; ///< sorted, without it

  double quantile(double q) const {
    double at = q * static_cast<double>(times.size() - 1);
    std::size_t below = static_cast<std::size_t>(at);
    std::size_t above = std::min(below + 1, times.size() - 1);
    return times[below] + (times[above] - times[below]) * (at - static_cast<double>(below));
  }
  double median() const { return quantile(0.5); }
  /// Half the distance between the quartiles, relative to the median.
  double spread() const { return (quantile(0.75) - quantile(0.25)) / 2 / median(); }
};

Measurement measure(repl::Session& session, const core::EntryPoint& entry,
                    const std::vector<Value>& arguments, const BenchOptions& options) {
  constexpr double shortest = 0.5, stable = 0.02;
  Measurement measurement;
  auto once = [&] {
    std::vector<Value> copies = with_copies(session, entry, arguments);
    auto start = Clock::now();
    Value result = session.evaluator().call(*entry.function, std::move(copies),
                                            [&] { return with_copies(session, entry, arguments); });
    measurement.calls.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    return measurement.calls.back();
  };
  once();
  auto start = Clock::now();
  while (true) {
    double time = once();
    measurement.times.insert(
        std::upper_bound(measurement.times.begin(), measurement.times.end(), time), time);
    double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    if (elapsed >= options.longest) break;
    if (measurement.times.size() >= options.runs && elapsed >= shortest &&
        (measurement.spread() <= stable || elapsed >= options.longest / 4))
      break;
  }
  return measurement;
}

int bench(const BenchOptions& options) {
  if (options.size > 0) {
    if (options.paths.size() != 1) throw UsageError("--size is for one program");
    return in_session(options.limits.session_options(), [&](repl::Session& session) {
      return bench_generated(session,
                             {options.paths.front(), options.variant, options.size, options.runs});
    });
  }
  Selection selection = options.selection;
  for (const char* tag : {"nobench", "disable"})
    selection.excluded.emplace_back(tag);
  nlohmann::json report = nlohmann::json::object();
  bool failed = false, interrupted = false;
  for (const FoundProgram& found : find_programs(options.paths)) {
    std::vector<CaseId> cases = list_cases(found.path, found.program, selection);
    std::erase_if(cases, [&](const CaseId& id) {
      return id.kind != CaseId::Kind::Run ||
             found.program.cases[id.test].expected.kind == Expectation::Kind::Error;
    });
    if (cases.empty() || interrupted) continue;
    ProgramRunner runner(found.path, found.program, options.limits.session_options());
    std::cerr << runner.checked().messages;
    if (!runner.checked().ok()) {
      failed = true;
      continue;
    }
    repl::Session& session = runner.session();
    for (const CaseId& id : cases) {
      if (interrupted) break;
      Measurement measurement;
      repl::Outcome outcome;
      try {
        repl::InterruptKey key(session.interrupt());
        core::EntryPoint entry = find_entry(session, *session.loaded(), id.entry);
        outcome = session.guarded([&] {
          measurement =
              measure(session, entry, case_arguments(session, entry, found.program.cases[id.test]),
                      options);
          return Value::unit();
        });
      } catch (const FormatError& error) {
        outcome.kind = repl::Outcome::Kind::CheckFailed;
        outcome.messages = error.message + "\n";
      }
      if (!outcome.ok()) {
        std::cerr << id.name << ": " << outcome.messages;
        failed = true;
        interrupted = outcome.failure == FailureKind::Interrupted;
        continue;
      }
      std::cout << id.name << ": " << repl::time_text(measurement.median()) << " (min "
                << repl::time_text(measurement.times.front()) << ", ±" << std::fixed
                << std::setprecision(1) << measurement.spread() * 100 << std::defaultfloat << " %, "
                << measurement.times.size() << " runs)" << std::endl;
      const auto in_microseconds = [](std::vector<double> seconds) {
        for (double& time : seconds)
          time *= 1e6;
        return seconds;
      };
      std::string program = found.path + (id.entry == "main" ? "" : ":" + id.entry);
      report[program]["datasets"][found.program.cases[id.test].name] = {
          {"runtimes", in_microseconds(measurement.times)},
          {"calls", in_microseconds(measurement.calls)},
          {"median", measurement.median() * 1e6},
          {"spread", measurement.spread()}};
    }
  }
  if (!options.json.empty()) write_file_bytes(options.json, report.dump(2) + "\n");
  return interrupted ? exit_interrupted : failed ? exit_failed : exit_success;
}

} // namespace

std::function<int()> define_bench(Options& command_line) {
  auto options = std::make_shared<BenchOptions>();
  command_line.add_option("PATH", options->paths, "Programs, or folders of them").required();
  command_line
      .add_option("--filter", options->selection.filter,
                  "Only datasets whose name, path:entry:dataset, contains this")
      .value_name("TEXT");
  command_line
      .add_option("--tag", options->selection.tags, "Only what has this tag; may be repeated")
      .value_name("TAG")
      .one_value_each();
  command_line
      .add_option("--exclude", options->selection.excluded,
                  "Nothing that has this tag; may be repeated")
      .value_name("TAG")
      .one_value_each();
  command_line.add_option("-r,--runs", options->runs, "Fewest runs of a dataset").show_default();
  command_line.add_option("--longest", options->longest, "Most seconds for a dataset")
      .show_default();
  command_line
      .add_option(
          "--json", options->json,
          "Write all times, in microseconds, to this file: `runtimes` sorted, and `calls` in "
          "the order of calling, with the warm-up")
      .value_name("FILE");
  command_line
      .add_option(
          "--size", options->size,
          "The program makes its own input: time its entry point `kernel` on what its entry "
          "point `input` makes of this size, and print times and its `checksum` as JSON")
      .value_name("N");
  command_line
      .add_option("--variant", options->variant,
                  "With --size: prefer the entry points `input_NAME`, `kernel_NAME`, …")
      .value_name("NAME");
  options->limits.add_to(command_line);
  command_line.footer(
      "Datasets with the tag `nobench`, and those that expect an error, are left out.\n"
      "The figures are the median, the least time, and half the distance between quartiles.");
  return [options] { return bench(*options); };
}

} // namespace sinter
