// The text of a row of operations.def or groups.def, taken apart for who writes and who reads it.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinter::ir {

/// Goes through a row's text from part to part.
class RowText {
public:
  explicit RowText(std::string_view text) : rest_(text) {}

  /// A part: what stands before it as it is and, of a flag, the word that it is written as.
  struct Part {
    std::string_view before, flag;
  };
  Part next() {
    const std::size_t at = rest_.find_first_of("%?");
    Part part{rest_.substr(0, at), {}};
    const bool is_flag = rest_[at] == '?';
    rest_.remove_prefix(at + 1);
    if (is_flag) {
      part.flag = rest_.substr(0, rest_.find(' '));
      rest_.remove_prefix(part.flag.size() + 1); // what follows stands after a space in any case
    }
    return part;
  }
  /// What stands behind the last part.
  std::string_view rest() const { return rest_; }

private:
  std::string_view rest_;
};

/// Calls `visit` for each token of what stands between parts: words, and signs one by one.
template <typename Visit>
void for_each_token(std::string_view text, Visit&& visit) {
  while (true) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    const bool is_sign = std::string_view("()[]{}=,:").find(text[0]) != std::string_view::npos;
    const std::string_view token =
        is_sign ? text.substr(0, 1) : text.substr(0, text.find_first_of(" ()[]{}=,:"));
    visit(token);
    text.remove_prefix(token.size());
  }
}

/// The word that a row's text begins with.
inline std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

} // namespace sinter::ir
