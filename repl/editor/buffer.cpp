#include "repl/editor/buffer.h"

#include "lang/base/text_width.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <utility>

namespace sinter::repl {

namespace {

constexpr std::size_t most_kills = 60;
constexpr std::size_t most_states = 500;

/// Letters, digits and all that is not ASCII: what movement by words doesn't stop at.
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

} // namespace

void KillRing::add(std::string_view text, bool joins, bool before) {
  if (text.empty()) return;
  if (joins && !texts_.empty()) {
    texts_.back().insert(before ? 0 : texts_.back().size(), text);
    return;
  }
  if (texts_.size() == most_kills) texts_.erase(texts_.begin());
  texts_.emplace_back(text);
}

const std::string& KillRing::rotate() {
  assert(!texts_.empty());
  std::rotate(texts_.begin(), texts_.end() - 1, texts_.end());
  return texts_.back();
}

// ---- movement
// ----------------------------------------------------------------------------------------------

void Buffer::move_to(std::size_t position) {
  assert(position <= text_.size());
  cursor_ = position;
  column_ = none;
  is_typing_ = false;
}

std::size_t Buffer::left() const {
  return glyph_before(text_, cursor_);
}
std::size_t Buffer::right() const {
  return cursor_ + glyph_at(text_, cursor_).size;
}

std::size_t Buffer::word_left() const {
  std::size_t at = cursor_;
  while (at > 0 && !is_word(text_[at - 1]))
    --at;
  while (at > 0 && is_word(text_[at - 1]))
    --at;
  return at;
}
std::size_t Buffer::word_right() const {
  std::size_t at = cursor_;
  while (at < text_.size() && !is_word(text_[at]))
    ++at;
  while (at < text_.size() && is_word(text_[at]))
    ++at;
  return at;
}
std::size_t Buffer::blank_left() const {
  std::size_t at = cursor_;
  while (at > 0 && is_space(text_[at - 1]))
    --at;
  while (at > 0 && !is_space(text_[at - 1]))
    --at;
  return at;
}

std::size_t Buffer::line_begin() const {
  std::size_t brk = cursor_ == 0 ? std::string::npos : text_.rfind('\n', cursor_ - 1);
  return brk == std::string::npos ? 0 : brk + 1;
}
std::size_t Buffer::line_end() const {
  return std::min(text_.find('\n', cursor_), text_.size());
}
std::string_view Buffer::line() const {
  return std::string_view(text_).substr(line_begin(), line_end() - line_begin());
}

void Buffer::vertical(std::size_t begin, std::size_t end) {
  std::size_t column = column_;
  if (column == none) {
    std::size_t here = line_begin();
    column = text_width(std::string_view(text_).substr(here, cursor_ - here));
  }
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  move_to(begin + fitting(line, column).size());
  column_ = column;
}

bool Buffer::up() {
  std::size_t begin = line_begin();
  if (begin == 0) return false;
  std::size_t above = begin < 2 ? std::string::npos : text_.rfind('\n', begin - 2);
  vertical(above == std::string::npos ? 0 : above + 1, begin - 1);
  return true;
}

bool Buffer::down() {
  std::size_t end = line_end();
  if (end == text_.size()) return false;
  vertical(end + 1, std::min(text_.find('\n', end + 1), text_.size()));
  return true;
}

// ---- change
// ------------------------------------------------------------------------------------------------

void Buffer::remember() {
  column_ = none;
  if (before_.size() == most_states) before_.erase(before_.begin());
  before_.push_back({text_, cursor_});
}

void Buffer::insert(std::string_view text) {
  if (text.empty()) return;
  // Glyphs that are typed one by one make one change, up to a blank.
  bool is_glyph = glyph_at(text, 0).size == text.size() && !is_space(text[0]);
  if (!is_glyph || !is_typing_) remember();
  column_ = none;
  text_.insert(cursor_, text);
  cursor_ += text.size();
  is_typing_ = is_glyph;
}

std::string Buffer::erase(std::size_t begin, std::size_t end) {
  assert(begin <= end && end <= text_.size());
  if (begin == end) return {};
  remember();
  std::string erased = text_.substr(begin, end - begin);
  text_.erase(begin, end - begin);
  cursor_ = begin;
  is_typing_ = false;
  return erased;
}

void Buffer::transpose() {
  // At the end of a line the last two are meant.
  std::size_t middle = cursor_ == line_end() ? left() : cursor_;
  std::size_t begin = glyph_before(text_, middle);
  std::size_t end = middle + glyph_at(text_, middle).size;
  if (middle <= line_begin() || begin == middle || end == middle) return;
  remember();
  std::rotate(text_.begin() + static_cast<std::ptrdiff_t>(begin),
              text_.begin() + static_cast<std::ptrdiff_t>(middle),
              text_.begin() + static_cast<std::ptrdiff_t>(end));
  cursor_ = end;
  is_typing_ = false;
}

void Buffer::reset(std::string text) {
  *this = Buffer();
  text_ = std::move(text);
  cursor_ = text_.size();
}

void Buffer::replace(std::string text) {
  remember();
  text_ = std::move(text);
  cursor_ = text_.size();
  is_typing_ = false;
}

bool Buffer::undo() {
  is_typing_ = false;
  column_ = none;
  if (before_.empty()) return false;
  State state = std::move(before_.back());
  before_.pop_back();
  text_ = std::move(state.text);
  cursor_ = state.cursor;
  return true;
}

} // namespace sinter::repl
