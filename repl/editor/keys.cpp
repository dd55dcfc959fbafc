#include "repl/editor/keys.h"

#include "lang/base/text_width.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace sinter::repl {

namespace {

using Kind = Key::Kind;

constexpr char escape_byte = 27;
constexpr std::string_view paste_end = "\x1b[201~";
constexpr int paste_start_code = 200;
/// No sequence is longer; what is was not meant as one.
constexpr std::size_t longest_sequence = 32;

Key plain(Kind kind) {
  return {kind, {}};
}

Key key_of_byte(unsigned char byte) {
  switch (byte) {
  case '\r':
  case '\n':
    return plain(Kind::Enter);
  case '\t':
    return plain(Kind::Tab);
  case 8:
  case 127:
    return plain(Kind::Backspace);
  default:
    break;
  }
  if (byte == 0) return {Kind::Character, " ", true};
  // ^A is 1, ^_ is 31: the characters from `@` on, letters in lower case.
  char letter = static_cast<char>(byte <= 26 ? byte + 'a' - 1 : byte + '@');
  return {Kind::Character, std::string(1, letter), true};
}

Kind kind_of_final(char final_byte) {
  switch (final_byte) {
  case 'A':
    return Kind::Up;
  case 'B':
    return Kind::Down;
  case 'C':
    return Kind::Right;
  case 'D':
    return Kind::Left;
  case 'H':
    return Kind::Home;
  case 'F':
    return Kind::End;
  case 'M': // of the key pad
    return Kind::Enter;
  default:
    return Kind::Unknown;
  }
}

Kind kind_of_number(int number) {
  switch (number) {
  case 1:
  case 7:
    return Kind::Home;
  case 3:
    return Kind::Delete;
  case 4:
  case 8:
    return Kind::End;
  case 5:
    return Kind::PageUp;
  case 6:
    return Kind::PageDown;
  default:
    return Kind::Unknown;
  }
}

/// Line breaks of any system become `\n`; other control characters but tabs are left out.
std::string cleaned(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    Glyph glyph = glyph_at(text, i);
    std::string_view bytes = text.substr(i, glyph.size);
    i += glyph.size;
    if (bytes == "\r") {
      if (i >= text.size() || text[i] != '\n') result += '\n';
    } else if (glyph.is_printable || bytes == "\n" || bytes == "\t") {
      result += bytes;
    } else if (static_cast<unsigned char>(bytes[0]) >= 0x80 && bytes.size() == 1) {
      result += "\uFFFD";
    }
  }
  return result;
}

} // namespace

std::optional<Key> KeyDecoder::take(std::size_t size, Key key) {
  bytes_.erase(0, size);
  return key;
}

std::optional<Key> KeyDecoder::next() {
  if (is_pasting_) return paste();
  if (bytes_.empty()) return std::nullopt;
  auto byte = static_cast<unsigned char>(bytes_[0]);
  if (byte == escape_byte) return escape();
  if (byte < 0x20 || byte == 127) return take(1, key_of_byte(byte));
  std::size_t size = byte < 0xC2 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 1;
  for (std::size_t i = 1; i < std::min(size, bytes_.size()); ++i)
    if ((static_cast<unsigned char>(bytes_[i]) & 0xC0) != 0x80) size = i; // cut short
  if (bytes_.size() < size) return std::nullopt;
  std::string text = cleaned(std::string_view(bytes_).substr(0, size));
  return take(size, text.empty() ? plain(Kind::Unknown) : Key{Kind::Character, std::move(text)});
}

std::optional<Key> KeyDecoder::paste() {
  std::size_t end = bytes_.find(paste_end);
  if (end == std::string::npos) return std::nullopt;
  is_pasting_ = false;
  Key key{Kind::Paste, cleaned(std::string_view(bytes_).substr(0, end))};
  return take(end + paste_end.size(), std::move(key));
}

std::optional<Key> KeyDecoder::escape() {
  // An Escape before a sequence is the Alt key held down.
  std::size_t at = 1;
  bool alt = bytes_.size() > 2 && bytes_[1] == escape_byte;
  if (alt) ++at;
  if (bytes_.size() <= at) return std::nullopt;
  if (bytes_[at] == '[' || bytes_[at] == 'O') return control_sequence(at, alt);
  if (bytes_[at] == escape_byte) return take(1, plain(Kind::Escape));
  // Alt with a character.
  std::string rest = bytes_.substr(at);
  KeyDecoder inner;
  inner.feed(rest);
  std::optional<Key> key = inner.next();
  if (!key) return std::nullopt;
  key->alt = true;
  return take(at + rest.size() - inner.bytes_.size(), std::move(*key));
}

std::optional<Key> KeyDecoder::control_sequence(std::size_t begin, bool alt) {
  std::size_t at = begin + 1;
  // `ESC [ [ A` are the function keys of the Linux console.
  if (bytes_[begin] == '[' && at < bytes_.size() && bytes_[at] == '[') ++at;
  while (at < bytes_.size() && bytes_[at] >= 0x20 && bytes_[at] < 0x40)
    ++at;
  if (at - begin > longest_sequence) return take(at, plain(Kind::Unknown));
  if (at >= bytes_.size()) return std::nullopt;
  const char final_byte = bytes_[at];
  if (final_byte < 0x40 || final_byte > 0x7E) return take(at, plain(Kind::Unknown));

  std::vector<int> numbers;
  const char* end = bytes_.data() + at;
  for (const char* p = bytes_.data() + begin + 1; p < end;) {
    int number = 0;
    auto [stop, error] = std::from_chars(p, end, number);
    numbers.push_back(error == std::errc() ? number : 0);
    p = std::find(stop, end, ';');
    if (p < end) ++p;
  }
  Key key;
  key.alt = alt;
  if (final_byte == '~' || final_byte == '^' || final_byte == '$') {
    int number = numbers.empty() ? 0 : numbers[0];
    if (number == paste_start_code) {
      bytes_.erase(0, at + 1);
      is_pasting_ = true;
      return paste();
    }
    key.kind = kind_of_number(number);
    key.control = final_byte == '^'; // rxvt
  } else if (final_byte == 'Z') {
    key.kind = Kind::Tab;
    key.shift = true;
  } else if (final_byte >= 'a' && final_byte <= 'd') { // rxvt: with control or shift
    key.kind = kind_of_final(static_cast<char>(final_byte - 'a' + 'A'));
    key.control = bytes_[begin] == 'O';
  } else {
    key.kind = kind_of_final(final_byte);
  }
  if (numbers.size() >= 2 && numbers[1] > 0) {
    int modifiers = numbers[1] - 1; // 1: shift, 2: alt, 4: control, as xterm sends them
    key.shift = key.shift || (modifiers & 1);
    key.alt = key.alt || (modifiers & 2);
    key.control = key.control || (modifiers & 4);
  }
  return take(at + 1, std::move(key));
}

std::optional<Key> KeyDecoder::give_up() {
  if (!is_waiting()) return std::nullopt;
  if (bytes_[0] == escape_byte) {
    // Alt with `[` or `O`, if that is all there is.
    if (bytes_.size() == 2) {
      Key key{Kind::Character, bytes_.substr(1)};
      key.alt = true;
      if (bytes_[1] == escape_byte) key = plain(Kind::Escape);
      return take(2, std::move(key));
    }
    if (bytes_.size() == 1) return take(1, plain(Kind::Escape));
  }
  return take(bytes_.size(), plain(Kind::Unknown));
}

} // namespace sinter::repl
