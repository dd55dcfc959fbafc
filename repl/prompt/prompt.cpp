#include "repl/prompt/prompt.h"

#include "repl/commands/command.h"
#include "repl/session/interrupt_key.h"
#include "repl/text/entries.h"
#include "repl/text/lines.h"

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
  EntrySplitter splitter;
  std::string typed; // what has been typed of the entries that have not ended
  bool is_over = false;
  while (!is_over) {
    idle.clear();
    LineEditor::Line line = editor.read(typed.empty() ? "> " : "| ", "| ");
    if (line.kind == LineEditor::Line::Kind::Interrupted) {
      splitter = {};
      typed.clear();
      continue;
    }
    is_over = line.kind == LineEditor::Line::Kind::End;
    if (!is_over) {
      if (typed.empty() && trimmed(line.text).starts_with(':')) line.text = trimmed(line.text);
      for_each_line(line.text, [&](std::string_view one) { splitter.add(one); });
      typed += (typed.empty() ? "" : "\n") + line.text;
    }
    if (is_over || line.kind == LineEditor::Line::Kind::Whole || !splitter.wants_more())
      splitter.end();
    const std::vector<Entry> entries = splitter.take();
    if (splitter.is_empty()) {
      if (!is_blank(typed)) editor.remember(typed);
      typed.clear();
    }
    for (Entry entry : entries) {
      breaks_.begin_input();
      entry.line = 0; // an entry's lines are counted from its own first
      if (console_.submit(entry) != Console::Progress::Quit) continue;
      is_over = true;
      break;
    }
  }
  breaks_.set_editor(nullptr);
}

} // namespace sinter::repl
