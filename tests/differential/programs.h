// Which program belongs to a seed: sizes, lengths, marks and the chance of errors differ with it.
#pragma once

#include "tests/generate/program_generator.h"

#include <array>
#include <cstdint>

namespace sinter::differential {

inline generate::Program program_of(std::uint64_t seed) {
  // Around the numbers of lanes that kernels have.
  static constexpr std::array<std::size_t, 12> lengths = {1, 2, 3, 4, 7, 8, 9, 16, 17, 33, 64, 70};
  static constexpr std::array<unsigned, 4> sizes = {10, 15, 25, 40};
  generate::Options options;
  options.seed = seed;
  options.computes = seed % 8 != 0;
  options.length = lengths[(seed / 8) % lengths.size()];
  options.size = sizes[(seed / 3) % sizes.size()];
  options.run_time_errors = seed % 5 == 0;
  options.marks = seed % 4 == 1;
  return generate::generate_program(options);
}

} // namespace sinter::differential
