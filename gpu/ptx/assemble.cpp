#include "gpu/ptx/assemble.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinter::gpu {

namespace fs = std::filesystem;

namespace {

std::optional<fs::path> find_assembler() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / "ptxas";
    std::error_code error;
    if (!folder.empty() && fs::is_regular_file(program, error) &&
        access(program.c_str(), X_OK) == 0)
      return program;
  }
  return std::nullopt;
}

[[noreturn]] void give_up(const std::string& words) {
  throw DeviceError(DeviceError::Kind::NoCode, words);
}

/// A folder of its own, removed with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "sinter-ptx-XXXXXX").string();
    if (!mkdtemp(name.data())) give_up("there is no place for the assembler's files");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  fs::path file(const char* name) const { return path_ / name; }

private:
  fs::path path_;
};

std::string contents_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs a program whose output goes to a file; its exit status.
int run(std::vector<std::string> words, const fs::path& output) {
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::unique_ptr<posix_spawn_file_actions_t, int (*)(posix_spawn_file_actions_t*)> keeper(
      &actions, &posix_spawn_file_actions_destroy);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  if (posix_spawn(&process, words[0].c_str(), &actions, nullptr, arguments.data(), environ) != 0)
    give_up("the assembler does not start");
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) give_up("the assembler's end is not known");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// The number in front of `words` in a line; 0 if they are not there.
std::size_t number_before(std::string_view line, std::string_view words) {
  const std::size_t end = line.find(words);
  if (end == std::string_view::npos) return 0;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
    --begin;
  std::size_t number = 0;
  std::from_chars(line.data() + begin, line.data() + end, number);
  return number;
}

/// Of all banks: "360 bytes cmem[0], 8 bytes cmem[2]".
std::size_t constant_bytes(std::string_view line) {
  constexpr std::string_view words = " bytes cmem[";
  std::size_t bytes = 0;
  for (std::size_t at = line.find(words); at != std::string_view::npos; at = line.find(words)) {
    bytes += number_before(line, words);
    line.remove_prefix(at + words.size());
  }
  return bytes;
}

/// What stands between quotes in a line after `words`.
std::optional<std::string> quoted_after(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + words.size());
  return std::string(line.substr(0, line.find('\'')));
}

} // namespace

bool has_assembler() {
  return find_assembler().has_value();
}

std::vector<AssembledEntry> parse_assembler_report(const std::string& report) {
  std::vector<AssembledEntry> entries;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (auto name = quoted_after(line, "Compiling entry function '"))
      entries.push_back({std::move(*name), {}});
    if (entries.empty()) continue;
    AssembledEntry& entry = entries.back();
    if (line.find(" bytes stack frame") != std::string::npos) {
      entry.facts.local_bytes = number_before(line, " bytes stack frame");
      entry.spill_store_bytes = number_before(line, " bytes spill stores");
      entry.spill_load_bytes = number_before(line, " bytes spill loads");
    }
    if (line.find(" registers") != std::string::npos) {
      entry.facts.registers = static_cast<unsigned>(number_before(line, " registers"));
      entry.facts.shared_bytes = number_before(line, " bytes smem");
      entry.facts.constant_bytes = constant_bytes(line);
    }
  }
  return entries;
}

std::optional<std::vector<AssembledEntry>> assemble(const PtxText& text, unsigned architecture) {
  const std::optional<fs::path> assembler = find_assembler();
  if (!assembler) return std::nullopt;
  const TemporaryFolder folder;
  const fs::path source = folder.file("kernel.ptx"), report = folder.file("report.txt");
  std::ofstream(source, std::ios::binary) << text.text;
  const int status = run({assembler->string(), "-v", "-arch=sm_" + std::to_string(architecture),
                          "-o", folder.file("kernel.cubin").string(), source.string()},
                         report);
  const std::string words = contents_of(report);
  if (status != 0) give_up(words.empty() ? "the assembler fails" : words);
  return parse_assembler_report(words);
}

} // namespace sinter::gpu
