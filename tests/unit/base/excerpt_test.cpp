#include "lang/base/excerpt.h"

#include <doctest/doctest.h>

using sinter::excerpt;

TEST_CASE("an excerpt is one line, cut between characters, and says when it was cut") {
  CHECK(excerpt("", 5) == "");
  CHECK(excerpt("f x", 5) == "f x");
  CHECK(excerpt("12345", 5) == "12345");
  CHECK(excerpt("123456", 5) == "12345…");
  CHECK(excerpt("f x\n  y", 5) == "f x…");
  CHECK(excerpt("abcdé", 5) == "abcd…"); // é takes two bytes, of which one would fit
}
