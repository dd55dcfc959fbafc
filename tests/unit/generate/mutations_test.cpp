// Programs that break one rule are rejected, and for that reason.
#include "checking.h"

#include "tests/generate/mutations.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::tests;

TEST_CASE("each mutation is found wherever it stands") {
  for (const generate::Mutation& mutation : generate::mutations()) {
    Bench bench;
    std::string name(mutation.name);
    CAPTURE(name);
    std::uint64_t count = property_count(4);
    for (std::uint64_t seed = 5000; seed < 5000 + count; ++seed) {
      generate::Program program = generate::generate_mutant({.seed = seed}, mutation);
      Bench::Checked checked = bench.check(program.text);
      CAPTURE(seed);
      CAPTURE(program.text);
      CAPTURE(checked.messages);
      CHECK_FALSE(checked.file);
      bool is_expected =
          std::any_of(mutation.ids.begin(), mutation.ids.end(), [&](std::string_view id) {
            return checked.errors.contains(std::string(id));
          });
      CHECK(is_expected);
    }
  }
}
