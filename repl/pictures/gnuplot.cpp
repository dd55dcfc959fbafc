#include "repl/pictures/gnuplot.h"

#include "lang/base/runtime_error.h"
#include "lang/values/format.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sinter::repl {

namespace {

namespace fs = std::filesystem;

/// A folder that is gone afterwards.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "sinter-plot-XXXXXX").string();
    if (error || !mkdtemp(name.data())) throw FormatError("no temporary folder can be made");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

private:
  fs::path path_;
};

std::string contents_if_there(const std::string& path) {
  try {
    return read_file_bytes(path);
  } catch (const FormatError&) {
    return {};
  }
}

} // namespace

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    if (static_cast<unsigned char>(c) < ' ') continue;
    quoted += c == '\'' ? std::string("''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string run_gnuplot(const std::string& script, std::span<const PlotData> data) {
  TemporaryFolder folder;
  std::string input = folder.file("script"), output = folder.file("out"),
              errors = folder.file("errors");
  std::string variables;
  for (std::size_t i = 0; i < data.size(); ++i) {
    std::string path = folder.file(("data" + std::to_string(i)).c_str());
    write_file_bytes(path, data[i].second);
    variables += data[i].first + " = " + gnuplot_text(path) + "\n";
  }
  write_file_bytes(input, variables + script);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT,
                                   0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT,
                                   0600);
  std::string program = "gnuplot", defaults = "-d";
  char* arguments[] = {program.data(), defaults.data(), input.data(), nullptr};
  pid_t child = 0;
  int error = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    throw FormatError("plots need gnuplot, which is not installed (Debian's package gnuplot-nox)");
  if (error != 0) throw FormatError("gnuplot cannot be run: " + std::string(std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
    throw RuntimeError(FailureKind::Interrupted, "interrupted", Span());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string why = contents_if_there(errors);
    while (!why.empty() && (why.back() == '\n' || why.back() == ' '))
      why.pop_back();
    throw FormatError("gnuplot failed" + (why.empty() ? "" : ": " + why));
  }
  return contents_if_there(output);
}

} // namespace sinter::repl
