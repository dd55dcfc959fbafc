#include "repl/console/console.h"

#include "lang/base/diagnostic.h"
#include "lang/base/diagnostic_ids.h"
#include "repl/commands/command.h"
#include "repl/console/advice.h"
#include "repl/console/settings.h"
#include "repl/scripts/directives.h"
#include "repl/session/completion.h"
#include "repl/session/interrupt_key.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>
#include <utility>

namespace sinter::repl {

namespace {

constexpr std::string_view blanks = " \t";

std::vector<Completion> commands_starting_with(std::string_view prefix) {
  std::vector<Completion> found;
  for (const Command& command : commands())
    if (std::string name = ":" + std::string(command.name); name.starts_with(prefix))
      found.push_back({std::move(name), std::string(command.summary)});
  return found;
}

/// The options of a command that begin so; its row of the table names them.
std::vector<Completion> options_starting_with(const Command& command, std::string_view prefix) {
  std::vector<Completion> found;
  for (std::string_view text : {command.argument, command.summary})
    for (std::size_t at = text.find("--"); at != std::string_view::npos;
         at = text.find("--", at + 2)) {
      const std::string_view option = text.substr(at, text.find_first_of(" =[](),;`", at) - at);
      if (option.starts_with(prefix)) found.push_back({std::string(option), ""});
    }
  return found;
}

/// Names of settings, or after a name and a blank the name with its values.
std::vector<Completion> settings_starting_with(std::string_view argument) {
  std::vector<Completion> found;
  auto offer = [&](std::string text, std::string_view detail) {
    if (text.starts_with(argument)) found.push_back({std::move(text), std::string(detail)});
  };
  std::size_t space = argument.find_first_of(blanks);
  if (space == std::string_view::npos) {
    offer("--save", "for later sessions");
    for (const Setting& setting : settings())
      offer(std::string(setting.name), setting.summary);
  } else if (const Setting* setting = find_setting(argument.substr(0, space))) {
    std::istringstream choices{std::string(setting->choices)};
    for (std::string choice; choices >> choice;)
      offer(std::string(setting->name) + " " + choice, "");
  }
  return found;
}

} // namespace

Console::Console(ConsoleOptions options, Presenter& presenter)
    : options_(std::move(options)), presenter_(presenter) {
  session_ = std::make_unique<Session>(options_.session);
  initial_settings_ = current_settings(*this);
}

Console::~Console() = default;

void Console::fail(const std::string& message) {
  if (!failed_) {
    failure_ = Outcome();
    failure_.kind = Outcome::Kind::CheckFailed;
  }
  failed_ = true;
  presenter_.message(place_ + "error: " + message + "\n");
}

void Console::show(const Outcome& outcome) {
  if (!outcome.ok()) {
    if (!failed_) {
      failure_ = Outcome();
      failure_.kind = outcome.kind;
      failure_.failure = outcome.failure;
    }
    failed_ = true;
  }
  if (!outcome.messages.empty()) presenter_.message(outcome.messages);
  if (is_quiet_) return;
  for (const std::string& definition : outcome.definitions)
    presenter_.definition(definition, outcome.has_default_types);
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

std::optional<std::string> Console::change_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path loaded = loaded_path_.empty() ? fs::path() : fs::absolute(loaded_path_, error);
  fs::current_path(path, error);
  if (error) return "cannot go to `" + path + "`: " + error.message();
  if (!loaded.empty()) loaded_path_ = loaded.string();
  return std::nullopt;
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

Outcome Console::evaluate(const std::string& input, const std::string& name) {
  std::shared_ptr<ProgressLine> progress = busy("evaluating");
  return session_->submit(input, name);
}

std::shared_ptr<ProgressLine> Console::busy(const std::string& what) {
  if (!options_.shows_progress) return nullptr;
  auto progress = std::make_shared<ProgressLine>(what);
  progress_ = progress;
  return progress;
}

Console::WithoutProgress::WithoutProgress(Console& console)
    : console_(console), hidden_(console.progress_.lock()) {
  if (hidden_) hidden_->hide();
}

Console::WithoutProgress::~WithoutProgress() {
  console_.progress_ = hidden_; // others have come and gone meanwhile
  if (hidden_) hidden_->resume();
}

void Console::evaluate_entry(const Entry& entry, const std::string& name) {
  // Lines in front give it its place in the text, for messages.
  std::string text = std::string(entry.line, '\n') + entry.text;
  if (can_only_go_on(entry) && !last_code_.empty()) {
    text = last_code_ + "\n" + entry.text;
    if (last_outcome_.is_change) {
      session_->undo();
      if (last_outcome_.kind == Outcome::Kind::Value)
        session_->set_result_count(session_->result_count() - 1);
    }
  }
  Outcome outcome = evaluate(text, name);
  last_code_ = std::move(text);
  last_outcome_ = Outcome();
  last_outcome_.kind = outcome.kind;
  last_outcome_.is_change = outcome.is_change;
  if (outcome.kind == Outcome::Kind::CheckFailed)
    if (const std::optional<Advice> advice = advice_for(entry.text))
      return advice->command.empty() ? fail(advice->message) : obey(advice->command);
  if (outcome.kind == Outcome::Kind::Incomplete && outcome.messages.empty())
    fail("the input ends too early");
  show(outcome);
}

void Console::obey_directive(const Entry& entry, const std::string& name) {
  const Directive directive = directive_of(entry);
  if (directive.text.empty() && directive.command.empty()) return;
  if (!directive.command.empty() && !makes_media(directive))
    return obey(":" + directive.command + " " + directive.expression());
  Performed performed;
  {
    std::shared_ptr<ProgressLine> progress = busy("evaluating");
    performed = perform(*session_, name, directive);
  }
  if (!performed.media) return show(performed.outcome);
  if (!performed.outcome.messages.empty()) presenter_.message(performed.outcome.messages);
  presenter_.media(*performed.media);
}

Console::Progress Console::submit(const Entry& entry, const std::string& name) {
  failed_ = quit_ = false;
  const InterruptKey key(session_->interrupt());
  text_name_ = name;
  const bool is_of_file = name != prompt_name && entry.kind != Entry::Kind::Code;
  place_ = is_of_file ? name + ":" + std::to_string(entry.line + 1) + ": " : std::string();
  if (entry.kind != Entry::Kind::Code) last_code_.clear();
  // What is a user's error becomes an outcome further down.  The rest is ours, and no reason to end
  // a session either.
  try {
    reload_if_changed();
    failed_ = false;
    switch (entry.kind) {
    case Entry::Kind::Code:
      evaluate_entry(entry, name);
      break;
    case Entry::Kind::Command:
      show(session_->limited([&] { obey(trimmed(entry.text)); }));
      break;
    case Entry::Kind::Directive:
      show(session_->limited([&] { obey_directive(entry, name); }));
      break;
    }
  } catch (const std::bad_alloc&) {
    fail("out of memory");
  } catch (const std::exception& error) {
    fail(std::string("internal error: ") + error.what());
  }
  place_.clear();
  if (quit_) return Progress::Quit;
  return failed_ ? Progress::Failed : Progress::Done;
}

Console::Progress Console::submit(const std::string& text) {
  Progress progress = Progress::Done;
  for (const Entry& entry : entries_of(text))
    if ((progress = submit(entry)) != Progress::Done) break;
  return progress;
}

Console::Progress Console::submit_quietly(const Entry& entry, const std::string& name) {
  const bool before = std::exchange(is_quiet_, true);
  const bool failed_before = failed_;
  const bool quit_before = quit_;
  const std::string name_before = text_name_;
  const Progress progress = submit(entry, name);
  // (The entries of a file are a part of what the command that reads it does.)
  failed_ = failed_ || failed_before;
  quit_ = quit_ || quit_before;
  text_name_ = name_before;
  is_quiet_ = before;
  return progress;
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
  for (const Entry& entry : entries_of(text.str()))
    submit_quietly(entry, path);
}

void Console::obey(const std::string& line) {
  std::size_t end = line.find_first_of(" \t\n");
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

Completions Console::complete(std::string_view input) const {
  std::size_t begin = input.find_first_not_of(blanks);
  if (begin == std::string_view::npos || input[begin] != ':') return session_->complete(input);
  std::size_t space = input.find_first_of(blanks, begin);
  if (space == std::string_view::npos) return {begin, commands_starting_with(input.substr(begin))};
  const Command* command = find_command(input.substr(begin + 1, space - begin - 1));
  std::size_t word = std::min(input.find_first_not_of(blanks, space), input.size());
  std::string argument(input.substr(word));
  switch (command ? command->completes : Completes::Names) {
  case Completes::Nothing:
    break;
  case Completes::Names: {
    const std::size_t last = argument.find_last_of(blanks) + 1; // 0 if there is but one word
    if (command && argument.substr(last).starts_with("-"))
      if (auto options = options_starting_with(*command, argument.substr(last)); !options.empty())
        return {word + last, std::move(options)};
    Completions found = session_->complete(argument);
    found.begin += word;
    return found;
  }
  case Completes::Programs:
    return {word, complete_path(argument, ".fut")};
  case Completes::Files:
    return {word, complete_path(argument, "")};
  case Completes::Folders:
    return {word, complete_path(argument, "/")}; // no file's name ends so
  case Completes::Commands:
    return {word, commands_starting_with(":" + argument)};
  case Completes::Settings:
    return {word, settings_starting_with(argument)};
  case Completes::HelpTopics: {
    Completions found{word, {}};
    if (std::string_view("keys").starts_with(argument))
      found.items.push_back({"keys", "the editor's keys"});
    for (const Command& command : commands())
      if (command.name.starts_with(argument))
        found.items.push_back({std::string(command.name), std::string(command.summary)});
    for (const DiagnosticId& row : diagnostic_ids())
      if (row.id.starts_with(argument)) found.items.push_back({std::string(row.id), ""});
    return found;
  }
  }
  return {input.size(), {}};
}

} // namespace sinter::repl
