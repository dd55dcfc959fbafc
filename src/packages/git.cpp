#include "src/packages/git.h"

#include "lang/values/format.h"

#include <algorithm>
#include <string_view>

namespace sinter::packages {

namespace {

std::vector<std::string> environment(const std::string& index) {
  std::vector<std::string> variables = environment_variables();
  std::erase_if(variables, [](std::string_view text) {
    constexpr std::string_view left_out[] = {
        "GIT_DIR=",        "GIT_WORK_TREE=",       "GIT_INDEX_FILE=", "GIT_OBJECT_DIRECTORY=",
        "GIT_COMMON_DIR=", "GIT_TERMINAL_PROMPT=", "GIT_ASKPASS=",    "SSH_ASKPASS=",
    };
    return std::ranges::any_of(left_out,
                               [&](std::string_view name) { return text.starts_with(name); });
  });
  variables.emplace_back("GIT_TERMINAL_PROMPT=0");
  if (!index.empty()) variables.push_back("GIT_INDEX_FILE=" + index);
  return variables;
}

} // namespace

ProcessResult run_git(const std::vector<std::string>& arguments, const std::string& index) {
  // A package's files are files: no links, and line ends as they are.
  std::vector<std::string> words = {"git",
                                    "-c",
                                    "core.symlinks=false",
                                    "-c",
                                    "core.autocrlf=false",
                                    "-c",
                                    "core.hooksPath=/dev/null"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ProcessResult result = run_process(std::move(words), environment(index));
  if (!result.was_found)
    throw FormatError("packages need git, which is not installed (Debian's package git)");
  return result;
}

} // namespace sinter::packages
