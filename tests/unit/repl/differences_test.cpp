#include "repl/comparing/differences.h"

#include "lang/values/elements.h"
#include "lang/values/format.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sinter;
using namespace sinter::comparing;

namespace {

struct WideValues {
  MemoryBudget memory;
  Representations representations;
  std::unique_ptr<eval::WideNumbers> numbers = eval::make_wide_numbers(50, memory);

  struct Typed {
    Value value;
    const Representation* type = nullptr;
  };
  Typed value(std::string_view text) {
    ValueReader reader(text, memory, representations);
    ExternalValue read = reader.read();
    const Representation* type = representations.scalar(read.element);
    if (!read.shape.empty())
      type = representations.array(static_cast<std::uint32_t>(read.shape.size()), type);
    return {read.value, type};
  }
  ScalarsOf scalars(std::string_view text) {
    const Typed typed = value(text);
    return scalars_of(representations, typed.value, typed.type);
  }
  /// The same with wide numbers for floats.
  ScalarsOf wide(std::string_view text) {
    ScalarsOf result = scalars(text);
    for (TypedScalar& scalar : result.scalars)
      if (is_float(scalar.element)) scalar.scalar = numbers->widen(scalar.element, scalar.scalar);
    return result;
  }
};

} // namespace

TEST_CASE("floats between floats are counted") {
  const auto between = [](double a, double b) {
    return ulps_between(ElementType::F64, Scalar::of(a), Scalar::of(b));
  };
  CHECK(between(1, 1) == 0);
  CHECK(between(1, std::nextafter(1, 2)) == 1);
  CHECK(between(std::nextafter(1, 2), std::nextafter(1, 0)) == 2);
  CHECK(between(0.0, -0.0) == 1);
  CHECK(between(5e-324, -5e-324) == 3);
  CHECK(between(NAN, -NAN) == 0);
  CHECK(between(NAN, 1) == UINT64_MAX);
  CHECK(between(INFINITY, 1.7976931348623157e308) == 1);
  CHECK(ulps_between(ElementType::F32, Scalar::of(1.0f), Scalar::of(std::nextafter(1.0f, 2.0f))) ==
        1);
}

TEST_CASE_FIXTURE(WideValues, "results are compared number by number") {
  CHECK(difference(scalars("[1.0, 2.0]"), scalars("[1.0, 2.0]")).is_same());
  CHECK(difference(scalars("[f64.nan]"), scalars("[f64.nan]")).is_same());
  CHECK_FALSE(difference(scalars("[1.0]"), scalars("[1.0, 2.0]")).same_structure);
  CHECK_FALSE(difference(scalars("empty([0][2]f64)"), scalars("empty([0][3]f64)")).same_structure);
  const Difference floats = difference(scalars("[1.0, 2.0, 3.0]"),
                                       scalars("[1.0, 2.0000000000000004, 3.000000000000001]"));
  CHECK(floats.count == 2);
  CHECK(floats.exact_count == 0);
  CHECK(floats.largest_ulps == 2);
  CHECK(floats.position == 2);
  const Difference exact = difference(scalars("[1, 2, 3]"), scalars("[1, 5, 4]"));
  CHECK(exact.exact_count == 2);
  CHECK(exact.position == 1);
}

TEST_CASE_FIXTURE(WideValues, "accuracy: the largest error, where it is, digits that hold") {
  const Accuracy none = accuracy(*numbers, wide("[1.0, 2.0]"), scalars("[1.0, 2.0]"));
  CHECK(none.largest_ulps == 0);
  CHECK(std::isinf(none.fewest_digits));
  CHECK(none.floats == 2);
  const Accuracy some = accuracy(*numbers, wide("[1.0, 2.0]"), scalars("[1.0, 2.002]"));
  CHECK(some.position == 1);
  CHECK(some.fewest_digits == doctest::Approx(3));
  const Accuracy other = accuracy(*numbers, wide("[1, 2]"), scalars("[1, 3]"));
  CHECK_FALSE(other.same_structure);
  CHECK_FALSE(accuracy(*numbers, wide("[1.0]"), scalars("[1.0, 2.0]")).same_structure);
  const Accuracy nan = accuracy(*numbers, wide("[1.0]"), scalars("[f64.nan]"));
  CHECK(std::isinf(nan.largest_ulps));
  CHECK(nan.fewest_digits == 0);
}

TEST_CASE_FIXTURE(WideValues, "who is closer") {
  const ScalarsOf results[] = {scalars("[1.0, 2.5, 3.0]"), scalars("[1.1, 2.1, 3.0]")};
  CHECK(closest(*numbers, wide("[1.0, 2.0, 3.0]"), results) == std::vector<std::size_t>{1, 1, 1});
}

TEST_CASE_FIXTURE(WideValues, "places are indices and fields") {
  const Typed matrix = value("[[1, 2, 3], [4, 5, 6]]");
  CHECK(place_of(representations, matrix.value, matrix.type, 4) == "[1, 1]");
  const Typed scalar = value("7");
  CHECK(place_of(representations, scalar.value, scalar.type, 0) == "");
  const Representation* record = representations.record({{"a", scalar.type}, {"b", matrix.type}});
  const Value pair = Value::record({scalar.value, matrix.value});
  CHECK(place_of(representations, pair, record, 0) == ".a");
  CHECK(place_of(representations, pair, record, 6) == ".b[1, 2]");
  CHECK(scalars_of(representations, pair, record).scalars.size() == 7);
  const std::vector<Value> two = {pair, pair};
  const Value array = make_array_from_elements(memory, record, two);
  CHECK(place_of(representations, array, representations.array(1, record), 7) == "[1].a");
  CHECK(place_of(representations, array, representations.array(1, record), 9) == "[1].b[0, 1]");
}

TEST_CASE("arrays without elements are compared by their sizes, however many rows they have") {
  WideValues values;
  const ScalarsOf rows = values.scalars("empty([4611686018427387904][0]i64)");
  CHECK(rows.scalars.empty());
  CHECK(difference(rows, values.scalars("empty([4611686018427387904][0]i64)")).is_same());
  CHECK(!difference(rows, values.scalars("empty([0][4611686018427387904]i64)")).is_same());
}
