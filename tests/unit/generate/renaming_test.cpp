// A program whose names are chosen anew is the same program.
#include "checking.h"

#include "tests/generate/program_generator.h"
#include "tests/generate/renaming.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace sinter;
using namespace sinter::tests;
using generate::Naming;

namespace {

/// What an entry point gives, or that it fails: a message may show names.
std::string meaning(Bench& bench, const check::CheckedFile& file, const std::string& entry,
                    const std::string& input) {
  MemoryBudget memory(std::size_t{1} << 28);
  std::string text = outcome(bench, file, entry, input, memory);
  return text.find("Error:") == text.npos ? text : "an error";
}

/// The entry points that take nothing.
std::vector<std::string> constants(Bench& bench, const check::CheckedFile& file) {
  Representations representations;
  core::Program resolved;
  core::Specialiser specialiser(bench.checker, representations, resolved);
  std::vector<std::string> found;
  for (const std::string& name : specialiser.entry_points(file))
    if (specialiser.entry_point(file, name).parameters.empty()) found.push_back(name);
  return found;
}

/// Renames a program in both ways and compares what its entry points give.
void check_renamed(Bench& bench, const std::string& text, const std::string& name,
                   const std::string& input) {
  Bench::Checked before = bench.check(text, name);
  REQUIRE_MESSAGE(before.file, before.messages);
  for (Naming naming : {Naming::Apart, Naming::Shadowing}) {
    const std::string other = generate::renamed(bench.sources, bench.checker, *before.file, naming);
    CAPTURE(other);
    Bench::Checked after = bench.check(other, name);
    CHECK_MESSAGE(after.file, after.messages);
    if (!after.file) continue;
    if (!input.empty())
      CHECK(meaning(bench, *after.file, "main", input) ==
            meaning(bench, *before.file, "main", input));
    for (const std::string& entry : constants(bench, *before.file)) {
      CAPTURE(entry);
      CHECK(meaning(bench, *after.file, entry, "") == meaning(bench, *before.file, entry, ""));
    }
  }
}

std::string renamed(const std::string& text, Naming naming) {
  Bench bench;
  Bench::Checked checked = bench.check(text);
  REQUIRE_MESSAGE(checked.file, checked.messages);
  return generate::renamed(bench.sources, bench.checker, *checked.file, naming);
}

} // namespace

TEST_CASE("names apart") {
  CHECK(renamed("-- A comment about n stays.\n"
                "module type m = { val n : i64 val f : [n]i64 -> i64 }\n"
                "module a : m = { def n : i64 = 3 def f (x: [n]i64) = x[n - 1] }\n"
                "def n [k] (x: [k]{y: i64}) = map (\\{y} -> {y, k = k + y}) x\n"
                "def g (xs: *[]i64) = let xs[0] = a.n in loop xs for i < 3 do xs with [0] = i\n"
                "def main = (n [{y = 1}], a.f ([0, 1, 2] :> [a.n]i64), g [0])\n",
                Naming::Apart) ==
        "-- A comment about n stays.\n"
        "module type m = { val n_member : i64 val f_member : [n_member]i64 -> i64 }\n"
        "module a : m = { def n_member : i64 = 3 def f_member (x_0: [n_member]i64) = "
        "x_0[n_member - 1] }\n"
        "def n_top [k_1] (x_2: [k_1]{y: i64}) = map (\\{y = y_3} -> {y = y_3, k = k_1 + y_3}) x_2\n"
        "def g_top (xs_4: *[]i64) = let xs_4[0] = a.n_member in loop xs_4 for i_5 < 3 do xs_4 with "
        "[0] = i_5\n"
        "def main = (n_top [{y = 1}], a.f_member ([0, 1, 2] :> [a.n_member]i64), g_top [0])\n");
}

TEST_CASE("members that no module type asks for are apart from each other") {
  CHECK(renamed("module f (P: { val k : i64 }) = { def n = P.k def x = n local def y = x }\n"
                "module a = f { def k = 1i64 }\n"
                "module b = { def n = a.n open a def y = n + x }\n",
                Naming::Apart) ==
        "module f (P: { val k_member : i64 }) = { def n_member0 = P.k_member def x_member1 = "
        "n_member0 local def y_member2 = x_member1 }\n"
        "module a = f { def k_member = 1i64 }\n"
        "module b = { def n_member3 = a.n_member0 open a def y_member4 = n_member0 + x_member1 "
        "}\n");
}

TEST_CASE("names that shadow") {
  CHECK(renamed("import \"/prelude/prelude\"\n"
                "def size : i64 = 3\n"
                "module a = { def n : i64 = 3 def f (x: [n]i64) = x[n - 1] }\n"
                "def g [k] (x: [k]i64) = map (+ k) x\n",
                Naming::Shadowing) ==
        "import \"/prelude/prelude\"\n"
        "local def f : i64 = 77\n"
        "local def n : i64 = 77\n"
        "def size : i64 = 3\n"
        "module a = { def n : i64 = 3 def f (g: [n]i64) = g[n - 1] }\n"
        "def g [size] (f: [size]i64) = map (+ size) f\n");
}

TEST_CASE("programs whose names are chosen anew") {
  const std::vector<std::filesystem::path> programs =
      programs_of(SINTER_SOURCE_DIR "/tests/programs");
  REQUIRE(programs.size() > 100);
  constexpr std::size_t step = is_sanitized ? 24 : 1; // sanitized, all of them take ten minutes
  std::unique_ptr<Bench> bench;
  for (std::size_t i = 0; i < programs.size(); i += step) {
    if (i % (25 * step) == 0) bench = std::make_unique<Bench>();
    // (What these work on takes the interpreter a minute and a half, more than all of the others.)
    const std::string name = programs[i].filename().string();
    if (name == "sort.fut" || name == "linear.fut") continue;
    const std::string text = text_of(programs[i]);
    CAPTURE(programs[i]);
    if (bench->check(text, programs[i].string()).file)
      check_renamed(*bench, text, programs[i].string(), "");
  }
}

TEST_CASE("generated programs whose names are chosen anew") {
  std::unique_ptr<Bench> bench;
  const std::uint64_t count = property_count(25);
  for (std::uint64_t seed = 6000; seed < 6000 + count; ++seed) {
    if (seed % 25 == 0) bench = std::make_unique<Bench>();
    generate::Program program = generate::generate_program({.seed = seed});
    CAPTURE(seed);
    CAPTURE(program.text);
    check_renamed(*bench, program.text, "generated.fut", program.input);
  }
}
