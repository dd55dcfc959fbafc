// Compiled code gives the interpreter's results, on random programs.
#include "tests/differential/modes.h"
#include "tests/differential/programs.h"
#include "tests/differential/shrink.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace sinter;

TEST_CASE("random programs have the same results in every mode") {
  setenv("SINTER_CACHE", "off", 1);
  // More of them: SINTER_PROPERTY_COUNT, or the tool `sinter_differ`.
  const char* given = std::getenv("SINTER_PROPERTY_COUNT");
  const std::uint64_t count = given ? std::strtoull(given, nullptr, 10) : 40;
  differential::ModeComparer comparer({});
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    CAPTURE(seed);
    const generate::Program program = differential::program_of(seed);
    const std::optional<std::string> difference = comparer.difference(program, seed);
    CHECK_MESSAGE(!difference, *difference, program.input, program.text);
  }
  // The programs must be such that this says something.
  CHECK(comparer.totals().soacs > count / 2);
}

TEST_CASE("a program with a fault is made smaller") {
  const generate::Program program{"def f (x: i32) : i32 = ((x + 1i32) * (2i32 - x))\n"
                                  "def g (x: i32) : i32 = x\n"
                                  "entry main (x: i32) : i32 = (f (g (if true then (x - 3i32) "
                                  "else (x + 4i32))))\n",
                                  "1"};
  differential::ModeComparer comparer({});
  const generate::Program smaller = differential::shrink(
      program, [&](const std::string& text) { return comparer.is_program(text); },
      [](const generate::Program& candidate) {
        return candidate.text.find("- 3i32") != std::string::npos;
      });
  CHECK(smaller.text == "entry main (x: i32) : i32 = (x - 3i32)\n");
}
