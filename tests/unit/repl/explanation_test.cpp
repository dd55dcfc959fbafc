// What is told of a report; the reports themselves are the JIT's.
#include "repl/display/explanation.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

/// A compiled function, a map that is not, and a cold loop of an earlier evaluation.
struct Explained {
  SourceMap sources;
  FileId file = sources.add("f.fut", "def f xs = map g xs\nentry main = f\n");
  jit::Report report;

  Explained() {
    jit::RegionReport compiled;
    compiled.name = "function main";
    compiled.span = {file, 26, 30};
    compiled.source = {file, 20, 34};
    compiled.is_recent = true;
    compiled.state = jit::RegionReport::State::Compiled;
    compiled.why = "interpreting it took 12 ms";
    compiled.inputs = {"i64", "[]f32"};
    compiled.checks.push_back({"division by zero", {file, 11, 19}});
    compiled.traced_ir = "fn traced\n";
    compiled.optimised_ir = "fn optimised\n";
    compiled.compiled_runs = 2;
    compiled.kernel_launches = 4;
    compiled.tracing = 0.5;
    compiled.compiling = 2;
    compiled.running = 1.25;
    compiled.soacs = compiled.compiled_soacs = 3;
    compiled.least_bytes = 2000;
    compiled.moved_bytes = 3000;
    jit::KernelReport kernel;
    kernel.span = {file, 11, 19};
    kernel.ir = "fn kernel\n";
    kernel.skeleton = "map";
    kernel.lanes = 8;
    kernel.code_bytes = 1234;
    kernel.launches = 4;
    kernel.moved_bytes = 3000;
    kernel.assembly = "\tret\n";
    compiled.kernels.push_back(kernel);

    jit::RegionReport rejected;
    rejected.name = "map";
    rejected.span = rejected.source = {file, 11, 19};
    rejected.is_operation = rejected.is_recent = true;
    rejected.state = jit::RegionReport::State::Rejected;
    rejected.why = "mode jit compiles all";
    rejected.reason = "an irregular array";
    rejected.reason_span = {file, 15, 16};
    rejected.interpreted_runs = 1;

    jit::RegionReport cold;
    cold.name = "loop";
    cold.span = {file, 0, 3};
    cold.why = "it took 0.01 ms so far";
    report.regions = {compiled, rejected, cold};
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

} // namespace

TEST_CASE_FIXTURE(Explained,
                  "an explanation tells of source, reasons, guards, kernels and traffic") {
  const std::string text = repl::explanation(sources, report, {});
  INFO(text);
  CHECK(has(text, "function main (f.fut:2:7-10): compiled\n  | entry main = f\n"));
  CHECK(has(text, "  why: interpreting it took 12 ms\n"));
  CHECK(has(text, "  compiled for: i64, []f32, of any size\n"));
  CHECK(has(text, "  checks: division by zero (f.fut:1:12-19: map g xs)\n"));
  CHECK(has(text, "tracing 0.50 ms, optimising 0.00 ms, generating code 2.00 ms\n"));
  CHECK(has(text, "  ran: 2 times, 1.25 ms, 4 launches\n"));
  CHECK(has(text, "  moved: 1.5 kB a run; its inputs and results have 1 kB (1.5 times that)\n"));
  CHECK(has(text, "  kernel 1: map, 8 lanes, 1.23 kB of code (f.fut:1:12-19: map g xs)\n"));
  CHECK(has(text, "map (f.fut:1:12-19): not compiled\n"));
  CHECK(has(text, "  not compiled, because: an irregular array (f.fut:1:16: g)\n"));
  CHECK(has(text, "3 of 4 array operations in compiled code"));
  CHECK_FALSE(has(text, "fn traced"));
  CHECK_FALSE(has(text, "\tret"));
}

TEST_CASE_FIXTURE(Explained, "code is shown if it is asked for") {
  const std::string text = repl::explanation(sources, report, {.ir = true, .assembly = true});
  CHECK(has(text, "      fn kernel\n"));
  CHECK(has(text, "  as traced:\n      fn traced\n  after the passes:\n      fn optimised\n"));
  CHECK(has(text, "      \tret\n"));
}

TEST_CASE_FIXTURE(Explained, "reasons are those of the last evaluation, without numbers") {
  CHECK(repl::reasons(sources, report) ==
        "function main (f.fut:2:7-10): compiled\n"
        "  why: interpreting it took 12 ms\n"
        "map (f.fut:1:12-19): not compiled\n"
        "  why: mode jit compiles all\n"
        "  not compiled, because: an irregular array (f.fut:1:16: g)\n");
  CHECK(repl::reasons(sources, {}).empty());
}

TEST_CASE_FIXTURE(Explained, "the compiler's code and the machine's") {
  CHECK(has(repl::intermediate_code(sources, report),
            "-- function main (f.fut:2:7-10), as traced\nfn traced\n"
            "-- after the passes\nfn optimised\nmap (f.fut:1:12-19): not compiled\n"));
  CHECK(has(repl::machine_code(sources, report),
            "; function main (f.fut:2:7-10)\n"
            "; kernel 1: map, 8 lanes, 1.23 kB of code (f.fut:1:12-19: map g xs)\n\tret\n"));
}

TEST_CASE_FIXTURE(Explained, "totals count an interpreted operation as one that is not compiled") {
  const repl::ReportTotals totals = repl::totals(report);
  CHECK(totals.soacs == 4);
  CHECK(totals.compiled_soacs == 3);
  CHECK(totals.moved_bytes == 3000);
  CHECK(totals.least_bytes == 2000);
  CHECK(totals.compiling == 2);
}
