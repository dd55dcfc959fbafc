#include "repl/prompt.h"

#include "repl/commands/command.h"
#include "repl/interrupt_key.h"

namespace sinter::repl {

namespace {

ConsoleOptions with_breakpoint(ConsoleOptions options,
                               std::function<void(Span, std::span<const StackFrame>)> stop_at) {
  options.session.breakpoint = std::move(stop_at);
  return options;
}

} // namespace

Prompt::Prompt(PromptOptions options, Presenter& presenter)
    : banner_(std::move(options.banner)), presenter_(presenter),
      console_(with_breakpoint(std::move(options.console),
                               [this](Span place, std::span<const StackFrame> frames) {
                                 stop_at(place, frames);
                               }),
               presenter) {}

void Prompt::run(LineEditor& editor) {
  editor_ = &editor;
  // Between evaluations Ctrl-C has nothing to stop, and it must not end the process.
  InterruptSource idle;
  InterruptKey key(idle);
  if (!banner_.empty()) presenter_.text(banner_ + "\n");
  std::string input;
  while (true) {
    idle.clear();
    LineEditor::Line line = editor.read(input.empty() ? "> " : "| ", "| ");
    if (line.kind == LineEditor::Line::Kind::Interrupted) {
      input.clear();
      continue;
    }
    bool end = line.kind == LineEditor::Line::Kind::End;
    if (end && input.empty()) break;
    bool command = input.empty() && trimmed(line.text).starts_with(':');
    bool no_more = end || command || line.kind == LineEditor::Line::Kind::Whole ||
                   (!input.empty() && trimmed(line.text).empty());
    // After a line with a case there may come more of them; only an empty line tells.
    bool may_go_on = !input.empty() && !no_more && trimmed(line.text).starts_with("case ");
    if (!end) input += (input.empty() ? "" : "\n") + (command ? trimmed(line.text) : line.text);
    if (input.find_first_not_of(" \t\n") == std::string::npos) {
      input.clear();
      continue;
    }
    if (may_go_on) continue;
    ignore_breaks_ = false;
    if (command) editor.remember(input);
    Console::Progress progress = console_.submit(input, no_more);
    if (progress == Console::Progress::Incomplete) continue;
    if (!command) editor.remember(input);
    input.clear();
    if (end || progress == Console::Progress::Quit) break;
  }
  editor_ = nullptr;
}

// ---- #[break]
// ------------------------------------------------------------------------------------

void Prompt::show_place(Span place, std::span<const StackFrame> frames) {
  const SourceMap& sources = console_.session().sources();
  std::string answer = "break at " + sources.describe(place);
  if (std::string_view text = sources.text(place);
      !text.empty() && text.find('\n') == std::string_view::npos)
    answer += ": " + std::string(text);
  answer += "\n";
  for (const StackFrame& frame : frames)
    answer += "  at " + std::string(frame.function) + " (" + sources.describe(frame.span) + ")\n";
  presenter_.message(answer);
}

void Prompt::stop_at(Span place, std::span<const StackFrame> frames) {
  if (!editor_ || ignore_breaks_) return;
  show_place(place, frames);
  while (true) {
    LineEditor::Line line = editor_->read("break> ", "     | ");
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
      presenter_.message("error: stopped at a `#[break]`: `:continue` goes on, `:stack` shows "
                         "where, `:abort` gives up\n");
  }
}

} // namespace sinter::repl
