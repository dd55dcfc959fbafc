#include "src/command.h"
#include "src/testing/cases.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("amounts of memory") {
  CHECK(parse_memory("1000") == 1000);
  CHECK(parse_memory("4G") == 4ull << 30);
  CHECK(parse_memory("1.5KiB") == 1536);
  CHECK_THROWS_AS(parse_memory("4X"), UsageError);
  CHECK_THROWS_AS(parse_memory("-1G"), UsageError);
  CHECK_THROWS_AS(parse_memory(""), UsageError);
  CHECK_THROWS_AS(parse_memory("nan"), UsageError);
  CHECK_THROWS_AS(parse_memory("inf"), UsageError);
}

TEST_CASE("lengths of time") {
  CHECK(parse_duration("10s").count() == 10000);
  CHECK(parse_duration("250ms").count() == 250);
  CHECK(parse_duration("2m").count() == 120000);
  CHECK(parse_duration("3").count() == 3000);
  CHECK(parse_duration("0.1ms").count() == 1);
  CHECK_THROWS_AS(parse_duration("soon"), UsageError);
  CHECK_THROWS_AS(parse_duration("0s"), UsageError);
}

TEST_CASE("outcomes have exit codes") {
  repl::Outcome outcome;
  CHECK(exit_code(outcome) == 0);
  outcome.kind = repl::Outcome::Kind::CheckFailed;
  CHECK(exit_code(outcome) == 2);
  outcome.kind = repl::Outcome::Kind::RunFailed;
  outcome.failure = FailureKind::Program;
  CHECK(exit_code(outcome) == 1);
  outcome.failure = FailureKind::TimedOut;
  CHECK(exit_code(outcome) == 124);
  outcome.failure = FailureKind::Interrupted;
  CHECK(exit_code(outcome) == 130);
}

TEST_CASE("regular expressions of tests see line breaks as blanks, and bad ones are plain text") {
  using testing::message_matches;
  CHECK(message_matches("out of.*bounds", "index\nout of\nbounds"));
  CHECK_FALSE(message_matches("in bounds", "out of bounds"));
  CHECK(message_matches("", "anything"));
  CHECK(message_matches("a[", "has a[ in it"));
}

TEST_CASE("selections go by tag and name") {
  testing::TestProgram program = testing::read_test_blocks(
      "-- ==\n-- tags { slow }\n-- entry: f g\n-- input { 1 }\n-- big input { 2 }\n");
  auto count = [&](testing::Selection selection) {
    return testing::list_cases("p.fut", program, selection).size();
  };
  CHECK(count({}) == 4);
  CHECK(count({"p.fut:f:", {}, {}}) == 2);
  CHECK(count({"", {"big"}, {}}) == 2);
  CHECK(count({"", {"slow"}, {"big"}}) == 2);
  CHECK(count({"", {}, {"slow"}}) == 0);
}

TEST_CASE("random values depend on the seed alone") {
  testing::Random a(7), b(7), c(8);
  CHECK(a.next() == b.next());
  CHECK(a.next() != c.next());
  for (int i = 0; i < 100; ++i) {
    double unit = a.unit();
    CHECK(unit >= 0);
    CHECK(unit < 1);
  }
}
