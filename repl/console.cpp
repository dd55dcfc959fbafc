#include "repl/console.h"

#include "lang/base/diagnostic.h"
#include "lang/base/diagnostic_ids.h"
#include "repl/commands/command.h"
#include "repl/completion.h"
#include "repl/interrupt_key.h"

#include <algorithm>
#include <exception>
#include <new>

namespace sinter::repl {

namespace {

constexpr std::string_view blanks = " \t";

/// The first command whose name starts so, as the user may shorten it; null if none does.
const Command* find_command(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Command& command : commands())
    if (command.name.starts_with(name)) return &command;
  return nullptr;
}

std::vector<Completion> commands_starting_with(std::string_view prefix) {
  std::vector<Completion> found;
  for (const Command& command : commands())
    if (std::string name = ":" + std::string(command.name); name.starts_with(prefix))
      found.push_back({std::move(name), std::string(command.summary)});
  return found;
}

} // namespace

Console::Console(ConsoleOptions options, Presenter& presenter)
    : options_(std::move(options)), presenter_(presenter) {
  if (options_.session.breakpoint) // who stops there wants to read and write
    options_.session.breakpoint = [this, stop = std::move(options_.session.breakpoint)](
                                      Span place, std::span<const StackFrame> frames) {
      std::shared_ptr<ProgressLine> progress = progress_.lock();
      if (progress) progress->hide();
      stop(place, frames);
      if (progress) progress->resume();
    };
  session_ = new_session();
}

Console::~Console() = default;

std::unique_ptr<Session> Console::new_session() {
  return std::make_unique<Session>(options_.session);
}

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
  // A session of its own: what a file's older version defined must not linger on.
  std::unique_ptr<Session> fresh = new_session();
  Outcome outcome = fresh->load(path);
  show(outcome);
  if (!outcome.ok()) return false;
  session_ = std::move(fresh);
  loaded_path_ = path;
  return true;
}

Outcome Console::evaluate(const std::string& input) {
  InterruptKey key(session_->interrupt());
  std::shared_ptr<ProgressLine> progress = busy("evaluating");
  return session_->submit(input);
}

std::shared_ptr<ProgressLine> Console::busy(const std::string& what) {
  if (!options_.shows_progress) return nullptr;
  auto progress = std::make_shared<ProgressLine>(what);
  progress_ = progress;
  return progress;
}

Console::Progress Console::submit(const std::string& input, bool complete) {
  failed_ = quit_ = false;
  // What is a user's error becomes an outcome further down.  The rest is ours, and no reason to end
  // a session either.
  try {
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
  } catch (const std::bad_alloc&) {
    fail("out of memory");
  } catch (const std::exception& error) {
    fail(std::string("internal error: ") + error.what());
  }
  if (quit_) return Progress::Quit;
  return failed_ ? Progress::Failed : Progress::Done;
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
    Completions found = session_->complete(argument);
    found.begin += word;
    return found;
  }
  case Completes::Programs:
    return {word, complete_path(argument, ".fut")};
  case Completes::Files:
    return {word, complete_path(argument, "")};
  case Completes::Commands:
    return {word, commands_starting_with(":" + argument)};
  case Completes::DiagnosticIds: {
    Completions found{word, {}};
    for (const DiagnosticId& row : diagnostic_ids())
      if (row.id.starts_with(argument)) found.items.push_back({std::string(row.id), ""});
    return found;
  }
  }
  return {input.size(), {}};
}

} // namespace sinter::repl
