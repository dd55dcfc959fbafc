#include "repl/text/wrapping.h"

#include <doctest/doctest.h>

using sinter::repl::wrapped;
using sinter::repl::wrapped_message;

TEST_CASE("words that do not fit go to the next line") {
  CHECK(wrapped("one two three", 7, 2) == "one two\n  three");
  CHECK(wrapped("one two three", 13, 2) == "one two three");
  CHECK(wrapped("a b\nc d\n", 2, 0) == "a\nb\nc\nd\n");
  CHECK(wrapped("a  b", 2, 0) == "a\nb"); // blanks at the break go
  CHECK(wrapped("", 10, 2) == "");
  CHECK(wrapped("\n\n", 10, 2) == "\n\n");
}

TEST_CASE("words longer than a line stay whole") {
  CHECK(wrapped("abcdefgh ij", 4, 1) == "abcdefgh\n ij");
  CHECK(wrapped("ab cdefgh", 4, 4) == "ab\n    cdefgh");
}

TEST_CASE("columns are counted, not bytes, and colours take none") {
  CHECK(wrapped("größe ₀₁₂", 9, 0) == "größe ₀₁₂");
  CHECK(wrapped("漢字 漢字", 5, 0) == "漢字\n漢字");
  CHECK(wrapped("\033[31merror\033[0m two", 9, 0) == "\033[31merror\033[0m two");
  CHECK(wrapped("\033[31", 2, 0) == "\033[31"); // broken off
}

TEST_CASE("of messages, lines of source text and their carets stay as they are") {
  CHECK(wrapped_message("error: much is wrong\n 1 | def f = 1 + true\n   |     ^^^^\n", 12) ==
        "error: much\n    is wrong\n 1 | def f = 1 + true\n   |     ^^^^\n");
}
