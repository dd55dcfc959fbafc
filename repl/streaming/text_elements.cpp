#include "repl/streaming/text_elements.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"
#include "lang/values/number_text.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>

namespace sinter::repl {

namespace {

constexpr std::size_t longest_line = std::size_t{64} << 20;
/// How a reader of one line says where something is.
constexpr std::string_view in_first_line = "line 1, ";

} // namespace

void TextElements::add(std::string_view bytes) {
  text_.erase(0, line_at_);
  at_ -= line_at_;
  searched_ -= std::min(searched_, line_at_);
  line_at_ = 0;
  if (text_.size() > longest_line)
    throw FormatError("line " + std::to_string(line_) +
                      " has more than 64 MiB: each element is to stand on a line of its own, or "
                      "some of them");
  text_ += bytes;
}

void TextElements::fail(std::size_t position, const std::string& message) const {
  throw FormatError("line " + std::to_string(line_) + ", column " + std::to_string(position + 1) +
                    ": " + message);
}

bool TextElements::next_line(std::string_view& line) {
  std::size_t end = text_.find('\n', std::max(at_, searched_));
  if (end == std::string::npos) {
    searched_ = text_.size();
    if (!is_at_end_ || at_ == text_.size()) return false;
    end = text_.size();
  }
  searched_ = end;
  line = std::string_view(text_).substr(line_at_, end - line_at_);
  return true;
}

void TextElements::read_element(std::string_view line, std::size_t& position, std::byte* out) {
  const ElementType element = step_.element();
  if (step_.inner.empty()) {
    const char* const begin = line.data() + position;
    const char* const end = line.data() + line.size();
    const char* const next = with_cpp_type(element, [&]<typename T>() {
      T value;
      const char* const found = scan_scalar<T>(begin, end, value);
      if (found) std::memcpy(out, &value, sizeof value);
      return found;
    });
    const auto is_separated = [&] {
      return next == end || *next == ' ' || *next == '\t' || *next == '\r';
    };
    if (next && is_separated()) {
      position = static_cast<std::size_t>(next - line.data());
      return;
    }
  }
  const std::size_t begin = position;
  ExternalValue value;
  try {
    value = read_text_value(line, position, memory_, representations_, element);
  } catch (const FormatError& error) {
    if (!error.message.starts_with(in_first_line)) throw;
    throw FormatError("line " + std::to_string(line_) + ", " +
                      error.message.substr(in_first_line.size()));
  }
  if (value.element != element || value.shape != step_.inner)
    fail(begin, "expected an element of type " + step_.element_text() + ", found a value of type " +
                    shape_text(value.shape) + std::string(name(value.element)));
  if (value.shape.empty()) {
    store_scalar(element, out, 0, value.value.scalar());
    return;
  }
  // (What a text says is dense.)
  const Leaf& leaf = value.value.array()->leaves.front();
  assert(is_row_major(leaf));
  std::memcpy(out, first_element(leaf), step_.element_bytes());
}

std::int64_t TextElements::take(std::byte* out, std::int64_t most) {
  const std::size_t unit = step_.element_bytes();
  std::int64_t count = 0;
  std::string_view line;
  SparsePoll poll;
  while (count < most && next_line(line)) {
    std::size_t position = at_ - line_at_;
    while (true) {
      poll();
      skip_blank(line, position);
      if (position == line.size() || count == most) break;
      read_element(line, position, out + static_cast<std::size_t>(count) * unit);
      ++count;
    }
    at_ = line_at_ + position;
    if (position < line.size()) break; // the rest of the line is for the next call
    if (at_ < text_.size()) ++at_;     // the line's end
    line_at_ = at_;
    ++line_;
  }
  return count;
}

} // namespace sinter::repl
