// Keys as a terminal sends them: bytes, escape sequences, bracketed paste.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter::repl {

struct Key {
  enum class Kind {
    Character, ///< `text` is one code point; with `control` the letter in lower case
    Paste,     ///< `text` is all that was pasted, with `\n` as line breaks
    Enter,
    Tab,
    Backspace,
    Delete,
    Escape,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Unknown, ///< a sequence without a meaning here
  };
  Kind kind = Kind::Unknown;
  std::string text;
  bool control = false;
  bool alt = false;
  bool shift = false;

  bool is_control(char letter) const {
    return kind == Kind::Character && control && !alt && text.size() == 1 && text[0] == letter;
  }
  bool is_alt(char letter) const {
    return kind == Kind::Character && alt && !control && text.size() == 1 && text[0] == letter;
  }
};

/// Bytes to keys.  Understands what xterm, its descendants, the Linux console and rxvt send.
class KeyDecoder {
public:
  void feed(std::string_view bytes) { bytes_ += bytes; }
  /// The next key; nothing if the bytes so far end inside of one.
  std::optional<Key> next();
  /// Whether an escape sequence has begun whose end is not there yet: a lone Escape looks so too,
  /// and only time tells.
  bool is_waiting() const { return !bytes_.empty() && !is_pasting_; }
  /// No more bytes came: what was waited for is an Escape, or a broken sequence.
  std::optional<Key> give_up();
  /// The first of the bytes that have not been taken yet; 0 if there is none.
  char following() const { return bytes_.empty() ? '\0' : bytes_.front(); }
  /// Whether nothing was begun.
  bool is_idle() const { return bytes_.empty() && !is_pasting_; }

private:
  std::optional<Key> take(std::size_t size, Key key);
  std::optional<Key> paste();
  std::optional<Key> escape();
  std::optional<Key> control_sequence(std::size_t begin, bool alt);

  std::string bytes_;
  bool is_pasting_ = false;
};

} // namespace sinter::repl
