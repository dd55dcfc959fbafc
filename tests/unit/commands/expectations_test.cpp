// The programs of this project expect errors by what is distinctive about them: a pattern that any
// message matches would let a test pass for the wrong reason.  (`sinter test` itself takes such
// patterns, since other projects' programs have them.)
#include "src/testing/cases.h"
#include "src/testing/programs.h"

#include <doctest/doctest.h>

using namespace sinter::testing;

namespace {

/// Whether a message that has nothing to do with the pattern matches it.
bool matches_anything(const std::string& pattern) {
  const auto matches = [&](const char* message) { return message_matches(pattern, message); };
  return matches("x") || matches("7") || matches("error: ") ||
         matches("Error: a b, c: `d` \"e\" [f-g]");
}

std::vector<std::string> patterns_of(const TestProgram& program) {
  std::vector<std::string> patterns = program.type_errors;
  patterns.insert(patterns.end(), program.warnings.begin(), program.warnings.end());
  for (const TestCase& test : program.cases)
    if (test.expected.kind == Expectation::Kind::Error) patterns.push_back(test.expected.error);
  return patterns;
}

} // namespace

TEST_CASE("patterns that any message matches are told from others") {
  for (const char* pattern : {"", ".", ".*", "[a-z]*", "(x|7)", "rror"}) {
    CAPTURE(pattern);
    CHECK(matches_anything(pattern));
  }
  for (const char* pattern : {"division by zero", "Unknown name \"m\\.secret\"", "Index \\[0\\]"}) {
    CAPTURE(pattern);
    CHECK_FALSE(matches_anything(pattern));
  }
}

TEST_CASE("each expected error and warning is told from others") {
  std::size_t count = 0;
  for (const FoundProgram& found :
       find_programs({SINTER_SOURCE_DIR "/tests/programs", SINTER_SOURCE_DIR "/notebooks"})) {
    CAPTURE(found.path);
    CHECK((!found.program.must_be_rejected || !found.program.type_errors.empty()));
    for (const std::string& pattern : patterns_of(found.program)) {
      CAPTURE(pattern);
      CHECK_FALSE(matches_anything(pattern));
      ++count;
    }
  }
  CHECK(count > 200);
}
