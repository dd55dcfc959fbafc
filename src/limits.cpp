#include "jit/gate/device_list.h"
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

void DebugOption::add_to(Options& command_line) {
  std::vector<std::string> known;
  for (const auto& row : debugging_names)
    known.emplace_back(row.second);
  command_line
      .add_option_with_usual_value(
          "--debug", "on", text_,
          "Interpret, and test what is assumed of the program on its data: laws of operators, "
          "places written once; =warn: go on after a violation, =nan: find the first NaN or "
          "infinity, too")
      .value_name("[=WHAT]")
      .one_of(known);
  command_line
      .add_option("--chunks", chunks_,
                  "Interpret, and compute the functions of `sinter/stream` in chunks of this size, "
                  "or `random`, or `random:SEED`; an error where that makes a difference")
      .value_name("N");
}

repl::SessionOptions DebugOption::in(repl::SessionOptions options) const {
  options.debugging = debugging_of(text_).value_or(Debugging::Off);
  if (!chunks_.empty()) {
    const std::optional<Chunking> chunking = chunking_of(chunks_);
    if (!chunking)
      throw UsageError("`--chunks " + chunks_ + "` is no size; write 1000, random or random:7");
    options.chunking = *chunking;
  }
  return options;
}

std::vector<std::string> DebugOption::words() const {
  std::vector<std::string> words;
  if (text_ != "off") words.push_back("--debug=" + text_);
  if (!chunks_.empty()) words.insert(words.end(), {"--chunks", chunks_});
  return words;
}

namespace {

template <typename T>
concept Choice = std::is_enum_v<T>; // its values have names
template <typename T>
concept Named = Choice<T> || std::is_same_v<T, jit::DeviceChoice>;

/// The device of that name, if it is here.
jit::DeviceChoice parse_device(const std::string& text) {
  const std::optional<jit::DeviceChoice> choice = jit::device_choice_of(text);
  if (!choice)
    throw UsageError("`--device " + text +
                     "` is no device; write cpu, gpu, gpu:1, emulated or emulated:64M");
  if (const auto objection = jit::device_objection(*choice)) throw UsageError(*objection);
  return *choice;
}

/// Calls `visit(member, name, value name, help)` for each option of the command line.
template <typename Visit>
void for_each_option(auto& options, Visit&& visit) {
#define SINTER_SWAP_OPTION(Type, member, value, effect, name, value_name, help)                    \
  if (*(name)) visit(options.member, std::string(name), std::string(value_name), std::string(help));
#include "jit/gate/swap_options.def"
#undef SINTER_SWAP_OPTION
}

/// Adds the words for one option, unless it is off or empty.
template <typename T>
void add_words(std::vector<std::string>& words, const std::string& name, const T& value) {
  if constexpr (std::is_same_v<T, jit::PassNames>) {
    for (const std::string& pass : value)
      words.insert(words.end(), {name, pass});
  } else if constexpr (std::is_same_v<T, bool>) {
    if (value) words.push_back(name);
  } else if constexpr (Named<T>) {
    words.insert(words.end(), {name, std::string(jit::name(value))});
  } else {
    words.insert(words.end(), {name, std::to_string(value)});
  }
}

} // namespace

AccelerationOptions::AccelerationOptions() : AccelerationOptions(jit::Mode::Auto) {}

AccelerationOptions::AccelerationOptions(jit::Mode mode) {
  options_.mode = mode;
}

void AccelerationOptions::add_to(Options& command_line) {
  for_each_option(options_, [&]<typename T>(T& member, const std::string& name,
                                            const std::string& value_name,
                                            const std::string& help) {
    if constexpr (Choice<T>) {
      std::string& text = choices_.emplace_back(jit::name(member));
      std::vector<std::string> known;
      for (const auto& [value, value_text] : jit::names_of(member))
        known.emplace_back(value_text);
      command_line.add_option(name, text, help).one_of(known).show_default();
    } else if constexpr (Named<T>) {
      std::string& text = choices_.emplace_back(jit::name(member));
      command_line.add_option(name, text, help).value_name(value_name).show_default();
    } else if constexpr (std::is_same_v<T, bool>) {
      command_line.add_flag(name, member, help);
    } else {
      Option option = command_line.add_option(name, member, help).value_name(value_name);
      if constexpr (std::is_same_v<T, jit::PassNames>) option.one_value_each();
    }
  });
}

jit::SwapOptions AccelerationOptions::swap_options() const {
  jit::SwapOptions options = options_;
  std::size_t next = 0;
  for_each_option(options, [&]<typename T>(T& member, const auto&...) {
    if constexpr (Named<T>) {
      if (next == choices_.size()) return; // no command line was asked
      const std::string& text = choices_[next++];
      if constexpr (std::is_same_v<T, jit::DeviceChoice>) {
        member = parse_device(text);
      } else {
        for (const auto& [value, value_text] : jit::names_of(member))
          if (value_text == text) member = value; // (one is: that was checked when it was read)
      }
    }
  });
  if (const auto message = jit::unknown_pass(options.without_passes)) throw UsageError(*message);
  return options;
}

std::vector<std::string> AccelerationOptions::words() const {
  std::vector<std::string> words;
  const jit::SwapOptions options = swap_options();
  for_each_option(options, [&](const auto& member, const std::string& name, const auto&...) {
    add_words(words, name, member);
  });
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
