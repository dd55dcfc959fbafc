#include "src/packages/git.h"

#include "lang/base/runtime_error.h"
#include "lang/values/format.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sinter::packages {

namespace {

/// A file without a name, for what a program writes.
class Scratch {
public:
  explicit Scratch(const char* name) : number_(memfd_create(name, MFD_CLOEXEC)) {
    if (number_ < 0) throw FormatError(std::string("git: ") + std::strerror(errno));
  }
  ~Scratch() { ::close(number_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  int number() const { return number_; }
  std::string contents() const {
    std::string text;
    char buffer[1 << 14];
    while (true) {
      const ssize_t count =
          ::pread(number_, buffer, sizeof buffer, static_cast<off_t>(text.size()));
      if (count <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(count));
    }
  }

private:
  int number_;
};

std::vector<std::string> environment(const std::string& index) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    const bool of_other_repository =
        text.starts_with("GIT_DIR=") || text.starts_with("GIT_WORK_TREE=") ||
        text.starts_with("GIT_INDEX_FILE=") || text.starts_with("GIT_OBJECT_DIRECTORY=") ||
        text.starts_with("GIT_TERMINAL_PROMPT=") || text.starts_with("GIT_COMMON_DIR=");
    if (!of_other_repository) variables.emplace_back(text);
  }
  variables.emplace_back("GIT_TERMINAL_PROMPT=0");
  if (!index.empty()) variables.push_back("GIT_INDEX_FILE=" + index);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts)
    list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

} // namespace

GitResult run_git(const std::vector<std::string>& arguments, const std::string& index) {
  // A package's files are files: no links, and line ends as they are.
  std::vector<std::string> words = {"git",
                                    "-c",
                                    "core.symlinks=false",
                                    "-c",
                                    "core.autocrlf=false",
                                    "-c",
                                    "core.hooksPath=/dev/null"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment(index);
  const Scratch output("output"), errors("errors");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.number(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "git", &actions, nullptr, pointers(words).data(),
                                 pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw FormatError("packages need git, which is not installed (Debian's package git)");
  if (error != 0) throw FormatError(std::string("git cannot be run: ") + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
    throw RuntimeError(FailureKind::Interrupted, "interrupted", Span());
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0, output.contents(), errors.contents()};
}

} // namespace sinter::packages
