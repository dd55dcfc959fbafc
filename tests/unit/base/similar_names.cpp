#include "lang/base/diagnostic.h"

#include <doctest/doctest.h>

using sinter::similar_names;
using Names = std::vector<std::string_view>;

TEST_CASE("the nearest names come first, at most three") {
  CHECK(similar_names("lenght", {"length", "width", "lengths"}) == Names{"length", "lengths"});
  CHECK(similar_names("recude", {"reduce", "map"}) == Names{"reduce"});
  CHECK(similar_names("abcdef", {"abcdeg", "abcdxx", "abcdeh", "abcdei", "abcdej"}) ==
        Names{"abcdeg", "abcdeh", "abcdei"});
}

TEST_CASE("short and unlike names find nothing") {
  CHECK(similar_names("x", {"y", "z"}).empty());
  CHECK(similar_names("xs", {"ys", "x", "abc"}) == Names{"ys", "x"});
  CHECK(similar_names("map", {"filter"}).empty());
  CHECK(similar_names("map", {"map"}).empty());
  CHECK(similar_names("", {"a"}).empty());
}

TEST_CASE("one name is offered once") {
  CHECK(similar_names("lenght", {"length", "length"}) == Names{"length"});
}
