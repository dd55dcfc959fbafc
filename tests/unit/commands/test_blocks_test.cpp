#include "src/testing/test_blocks.h"

#include <doctest/doctest.h>

using namespace sinter::testing;
using Strings = std::vector<std::string>;

TEST_CASE("a program without a block has none") {
  CHECK_FALSE(read_test_blocks("-- prose\ndef x = 1 == 1\n").has_block);
}

TEST_CASE("inputs, outputs, tags, entries and names") {
  TestProgram program = read_test_blocks("-- About.\n"
                                         "-- ==\n"
                                         "-- tags { one two }\n"
                                         "-- entry: f g'\n"
                                         "-- \"small\" nobench input { 1 [2,\n"
                                         "--   3] } output { 4 }\n"
                                         "-- compiled input @ data/x.in.gz\n"
                                         "-- output @ data/x.out\n"
                                         "entry f x = x\n"
                                         "-- ==\n"
                                         "-- random input { [10]i32 } auto output\n");
  CHECK(program.has_block);
  CHECK(program.problems.empty());
  CHECK(program.tags == Strings{"one", "two"});
  REQUIRE(program.cases.size() == 3);
  CHECK(program.cases[0].name == "small");
  CHECK(program.cases[0].entries == Strings{"f", "g'"});
  CHECK(program.cases[0].tags == Strings{"nobench"});
  CHECK(program.cases[0].line == 5);
  CHECK(program.cases[0].expected.kind == Expectation::Kind::Values);
  CHECK(program.cases[1].name == "data/x.in");
  CHECK(program.cases[1].input.kind == DataSource::Kind::File);
  CHECK(program.cases[1].expected.values.text == "data/x.out");
  CHECK(program.cases[2].entries == Strings{"main"});
  CHECK(program.cases[2].input.kind == DataSource::Kind::Random);
  CHECK(program.cases[2].expected.kind == Expectation::Kind::Automatic);
}

TEST_CASE("errors while running, type errors and warnings") {
  TestProgram program = read_test_blocks("-- ==\n-- input { 1 }\n-- error: out of .*\n"
                                         "-- input { 2 } error:\n-- input { 3 }\n");
  REQUIRE(program.cases.size() == 3);
  CHECK(program.cases[0].expected.error == "out of .*");
  CHECK(program.cases[1].expected.kind == Expectation::Kind::Error);
  CHECK(program.cases[1].expected.error == "");
  CHECK(program.cases[2].expected.kind == Expectation::Kind::Success);
  TestProgram rejected = read_test_blocks("-- ==\n-- error: Unknown.*\n");
  CHECK(rejected.must_be_rejected);
  CHECK(rejected.type_errors == Strings{"Unknown.*"});
  CHECK(read_test_blocks("-- ==\n-- warning: x\n").warnings == Strings{"x"});
}

TEST_CASE("scripts may contain braces and strings; structure blocks are read over") {
  TestProgram program = read_test_blocks("-- ==\n-- script input { f {a=1} \"}\" }\n"
                                         "-- structure gpu { Screma 1 }\n-- structure { X 2 }\n");
  REQUIRE(program.cases.size() == 1);
  CHECK(program.problems.empty());
  CHECK(program.cases[0].input.text == " f {a=1} \"}\" ");
}

TEST_CASE("properties") {
  CHECK(read_test_blocks("-- ==\n-- property: p q\n").properties == Strings{"p", "q"});
}

TEST_CASE("what cannot be read is told with its line") {
  TestProgram program = read_test_blocks("def x = 1\n-- ==\n-- input { 1\n");
  REQUIRE(program.problems.size() == 1);
  CHECK(program.problems[0].find("line 3") == 0);
  CHECK_FALSE(read_test_blocks("-- ==\n-- inptu { 1 }\n").problems.empty());
}
