#include "repl/prompt.h"

#include "lang/base/diagnostic.h"
#include "lang/base/diagnostic_ids.h"
#include "lang/check/help.h"
#include "repl/completion.h"
#include "repl/explanation.h"
#include "repl/inquiry.h"
#include "repl/interrupt_key.h"
#include "repl/time_text.h"

#include <algorithm>
#include <filesystem>

namespace sinter::repl {

/// A row of the table that `:help`, completion and dispatch share.
struct Prompt::Command {
  std::string_view name;
  std::string_view argument; ///< as help shows it; in brackets if optional, empty if there is none
  std::string_view summary;
  void (Prompt::*obey)(const std::string& argument);
};

const std::vector<Prompt::Command>& Prompt::commands() {
  static const std::vector<Command> table = {
      {"load", "FILE", "start afresh with the definitions of a file", &Prompt::command_load},
      {"reload", "", "load the last file again", &Prompt::command_reload},
      {"type", "EXPRESSION", "show an expression's type without evaluating it",
       &Prompt::command_type},
      {"doc", "NAME", "what a value is, from its documentation", &Prompt::command_doc},
      {"source", "NAME", "the definition of a value", &Prompt::command_source},
      {"browse", "[MODULE]", "the members of a module, or all that you have defined",
       &Prompt::command_browse},
      {"time", "EXPRESSION", "evaluate again and again, and show how long it takes",
       &Prompt::command_time},
      {"set", "[mode M]", "how to evaluate: auto, interp, jit or mixed", &Prompt::command_set},
      {"explain", "EXPRESSION", "evaluate, and show what is compiled and why not the rest",
       &Prompt::command_explain},
      {"help", "[ID]", "show this table, or explain the error whose id is given",
       &Prompt::command_help},
      {"quit", "", "leave (so does Ctrl-D)", &Prompt::command_quit},
  };
  return table;
}

namespace {

constexpr std::string_view blanks = " \t";

std::string trimmed(const std::string& text) {
  std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string> files_starting_with(const std::string& prefix) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::size_t slash = prefix.rfind('/');
  std::string folder = slash == std::string::npos ? "" : prefix.substr(0, slash + 1);
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; it != end && !error;
       it.increment(error)) {
    bool is_folder = it->is_directory(error);
    std::string path = folder + it->path().filename().string() + (is_folder ? "/" : "");
    if (path.starts_with(prefix) && (is_folder || path.ends_with(".fut"))) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace

Prompt::Prompt(PromptOptions options, std::ostream& out, std::ostream& err)
    : options_(std::move(options)), out_(out), err_(err) {
  options_.session.breakpoint = [this](Span place, std::span<const StackFrame> frames) {
    stop_at(place, frames);
  };
  session_ = new_session();
}

Prompt::~Prompt() = default;

std::unique_ptr<Session> Prompt::new_session() {
  return std::make_unique<Session>(options_.session);
}

void Prompt::fail(const std::string& message) {
  err_ << "error: " << message << std::endl;
}

void Prompt::show(const Outcome& outcome) {
  err_ << outcome.messages << std::flush;
  if (outcome.kind == Outcome::Kind::Value)
    out_ << display_result(outcome.type_text, outcome.value, outcome.representation,
                           options_.display)
         << std::endl;
}

bool Prompt::load(const std::string& path) {
  // A session of its own: what a file's older version defined must not linger on.
  std::unique_ptr<Session> fresh = new_session();
  Outcome outcome = fresh->load(path);
  err_ << outcome.messages << std::flush;
  if (!outcome.ok()) return false;
  session_ = std::move(fresh);
  loaded_path_ = path;
  return true;
}

void Prompt::run(LineEditor& editor) {
  editor_ = &editor;
  quit_ = false;
  if (!options_.banner.empty()) out_ << options_.banner << std::endl;
  std::string input;
  while (!quit_) {
    LineEditor::Line line;
    {
      InterruptKey key(session_->interrupt()); // at the prompt Ctrl-C drops the line
      line = editor.read(input.empty() ? "> " : "| ");
    }
    if (line.kind == LineEditor::Line::Kind::Interrupted) {
      input.clear();
      continue;
    }
    bool end = line.kind == LineEditor::Line::Kind::End;
    if (end && input.empty()) break;
    if (input.empty() && trimmed(line.text).starts_with(':')) {
      std::string command = trimmed(line.text);
      editor.remember(command);
      obey(command);
      continue;
    }
    bool no_more = end || (!input.empty() && trimmed(line.text).empty());
    // After a line with a case there may come more of them; only an empty line tells.
    bool may_go_on = !input.empty() && !no_more && trimmed(line.text).starts_with("case ");
    if (!end) input += (input.empty() ? "" : "\n") + line.text;
    if (trimmed(input).empty()) {
      input.clear();
      continue;
    }
    if (may_go_on) continue;
    ignore_breaks_ = false;
    Outcome outcome;
    {
      InterruptKey key(session_->interrupt());
      outcome = session_->submit(input);
    }
    if (outcome.kind == Outcome::Kind::Incomplete && !no_more) continue;
    editor.remember(input);
    input.clear();
    if (outcome.kind == Outcome::Kind::Incomplete && outcome.messages.empty())
      fail("the input ends too early");
    show(outcome);
    if (end) break;
  }
  editor_ = nullptr;
}

// ---- commands
// ------------------------------------------------------------------------------------

void Prompt::obey(const std::string& line) {
  std::size_t end = line.find_first_of(blanks);
  std::string name = line.substr(1, end == std::string::npos ? end : end - 1);
  std::string argument = end == std::string::npos ? "" : trimmed(line.substr(end));
  for (const Command& command : commands()) {
    if (name.empty() || !command.name.starts_with(name)) continue;
    if (command.argument.empty() && !argument.empty())
      return fail("`:" + std::string(command.name) + "` takes no argument");
    if (!command.argument.empty() && !command.argument.starts_with('[') && argument.empty())
      return fail("usage: `:" + std::string(command.name) + " " + std::string(command.argument) +
                  "`");
    return (this->*command.obey)(argument);
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

void Prompt::command_load(const std::string& argument) {
  if (load(argument)) err_ << "loaded " << argument << std::endl;
}

void Prompt::command_reload(const std::string&) {
  if (loaded_path_.empty()) return fail("no file was loaded yet");
  command_load(std::string(loaded_path_));
}

void Prompt::command_type(const std::string& argument) {
  Outcome outcome = session_->type_of(argument);
  err_ << outcome.messages << std::flush;
  if (outcome.ok()) out_ << argument << " : " << outcome.type_text << std::endl;
}

void Prompt::command_doc(const std::string& argument) {
  std::optional<ValueInquiry> found = inquire(*session_, argument);
  if (!found) return fail("no value `" + argument + "` is in scope");
  out_ << found->name << " : " << found->type << "\n";
  if (!found->documentation.empty()) out_ << found->documentation;
  if (!found->documentation.ends_with('\n') && !found->documentation.empty()) out_ << "\n";
  if (found->documentation.empty()) out_ << "(without documentation)\n";
  out_ << std::flush;
}

void Prompt::command_source(const std::string& argument) {
  std::optional<ValueInquiry> found = inquire(*session_, argument);
  if (!found) return fail("no value `" + argument + "` is in scope");
  if (found->source.empty()) return fail("`" + argument + "` is built in");
  out_ << "-- " << found->place << "\n" << found->source << std::endl;
}

void Prompt::command_browse(const std::string& argument) {
  std::optional<std::vector<std::string>> lines = browse(*session_, argument);
  if (!lines) return fail("no module `" + argument + "` with members is in scope");
  for (const std::string& line : *lines)
    out_ << line << "\n";
  out_ << std::flush;
}

void Prompt::command_time(const std::string& argument) {
  Session::Timing timing;
  {
    InterruptKey key(session_->interrupt());
    timing = session_->time(argument, std::chrono::seconds(1));
  }
  err_ << timing.outcome.messages << std::flush;
  if (!timing.outcome.ok()) return;
  const std::vector<double>& times = timing.seconds;
  out_ << time_text(times[times.size() / 2]) << " (least " << time_text(times.front()) << ", most "
       << time_text(times.back()) << ", first " << time_text(timing.first_seconds) << "; "
       << times.size() << " runs)" << std::endl;
}

void Prompt::command_set(const std::string& argument) {
  jit::SwapOptions options = session_->options().acceleration;
  if (argument.empty()) {
    out_ << "mode " << jit::name(options.mode) << std::endl;
    return;
  }
  std::string value;
  if (argument.starts_with("mode")) value = trimmed(argument.substr(4));
  std::optional<jit::Mode> mode = jit::mode_of(value);
  if (!mode) return fail("usage: `:set mode auto` (or `interp`, `jit`, `mixed`)");
  options.mode = *mode;
  options_.session.acceleration = options;
  session_->accelerate(options);
}

void Prompt::command_explain(const std::string& argument) {
  const jit::SwapOptions before = session_->options().acceleration;
  jit::SwapOptions explaining = before;
  explaining.mode = jit::Mode::Jit;
  explaining.keep_ir = true;
  session_->accelerate(explaining);
  session_->clear_report();
  Outcome outcome;
  {
    InterruptKey key(session_->interrupt());
    outcome = session_->submit(argument);
  }
  show(outcome);
  if (outcome.ok())
    out_ << explanation(session_->sources(), session_->report(), true) << std::flush;
  session_->accelerate(before);
}

void Prompt::command_help(const std::string& argument) {
  if (!argument.empty()) {
    std::optional<std::string> page = help::show(argument);
    if (!page) return fail(help::no_such_id(argument));
    out_ << *page << std::flush;
    return;
  }
  out_ << "Type an expression to evaluate it, or a declaration (def, let, type, module, import, "
          "…).\n"
          "An unfinished input goes on in the next line; an empty line ends it.\n"
          "`it` is the last result.  Ctrl-C stops an evaluation.\n\n";
  for (const Command& command : commands()) {
    std::string left = ":" + std::string(command.name);
    if (!command.argument.empty()) left += " " + std::string(command.argument);
    left.resize(std::max<std::size_t>(left.size(), 18), ' ');
    out_ << "  " << left << "  " << command.summary << "\n";
  }
  out_ << "\nA command may be shortened (`:l`).  At a `#[break]`: `:continue`, `:stack`, `:abort`."
       << std::endl;
}

void Prompt::command_quit(const std::string&) {
  quit_ = true;
}

// ---- #[break]
// ------------------------------------------------------------------------------------

void Prompt::show_place(Span place, std::span<const StackFrame> frames) {
  const SourceMap& sources = session_->sources();
  err_ << "break at " << sources.describe(place);
  if (std::string_view text = sources.text(place);
      !text.empty() && text.find('\n') == std::string_view::npos)
    err_ << ": " << text;
  err_ << "\n";
  for (const StackFrame& frame : frames)
    err_ << "  at " << frame.function << " (" << sources.describe(frame.span) << ")\n";
  err_ << std::flush;
}

void Prompt::stop_at(Span place, std::span<const StackFrame> frames) {
  if (!editor_ || ignore_breaks_) return;
  show_place(place, frames);
  while (true) {
    LineEditor::Line line = editor_->read("break> ");
    std::string word = trimmed(line.text);
    auto is = [&](std::string_view name) {
      return word.size() > 1 && word[0] == ':' && name.starts_with(word.substr(1));
    };
    if (line.kind == LineEditor::Line::Kind::End) {
      ignore_breaks_ = true;
      return;
    }
    if (line.kind == LineEditor::Line::Kind::Interrupted || is("abort") || is("quit")) {
      ignore_breaks_ = true;
      throw RuntimeError(FailureKind::Interrupted, "given up at the `#[break]`", place);
    }
    if (word.empty() || is("continue")) return;
    if (is("stack"))
      show_place(place, frames);
    else
      fail("stopped at a `#[break]`: `:continue` goes on, `:stack` shows where, `:abort` gives up");
  }
}

// ---- completion
// ----------------------------------------------------------------------------------

std::vector<std::string> Prompt::complete(std::string_view line) const {
  std::size_t begin = line.find_first_not_of(blanks);
  if (begin != std::string_view::npos && line[begin] == ':') {
    std::size_t space = line.find_first_of(blanks, begin);
    if (space == std::string_view::npos) {
      std::vector<std::string> found;
      for (const Command& command : commands())
        if (std::string name = ":" + std::string(command.name);
            name.starts_with(line.substr(begin)))
          found.push_back(std::move(name));
      return found;
    }
    std::string_view command = line.substr(begin + 1, space - begin - 1);
    std::size_t word = line.find_first_not_of(blanks, space);
    if (!command.empty() && std::string_view("help").starts_with(command)) {
      std::vector<std::string> found;
      for (const DiagnosticId& row : diagnostic_ids())
        if (row.id.starts_with(word == std::string_view::npos ? "" : line.substr(word)))
          found.emplace_back(row.id);
      return found;
    }
    if (std::string_view("load").starts_with(command)) {
      return files_starting_with(
          std::string(word == std::string_view::npos ? "" : line.substr(word)));
    }
  }
  std::string_view word = last_word(line);
  return word.empty() ? std::vector<std::string>() : session_->complete(word);
}

} // namespace sinter::repl
