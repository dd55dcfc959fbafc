#include "child_process.h"

#include <doctest/doctest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinter::gpu {

std::string outcome_in_child(const std::function<void()>& work) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(pipe(pipe_ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(pipe_ends[0]);
    for (const int signal_number : {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGBUS})
      std::signal(signal_number, SIG_DFL); // the test's own would report them
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    std::string words;
    try {
      work();
    } catch (const std::exception& error) {
      words = error.what();
      if (words.empty()) words = "an exception without words";
    }
    const ssize_t written = write(pipe_ends[1], words.data(), words.size());
    _exit(written == static_cast<ssize_t>(words.size()) ? 0 : 1);
  }
  close(pipe_ends[1]);
  std::string words;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(pipe_ends[0], buffer.data(), buffer.size())) != 0;) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    words.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(pipe_ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    REQUIRE(errno == EINTR);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return "the process ended";
  return words;
}

} // namespace sinter::gpu
