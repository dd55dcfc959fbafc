#include "repl/line_editor.h"

#include "repl/completion.h"

#include <histedit.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace sinter::repl {

namespace {

class StreamEditor final : public LineEditor {
public:
  StreamEditor(std::istream& in, std::ostream* echo) : in_(in), echo_(echo) {}

  Line read(const std::string& prompt) override {
    std::string text;
    if (!std::getline(in_, text)) return {};
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (echo_) {
      std::string line = prompt + text;
      while (!line.empty() && line.back() == ' ')
        line.pop_back();
      *echo_ << line << std::endl;
    }
    return {Line::Kind::Text, std::move(text)};
  }
  void remember(const std::string&) override {}

private:
  std::istream& in_;
  std::ostream* echo_;
};

class TerminalEditor final : public LineEditor {
public:
  TerminalEditor(std::string history_file, Completer completer)
      : history_file_(std::move(history_file)), completer_(std::move(completer)),
        editor_(el_init("sinter", stdin, stdout, stderr)), history_(history_init()) {
    HistEvent event;
    ::history(history_, &event, H_SETSIZE, 10000);
    ::history(history_, &event, H_SETUNIQUE, 1);
    if (!history_file_.empty()) ::history(history_, &event, H_LOAD, history_file_.c_str());
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_PROMPT, &TerminalEditor::prompt_callback);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_HIST, ::history, history_);
    el_set(editor_, EL_ADDFN, "sinter-complete", "complete the name before the cursor",
           &TerminalEditor::complete_callback);
    el_set(editor_, EL_BIND, "^I", "sinter-complete", nullptr);
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(editor_, nullptr); // the user's ~/.editrc
  }
  ~TerminalEditor() override {
    history_end(history_);
    el_end(editor_);
  }

  Line read(const std::string& prompt) override {
    prompt_ = prompt;
    int count = 0;
    errno = 0;
    const char* text = el_gets(editor_, &count);
    if (!text || count <= 0) {
      std::fputc('\n', stdout);
      if (count < 0 && errno == EINTR) {
        el_reset(editor_);
        return {Line::Kind::Interrupted, {}};
      }
      return {};
    }
    std::string line(text, static_cast<std::size_t>(count));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
      line.pop_back();
    return {Line::Kind::Text, std::move(line)};
  }

  void remember(const std::string& input) override {
    // The history is line by line; an input of several lines becomes one.
    std::string flat = input;
    std::replace(flat.begin(), flat.end(), '\n', ' ');
    HistEvent event;
    ::history(history_, &event, H_ENTER, flat.c_str());
    if (!history_file_.empty()) ::history(history_, &event, H_SAVE, history_file_.c_str());
  }

private:
  static TerminalEditor& of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<TerminalEditor*>(data);
  }
  static char* prompt_callback(EditLine* editor) { return of(editor).prompt_.data(); }

  static unsigned char complete_callback(EditLine* editor, int) {
    TerminalEditor& self = of(editor);
    const LineInfo* info = el_line(editor);
    std::string_view line(info->buffer, static_cast<std::size_t>(info->cursor - info->buffer));
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      el_insertstr(editor, "  "); // tab indents
      return CC_REFRESH;
    }
    std::vector<std::string> candidates = self.completer_(line);
    if (candidates.empty()) return CC_ERROR;
    std::string common = candidates.front();
    for (const std::string& candidate : candidates) {
      auto differs =
          std::mismatch(common.begin(), common.end(), candidate.begin(), candidate.end());
      common.erase(differs.first, common.end());
    }
    // Candidates replace what they have in common with the end of the line.
    std::size_t typed = std::min(common.size(), line.size());
    while (typed > 0 && !line.ends_with(std::string_view(common).substr(0, typed)))
      --typed;
    if (common.size() > typed) {
      el_insertstr(editor, common.c_str() + typed);
      return CC_REFRESH;
    }
    if (candidates.size() == 1) return CC_ERROR;
    show(candidates);
    return CC_REDISPLAY;
  }

  /// Lists candidates in columns below the line.
  static void show(const std::vector<std::string>& candidates) {
    constexpr std::size_t screen = 80, most = 100;
    std::size_t width = 0, count = std::min(candidates.size(), most);
    for (std::size_t i = 0; i < count; ++i)
      width = std::max(width, candidates[i].size() + 2);
    std::size_t columns = std::max<std::size_t>(1, screen / width);
    std::fputc('\n', stdout);
    for (std::size_t i = 0; i < count; ++i)
      std::fprintf(stdout, "%-*s%s", static_cast<int>(width), candidates[i].c_str(),
                   i % columns + 1 == columns || i + 1 == count ? "\n" : "");
    if (count < candidates.size())
      std::fprintf(stdout, "… and %zu more\n", candidates.size() - count);
    std::fflush(stdout);
  }

  std::string history_file_;
  Completer completer_;
  std::string prompt_;
  EditLine* editor_;
  ::History* history_;
};

} // namespace

std::unique_ptr<LineEditor> make_terminal_editor(const std::string& history_file,
                                                 Completer completer) {
  return std::make_unique<TerminalEditor>(history_file, std::move(completer));
}

std::unique_ptr<LineEditor> make_stream_editor(std::istream& in, std::ostream* echo) {
  return std::make_unique<StreamEditor>(in, echo);
}

std::string history_path() {
  std::filesystem::path folder;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state && *state == '/')
    folder = state;
  else if (home && *home)
    folder = std::filesystem::path(home) / ".local" / "state";
  else
    return {};
  folder /= "sinter";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::string() : (folder / "history").string();
}

} // namespace sinter::repl
