// The registry and the source agree: every registered id is reported somewhere, and every id that
// is reported is registered.
#include "lang/base/diagnostic_ids.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

using namespace sinter;

namespace {

/// The text of the source files that report: of the language, and of what compiles its programs.
std::string reporting_source() {
  std::ostringstream text;
  for (const char* folder : {"lang", "jit", "repl"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(SINTER_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
        text << std::ifstream(entry.path()).rdbuf() << '\n';
  return text.str();
}

} // namespace

TEST_CASE("every registered id is used, has a meaning and is listed once") {
  std::string source = reporting_source();
  REQUIRE(source.size() > 10000);
  std::set<std::string_view> seen;
  for (const DiagnosticId& row : diagnostic_ids()) {
    CAPTURE(row.id);
    CHECK(source.find("\"" + std::string(row.id) + "\"") != std::string::npos);
    CHECK(seen.insert(row.id).second);
    CHECK(!row.meaning.empty());
    CHECK(row.meaning.back() != '.');
  }
}

TEST_CASE("every reported id is registered") {
  std::string source = reporting_source();
  // A call that takes an id first: `error("an-id", …`, on one line or broken after the parenthesis.
  std::regex call(
      R"re(\b(?:error|warning|report|fail|bad|RuntimeError)\(\s*"([a-z]+(?:-[a-z]+)+)")re");
  std::size_t calls = 0;
  for (std::sregex_iterator at(source.begin(), source.end(), call), end; at != end; ++at, ++calls) {
    CAPTURE((*at)[1].str());
    CHECK(find_diagnostic_id((*at)[1].str()));
  }
  CHECK(calls > 50);
}

TEST_CASE("unregistered ids are not found") {
  CHECK(find_diagnostic_id("unknown-name"));
  CHECK(!find_diagnostic_id("no-such-id"));
  CHECK(!find_diagnostic_id(""));
}
