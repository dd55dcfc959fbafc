#include "repl/text/arguments.h"

#include "repl/text/lines.h"

#include <cctype>
#include <charconv>

namespace sinter::repl {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c));
}

} // namespace

void Arguments::skip_blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
    ++at_;
}

std::optional<std::string> Arguments::option() {
  skip_blanks();
  std::size_t begin = at_;
  std::size_t name = text_.compare(at_, 2, "--") == 0 ? at_ + 2 : at_ + 1;
  if (at_ >= text_.size() || text_[at_] != '-' || name >= text_.size() || !is_letter(text_[name]))
    return std::nullopt;
  std::size_t end = name;
  while (end < text_.size() && (is_letter(text_[end]) || text_[end] == '-'))
    ++end;
  bool short_one = name == begin + 1;
  if ((short_one && end != name + 1) || (end < text_.size() && text_[end] != ' ' &&
                                         text_[end] != '\t' && (short_one || text_[end] != '=')))
    return std::nullopt;
  at_ = end < text_.size() && text_[end] == '=' ? end + 1 : end;
  return text_.substr(name, end - name);
}

std::string Arguments::word() {
  skip_blanks();
  if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
    std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end != std::string::npos) {
      std::string quoted = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return quoted;
    }
  }
  std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\t')
    ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<double> Arguments::number() {
  std::size_t before = at_;
  std::string text = word();
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && !text.empty()) return value;
  at_ = before;
  return std::nullopt;
}

std::string Arguments::rest() const {
  return std::string(without_blanks(std::string_view(text_).substr(at_)));
}

std::optional<std::string> Arguments::trailing_file() {
  std::size_t found = text_.rfind(" -o ");
  if (found == std::string::npos || found < at_) return std::nullopt;
  Arguments behind(text_.substr(found + 4));
  std::string file = behind.word();
  // What has no ending is rather a variable that is subtracted.
  if (!behind.rest().empty() || file.find('.') == std::string::npos) return std::nullopt;
  text_.resize(found);
  return file;
}

} // namespace sinter::repl
