#include "lang/base/text_width.h"

#include <clocale>
#include <cwchar>
#include <locale.h>

namespace sinter {

namespace {

/// `wcwidth` goes by the thread's locale; ours is UTF-8 whatever the environment says.
class Utf8Locale {
public:
  Utf8Locale() : before_(uselocale(shared())) {}
  ~Utf8Locale() { uselocale(before_); }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

private:
  static locale_t shared() {
    static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{});
    return utf8 ? utf8 : LC_GLOBAL_LOCALE;
  }
  locale_t before_;
};

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0; ///< 0: no UTF-8
};

CodePoint decode(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + size > text.size()) return {};
  char32_t value = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(at + i) & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[size] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return {};
  return {value, size};
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

/// Columns of one code point; what the C library doesn't know takes one.
std::size_t width_of(char32_t c) {
  if (c >= 0x20 && c < 0x7F) return 1;
  Utf8Locale utf8;
  int width = wcwidth(static_cast<wchar_t>(c));
  return width < 0 ? 1 : static_cast<std::size_t>(width);
}

} // namespace

Glyph glyph_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  CodePoint base = decode(text, at);
  if (base.size == 0) return {1, 1, false};
  if (is_control(base.value)) return {base.size, 1, false};
  Glyph glyph{base.size, width_of(base.value), true};
  while (at + glyph.size < text.size()) {
    if (static_cast<unsigned char>(text[at + glyph.size]) < 0x80) break; // no mark is ASCII
    CodePoint mark = decode(text, at + glyph.size);
    if (mark.size == 0 || is_control(mark.value) || width_of(mark.value) != 0) break;
    glyph.size += mark.size;
  }
  return glyph;
}

std::size_t glyph_before(std::string_view text, std::size_t at) {
  // Back to a byte that surely starts a glyph, then forward again.
  std::size_t start = at;
  while (start > 0 && static_cast<unsigned char>(text[start - 1]) >= 0x80)
    --start;
  if (start > 0) --start;
  std::size_t before = start;
  for (std::size_t next = start; next < at; next += glyph_at(text, next).size)
    before = next;
  return before;
}

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    Glyph glyph = glyph_at(text, at);
    width += glyph.width;
    at += glyph.size;
  }
  return width;
}

std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t width = 0, at = 0;
  while (at < text.size()) {
    Glyph glyph = glyph_at(text, at);
    if (width + glyph.width > columns) break;
    width += glyph.width;
    at += glyph.size;
  }
  return text.substr(0, at);
}

} // namespace sinter
