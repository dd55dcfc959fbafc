// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct ProcessResult {
  bool was_found = true; ///< there is such a program
  bool succeeded = false;
  std::string output;
  std::string errors;
};

/// This process's variables of environment, each as "NAME=value".
std::vector<std::string> environment_variables();

/// `words` are the program's name, looked for as a shell does, and its arguments; it has no input.
/// Throws FormatError if it cannot be run although it is there, and RuntimeError{Interrupted}.
ProcessResult run_process(std::vector<std::string> words,
                          std::vector<std::string> variables = environment_variables());

} // namespace sinter
