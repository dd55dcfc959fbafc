#include "repl/editor/history.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

using namespace sinter;
using repl::History;

namespace {

struct Scratch {
  tests::TemporaryFolder folder;
  std::string file() const { return folder.file("inputs"); }
};

std::vector<std::string> all(History& history) {
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < history.size(); ++i)
    entries.push_back(history[i]);
  return entries;
}

using Entries = std::vector<std::string>;

} // namespace

TEST_CASE("inputs outlive a session, line breaks and backslashes included") {
  Scratch scratch;
  const Entries inputs = {"1 + 1", "let x =\n  2\nin x", "\"a\\n\\\\\"", "\\"};
  {
    History history(scratch.file());
    for (const std::string& input : inputs)
      history.add(input);
  }
  History again(scratch.file());
  CHECK(all(again) == inputs);
}

TEST_CASE("each input is kept once, where it was used last; blank ones are not") {
  Scratch scratch;
  History history(scratch.file());
  for (const char* input : {"a", "b", "a", " ", "", "\n"})
    history.add(input);
  CHECK(all(history) == Entries{"b", "a"});
  History again(scratch.file());
  CHECK(all(again) == Entries{"b", "a"});
}

TEST_CASE("sessions at the same time lose nothing") {
  Scratch scratch;
  constexpr int sessions = 4, each = 50;
  std::vector<std::thread> threads;
  for (int k = 0; k < sessions; ++k)
    threads.emplace_back([&, k] {
      History history(scratch.file());
      for (int i = 0; i < each; ++i)
        history.add(std::to_string(k) + "\n" + std::to_string(i));
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(History(scratch.file()).size() == sessions * each);
}

TEST_CASE("a file that has grown long is rewritten") {
  Scratch scratch;
  {
    std::ofstream file(scratch.file());
    for (std::size_t i = 0; i < 2 * History::most_entries + 10; ++i)
      file << "input " << i << "\n";
  }
  History history(scratch.file());
  CHECK(history.size() == History::most_entries);
  std::ifstream file(scratch.file());
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);)
    ++lines;
  CHECK(lines == History::most_entries);
}

TEST_CASE("a file that can't be written or read is no harm") {
  History history("/nonexistent/folder/inputs");
  history.add("a");
  CHECK(history.size() == 1);
}

TEST_CASE("search takes case as it comes unless there are capitals") {
  History history;
  for (const char* input : {"map F", "Map f", "other"})
    history.add(input);
  CHECK(history.older_with(history.size(), "map") == 1);
  CHECK(history.older_with(0, "map") == 0);
  CHECK(history.older_with(history.size(), "F") == 0);
  CHECK(history.newer_with(1, "F") == std::nullopt);
}
