// The line editor: entries of one or more lines, edited as a whole.
// What is coloured, what completes a word and when an entry is whole it asks through `EditorHooks`.
#pragma once

#include "repl/editor/buffer.h"
#include "repl/editor/history.h"
#include "repl/editor/keys.h"
#include "repl/editor/screen.h"
#include "repl/text/completions.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// What the editor asks about the text.  Each may be null: then nothing is coloured, completed or
/// indented, and every entry is whole.
struct EditorHooks {
  /// Ranges in ascending order, none over another.  `cursor` is for matching brackets.
  std::function<std::vector<StyledRange>(std::string_view text, std::size_t cursor)> highlight;
  /// What the text before the cursor may become.
  std::function<Completions(std::string_view before_cursor)> complete;
  /// Whether Enter ends the entry rather than the line.
  std::function<bool(std::string_view text)> is_whole;
  /// Blanks at the start of a line that follows this text.
  std::function<std::size_t(std::string_view before_cursor)> indentation;
  /// Whether colours are wanted; asked anew for each entry.
  std::function<bool()> color;
};

class Editor {
public:
  Editor(EditorHooks hooks, History& history) : hooks_(std::move(hooks)), history_(history) {}

  /// Starts an empty entry.  The prompts stand before its first line and before the others.
  void begin(std::string first_prompt, std::string other_prompt);

  enum class Result {
    Going,     ///< the entry goes on
    Accepted,  ///< `text` is the entry
    Cancelled, ///< Ctrl-C
    Ended,     ///< Ctrl-D in an empty entry
    Suspended, ///< Ctrl-Z; the entry goes on afterwards
    Cleared,   ///< Ctrl-L: the screen is to be cleared; the entry goes on
  };
  Result press(const Key& key, char following = 0);

  const std::string& text() const { return buffer_.text(); }
  /// The entry, and below it what the editor has to say; `columns` and `rows` of the terminal.
  Frame frame(std::size_t columns, std::size_t rows) const;
  /// The entry alone, without matching brackets: how it stays on the screen.  The cursor is at its
  /// end.
  Frame last_frame(std::size_t columns) const;

private:
  /// An incremental search through the history.
  struct Search {
    std::string part;
    bool forward = false;
    bool failed = false;
    std::optional<std::size_t> entry; ///< that is shown
    std::string text_before;
    std::size_t cursor_before = 0;
  };
  /// Movement through the history.
  struct Browsing {
    std::string text;   ///< what had been typed
    std::string prefix; ///< that entries must have
    std::size_t entry = 0;
  };
  enum class Killing { No, Yes };

  Result press_in_search(const Key& key);
  void start_search(bool forward);
  void search_again(bool forward);
  void find(std::optional<std::size_t> entry);
  Result edit(const Key& key, char following);
  Result edit_control(char letter);
  bool edit_alt(const Key& key);
  bool move(const Key& key);
  Result enter(char following);
  void new_line();
  void tab(bool back);
  void browse(bool older);
  void kill(std::size_t begin, std::size_t end);
  void yank_older();
  void write_entry(FrameWriter& out, const std::vector<StyledRange>& styles,
                   bool with_cursor) const;
  void write_menu(FrameWriter& out, std::size_t columns, std::size_t rows) const;

  EditorHooks hooks_;
  History& history_;
  std::string first_prompt_, other_prompt_;
  Buffer buffer_;
  KillRing kills_;
  Killing was_killing_ = Killing::No, is_killing_ = Killing::No;
  std::size_t yanked_ = 0; ///< bytes before the cursor that the last key inserted from the ring
  std::optional<Search> search_;
  std::optional<Browsing> browsing_;
  std::optional<Completions> menu_;
};

} // namespace sinter::repl
