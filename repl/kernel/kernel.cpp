#include "repl/kernel/kernel.h"

#include "repl/session/completion.h"
#include "repl/session/introspection.h"

#include <algorithm>

namespace sinter::repl {

namespace {

std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && !(text[i] >= '@' && text[i] <= '~'))
        ++i;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// The first line that speaks of an error, from there on.
std::string summary_of(const std::string& message) {
  std::string plain = without_colours(message);
  std::size_t begin = plain.find("rror: ");
  begin = begin == std::string::npos ? 0 : begin + 6;
  return plain.substr(begin, plain.find('\n', begin) - begin);
}

CellError error_of(std::string message) {
  CellError error;
  error.summary = summary_of(message);
  while (message.ends_with('\n'))
    message.pop_back();
  for (std::size_t begin = 0; begin <= message.size();) {
    std::size_t end = std::min(message.find('\n', begin), message.size());
    error.lines.push_back(message.substr(begin, end - begin));
    begin = end + 1;
  }
  return error;
}

/// What is shown at a `#[break]`, as nobody can be asked there: the variables.
std::string break_text(const SourceMap& sources, const BreakPlace& place) {
  std::string text = "break at " + sources.describe(place.span) + ", where a prompt would stop:\n";
  if (!place.variables_type) return text;
  const auto& fields = place.variables_type->record().fields;
  for (std::size_t i = 0; i < fields.size(); ++i)
    text += "  " + fields[i].name + " = " +
            print_value(place.variables.fields()[i], fields[i].type, 20) + "\n";
  return text;
}

/// What inspecting runs: its text, nothing else.
class TextOnly : public CellOutput {
public:
  void stream(Stream stream, std::string_view text) override {
    if (stream == Stream::Out) collected += text;
  }
  void display(const MimeBundle&, std::string_view) override {}
  void result(const MimeBundle&) override {}
  std::string collected;
};

} // namespace

Kernel::Kernel(ConsoleOptions options) {
  console_.emplace(with_remarks(std::move(options)), presenter_);
}

/// What `#[trace]` and `#[break]` show is shown in the cell.
ConsoleOptions Kernel::with_remarks(ConsoleOptions options) {
  options.session.trace = [this](const std::string& text) { presenter_.remark(text + "\n"); };
  options.session.breakpoint = [this](const BreakPlace& place) {
    constexpr std::size_t limit = 10; // of one input: a loop may have any number of them
    if (breaks_ < limit) presenter_.remark(break_text(console_->session().sources(), place));
    if (breaks_ == limit) presenter_.remark("(more breaks are passed in silence)\n");
    ++breaks_;
  };
  return options;
}

std::optional<CellError> Kernel::execute(std::string_view cell, CellOutput& output) {
  const std::vector<Entry> entries = entries_of(cell);
  console_->begin_text();
  for (const Entry& entry : entries) {
    presenter_.begin(output, &entry == &entries.back());
    breaks_ = 0;
    const bool failed = console_->submit(entry) == Console::Progress::Failed;
    std::string messages = presenter_.finish(failed);
    if (failed) return error_of(std::move(messages));
  }
  return std::nullopt;
}

CellCompletions Kernel::complete(std::string_view cell, std::size_t cursor) {
  cursor = std::min(cursor, cell.size());
  const std::string_view before = cell.substr(0, cursor);
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const bool command = line.starts_with(':');
  Completions found = command ? console_->complete(line) : console_->session().complete(before);
  CellCompletions completions;
  completions.begin = found.begin + (command ? before.size() - line.size() : 0);
  completions.end = cursor;
  for (Completion& item : found.items)
    completions.all.push_back({std::move(item.text), std::move(item.detail)});
  return completions;
}

std::optional<std::string> Kernel::inspect(std::string_view cell, std::size_t cursor) {
  cursor = std::min(cursor, cell.size());
  // The name goes on after the cursor; after a bracket, what stands before it is asked for.
  std::size_t end = cursor;
  while (end < cell.size() && !last_word(cell.substr(0, end + 1)).empty())
    ++end;
  std::string_view name = last_word(cell.substr(0, end));
  while (name.empty() && end > 0)
    name = last_word(cell.substr(0, --end));
  if (name.empty()) return std::nullopt;
  TextOnly answer;
  presenter_.begin(answer, false);
  const Console::Progress progress = console_->submit(":doc " + std::string(name));
  presenter_.finish(progress == Console::Progress::Failed);
  if (progress == Console::Progress::Failed || answer.collected.empty()) return std::nullopt;
  return answer.collected;
}

} // namespace sinter::repl
