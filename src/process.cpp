#include "src/process.h"

#include "lang/base/runtime_error.h"
#include "lang/values/format.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sinter {

namespace {

/// A file without a name, for what a program writes.
class Scratch {
public:
  explicit Scratch(const char* name) : number_(memfd_create(name, MFD_CLOEXEC)) {
    if (number_ < 0)
      throw FormatError(std::string("a program cannot be run: ") + std::strerror(errno));
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

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts)
    list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

} // namespace

std::vector<std::string> environment_variables() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable)
    variables.emplace_back(*variable);
  return variables;
}

ProcessResult run_process(std::vector<std::string> words, std::vector<std::string> variables) {
  const Scratch output("output"), errors("errors");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.number(), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                 pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) return {.was_found = false};
  if (error != 0) throw FormatError(words.front() + " cannot be run: " + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
    throw RuntimeError(FailureKind::Interrupted, "interrupted", Span());
  return {.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0,
          .output = output.contents(),
          .errors = errors.contents()};
}

} // namespace sinter
