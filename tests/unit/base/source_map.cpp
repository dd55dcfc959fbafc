#include "lang/base/source_map.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("positions count from one, in bytes") {
  SourceMap sources;
  FileId file = sources.add("a", "one\n\nthree\r\n");
  auto at = [&](std::uint32_t offset) {
    LineColumn p = sources.position(file, offset);
    return std::to_string(p.line) + ":" + std::to_string(p.column);
  };
  CHECK(at(0) == "1:1");
  CHECK(at(3) == "1:4");
  CHECK(at(4) == "2:1");
  CHECK(at(5) == "3:1");
  CHECK(at(12) == "4:1");
  CHECK(sources.line(file, 3) == "three");
  CHECK(sources.line(file, 2).empty());
  CHECK(sources.line(file, 9).empty());
}

TEST_CASE("spans are described shortly") {
  SourceMap sources;
  FileId file = sources.add("a", "one\ntwo");
  CHECK(sources.describe({file, 0, 1}) == "a:1:1");
  CHECK(sources.describe({file, 0, 3}) == "a:1:1-3");
  CHECK(sources.describe({file, 1, 6}) == "a:1:2-2:2");
  CHECK(sources.describe({}) == "<built-in>");
  CHECK(sources.text(Span{file, 4, 7}) == "two");
}
