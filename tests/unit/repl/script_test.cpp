#include "repl/scripts/script.h"

#include "repl/scripts/futhark_script.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using sinter::repl::Directive;
using sinter::repl::find_directives;
using sinter::repl::uses_builtins;

TEST_CASE("directives are comment lines that begin with `-- >`") {
  auto found =
      find_directives("def x = 1\n\n-- > x + 1\n\n-- prose > not\n--> neither\n-- > :img e\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "x + 1");
  CHECK(found[0].line == 3);
  CHECK(found[0].column == 6);
  CHECK(found[0].command.empty());
  CHECK(found[1].command == "img");
  CHECK(found[1].text == "e");
}

TEST_CASE("comment lines behind a directive belong to it until the comment ends") {
  auto found = find_directives("-- > f\n--   (1 + 2)\n\n-- text\n-- > g\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].following == std::vector<std::string>{"   (1 + 2)"});
  CHECK(found[1].following.empty());
}

TEST_CASE("an empty directive is no error to find") {
  auto found = find_directives("-- >\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].text.empty());
}

TEST_CASE("built-ins are told by a dollar sign outside of strings") {
  CHECK(uses_builtins("f ($loaddata \"x\")"));
  CHECK_FALSE(uses_builtins("f \"$loaddata\""));
  CHECK_FALSE(uses_builtins("a $ b"));
}

namespace {

/// A program whose entry points FutharkScript calls.
class ScriptedProgram {
public:
  ScriptedProgram() {
    const std::string path =
        folder_.write("program.fut", "entry add (x: i64) (y: i64) = x + y\n"
                                     "entry sum (xs: []i32) = i32.sum xs\n"
                                     "entry swap (p: (i64, bool)) : (bool, i64) = (p.1, p.0)\n"
                                     "entry one = 1i64\n");
    folder_.write("numbers.csv", "1\n2\n3\n");
    REQUIRE(session_.load(path).ok());
  }
  /// The type and the value, or what is wrong.
  std::string result(const std::string& text) {
    try {
      const sinter::repl::ScriptValue found =
          evaluate_futhark_script(session_, *session_.loaded(), text);
      return print(found.representation) + ": " + print_value(found.value, found.representation);
    } catch (const sinter::FormatError& error) {
      return error.message;
    }
  }

private:
  sinter::tests::TemporaryFolder folder_;
  sinter::repl::Session session_;
};

} // namespace

TEST_CASE_FIXTURE(ScriptedProgram, "expressions of FutharkScript have values") {
  CHECK(result("add 1 -2") == "i64: -1i64");
  CHECK(result(" -- comment\n sum [1, 2i32, 3] ") == "i32: 6i32");
  CHECK(result("let (a, b) = swap (5i64, true) in (b, a, one)") ==
        "(i64, bool, i64): (5i64, true, 1i64)");
  CHECK(result("let r = {x = 1i64, y = [[1u8, 2u8], [3u8, 4u8]]} in let m = r.y in m[1, 0]") ==
        "u8: 3u8");
  CHECK(result("(swap (add 1 2, false)).1") == "i64: 3i64");
  CHECK(result("\"a\\\"b\"") == "[]u8: [97u8, 34u8, 98u8]");
  CHECK(result("empty([0]i8)") == "[]i8: empty([0]i8)");
  CHECK(result("[1.5e-3, f64.inf]") == "[]f64: [0.0015f64, f64.inf]");
  CHECK(result("($loaddata \"numbers.csv\")").ends_with("[1i64, 2i64, 3i64]"));
  CHECK(result("$loadbytes \"numbers.csv\"") == "[]u8: [49u8, 10u8, 50u8, 10u8, 51u8, 10u8]");
}

TEST_CASE_FIXTURE(ScriptedProgram, "what is wrong with FutharkScript is said") {
  CHECK(result("") == "script: expected an expression");
  CHECK(result("add 1") == "script: `add` takes 2 arguments, not 1");
  CHECK(result("add 1 true") == "script: argument 2 of `add` must have type i64, found bool");
  CHECK(result("subtract 1 2") == "script: unknown name `subtract`; only entry points can be used");
  CHECK(result("(1, 2") == "script: expected `)`, found the end");
  CHECK(result("[1; 2]") == "script: expected `]`, found `;`");
  CHECK(result("1 2") == "script: unexpected `2`");
  CHECK(result("\"abc") == "script: a string is not closed");
  CHECK(result("empty([0]i8") == "script: `empty(…)` is not closed");
  CHECK(result("let x = 1 out x") == "script: expected `in`");
  CHECK(result("let (a, b) = (1i64, 2i64, 3i64) in a") ==
        "script: a pattern of 2 names cannot match (i64, i64, i64)");
  CHECK(result("[1i64, true]") == "script: elements of an array differ: i64 and bool");
  CHECK(result("let r = {x = 1i64} in r.y") == "script: a value of type {x: i64} has no field `y`");
  CHECK(result("let a = [1i64, 2] in a[2]") ==
        "script: index 2 out of bounds for array of shape [2]");
  CHECK(result("let a = [1i64, 2] in a[true]") ==
        "script: an index must be an integer, found bool");
  CHECK(result("let a = [1i64, 2] in a[0, 0]") ==
        "script: a value of type []i64 cannot be indexed so");
  CHECK(result("$loadfile \"numbers.csv\"") ==
        "script: unknown built-in `$loadfile`; there are `$loaddata`, `$loadbytes`, `$loadimg` and "
        "`$loadaudio`");
  CHECK(result("$loaddata --skip x \"numbers.csv\"") ==
        "script: `--skip` is a number of lines, not `x`");
  CHECK(result("$loaddata --delimiter xy \"numbers.csv\"") ==
        "script: `--delimiter` is a sign, `tab`, `space` or `none`, not `xy`");
  CHECK(result("$loadimg \"numbers.csv\"").starts_with("this is not a valid PNG image: "));
}

TEST_CASE_FIXTURE(ScriptedProgram, "FutharkScript may be nested deeply, but not without end") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "one" + std::string(depth, ')');
  };
  CHECK(result(nested(900)) == "i64: 1i64");
  const std::string too_deep = "script: expressions are nested more than 1000 deep";
  CHECK(result(nested(1'000'000)) == too_deep);
  CHECK(result(std::string(1'000'000, '[')) == too_deep);
  std::string lets;
  for (int i = 0; i < 100'000; ++i)
    lets += "let x = 1i64 in ";
  CHECK(result(lets + "x") == too_deep);
}
