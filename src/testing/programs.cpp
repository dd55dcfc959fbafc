#include "src/testing/programs.h"

#include "lang/values/format.h"

#include <algorithm>
#include <filesystem>

namespace sinter::testing {

namespace fs = std::filesystem;

std::vector<FoundProgram> find_programs(const std::vector<std::string>& paths) {
  std::vector<FoundProgram> found;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      FoundProgram program{path, read_test_blocks(read_file_bytes(path))};
      if (!program.program.has_block)
        throw FormatError(path + " has no test block (a comment with a line `-- ==`)");
      found.push_back(std::move(program));
      continue;
    }
    std::vector<std::string> files;
    for (fs::recursive_directory_iterator it(path, error), end; it != end && !error;
         it.increment(error))
      if (it->is_regular_file(error) && it->path().extension() == ".fut")
        files.push_back(it->path().string());
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
      FoundProgram program{file, read_test_blocks(read_file_bytes(file))};
      if (program.program.has_block) found.push_back(std::move(program));
    }
  }
  return found;
}

} // namespace sinter::testing
