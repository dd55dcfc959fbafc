#include "tests/differential/shrink.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::differential {

namespace {

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// The parts of a text in matching brackets, brackets included, largest first.
std::vector<Range> bracketed(std::string_view text) {
  std::vector<Range> ranges;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') open.push_back(i);
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
      ranges.push_back({open.back(), i + 1});
      open.pop_back();
    }
  }
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const Range& a, const Range& b) { return a.size() > b.size(); });
  return ranges;
}

/// Declarations: each begins at the start of a line with a letter.
std::vector<Range> declarations(std::string_view text) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((i == 0 || text[i - 1] == '\n') && text[i] >= 'a' && text[i] <= 'z') {
      if (!ranges.empty()) ranges.back().end = i;
      ranges.push_back({i, text.size()});
    }
  return ranges;
}

/// What may stand for an expression.
std::vector<std::string> replacements(std::string_view text, const Range& range) {
  static const std::vector<std::string> literals = {"true", "1i64",   "1i32",   "1u8",
                                                    "1i8",  "1i16",   "1u16",   "1u32",
                                                    "1u64", "1.5f32", "1.5f64", "1.5f16"};
  constexpr std::size_t most_parts = 25;
  std::vector<std::string> texts;
  const std::string_view inside = text.substr(range.begin + 1, range.size() - 2);
  // Arms of a condition, body of a binding: what follows a keyword up to the end.
  for (std::string_view keyword : {" in ", " else ", " then ", " = "})
    for (std::size_t at = inside.rfind(keyword); at != std::string_view::npos && at > 0;
         at = inside.rfind(keyword, at - 1)) {
      texts.push_back("(" + std::string(inside.substr(at + keyword.size())) + ")");
      if (texts.size() > most_parts) break;
    }
  std::size_t parts = 0;
  for (const Range& part : bracketed(inside)) {
    texts.emplace_back(inside.substr(part.begin, part.size()));
    if (++parts > most_parts) break;
  }
  texts.insert(texts.end(), literals.begin(), literals.end());
  std::erase_if(texts, [&](const std::string& part) { return part.size() >= range.size(); });
  return texts;
}

} // namespace

generate::Program shrink(generate::Program program,
                         const std::function<bool(const std::string&)>& is_program,
                         const std::function<bool(const generate::Program&)>& has_fault) {
  auto accept = [&](std::string text) {
    if (!is_program(text)) return false;
    generate::Program smaller{std::move(text), program.input};
    if (!has_fault(smaller)) return false;
    program = std::move(smaller);
    return true;
  };
  auto without = [&](const Range& range, const std::string& instead) {
    std::string text = program.text;
    return text.replace(range.begin, range.size(), instead);
  };
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (std::size_t i = declarations(program.text).size(); i-- > 0;)
      if (accept(without(declarations(program.text)[i], ""))) has_changed = true;
    // What was replaced has new parts: the same place is looked at again.
    std::vector<Range> ranges = bracketed(program.text);
    for (std::size_t i = 0; i < ranges.size();) {
      bool is_smaller = false;
      for (const std::string& instead : replacements(program.text, ranges[i]))
        if (accept(without(ranges[i], instead))) {
          is_smaller = has_changed = true;
          break;
        }
      if (is_smaller)
        ranges = bracketed(program.text), i = std::min(i, ranges.size());
      else
        ++i;
    }
  }
  return program;
}

} // namespace sinter::differential
