#include "repl/text/quantities.h"
#include "src/command.h"
#include "src/options.h"

#include <fstream>
#include <unistd.h>

namespace sinter {

std::size_t parse_memory(const std::string& text) {
  if (std::optional<std::size_t> bytes = repl::parse_memory(text)) return *bytes;
  throw UsageError("`--max-memory " + text + "` is no amount of memory; write 512M or 4G");
}

std::chrono::milliseconds parse_duration(const std::string& text) {
  if (std::optional<std::chrono::milliseconds> time = repl::parse_duration(text)) return *time;
  throw UsageError("`--timeout " + text + "` is no length of time; write 500ms, 10s or 2m");
}

std::size_t default_memory_limit() {
  std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  std::size_t group = 0; // "max" leaves it 0
  if (std::ifstream file("/sys/fs/cgroup/memory.max"); file >> group && group > 0)
    bytes = std::min(bytes, group);
  return bytes / 4 * 3;
}

void LimitOptions::add_to(Options& command_line) {
  command_line
      .add_option("--max-memory", max_memory,
                  "Most memory that a program may take, such as 512M or 4G [3/4 of the machine's]")
      .value_name("SIZE");
  command_line
      .add_option("--timeout", timeout, "Stop an evaluation after this time, such as 500ms or 10s")
      .value_name("TIME");
  acceleration.add_to(command_line);
}

void AccelerationOptions::add_to(Options& command_line) {
  command_line
      .add_option("--mode", mode,
                  "auto compiles what gets hot; interp compiles nothing, jit everything; mixed "
                  "leaves it to chance, for tests")
      .one_of({"auto", "interp", "jit", "mixed"})
      .show_default();
  command_line
      .add_option("--tier", tier,
                  "How much is spent on compiling: 1 is there at once, 2 runs faster; auto goes "
                  "from 1 to 2 where that pays")
      .one_of({"auto", "1", "2"})
      .show_default();
  command_line
      .add_option("--threads", threads, "Threads that run compiled code [one for each core]")
      .value_name("N");
  command_line
      .add_option("--fp", floats,
                  "Floats in compiled code: exact gives the interpreter's bits, contract may round "
                  "`a*b + c` once")
      .one_of({"exact", "contract"})
      .show_default();
  command_line.add_option("--seed", seed, "Of the chance in `--mode mixed`").value_name("N");
  command_line.add_flag("--verify-ir", verify,
                        "Check the compiler's intermediate code after each pass");
}

jit::SwapOptions AccelerationOptions::swap_options() const {
  jit::SwapOptions options;
  options.mode = *jit::mode_of(mode); // checked when it was read
  options.tier = *jit::tier_of(tier);
  options.floats = *jit::float_mode_of(floats);
  options.threads = threads;
  options.seed = seed;
  options.verify = verify;
  return options;
}

std::vector<std::string> AccelerationOptions::words() const {
  std::vector<std::string> words = {"--mode",    mode,
                                    "--tier",    tier,
                                    "--fp",      floats,
                                    "--threads", std::to_string(threads),
                                    "--seed",    std::to_string(seed)};
  if (verify) words.emplace_back("--verify-ir");
  return words;
}

repl::SessionOptions LimitOptions::session_options() const {
  repl::SessionOptions options;
  options.max_memory_bytes = max_memory.empty() ? default_memory_limit() : parse_memory(max_memory);
  if (!timeout.empty()) options.timeout = parse_duration(timeout);
  const char* no_color = std::getenv("NO_COLOR");
  options.acceleration = acceleration.swap_options();
  options.color = isatty(STDERR_FILENO) && !(no_color && *no_color);
  return options;
}

int exit_code(const repl::Outcome& outcome) {
  switch (outcome.kind) {
  case repl::Outcome::Kind::Done:
  case repl::Outcome::Kind::Value:
    return exit_success;
  case repl::Outcome::Kind::CheckFailed:
  case repl::Outcome::Kind::Incomplete:
    return exit_rejected;
  case repl::Outcome::Kind::RunFailed:
    break;
  }
  if (outcome.failure == FailureKind::Interrupted) return exit_interrupted;
  if (outcome.failure == FailureKind::TimedOut) return exit_timed_out;
  return exit_failed;
}

} // namespace sinter
