// Running the test cases of one program.
#pragma once

#include "src/testing/random_values.h"
#include "src/testing/test_blocks.h"

#include <chrono>
#include <string>
#include <vector>

namespace sinter::testing {

/// Which cases are wanted.
struct Selection {
  std::string filter;                ///< part of "path:entry:dataset"; empty: all
  std::vector<std::string> tags;     ///< the program or case must have one of these
  std::vector<std::string> excluded; ///< and none of these
};

/// One thing to be tested: an entry point on a dataset, a property, or the front end alone.
struct CaseId {
  enum class Kind { Accepted, Rejected, Run, Property };
  Kind kind = Kind::Accepted;
  std::string entry;
  std::size_t test = 0; ///< into TestProgram::cases
  std::string name;     ///< "path:entry:dataset" for people and filters
};

/// The cases of a program in the order of its text, without those that `selection` leaves out.
std::vector<CaseId> list_cases(const std::string& path, const TestProgram& program,
                               const Selection& selection);

struct CaseResult {
  bool passed = false;
  std::string message; ///< why not
  double seconds = 0;
};

/// A test's input, ready to be passed.
std::vector<Value> case_arguments(repl::Session& session, const core::EntryPoint& entry,
                                  const TestCase& test);

/// A program under test: checked once, its cases run one after another.
class ProgramRunner {
public:
  ProgramRunner(std::string path, const TestProgram& program, repl::SessionOptions options);
  CaseResult run(const CaseId& id);
  repl::Session& session() { return session_; }
  const repl::Outcome& checked() const { return checked_; }

private:
  std::string judge(const CaseId& id);
  std::string judge_run(const std::string& entry, const TestCase& test);
  std::string judge_property(const std::string& entry);
  std::string judge_warnings() const;

  std::string path_;
  const TestProgram& program_;
  repl::Session session_;
  repl::Outcome checked_;
};

/// Whether a message satisfies a regular expression; line breaks count as blanks too.
bool message_matches(const std::string& expression, const std::string& message);

} // namespace sinter::testing
