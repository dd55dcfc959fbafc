// Arrays of all sizes, those included that are none, are the same in every mode.
#include "tests/differential/modes.h"
#include "tests/generate/degenerate.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace sinter;

namespace {

differential::ModeComparer::Options options() {
  differential::ModeComparer::Options result;
  result.time_limit = std::chrono::milliseconds(300);
  result.memory_limit = std::size_t{64} << 20;
  return result;
}

} // namespace

TEST_CASE(
    "every array operation does the same with sizes of 0, 1, -1, 2^31 and 2^62 in every mode") {
  setenv("SINTER_CACHE", "off", 1);
  differential::ModeComparer comparer(options());
  std::uint64_t seed = 0;
  std::size_t evaluations = 0;
  std::uint64_t place = 0;
  for (const generate::SizedProgram& program : generate::degenerate_operations()) {
    if (!is_tried(place++)) continue;
    const auto difference = comparer.difference(program.text, program.inputs, ++seed);
    CHECK_MESSAGE(!difference, *difference, program.text);
    evaluations += program.inputs.size();
  }
  CHECK(evaluations >= some_of(350, 10));
  CHECK(comparer.totals().failed > 0);
  // Most of them must get to an end for this to say something.
  CHECK(comparer.totals().skipped * 2 < evaluations);
}

TEST_CASE("random programs about sizes have the same results in every mode") {
  setenv("SINTER_CACHE", "off", 1);
  // More of them: SINTER_PROPERTY_COUNT, or `sinter_differ --sizes`.
  const char* given = std::getenv("SINTER_PROPERTY_COUNT");
  const std::uint64_t count = given ? std::strtoull(given, nullptr, 10) : 40;
  differential::ModeComparer comparer(options());
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    CAPTURE(seed);
    const generate::Program program = generate::generate_degenerate(seed);
    const auto difference = comparer.difference(program, seed);
    CHECK_MESSAGE(!difference, *difference, program.input, program.text);
  }
}
