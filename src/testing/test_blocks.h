// The test blocks of a program: comments that say with which inputs it must give what.
//
//   -- Doubles.
//   -- ==
//   -- tags { small }
//   -- entry: main twice
//   -- "named" nobench input { 1 } output { 2 }
//   -- random input { [100]i32 } auto output
//   -- input @ data/big.in error: Assertion
//   -- input @ --decimal , data/table.csv
//
// Source: the manual page futhark-test(1).  Blocks of `structure { … }` are read over.
#pragma once

#include "repl/data/data.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::testing {

/// Where values come from.
struct DataSource {
  enum class Kind { None, Text, File, Random, Script, ScriptFile };
  Kind kind = Kind::None;
  std::string text; ///< the text between the braces, or a path relative to the program's folder
  repl::ReadOptions options{}; ///< of a file that is a table
};

struct Expectation {
  /// Success: no value is compared.  Automatic: the values of the reference, which we are.
  enum class Kind { Success, Values, Automatic, Error };
  Kind kind = Kind::Success;
  DataSource values;
  std::string error; ///< a regular expression; empty: any error
};

struct TestCase {
  std::string name; ///< as given, or made of the input
  std::vector<std::string> entries;
  std::vector<std::string> tags;
  DataSource input;
  Expectation expected;
  std::uint32_t line = 0;
};

struct TestProgram {
  bool has_block = false;
  std::vector<std::string> tags;
  /// The program must be rejected, with messages that match all of these.
  std::vector<std::string> type_errors;
  bool must_be_rejected = false;
  std::vector<std::string> warnings; ///< expressions that the warnings must match
  std::vector<TestCase> cases;
  std::vector<std::string> properties; ///< entry points that must be true of random values
  std::vector<std::string> problems;   ///< what could not be read: "line 3: expected `{`"
};

/// Never throws; see `problems`.
TestProgram read_test_blocks(std::string_view source);

} // namespace sinter::testing
