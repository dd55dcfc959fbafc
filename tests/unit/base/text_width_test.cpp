#include "lang/base/text_width.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;

TEST_CASE("columns of narrow, wide and combining characters") {
  CHECK(text_width("abc") == 3);
  CHECK(text_width("é…µ") == 3);
  CHECK(text_width("漢字") == 4);
  CHECK(text_width("e\u0301") == 1);
  CHECK(text_width("\U0001F600") == 2);
  CHECK(text_width("") == 0);
}

TEST_CASE("what is no UTF-8 takes a column a byte") {
  for (const char* bytes : {"\xff", "\xc0", "\xe6", "\x80"}) {
    Glyph glyph = glyph_at(bytes, 0);
    CHECK(glyph.size == 1);
    CHECK(glyph.width == 1);
    CHECK_FALSE(glyph.is_printable);
  }
  CHECK(text_width("\xe6\xbc") == 2);
  CHECK_FALSE(glyph_at("\xed\xa0\x80", 0).is_printable); // half of a pair of UTF-16
}

TEST_CASE("glyphs are found from both sides") {
  std::string text = "ae\u0301漢\n";
  CHECK(glyph_before(text, 1) == 0);
  CHECK(glyph_before(text, 4) == 1);
  CHECK(glyph_before(text, 7) == 4);
  CHECK(glyph_before(text, 8) == 7);
  CHECK(glyph_before(text, 0) == 0);
}

TEST_CASE("a start that fits cuts no glyph") {
  CHECK(fitting("漢字", 3) == "漢");
  CHECK(fitting("abc", 5) == "abc");
  CHECK(fitting("e\u0301x", 1) == "e\u0301");
}
