// Each command has a guide, and its example can be obeyed as it stands.
#include "lang/base/unknown_names.h"
#include "repl/commands/command.h"
#include "repl/commands/guide.h"
#include "tests/unit/repl/talk.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace sinter;
using namespace sinter::repl;

TEST_CASE("the examples of commands can be obeyed") {
  const tests::TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(folder.file("")));
  for (const Command& command : commands()) {
    const Guide* guide = find_guide(command.name);
    CHECK_MESSAGE(guide, command.name);
    if (!guide || guide->example.empty()) continue;
    const std::string example(guide->example);
    CHECK_MESSAGE(example.find(":" + std::string(command.name)) != std::string::npos, example);
    test::Talk talk;
    const Console::Progress progress = talk.console.submit(example);
    CHECK_MESSAGE(progress != Console::Progress::Failed, example << "\n" << talk.err.str());
  }
  std::filesystem::current_path(before);
}

TEST_CASE("help shows shapes, options and the example") {
  test::Talk talk;
  const std::string help = talk.ask(":help plot");
  for (const char* part : {"[n](t, t)", "--xlabel TEXT", "--legend", "example:\n    :plot"})
    CHECK_MESSAGE(help.find(part) != std::string::npos, help);
}

TEST_CASE("what other prompts understand is answered") {
  test::Talk talk;
  const auto answers = [&](const char* input, const char* part) {
    const std::string answer = talk.ask(input);
    CHECK_MESSAGE(answer.find(part) != std::string::npos, input << ": " << answer);
  };
  answers("exit", "`:quit` leaves");
  answers("quit()", "`:quit` leaves");
  answers("?reduce", "reduce : ");
  answers("map?", "map : ");
  answers("help(f64.sqrt)", "f64.sqrt : ");
  answers("!ls", "`:read`");
  answers("%timeit 1", "`:help` lists them");
  answers("x = 5", "`let x = …`");
  answers("f x = x + 1", "`let f x = …`");
  answers("sqrt 2", "did you mean `f64.sqrt` or `f32.sqrt`?");
  answers("pi", "did you mean `f64.pi` or `f32.pi`?");
  answers("sum [1, 2]", "did you mean `f64.sum` or `i64.sum`?");
  answers("true and false", "`and` is written `&&`");
  answers("len [1, 2]", "here that is written `length`");
  answers("[1, 2, 3] + 1", "`map (+ 1) xs`");
  answers("3000000000", "`3000000000i64`");
  answers("def o x = x + 1", "o : i32 -> i32");
  answers("let exit = 7i32\nexit", "i32: 7"); // a name that means something
}

TEST_CASE("names that nobody has written are not shown") {
  test::Talk talk;
  for (const char* input : {"def f (xs: []i32) = map (+ 1) xs", ":doc map2", ":type filter",
                            "let ys = filter (> 1) [1i32, 2]\nmap2 (+) ys [1, 2]",
                            "map2 (+) (filter (> 0) [1i32]) (filter (> 1) [1])", "zip",
                            "\\x -> map (+ 1) x", "let (a, b) = (1, true) in a + b",
                            "let (p, q) = (1i32, zip)", "let (u, v) = (1i32, 1 / 0)\nu"}) {
    const std::string answer = talk.ask(input);
    CHECK_MESSAGE(answer.find('#') == std::string::npos, answer);
    CHECK_MESSAGE(answer.find("₀") == std::string::npos, answer);
  }
}

TEST_CASE("sizes without a name get one that nothing else has") {
  CHECK(with_named_unknowns("[d₀]. [d₀]i32 -> ?[d₁].[d₁]i32") == "[n]. [n]i32 -> ?[m].[m]i32");
  CHECK(with_named_unknowns("[n]. [n]i32 -> ?[d₁₀].[d₁₀]i32") == "[n]. [n]i32 -> ?[m].[m]i32");
  CHECK(with_named_unknowns("i32 -> [n]f64") == "i32 -> [n]f64");
  std::string first = "\"[d₁]i32\" and \"[d₀]i32\"", second = "\"d₀\" comes from here";
  std::string* const texts[] = {&first, &second};
  name_unknowns(texts, "def f (m: i64) = n'");
  CHECK(first == "\"[n]i32\" and \"[k]i32\"");
  CHECK(second == "\"k\" comes from here");
}

TEST_CASE("derivatives say that they cannot be computed yet") {
  test::Talk talk;
  CHECK(talk.ask("def d (x: f64) = jvp (\\y -> y * y) x 1").find("[no-derivatives]") !=
        std::string::npos);
  CHECK(talk.ask("def jvp (x: f64) = x\njvp 2").find("[no-derivatives]") == std::string::npos);
}
