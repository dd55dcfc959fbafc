// git, run as a program.
#pragma once

#include "src/process.h"

#include <string>
#include <vector>

namespace sinter::packages {

/// Never asks for a password (but gives those that git keeps), and takes nothing from variables
/// about another repository.  `index`, if not empty, is the file of the index.  Throws FormatError
/// if there is no git, and RuntimeError{Interrupted}.
ProcessResult run_git(const std::vector<std::string>& arguments, const std::string& index = "");

} // namespace sinter::packages
