// The same as tests/fuzz/session_fuzz.cpp, short and always alike.
#include "tests/fuzz/session_driver.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <vector>

using namespace sinter;

TEST_CASE("nothing that is typed at random ends a session") {
  const std::filesystem::path folder = std::filesystem::current_path();
  for (unsigned seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes(150);
    for (std::uint8_t& byte : bytes)
      byte = static_cast<std::uint8_t>(random() % 4 ? 128 + random() % 128 : random() % 128);
    tests::type_at_random(bytes);
  }
  std::filesystem::current_path(folder);
}
