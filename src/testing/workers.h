// Test cases in processes of their own: one that crashes or hangs takes nobody along.
#pragma once

#include "src/testing/cases.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sinter::testing {

/// A program with its cases, as the parent knows it.
struct ProgramJob {
  std::string path;
  std::vector<CaseId> cases;
};

struct WorkerOptions {
  unsigned processes = 1;
  /// For one case.  The worker stops the evaluation itself; if it does not, it is killed after a
  /// grace period.
  std::chrono::milliseconds timeout{60000};
  std::vector<std::string> arguments; ///< passed on to each worker: selection and limits
};

/// Runs all cases of all jobs, each program in a worker process (`sinter test-worker`), and calls
/// `report` as results come in.
void run_in_workers(const std::vector<ProgramJob>& jobs, const WorkerOptions& options,
                    const std::function<void(const CaseId&, const CaseResult&)>& report);

/// The worker's side: runs the cases from `first` on and writes what happens to standard output, a
/// JSON object a line.
void work(const std::string& path, const TestProgram& program, const std::vector<CaseId>& cases,
          std::size_t first, repl::SessionOptions options);

} // namespace sinter::testing
