// What is written to accumulators is tested as what scatters and histograms write.  (Programs have
// no accumulators yet, but the evaluator has.)
#include "tests/unit/eval/builder.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::test;
using primitives::ArrayOperation;

namespace {

struct Debugged : Builder {
  const Representation* acc = representations.accumulator();
  /// What is said of a stream; nothing if all is well.
  std::string said(const core::Expr* body) {
    EvaluationContext given = context();
    given.debugging = Debugging::On;
    try {
      Evaluator(program, std::move(given)).evaluate({body, 16});
    } catch (const RuntimeError& error) {
      return std::string(error.id) + " " + error.message;
    }
    return "";
  }
  /// Writes the element to index `at`.
  const core::Expr* writes_to(const core::Expr* at) {
    return value_of(function(
        "f", 2,
        array_call(ArrayOperation::AccumulatorWrite, {local(0, acc), at, local(1, i64)}, acc)));
  }
  std::string scatter(std::vector<std::int64_t> values, const core::Expr* at) {
    return said(array_call(ArrayOperation::ScatterStream,
                           {integers({7, 7, 7}), writes_to(at), integers(std::move(values))},
                           i64s));
  }
  std::string histogram(std::string_view op, std::int64_t neutral,
                        std::vector<std::int64_t> values) {
    return said(array_call(ArrayOperation::HistogramStream,
                           {integers({7, 7, 7}), operation(op), integer(neutral),
                            writes_to(integer(1)), integers(std::move(values))},
                           i64s));
  }
};

} // namespace

TEST_CASE_FIXTURE(Debugged, "two writes of different values to one place of an accumulator") {
  CHECK(scatter({4, 5}, integer(1)) ==
        "scatter-twice `scatter_stream` at 1:51 may give anything: writes 0 and 1 are of different "
        "values, 4 and 5, at index 1");
  CHECK(scatter({4, 4}, integer(1)) == "");
  CHECK(scatter({4, 5}, integer(9)) == ""); // out of bounds
  CHECK(scatter({0, 1, 2}, local(1, i64)) == "");
}

TEST_CASE_FIXTURE(Debugged, "an accumulator's operator keeps its laws") {
  CHECK(histogram("+", 0, {4, 5}) == "");
  CHECK(histogram("-", 0, {4, 5}) ==
        "not-associative `hist_stream` at 1:51 may give anything: the operator is not associative: "
        "(7 - 4) - 5 = -2, 7 - (4 - 5) = 8");
  CHECK(histogram("+", 1, {4}) ==
        "not-neutral `hist_stream` at 1:51 may give anything: 1 is not neutral: 1 + 4 = 5");
}
