#include "repl/prompt.h"

#include "repl/commands/command.h"
#include "repl/interrupt_key.h"

namespace sinter::repl {

namespace {

ConsoleOptions with_breakpoint(ConsoleOptions options,
                               std::function<void(const BreakPlace&)> stop_at) {
  options.session.breakpoint = std::move(stop_at);
  return options;
}

} // namespace

Prompt::Prompt(PromptOptions options, Presenter& presenter)
    : banner_(std::move(options.banner)), presenter_(presenter),
      console_(with_breakpoint(std::move(options.console),
                               [this](const BreakPlace& place) { breaks_.stop_at(place); }),
               presenter),
      breaks_(console_, presenter) {}

void Prompt::run(LineEditor& editor) {
  breaks_.set_editor(&editor);
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
    breaks_.begin_input();
    if (command) editor.remember(input);
    Console::Progress progress = console_.submit(input, no_more);
    if (progress == Console::Progress::Incomplete) continue;
    if (!command) editor.remember(input);
    input.clear();
    if (end || progress == Console::Progress::Quit) break;
  }
  breaks_.set_editor(nullptr);
}

} // namespace sinter::repl
