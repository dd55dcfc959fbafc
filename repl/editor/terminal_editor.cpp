#include "repl/editor/terminal_editor.h"

#include "repl/editor/terminal.h"

#include <unistd.h>
#include <utility>

namespace sinter::repl {

namespace {

using std::chrono::milliseconds;

/// After an Escape byte, the rest of a sequence comes within so long, over slow connections too.
constexpr milliseconds sequence_limit{50};

class TerminalEditor final : public LineEditor {
public:
  TerminalEditor(const std::string& history_file, EditorHooks hooks)
      : terminal_(STDIN_FILENO, STDOUT_FILENO), history_(history_file), color_(hooks.color),
        editor_(std::move(hooks), history_) {}

  Line read(const std::string& prompt, const std::string& more) override {
    Terminal::Raw raw(terminal_);
    screen_.set_color(color_ && color_());
    editor_.begin(prompt, more);
    size_ = terminal_.size();
    top_ = 0;
    draw();
    while (true) {
      std::optional<Key> key = keys_.next();
      if (!key) {
        draw(); // what was typed ahead is shown at once
        key = wait_for_key();
        if (is_interrupted_) return leave({Line::Kind::Interrupted, {}}, "^C");
        if (!key) return leave({}, "");
      }
      switch (editor_.press(*key, key->kind == Key::Kind::Enter ? following() : '\0')) {
      case Editor::Result::Going:
        break;
      case Editor::Result::Accepted:
        return leave({Line::Kind::Whole, editor_.text()}, "");
      case Editor::Result::Cancelled:
        return leave({Line::Kind::Interrupted, {}}, "^C");
      case Editor::Result::Ended:
        return leave({}, "");
      case Editor::Result::Suspended:
        terminal_.write(screen_.leave());
        terminal_.suspend();
        size_ = terminal_.size();
        break;
      case Editor::Result::Cleared:
        terminal_.write("\x1b[H\x1b[2J");
        screen_.forget();
        break;
      }
    }
  }

  void remember(const std::string& input) override { history_.add(input); }

private:
  /// Nothing if the terminal is gone or (`is_interrupted_`) another process sent an interrupt.
  std::optional<Key> wait_for_key() {
    is_interrupted_ = false;
    while (true) {
      std::string bytes;
      Terminal::Event event =
          terminal_.wait(bytes, keys_.is_waiting() ? std::optional(sequence_limit) : std::nullopt);
      switch (event) {
      case Terminal::Event::Input:
        keys_.feed(bytes);
        if (std::optional<Key> key = keys_.next()) return key;
        break;
      case Terminal::Event::TimedOut:
        if (std::optional<Key> key = keys_.give_up()) return key;
        break;
      case Terminal::Event::Resized:
        if (Terminal::Size now = terminal_.size(); now != size_) {
          size_ = now;
          terminal_.write(screen_.draw_afresh(frame(), size_.columns));
        }
        break;
      case Terminal::Event::Interrupted:
        is_interrupted_ = true;
        return std::nullopt;
      case Terminal::Event::End:
        return std::nullopt;
      }
    }
  }

  /// The byte that has come already behind the key; 0 if there is none.
  char following() {
    if (std::string bytes; !keys_.following() && terminal_.has_input() &&
                           terminal_.wait(bytes, milliseconds(0)) == Terminal::Event::Input)
      keys_.feed(bytes);
    return keys_.following();
  }

  Frame frame() { return window(editor_.frame(size_.columns, size_.rows), size_.rows, top_); }
  void draw() { terminal_.write(screen_.draw(frame())); }

  /// Shows the entry as it stays, and goes to the next row.
  Line leave(Line line, std::string_view mark) {
    Frame last = editor_.last_frame(size_.columns);
    bool fits = last.rows.size() <= size_.rows && top_ == 0;
    std::string out =
        fits ? screen_.draw(std::move(last)) : screen_.draw_afresh(std::move(last), size_.columns);
    out += std::string(mark) + screen_.leave();
    terminal_.write(out);
    return line;
  }

  Terminal terminal_;
  KeyDecoder keys_; ///< keeps what is typed ahead
  History history_;
  std::function<bool()> color_;
  Editor editor_;
  Screen screen_{false};
  Terminal::Size size_;
  std::size_t top_ = 0; ///< the first row that is shown of an entry that is higher than the screen
  bool is_interrupted_ = false;
};

} // namespace

std::unique_ptr<LineEditor> make_terminal_editor(const std::string& history_file,
                                                 EditorHooks hooks) {
  return std::make_unique<TerminalEditor>(history_file, std::move(hooks));
}

} // namespace sinter::repl
