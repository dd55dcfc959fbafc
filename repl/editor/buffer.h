// The text that is edited: a cursor, what was deleted, and the way back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// Texts that were deleted, to be inserted again; deletions in a row are one text.
class KillRing {
public:
  /// Notes a deleted text.  With `joins` it belongs to the last one: before or after it.
  void add(std::string_view text, bool joins, bool before);
  bool is_empty() const { return texts_.empty(); }
  const std::string& last() const { return texts_.back(); }
  /// Makes the text before the last one the last one.
  const std::string& rotate();

private:
  std::vector<std::string> texts_;
};

/// A text of one or more lines and a cursor between its glyphs.  Positions are byte offsets.
class Buffer {
public:
  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }
  bool is_empty() const { return text_.empty(); }

  // ---- movement
  // ------------------------------------------------------------------------------------------

  void move_to(std::size_t position);
  std::size_t left() const;       ///< of the cursor, by one glyph
  std::size_t right() const;      ///< of the cursor, by one glyph
  std::size_t word_left() const;  ///< the start of the word before the cursor
  std::size_t word_right() const; ///< the end of the word after the cursor
  std::size_t blank_left() const; ///< the same for words between white space
  std::size_t line_begin() const;
  std::size_t line_end() const;
  std::string_view before_cursor() const { return std::string_view(text_).substr(0, cursor_); }
  std::string_view after_cursor() const { return std::string_view(text_).substr(cursor_); }
  /// The line of the cursor, without its line break.
  std::string_view line() const;
  /// To the same column of the line above or below; false if there is none.
  bool up();
  bool down();

  // ---- change
  // --------------------------------------------------------------------------------------------

  void insert(std::string_view text);
  /// Deletes from `begin` to `end` and leaves the cursor there; returns what was there.
  std::string erase(std::size_t begin, std::size_t end);
  /// Exchanges the glyphs around the cursor.
  void transpose();
  /// A new text, cursor at its end; can't be undone.
  void reset(std::string text);
  /// The same as a change.
  void replace(std::string text);
  /// Takes the last change back, typing in a row as one; false if there is none.
  bool undo();
  /// Ends a row of typing: what follows is a change of its own.
  void end_typing() { is_typing_ = false; }

private:
  struct State {
    std::string text;
    std::size_t cursor = 0;
  };
  void remember();
  void vertical(std::size_t line_begin, std::size_t line_end);

  std::string text_;
  std::size_t cursor_ = 0;
  std::vector<State> before_; ///< the states to go back to, oldest first
  bool is_typing_ = false;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t column_ = none; ///< that vertical movement aims at
};

} // namespace sinter::repl
