// What is printed reads back as the same tree, and reads well.
#include "tests/unit/syntax/support.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace sinter;
using sinter::syntax::test::Parsed;

/// The printed form of a file's text; checks that it reads back as the same tree.
std::string printed(const std::string& text) {
  Parsed p;
  syntax::File first = parse_file(p.sources, p.add(text), p.ast, p.diagnostics);
  std::string result = syntax::print(first);
  CHECK_MESSAGE(!p.diagnostics.has_errors(), p.errors());
  syntax::File second = parse_file(p.sources, p.add(result), p.ast, p.diagnostics);
  CHECK_MESSAGE(!p.diagnostics.has_errors(), p.errors());
  CHECK_MESSAGE(syntax::same(first, second), result);
  CHECK(syntax::print(second) == result);
  return result;
}

std::string printed_expression(const std::string& text) {
  std::string result = printed("def e = " + text);
  return result.starts_with("def e = ") ? result.substr(8, result.size() - 9) : result;
}

} // namespace

TEST_CASE("a declaration of a pattern is one, with all its names") {
  CHECK(printed("let (a, {b = c}) = e\ndef d = a\n") == "let (a, {b = c}) = e\n\ndef d = a\n");
  CHECK(printed("local def (a, b) : t = e\n") == "local def (a, b): t = e\n");
}

TEST_CASE("short things stay on a line") {
  for (const char* text : {"a + b * c",
                           "f x (g y) [1, 2] {a = 1, b}",
                           "(x +)",
                           "(+ x)",
                           "(`f` x)",
                           "(-)",
                           "(m.+)",
                           "-x % y",
                           "a[i, 1:n, ::2]",
                           "(.a.b)",
                           "(.[i].c)",
                           "x.0.1",
                           "m.(a + b)",
                           "a...b",
                           "a..b..<c",
                           "if a then b else c",
                           "\\x (y: i32) : i32 -> x",
                           "x with a.b[i] = 1",
                           "#c 1 2",
                           "assert (a) b",
                           "#[inline] f x",
                           "x : [n]i32",
                           "x :> []i32",
                           "'a'",
                           "'\\n'",
                           "\"a\\n\\\"b\\\\\"",
                           "1.5f32",
                           "1f32",
                           "???",
                           "true",
                           "()",
                           "loop x = 0 for i < n do x + i",
                           "loop x for (a, b) in xs do x",
                           "loop x = 0 while x < 9 do x + 1",
                           "a `f` b",
                           "map (\\x -> x + 1) xs",
                           "a |> map \\x -> x",
                           "- -x",
                           "!(!x)",
                           "x - -1"})
    CHECK(printed_expression(text) == text);
}

TEST_CASE("neighbouring tokens do not run together") {
  CHECK(printed_expression("1 .x") == "1 .x");
  CHECK(printed_expression("1 .0") == "1 .0");
  CHECK(printed_expression("0..<- 5") == "0..< -5");
  CHECK(printed_expression("- !x") == "- !x");
  CHECK(printed("def f ' a' (x: a') = x") == "def f ' a' (x: a') = x\n");
  CHECK(printed("type t = * * i32") == "type t = * *i32\n");
  CHECK(printed_expression("\"\\1\\&2\"") == "\"\\1\\&2\"");
  CHECK(printed_expression("0xFFu8") == "255u8");
}

TEST_CASE("chains of let, match and if") {
  CHECK(printed(
            "def f x = let y = x let z = y in if z then match y case 1 -> 2 case _ -> 3 else 4") ==
        "def f x =\n"
        "  let y = x\n"
        "  let z = y\n"
        "  in if z\n"
        "     then match y\n"
        "       case 1 -> 2\n"
        "       case _ -> 3\n"
        "     else 4\n");
  CHECK(printed("def f x = let g 'a [n] (y: [n]a) : i64 = n let x[0] = 1 in g x") ==
        "def f x =\n"
        "  let g 'a [n] (y: [n]a) : i64 = n\n"
        "  let x[0] = 1\n"
        "  in g x\n");
}

TEST_CASE("long lines are broken") {
  CHECK(
      printed("def total = first_summand_of_many + second_summand_of_many + third_summand_of_many "
              "+ fourth_summand_of_many") == "def total =\n"
                                             "  first_summand_of_many\n"
                                             "    + second_summand_of_many\n"
                                             "    + third_summand_of_many\n"
                                             "    + fourth_summand_of_many\n");
  std::string many = "def xs = [";
  for (int i = 0; i < 40; ++i)
    many += std::to_string(i * 1000) + ", ";
  std::istringstream lines(printed(many + "]"));
  for (std::string line; std::getline(lines, line);)
    CHECK(line.size() <= 90);
}

