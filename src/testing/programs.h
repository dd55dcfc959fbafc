// Finding the programs with test blocks in files and folders.
#pragma once

#include "src/testing/test_blocks.h"

#include <string>
#include <vector>

namespace sinter::testing {

struct FoundProgram {
  std::string path;
  TestProgram program;
};

/// The `.fut` files among and below the paths, sorted, that have a test block.  Throws FormatError
/// for a path that is not there, or a file given by name that has no block.
std::vector<FoundProgram> find_programs(const std::vector<std::string>& paths);

} // namespace sinter::testing
