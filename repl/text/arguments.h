// The argument of a command that takes options: `--log y -o "a file.png" expression`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter::repl {

/// Takes options and words from the front of a text, one by one; what is left is the expression.
class Arguments {
public:
  explicit Arguments(std::string text) : text_(std::move(text)) {}

  /// "log" of a `--log` that stands here, "o" of a `-o`; moves behind it, and
  /// behind the sign of a `--log=y`.  A minus before anything but a letter belongs to the
  /// expression.
  std::optional<std::string> option();
  /// Whether the option that was taken last has its value with it: `--wide=100`.
  bool has_attached_value() const { return at_ > 0 && text_[at_ - 1] == '='; }
  /// The next word, or all within quotes, double or single; empty at the end.
  std::string word();
  /// The next word as a number; nothing, and not moved, if it is none.
  std::optional<double> number();
  /// How much of the text was taken.
  std::size_t position() const { return at_; }
  /// All that is left, without blanks at its ends.
  std::string rest() const;
  /// A `-o FILE` at the end of the text, which is taken off.
  std::optional<std::string> trailing_file();

private:
  void skip_blanks();
  std::string text_;
  std::size_t at_ = 0;
};

} // namespace sinter::repl
