#include "lang/base/unknown_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <vector>

namespace sinter {

namespace {

constexpr std::string_view subscript_begin = "\xe2\x82"; // of the UTF-8 of `₀` to `₉`

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'';
}

/// How long the number of an unknown is that begins here; 0 if none does.
std::size_t number_length(std::string_view text) {
  std::size_t length = 0;
  while (text.substr(length).starts_with(subscript_begin) && length + 2 < text.size())
    length += 3;
  return length;
}

/// Calls `visit_unknown` with each numbered name of a text, and `visit_name` with all other names.
void for_each_name(std::string_view text, auto&& visit_unknown, auto&& visit_name) {
  for (std::size_t begin = 0; begin < text.size();) {
    if (!is_part_of_name(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < text.size() && is_part_of_name(text[end]))
      ++end;
    const std::size_t number = number_length(text.substr(end));
    if (number > 0)
      visit_unknown(begin, end + number - begin);
    else
      visit_name(text.substr(begin, end - begin));
    begin = end + number;
  }
}

/// Gives names: its letters, then these with numbers.
class Letters {
public:
  explicit Letters(std::string_view letters) : letters_(letters) {}
  std::string next_beside(const std::set<std::string, std::less<>>& names) {
    std::string name;
    do {
      const std::size_t round = count_ / letters_.size();
      name = std::string(1, letters_[count_ % letters_.size()]) +
             (round > 0 ? std::to_string(round) : std::string());
      ++count_;
    } while (names.contains(name));
    return name;
  }

private:
  std::string_view letters_;
  std::size_t count_ = 0;
};

} // namespace

void name_unknowns(std::span<std::string* const> texts, std::string_view taken) {
  std::set<std::string, std::less<>> names;
  std::vector<std::string> unknowns; // in the order in which they are met
  const auto add_name = [&](std::string_view name) { names.emplace(name); };
  for_each_name(
      taken, [](std::size_t, std::size_t) {}, add_name);
  for (const std::string* text : texts)
    for_each_name(
        *text,
        [&](std::size_t begin, std::size_t length) {
          const std::string name = text->substr(begin, length);
          if (std::ranges::find(unknowns, name) == unknowns.end()) unknowns.push_back(name);
        },
        add_name);
  if (unknowns.empty()) return;

  // What types and what sizes are usually called.
  Letters types{"abcdefghijklmnopqrstuvwxyz"}, sizes{"nmklpqrstuvwxyzabcdefghijo"};
  std::map<std::string, std::string, std::less<>> chosen;
  for (const std::string& unknown : unknowns) {
    const std::string name = (unknown.starts_with('t') ? types : sizes).next_beside(names);
    names.insert(name);
    chosen.emplace(unknown, name);
  }
  for (std::string* text : texts) {
    std::string named;
    std::size_t copied = 0;
    for_each_name(
        *text,
        [&](std::size_t begin, std::size_t length) {
          named += text->substr(copied, begin - copied) + chosen.at(text->substr(begin, length));
          copied = begin + length;
        },
        [](std::string_view) {});
    if (copied > 0) *text = named + text->substr(copied);
  }
}

std::string with_named_unknowns(std::string text) {
  std::string* const texts[] = {&text};
  name_unknowns(texts);
  return text;
}

} // namespace sinter