TEST_CASE("declarations, documentation and attributes") {
  CHECK(printed("-- | The file.\n\nopen import \"a\"\nimport \"b\"\n-- | One.\n--\n-- Two.\n"
                "#[inline] #[x(1, y)] entry f = 1 local -- | L\n def (+) a b = 1 def a `g` b = 2 "
                "def a <+> b = 3 module m (x: S) : T = {type~ t [n] 'a = [n]a} "
                "module type S = { type t val (+) 'a : a -> t } "
                "module n = \\(x: S): (T with t = i32) -> m x : T") ==
        "-- | The file.\n"
        "\n"
        "open import \"a\"\n"
        "import \"b\"\n"
        "\n"
        "-- | One.\n"
        "--\n"
        "-- Two.\n"
        "#[inline]\n"
        "#[x(1, y)]\n"
        "entry f = 1\n"
        "\n"
        "local\n"
        "-- | L\n"
        "def (+) a b = 1\n"
        "\n"
        "def a `g` b = 2\n"
        "\n"
        "def a <+> b = 3\n"
        "\n"
        "module m (x: S) : T = {\n"
        "  type~ t [n] 'a = [n]a\n"
        "}\n"
        "\n"
        "module type S = {\n"
        "  type t\n"
        "  val (+) 'a : a -> t\n"
        "}\n"
        "\n"
        "module n = \\(x: S) : (T with t = i32) -> m x : T\n");
}

TEST_CASE("types and patterns") {
  CHECK(printed("type t = #a i32 [n]u | #b (i32, u) | #c {x: i32, 0: *[n]t}") ==
        "type t = #a i32 [n]u | #b (i32, u) | #c {x: i32, 0: *[n]t}\n");
  CHECK(printed("type t = (n: i64) -> ?[m].([n]i32, t [n + 1] (u v)) -> (a -> b)") ==
        "type t = (n: i64) -> ?[m].([n]i32, t [n + 1] (u v)) -> (a -> b)\n");
  CHECK(printed("def f {a, b = (c, _), d: t} (#c 1 #d -2.5) #e (#[x] y: t) = 1") ==
        "def f {a, b = (c, _), d = d: t} (#c 1 #d -2.5) #e (#[x] y: t) = 1\n");
}

TEST_CASE("`same` sees differences and no more") {
  auto same = [](std::string a, std::string b) {
    Parsed p;
    auto first = parse_file(p.sources, p.add(std::move(a)), p.ast, p.diagnostics);
    auto second = parse_file(p.sources, p.add(std::move(b)), p.ast, p.diagnostics);
    return syntax::same(first, second);
  };
  CHECK(same("def x = 1  +  2", "def x=1 + 2 -- three"));
  CHECK(same("def x = 0x10", "def x = 16"));
  CHECK_FALSE(same("def x = 1", "def y = 1"));
  CHECK_FALSE(same("def x = 1", "entry x = 1"));
  CHECK_FALSE(same("def x = 1", "def x = 1i32"));
  CHECK_FALSE(same("def x = f a", "def x = f (a)"));
  CHECK_FALSE(same("def x = f a", "#[b] def x = f a"));
  CHECK_FALSE(same("def x = f a", "-- | b\ndef x = f a"));
  CHECK_FALSE(same("def x = let y = 1 in let z = 2 in z", "def x = let y = 1 let z = 2 in z"));
  CHECK_FALSE(same("type t 'a = a", "type t '^a = a"));
}

TEST_CASE("every program of the tests and the prelude prints and reads back") {
  namespace fs = std::filesystem;
  std::size_t files = 0;
  for (const char* folder : {"tests", "lang/prelude"}) {
    fs::path root = fs::path(SINTER_SOURCE_DIR) / folder;
    if (!fs::exists(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".fut") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::string text((std::istreambuf_iterator<char>(in)), {});
      Parsed p;
      parse_file(p.sources, p.add(text), p.ast, p.diagnostics);
      if (p.diagnostics.has_errors()) continue; // a test of syntax errors
      CAPTURE(entry.path().string());
      printed(text);
      ++files;
    }
  }
  MESSAGE(files << " files");
}
