// Random programs about sizes: arrays of one to three dimensions, each of which may have any size,
// and what is done to arrays with such sizes.
//
// The other generator (program_generator.h) has arrays with elements, and is about what happens to
// those.  Here sizes are the point: 0, ±1, a few, 2^31 and 2^62, in every dimension, as parameters
// of the entry point or as numbers in the program.  Most programs have arrays without elements, or
// fail; whatever they do, they do it in every mode.  Sizes of results are results themselves.
#pragma once

#include "tests/generate/program_generator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sinter::generate {

Program generate_degenerate(std::uint64_t seed);

/// A program to be run on several inputs.
struct SizedProgram {
  std::string text;
  std::vector<std::string> inputs;
};
/// Each array operation by itself (and by pairs where one makes views), over sizes of every kind in
/// every dimension: a list, without chance.
std::vector<SizedProgram> degenerate_operations();

} // namespace sinter::generate
