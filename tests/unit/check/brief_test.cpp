// Types in messages: long ones lose what does not matter.
#include "lang/check/checker.h"
#include "lang/types/brief.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

namespace {

struct Types {
  SourceMap sources;
  check::Checker checker{sources};
  /// The type of an abbreviation's body.
  const types::Type* operator()(const std::string& text) {
    Diagnostics diagnostics;
    const check::CheckedFile* file =
        checker.check_text("test.fut", "def f : " + text + " = ???", diagnostics);
    REQUIRE(file);
    return file->scope.values.at("f")->scheme.type;
  }
};

/// A record with the fields a1 … a30, the `odd`th of type `type` and the others of type i32.
std::string record_of_thirty(int odd, const std::string& type) {
  std::string text = "{";
  for (int i = 1; i <= 30; ++i)
    text += (i > 1 ? ", " : "") + ("a" + std::to_string(i)) + ": " + (i == odd ? type : "i32");
  return text + "}";
}

std::string pair_of(const std::string& a, const std::string& b) {
  Types types;
  const types::Type* x = types(a);
  const auto [first, second] = types::print_briefly(x, types(b));
  return first + " / " + second;
}

} // namespace

TEST_CASE("short types are shown whole") {
  CHECK(pair_of("{x: i32, y: f64}", "(i32, bool)") == "{x: i32, y: f64} / (i32, bool)");
}

TEST_CASE("of long types what differs is left") {
  CHECK(pair_of(record_of_thirty(17, "i32"), record_of_thirty(17, "f64")) ==
        "{a17: i32, …} / {a17: f64, …}");
  CHECK(pair_of("[3]" + record_of_thirty(2, "[4]{x: i32, y: f32}"),
                "[4]" + record_of_thirty(2, "[4]{x: i32, y: f64}")) ==
        "[3]{a2: [4]{y: f32, …}, …} / [4]{a2: [4]{y: f64, …}, …}");
  // A field that only one of them has.
  std::string more = record_of_thirty(0, "");
  more.insert(1, "extra: bool, ");
  CHECK(pair_of(record_of_thirty(0, ""), more) == "… / {extra: bool, …}");
}

TEST_CASE("of tuples and functions the place of what differs is left") {
  const std::string record = record_of_thirty(0, "");
  CHECK(pair_of("(i32, " + record + ", bool)", "(i32, " + record + ", u8)") ==
        "(i32, …, bool) / (i32, …, u8)");
  CHECK(pair_of(record + " -> i32", record + " -> bool") == "… -> i32 / … -> bool");
}

TEST_CASE("of sums the constructors that differ are left") {
  std::string sum = "#circle f64";
  for (int i = 1; i <= 30; ++i)
    sum += " | #other" + std::to_string(i) + " i32";
  std::string other = sum;
  other.replace(other.find("f64"), 3, "f32");
  CHECK(pair_of(sum, other) == "#circle f64 | … / #circle f32 | …");
}

TEST_CASE("a long type by itself shows how it begins, in some lines at most") {
  Types types;
  const std::string text = types::print_briefly(types(record_of_thirty(0, "")));
  CHECK(text.starts_with("{a1: i32, a10: i32, "));
  CHECK(text.ends_with(", …}"));
  // However deep and wide.
  std::string deep = "i32";
  for (int i = 0; i < 8; ++i)
    deep = "(" + deep + ", {left: " + deep + ", right: bool})";
  CHECK(types::print_briefly(types(deep)).size() < 2 * types::brief_columns);
  CHECK(pair_of(deep, "[1]" + deep).size() < 4 * types::brief_columns);
}

TEST_CASE("errors name the field that differs") {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_text("test.fut",
                     "def f (r: " + record_of_thirty(17, "f64") +
                         ") : " + record_of_thirty(17, "i32") + " = r",
                     diagnostics);
  REQUIRE(diagnostics.has_errors());
  CHECK(diagnostics.all().front().message ==
        "Function body does not have expected type: expected \"{a17: i32, …}\", found "
        "\"{a17: f64, …}\"");
}
