// The prelude's text: its files are there, and what they take from `intrinsics` exists.
#include "lang/prelude/prelude.h"
#include "lang/primitives/primitives.h"

#include <doctest/doctest.h>

#include <cctype>
#include <map>
#include <string>

using namespace sinter;

namespace {

std::map<std::string_view, std::string_view> texts() {
  std::map<std::string_view, std::string_view> result;
  for (const prelude::File& file : prelude::files())
    CHECK(result.emplace(file.name, file.text).second);
  return result;
}

} // namespace

TEST_CASE("the prelude has a file for each topic and each number type") {
  const auto files = texts();
  for (std::string_view name :
       {"prelude", "functional", "zip", "soacs", "array", "math", "ad", "i8", "i16", "i32", "i64",
        "u8", "u16", "u32", "u64", "f16", "f32", "f64"}) {
    CAPTURE(name);
    REQUIRE(files.contains(name));
    CHECK(files.at(name).ends_with('\n'));
    CHECK(files.at(name).starts_with("-- | "));
  }
  CHECK(files.size() == 18);
}

TEST_CASE("templates are filled in completely") {
  for (const auto& [name, text] : texts()) {
    CAPTURE(name);
    CHECK(text.find('@') == std::string_view::npos);
  }
  const auto files = texts();
  CHECK(files.at("u8").find("def highest : t = 255u8\n") != std::string_view::npos);
  CHECK(files.at("i64").find("def lowest : t = -9223372036854775807i64 - 1i64\n") !=
        std::string_view::npos);
  CHECK(files.at("f16").find("type int_t = u16\n") != std::string_view::npos);
}

TEST_CASE("every intrinsic that the prelude uses exists") {
  int uses = 0;
  for (const auto& [name, text] : texts()) {
    CAPTURE(name);
    constexpr std::string_view prefix = "intrinsics.";
    for (std::size_t at = text.find(prefix); at != std::string_view::npos;
         at = text.find(prefix, at + 1)) {
      std::size_t end = at + prefix.size();
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
        ++end;
      const std::string used(text.substr(at + prefix.size(), end - at - prefix.size()));
      CAPTURE(used);
      CHECK(primitives::find_intrinsic(used) != nullptr);
      ++uses;
    }
  }
  CHECK(uses > 700);
}
