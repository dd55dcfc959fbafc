// The programs of tests/programs, traced: the IR is well formed and computes what the interpreter
// computes.  SINTER_TRACE_PROGRAMS names other programs, SINTER_TRACE_REPORT asks for a table of
// what could not be traced, SINTER_TRACE_IR for the traces.
#include "tests/unit/jit_trace/tracing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>

namespace {

using namespace sinter;
using namespace std::chrono_literals;

/// An input that the interpreter takes more of the processor's time for is left out, as the IR's
/// evaluator takes much longer still.
#ifdef __SANITIZE_ADDRESS__
constexpr auto most_time = 500ms;
#else
constexpr auto most_time = 120ms;
#endif

struct Report {
  std::size_t entries = 0, traced = 0;
  std::size_t cases = 0;    ///< inputs that are not too large for the IR's evaluator
  std::size_t slow = 0;     ///< of these, left out as it would take too long there
  std::size_t compared = 0; ///< results of these, of the trace and of its optimised form
  std::map<std::string, std::vector<std::string>> refusals;
  std::vector<std::string> problems;
};

std::size_t elements_of(const std::vector<Value>& values) {
  std::size_t count = 0;
  for (const Value& value : values)
    if (value.is_array()) count += static_cast<std::size_t>(element_count(value.array()->shape));
  return count;
}

/// How a trace's outcome differs from the interpreter's; empty if it does not.
std::string difference(const core::Function& function, const repl::Outcome& expected,
                       const test::Traced& found) {
  if (!expected.ok()) return found.value ? "the trace succeeds, but " + expected.messages : "";
  if (found.is_left_to_interpreter) return "";
  if (!found.value) return "the trace fails: " + found.failure;
  const std::string wanted = print_value(expected.value, function.result);
  const std::string got = print_value(*found.value, function.result);
  if (wanted == got) return "";
  return "expected " + wanted.substr(0, 300) + ", found " + got.substr(0, 300);
}

void trace_program(const testing::FoundProgram& program, Report& report) {
  repl::SessionOptions options;
  // (What is over a limit of the processor's time is not waited for much longer.)
  options.timeout = std::getenv("SINTER_TRACE_IR") ? 20'000ms : 3 * most_time;
  options.trace = [](const std::string&) {};
  options.max_memory_bytes = std::size_t{1} << (std::getenv("SINTER_TRACE_IR") ? 31 : 26);
  testing::ProgramRunner runner(program.path, program.program, options);
  if (!runner.checked().ok()) return;
  repl::Session& session = runner.session();
  std::set<std::string> seen;
  for (const testing::CaseId& id : testing::list_cases(program.path, program.program, {})) {
    if (id.kind != testing::CaseId::Kind::Run) continue;
    std::vector<Value> arguments;
    std::optional<core::EntryPoint> entry;
    repl::Outcome outcome = session.guarded([&] {
      entry = session.specialiser().entry_point(*session.loaded(), id.entry);
      arguments = testing::case_arguments(session, *entry, program.program.cases[id.test]);
      return Value();
    });
    if (!outcome.ok()) continue;
    const core::Function& function = *entry->function;
    const bool is_new = seen.insert(id.entry).second;
    if (is_new && std::getenv("SINTER_TRACE_IR"))
      std::cout << id.name << "\n"
                << test::run_traced(session, function, arguments, false, false).ir << "optimised:\n"
                << test::run_traced(session, function, arguments, true, false).ir;
    if (elements_of(arguments) > 20'000) continue;
    ++report.cases;
    // Arguments may be consumed: the interpreter gets copies.
    const std::vector<Value> kept = arguments;
    for (Value& value : arguments)
      if (value.is_array()) value = Value(copy(session.memory(), value.array()));
    const std::clock_t began = std::clock();
    const repl::Outcome expected =
        session.guarded([&] { return session.evaluator().call(function, arguments); });
    const double seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
    if (seconds > std::chrono::duration<double>(most_time).count() ||
        (!expected.ok() && expected.failure != FailureKind::Program)) {
      ++report.slow;
      continue;
    }
    report.entries += is_new;
    for (bool is_optimised : {false, true}) {
      test::Traced found;
      try {
        found = test::run_traced(session, function, kept, is_optimised);
      } catch (const std::exception& error) {
        found.problem = error.what();
      }
      if (found.refusal) {
        if (is_new) report.refusals[found.refusal->reason].push_back(id.name);
        break;
      }
      if (is_new && !is_optimised) ++report.traced;
      if (found.problem.empty()) {
        ++report.compared;
        found.problem = difference(function, expected, found);
      }
      if (found.problem.empty()) continue;
      report.problems.push_back(id.name + (is_optimised ? " (optimised): " : ": ") + found.problem +
                                "\n" + found.ir);
      break;
    }
  }
}

/// So that a program's part is the same whatever others there are.  (FNV-1a, 32 bits.)
std::uint32_t hash_of(const std::string& name) {
  std::uint32_t hash = 2166136261U;
  for (const char each : name)
    hash = (hash ^ static_cast<unsigned char>(each)) * 16777619U;
  return hash;
}

} // namespace

TEST_CASE("traces of programs compute what the interpreter computes") {
  const char* elsewhere = std::getenv("SINTER_TRACE_PROGRAMS");
  Report report;
#ifdef __SANITIZE_ADDRESS__
  constexpr std::size_t step = 8; // sanitized, all of them take an hour
#else
  constexpr std::size_t step = 1;
#endif
  for (const testing::FoundProgram& program : testing::find_programs(
           {elsewhere ? std::string(elsewhere) : SINTER_SOURCE_DIR "/tests/programs"})) {
    // (Those whose evaluation takes most of that hour are in other parts.)
    constexpr std::size_t part = 2;
    if (hash_of(std::filesystem::path(program.path).filename().string()) % step != part % step)
      continue;
    if (std::getenv("SINTER_TRACE_VERBOSE")) std::cerr << program.path << std::endl;
    trace_program(program, report);
  }
  for (const std::string& problem : report.problems) {
    CAPTURE(problem);
    CHECK(problem.empty());
  }
  if (std::getenv("SINTER_TRACE_REPORT")) {
    std::cout << report.traced << " of " << report.entries << " entries traced, " << report.compared
              << " results of " << report.cases << " inputs compared, " << report.slow
              << " left out as slow, " << report.problems.size() << " problems\n";
    std::vector<std::pair<std::size_t, std::string>> table;
    for (const auto& [reason, names] : report.refusals)
      table.emplace_back(names.size(), reason + "  (" + names.front() + ")");
    std::sort(table.rbegin(), table.rend());
    for (const auto& [count, line] : table)
      std::cout << count << "  " << line << "\n";
  }
  if (elsewhere) return;
  CHECK(report.traced * 100 >= report.entries * 90);
  // Nearly every input was compared, in both forms: what was left out says nothing.
  CHECK(report.cases >= 1200 / step);
  CHECK(report.slow * 100 <= report.cases * 5);
  CHECK(report.compared * 100 >= 2 * report.cases * 90);
}
