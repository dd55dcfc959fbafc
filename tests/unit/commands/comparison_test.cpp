#include "src/testing/comparison.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::testing;

namespace {

struct Fixture {
  MemoryBudget memory;
  Representations representations;

  std::vector<TypedValue> values(std::string_view text) {
    ValueReader reader(text, memory, representations);
    std::vector<TypedValue> out;
    while (!reader.at_end()) {
      ExternalValue read = reader.read();
      const Representation* type = representations.scalar(read.element);
      if (!read.shape.empty())
        type = representations.array(static_cast<std::uint32_t>(read.shape.size()), type);
      out.push_back({read.value, type});
    }
    return out;
  }
  std::string compare(std::string_view expected, std::string_view found) {
    return difference(values(expected), values(found)).value_or("");
  }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "equal values agree, NaN and infinities included") {
  CHECK(compare("[1, 2] true", "[1i32, 2i32] true") == "");
  CHECK(compare("f32.nan [f64.inf]", "f32.nan [f64.inf]") == "");
  CHECK(compare("empty([0][3]i32)", "empty([0][3]i32)") == "");
}

TEST_CASE_FIXTURE(Fixture, "floats agree within the tolerance of the largest element") {
  CHECK(compare("[1000.0, 1.0]", "[1001.0, 2.5]") == "");
  CHECK(compare("[1000.0, 1.0]", "[1003.0, 1.0]") != "");
  CHECK(compare("0.0", "0.0019") == "");
  CHECK(compare("0.0", "0.0021") != "");
  CHECK(compare("f64.inf", "-f64.inf") != "");
  CHECK(compare("1.0", "f64.nan") != "");
}

TEST_CASE_FIXTURE(Fixture, "differences are described") {
  CHECK(compare("[[1, 2], [3, 4]]", "[[1, 2], [3, 5]]") == "expected 4i32, found 5i32 at [1, 1]");
  CHECK(compare("1i32", "1i64") == "expected a value of type i32, found i64");
  CHECK(compare("[1]", "[1, 2]") == "expected a value of type [1]i32, found [2]i32");
  CHECK(compare("1 2", "1") == "expected 2 values, found 1");
  CHECK(compare("1 2", "1 3") == "value 1: expected 2i32, found 3i32");
}
