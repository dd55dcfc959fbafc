#include "repl/console/settings.h"

#include "repl/console/console.h"
#include "repl/text/entries.h"
#include "repl/text/quantities.h"
#include "tests/unit/repl/talk.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sinter;
using sinter::test::Talk;
using namespace sinter::repl;

TEST_CASE("each setting takes back what it shows, and no nonsense") {
  Talk talk;
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const std::string value = setting.get(talk.console);
    CHECK(setting.set(talk.console, value));
    CHECK(setting.get(talk.console) == value);
    CHECK_FALSE(setting.set(talk.console, "no such value"));
    CHECK(setting.get(talk.console) == value);
    std::istringstream choices{std::string(setting.choices)};
    for (std::string choice; choices >> choice;) {
      CAPTURE(choice);
      CHECK(setting.set(talk.console, choice));
      CHECK(setting.get(talk.console) == choice);
    }
  }
}

TEST_CASE("settings are kept in a file, but for those that were not changed") {
  Talk talk;
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("deep/settings");
  CHECK_FALSE(change_setting(talk.console, "width", "100"));
  CHECK_FALSE(change_setting(talk.console, "timeout", "500ms"));
  CHECK_FALSE(save_settings(talk.console, path, talk.console.initial_settings()));
  Talk other;
  CHECK(read_settings(other.console, path) == "");
  CHECK(find_setting("width")->get(other.console) == "100");
  CHECK(find_setting("timeout")->get(other.console) == "500ms");
  Talk third;
  const std::vector<std::string> given = {"width"}; // on the command line
  CHECK(read_settings(third.console, path, given) == "");
  CHECK(find_setting("width")->get(third.console) == "auto");
  std::ofstream(path) << "# a remark\n\nwidth\nwidht 3\n";
  const std::string wrong = read_settings(third.console, path);
  CHECK(wrong.find(":3: warning: `width` takes a number") != std::string::npos);
  CHECK(wrong.find(":4: warning: no setting is called `widht`; did you mean `width`?") !=
        std::string::npos);
  CHECK(read_settings(third.console, path + "-missing") == "");
}

TEST_CASE("amounts of memory and times are read as they are written") {
  CHECK(parse_memory("512M") == std::size_t{512} << 20);
  CHECK(parse_memory("1.5GiB") == std::size_t{1536} << 20);
  CHECK_FALSE(parse_memory("-1"));
  CHECK_FALSE(parse_memory("12 parsecs"));
  for (std::size_t bytes :
       {std::size_t{1}, std::size_t{1000}, std::size_t{4096}, std::size_t{1} << 34})
    CHECK(parse_memory(memory_text(bytes)) == bytes);
  for (std::int64_t count : {1, 500, 1000, 90000, 3600000})
    CHECK(parse_duration(duration_text(std::chrono::milliseconds(count))) ==
          std::chrono::milliseconds(count));
  CHECK_FALSE(parse_duration("soon"));
  CHECK(bytes_text(7) == "7 bytes");
  CHECK(bytes_text(1536) == "1.5 KiB");
}

TEST_CASE("a start-up file is taken apart as it would be typed") {
  const std::vector<Entry> entries =
      entries_of("-- about f\ndef f x =\n  x\n-- | g doc\n#[inline]\n"
                 "def g = 2\n:set width 100  \n\n-- only this\n\n"
                 "f 3\n+ 4\r\ntype t = i32\n");
  REQUIRE(entries.size() == 5);
  CHECK(entries[0].text == "-- about f\ndef f x =\n  x");
  CHECK(entries[1].line == 3);
  CHECK(entries[1].text == "-- | g doc\n#[inline]\ndef g = 2");
  CHECK(entries[2].kind == Entry::Kind::Command);
  CHECK(entries[2].text == ":set width 100  ");
  CHECK(entries[3].text == "f 3\n+ 4");
  CHECK(entries[4].text == "type t = i32");
  CHECK(entries_of("").empty());
}
