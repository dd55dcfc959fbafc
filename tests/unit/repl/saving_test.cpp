// Sessions in files, bit for bit.
#include "repl/scripts/saving.h"
#include "tests/unit/repl/talk.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinter;
using sinter::test::Talk;

TEST_CASE("a session comes back: definitions, results, and what they were made of") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("session");
  {
    Talk talk;
    for (const char* input :
         {"def f (x: i64) =\n  let y = x + 1\n  in y", "f 1", "def g (x: i64) = x + it", "it * 10",
          "(1i64, true)", "def old = 1i64", "def old = old + 1", "\\x -> x + 1i64",
          "map (\\i -> {index = i}) (iota 2)"})
      CHECK(talk.ask(input).find("error") == std::string::npos);
    CHECK_FALSE(repl::save_session(talk.console, path));
  }
  Talk talk;
  CHECK_FALSE(repl::restore_session(talk.console, path));
  CHECK(talk.err.str() == "");
  CHECK(talk.ask("f 5") == "i64: 6\n");
  CHECK(talk.ask("g 5") == "i64: 7\n");
  CHECK(talk.ask("(it1, it2, it3)") == "(i64, i64, (i64, bool)): (2, 20, (1, true))\n");
  CHECK(talk.ask("old") == "i64: 2\n");
  CHECK(talk.ask("it4 5") == "i64: 6\n");
  CHECK(talk.ask("it5[1].index") == "i64: 1\n");
  CHECK(talk.console.session().result_count() == 11); // the numbers go on
}

TEST_CASE("arrays come back bit for bit, also what is not a number") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("session");
  std::vector<std::uint64_t> bits;
  for (std::uint64_t i = 0; i < 100000; ++i)
    bits.push_back(0x7ff0000000000001 + i * 0x9e3779b97f4a7c15 % 0x000fffffffffff);
  auto bits_of = [](repl::Console& console, const char* name) {
    repl::Outcome outcome = console.session().submit(name);
    REQUIRE(outcome.ok());
    const Leaf& leaf = outcome.value.array()->leaves[0];
    const auto* first = reinterpret_cast<const std::uint64_t*>(first_element(leaf));
    return std::vector<std::uint64_t>(first, first + outcome.value.array()->shape[0]);
  };
  {
    Talk talk;
    repl::Session& session = talk.console.session();
    ArrayRef array =
        allocate_array(session.memory(), session.representations().scalar(ElementType::F64),
                       Extents{static_cast<std::int64_t>(bits.size())});
    std::copy(bits.begin(), bits.end(),
              reinterpret_cast<std::uint64_t*>(first_place(array->leaves[0])));
    REQUIRE(session.define("xs", "[100000]f64", Value(array)).ok());
    CHECK(bits_of(talk.console, "xs") == bits);
    CHECK_FALSE(repl::save_session(talk.console, path));
  }
  Talk talk;
  CHECK_FALSE(repl::restore_session(talk.console, path));
  CHECK(bits_of(talk.console, "xs") == bits);
  CHECK(bits_of(talk.console, "it1") == bits);
}

TEST_CASE("a save that fails leaves the one before as it was") {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("session"), aside = folder.file("aside");
  {
    Talk talk;
    talk.ask("map (* 2) [1i64, 2, 3]");
    CHECK_FALSE(repl::save_session(talk.console, path));
    talk.ask("def f (x: i64) = x");
  }
  Talk other;
  other.ask("[7i64, 8, 9]");
  // All data are written by the time that the file cannot be replaced.
  std::filesystem::rename(path, aside);
  std::filesystem::create_directories(path);
  CHECK(repl::save_session(other.console, path));
  std::filesystem::remove(path);
  std::filesystem::rename(aside, path);
  Talk talk;
  CHECK_FALSE(repl::restore_session(talk.console, path));
  CHECK(talk.err.str() == "");
  CHECK(talk.ask("it1") == "[3]i64: [2, 4, 6]\n");
  // What nothing names goes with the next save.
  auto count = [&] {
    using Iterator = std::filesystem::directory_iterator;
    return std::distance(Iterator(path + ".data"), Iterator());
  };
  CHECK(count() == 2);
  CHECK_FALSE(repl::save_session(other.console, path));
  CHECK(count() == 1);
  CHECK_FALSE(repl::restore_session(talk.console, path));
  CHECK(talk.ask("it1") == "[3]i64: [7, 8, 9]\n");
}

TEST_CASE("what is wrong with a saved file is told, and the rest is restored") {
  const tests::TemporaryFolder folder;
  std::ofstream(folder.file("broken")) << "def a = 1i64\n:value b i64 \"nowhere.bin\"\n:value c\n"
                                          "def d = true + 1\ndef e = a\n";
  Talk talk;
  CHECK_FALSE(repl::restore_session(talk.console, folder.file("broken")));
  CHECK(talk.err.str().find("broken:2: ") != std::string::npos);
  CHECK(talk.err.str().find("broken:3: error: write `:value") != std::string::npos);
  CHECK(talk.err.str().find("broken:4:") != std::string::npos);
  CHECK(talk.ask("e") == "i64: 1\n");
  CHECK(repl::restore_session(talk.console, folder.file("missing")));
  CHECK(talk.ask("e") == "i64: 1\n");
  CHECK(repl::save_session(talk.console, "/nowhere/session"));
}
