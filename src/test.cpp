// sinter test: the test blocks of programs, each program in a process of its own.
#include "repl/display/progress_line.h"
#include "src/command.h"
#include "src/options.h"
#include "src/testing/programs.h"
#include "src/testing/workers.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <iostream>
#include <thread>

namespace sinter {

namespace {

using namespace testing;

struct TestOptions {
  std::vector<std::string> paths;
  Selection selection;
  unsigned jobs = 0;
  std::string json;
  bool verbose = false;
  std::string max_memory;
  std::string timeout = "60s";
  AccelerationOptions acceleration;
  DebugOption debug;
};

/// Tags of what is not tested unless that is asked for: the last two of what is too slow for an
/// evaluator that nothing helps.
std::vector<std::string> excluded_by_default(jit::Mode mode) {
  if (mode == jit::Mode::Interpret) return {"disable", "notest", "compiled", "no_interpreter"};
  return {"disable", "notest"};
}

void add_selection(Options& command_line, Selection& selection) {
  command_line
      .add_option("--filter", selection.filter,
                  "Only cases whose name, path:entry:dataset, contains this")
      .value_name("TEXT");
  command_line.add_option("--tag", selection.tags, "Only what has this tag; may be repeated")
      .value_name("TAG")
      .one_value_each();
  command_line
      .add_option("--exclude", selection.excluded, "Nothing that has this tag; may be repeated")
      .value_name("TAG")
      .one_value_each();
}

void print_failure(const CaseId& id, const CaseResult& result) {
  std::cout << "FAIL " << id.name << "\n";
  std::string_view message = result.message;
  while (!message.empty()) {
    std::size_t end = std::min(message.find('\n'), message.size());
    if (end > 0) std::cout << "  " << message.substr(0, end) << "\n";
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  std::cout << std::flush;
}

int test(const TestOptions& options) {
  WorkerOptions workers;
  workers.processes =
      options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  workers.timeout = parse_duration(options.timeout);
  std::size_t memory = options.max_memory.empty() ? default_memory_limit() / workers.processes
                                                  : parse_memory(options.max_memory);
  Selection selection = options.selection;
  for (const std::string& tag : excluded_by_default(options.acceleration.swap_options().mode))
    if (std::find(selection.tags.begin(), selection.tags.end(), tag) == selection.tags.end())
      selection.excluded.push_back(tag);
  workers.arguments = {"--timeout", options.timeout, "--max-memory", std::to_string(memory)};
  const std::vector<std::string> acceleration = options.acceleration.words();
  workers.arguments.insert(workers.arguments.end(), acceleration.begin(), acceleration.end());
  for (const std::string& word : options.debug.words())
    workers.arguments.push_back(word);
  if (!selection.filter.empty())
    workers.arguments.insert(workers.arguments.end(), {"--filter", selection.filter});
  for (const std::string& tag : selection.tags)
    workers.arguments.insert(workers.arguments.end(), {"--tag", tag});
  for (const std::string& tag : selection.excluded)
    workers.arguments.insert(workers.arguments.end(), {"--exclude", tag});

  std::vector<ProgramJob> jobs;
  std::size_t total = 0, skipped = 0;
  for (const FoundProgram& found : find_programs(options.paths)) {
    ProgramJob job{found.path, list_cases(found.path, found.program, selection)};
    skipped += list_cases(found.path, found.program, options.selection).size() - job.cases.size();
    total += job.cases.size();
    jobs.push_back(std::move(job));
  }

  std::size_t passed = 0;
  nlohmann::json cases = nlohmann::json::array();
  {
    repl::ProgressLine progress("testing", total, "cases");
    std::size_t done = 0;
    run_in_workers(jobs, workers, [&](const CaseId& id, const CaseResult& result) {
      passed += result.passed;
      progress.set_done(++done);
      if (!result.passed || options.verbose) progress.hide();
      if (!result.passed)
        print_failure(id, result);
      else if (options.verbose)
        std::cout << "ok   " << id.name << std::endl;
      progress.resume();
      cases.push_back({{"name", id.name},
                       {"status", result.passed ? "passed" : "failed"},
                       {"seconds", result.seconds},
                       {"message", result.message}});
    });
  }
  std::size_t failed = total - passed;
  if (!options.json.empty()) {
    nlohmann::json report = {
        {"passed", passed}, {"failed", failed}, {"skipped", skipped}, {"cases", cases}};
    write_file_bytes(options.json,
                     report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }
  std::cout << passed << " passed, " << failed << " failed";
  if (skipped > 0) std::cout << ", " << skipped << " skipped";
  std::cout << "\n";
  return failed == 0 ? exit_success : exit_failed;
}

struct TestWorkerOptions {
  std::string path;
  std::size_t first = 0;
  Selection selection;
  LimitOptions limits;
  DebugOption debug;
};

} // namespace

std::function<int()> define_test(Options& command_line) {
  auto options = std::make_shared<TestOptions>();
  command_line.add_option("PATH", options->paths, "Programs, or folders of them").required();
  add_selection(command_line, options->selection);
  command_line.add_option("-j,--jobs", options->jobs, "Processes [one for each core]")
      .value_name("N");
  command_line.add_option("--timeout", options->timeout, "Time limit of one case").show_default();
  command_line.add_option("--max-memory", options->max_memory, "Memory limit of one process")
      .value_name("SIZE");
  command_line.add_option("--json", options->json, "Write a report to this file")
      .value_name("FILE");
  options->acceleration.add_to(command_line);
  options->debug.add_to(command_line);
  command_line.add_flag("-v,--verbose", options->verbose, "Show passed cases too");
  command_line.footer(
      "A test block is a comment with a line `-- ==`:\n"
      "  -- ==\n"
      "  -- entry: twice\n"
      "  -- input { [1, 2] } output { [2, 4] }\n"
      "  -- random input { [100]i32 } auto output\n"
      "Cases with the tags disable and notest are skipped, with `--mode interp` also those with\n"
      "compiled and no_interpreter.");
  return [options] { return test(*options); };
}

std::function<int()> define_test_worker(Options& command_line) {
  auto options = std::make_shared<TestWorkerOptions>();
  command_line.add_option("PATH", options->path).required();
  command_line.add_option("--first", options->first);
  add_selection(command_line, options->selection);
  options->limits.add_to(command_line);
  options->debug.add_to(command_line);
  return [options] {
    repl::SessionOptions session = options->debug.in(options->limits.session_options());
    session.color = false;
    TestProgram program = read_test_blocks(read_file_bytes(options->path));
    work(options->path, program, list_cases(options->path, program, options->selection),
         options->first, std::move(session));
    return static_cast<int>(exit_success);
  };
}

} // namespace sinter
