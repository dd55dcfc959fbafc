// Assumptions tested on random programs: sound ones raise no alarm, violations are found.
#include "tests/differential/assumptions.h"
#include "tests/differential/programs.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace sinter;

TEST_CASE("sound random programs raise no alarm, and give the same with their assumptions tested") {
  setenv("SINTER_CACHE", "off", 1);
  differential::AssumptionJudge judge({});
  for (std::uint64_t seed = 0; seed < some_of(30, 4); ++seed) {
    CAPTURE(seed);
    const std::optional<std::string> fault = judge.fault_of_sound(differential::program_of(seed));
    CHECK_MESSAGE(!fault, *fault);
  }
}

TEST_CASE("results outlive the session that made them") {
  // The memory that a session counts is gone with it: the address sanitizer sees what holds it.
  differential::AssumptionJudge judge({.programs_a_session = 1});
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    CHECK(!judge.fault_of_sound(differential::program_of(seed)));
}

TEST_CASE("planted violations are found where they matter") {
  differential::AssumptionJudge judge({});
  std::uint64_t matter = 0;
  for (const auto& [violation, name] : generate::violations) {
    CAPTURE(name);
    differential::AssumptionJudge::Found found;
    for (std::uint64_t seed = 0; found.planted < some_of(40); ++seed)
      if (const auto planted = generate::plant(differential::program_of(seed), violation, seed))
        judge.count_violation(*planted, seed, found);
    CHECK(found.found == found.matter);
    matter += found.matter;
  }
  CHECK(matter >= 4); // else this says little
}
