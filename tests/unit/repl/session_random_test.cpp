// The same as tests/fuzz/session_fuzz.cpp, short and always alike.
#include "tests/fuzz/session_driver.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <vector>

using namespace sinter;

TEST_CASE("nothing that is typed at random ends a session") {
  const std::filesystem::path folder = std::filesystem::current_path();
  tests::TypedSession all;
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes(150);
    for (std::uint8_t& byte : bytes)
      byte = static_cast<std::uint8_t>(random() % 4 ? 128 + random() % 128 : random() % 128);
    const tests::TypedSession typed = tests::type_at_random(bytes);
    all.inputs += typed.inputs;
    all.values += typed.values;
    all.errors += typed.errors;
  }
  // It was a session: inputs that mean something, and others.
  CHECK(all.inputs >= 100);
  CHECK(all.values >= 5);
  CHECK(all.errors >= 5);
  MESSAGE(all.inputs << " inputs, " << all.values << " values, " << all.errors << " errors");
  std::filesystem::current_path(folder);
}
