#include "repl/console.h"

#include "lang/base/diagnostic.h"
#include "lang/base/diagnostic_ids.h"
#include "repl/commands/command.h"
#include "repl/completion.h"
#include "repl/inputs.h"
#include "repl/interrupt_key.h"
#include "repl/settings.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sinter::repl {

namespace {

constexpr std::string_view blanks = " \t";

/// Paths that start with `prefix`: folders, and files whose names end with `ending`.
std::vector<std::string> files_starting_with(const std::string& prefix, std::string_view ending) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::size_t slash = prefix.rfind('/');
  std::string folder = slash == std::string::npos ? "" : prefix.substr(0, slash + 1);
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; it != end && !error;
       it.increment(error)) {
    bool is_folder = it->is_directory(error);
    std::string path = folder + it->path().filename().string() + (is_folder ? "/" : "");
    if (path.starts_with(prefix) && (is_folder || path.ends_with(ending))) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The first command whose name starts so, as the user may shorten it; null if none does.
const Command* find_command(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Command& command : commands())
    if (command.name.starts_with(name)) return &command;
  return nullptr;
}

std::vector<std::string> commands_starting_with(std::string_view prefix) {
  std::vector<std::string> found;
  for (const Command& command : commands())
    if (std::string name = ":" + std::string(command.name); name.starts_with(prefix))
      found.push_back(std::move(name));
  return found;
}

/// Names of settings, or after a name and a blank the name with its values.
std::vector<std::string> settings_starting_with(std::string_view argument) {
  std::vector<std::string> found;
  auto offer = [&](std::string text) {
    if (text.starts_with(argument)) found.push_back(std::move(text));
  };
  std::size_t space = argument.find_first_of(blanks);
  if (space == std::string_view::npos) {
    offer("--save");
    for (const Setting& setting : settings())
      offer(std::string(setting.name));
  } else if (const Setting* setting = find_setting(argument.substr(0, space))) {
    std::istringstream choices{std::string(setting->choices)};
    for (std::string choice; choices >> choice;)
      offer(std::string(setting->name) + " " + choice);
  }
  return found;
}

} // namespace

Console::Console(ConsoleOptions options, Presenter& presenter)
    : options_(std::move(options)), presenter_(presenter),
      session_(std::make_unique<Session>(options_.session)),
      initial_settings_(current_settings(*this)) {}

Console::~Console() = default;

void Console::fail(const std::string& message) {
  failed_ = true;
  presenter_.message("error: " + message + "\n");
}

void Console::show(const Outcome& outcome) {
  if (!outcome.ok()) failed_ = true;
  if (!outcome.messages.empty()) presenter_.message(outcome.messages);
  if (outcome.kind == Outcome::Kind::Value) presenter_.value(outcome, options_.display);
}

bool Console::load(const std::string& path) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  Outcome outcome = session_->load(path);
  show(outcome);
  if (!outcome.ok()) return false;
  loaded_path_ = path;
  loaded_time_ = time;
  return true;
}

void Console::reload_if_changed() {
  if (!is_watching_ || loaded_path_.empty()) return;
  std::error_code error;
  const auto time = std::filesystem::last_write_time(loaded_path_, error);
  if (error || time == loaded_time_) return;
  const std::string path = loaded_path_;
  loaded_time_ = time; // also after errors: they are shown once
  if (load(path)) presenter_.message(path + " has changed, and is loaded again\n");
}

void Console::clear() {
  session_->clear();
  loaded_path_.clear();
}

Outcome Console::evaluate(const std::string& input) {
  InterruptKey key(session_->interrupt());
  return session_->submit(input);
}

Console::Progress Console::submit(const std::string& input, bool complete) {
  failed_ = quit_ = false;
  reload_if_changed();
  failed_ = false;
  if (std::string command = trimmed(input); command.starts_with(':')) {
    obey(command);
  } else {
    Outcome outcome = evaluate(input);
    if (outcome.kind == Outcome::Kind::Incomplete) {
      if (!complete) return Progress::Incomplete;
      if (outcome.messages.empty()) fail("the input ends too early");
    }
    show(outcome);
  }
  if (quit_) return Progress::Quit;
  return failed_ ? Progress::Failed : Progress::Done;
}

void Console::start_up(std::span<const std::string> except) {
  if (std::string wrong = read_settings(*this, configuration_path("settings"), except);
      !wrong.empty())
    presenter_.message(wrong);
  const std::string path = configuration_path("startup.fut");
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  std::ostringstream text;
  text << file.rdbuf();
  for (const Input& input : split_inputs(text.str()))
    obey_input(input, path);
}

void Console::obey_input(const Input& input, const std::string& file) {
  if (input.is_command()) return obey(input.text);
  // Lines in front give it its place in the file, for messages.
  InterruptKey key(session_->interrupt());
  Outcome outcome = session_->submit(std::string(input.line - 1, '\n') + input.text, file);
  if (outcome.kind == Outcome::Kind::Value) outcome.kind = Outcome::Kind::Done;
  show(outcome);
}

void Console::obey(const std::string& line) {
  std::size_t end = line.find_first_of(blanks);
  std::string name = line.substr(1, end == std::string::npos ? end : end - 1);
  std::string argument = end == std::string::npos ? "" : trimmed(line.substr(end));
  if (const Command* command = find_command(name)) {
    if (command->argument.empty() && !argument.empty())
      return fail("`:" + std::string(command->name) + "` takes no argument");
    if (!command->argument.empty() && !command->argument.starts_with('[') && argument.empty())
      return fail("usage: `:" + std::string(command->name) + " " + std::string(command->argument) +
                  "`");
    return command->obey(*this, argument);
  }
  std::vector<std::string_view> names;
  for (const Command& command : commands())
    names.push_back(command.name);
  std::string message = "unknown command `:" + name + "`";
  if (auto similar = similar_names(name, names); !similar.empty())
    message += "; did you mean `:" + std::string(similar.front()) + "`?";
  else
    message += "; `:help` lists them";
  fail(message);
}

std::vector<std::string> Console::complete(std::string_view line) const {
  std::size_t begin = line.find_first_not_of(blanks);
  if (begin != std::string_view::npos && line[begin] == ':') {
    std::size_t space = line.find_first_of(blanks, begin);
    if (space == std::string_view::npos) return commands_starting_with(line.substr(begin));
    const Command* command = find_command(line.substr(begin + 1, space - begin - 1));
    std::size_t word = line.find_first_not_of(blanks, space);
    std::string argument(word == std::string_view::npos ? "" : line.substr(word));
    switch (command ? command->completes : Completes::Names) {
    case Completes::Nothing:
      return {};
    case Completes::Names:
      break;
    case Completes::Programs:
      return files_starting_with(argument, ".fut");
    case Completes::Files:
      return files_starting_with(argument, "");
    case Completes::Commands:
      return commands_starting_with(":" + argument);
    case Completes::Settings:
      return settings_starting_with(argument);
    case Completes::DiagnosticIds: {
      std::vector<std::string> found;
      for (const DiagnosticId& row : diagnostic_ids())
        if (row.id.starts_with(argument)) found.emplace_back(row.id);
      return found;
    }
    }
  }
  std::string_view word = last_word(line);
  return word.empty() ? std::vector<std::string>() : session_->complete(word);
}

} // namespace sinter::repl
