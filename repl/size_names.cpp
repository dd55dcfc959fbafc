#include "repl/size_names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace sinter::repl {

namespace {

constexpr std::string_view subscript_begin = "\xe2\x82"; // of the UTF-8 of `₀` to `₉`

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'';
}

/// How long the number of a size is that begins here; 0 if none does.
std::size_t number_length(std::string_view text) {
  std::size_t length = 0;
  while (text.substr(length).starts_with(subscript_begin) && length + 2 < text.size())
    length += 3;
  return length;
}

/// Calls `visit` with each numbered size of a text, and `visit_name` with all other names.
void for_each_name(std::string_view text, auto&& visit_size, auto&& visit_name) {
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
      visit_size(begin, end + number - begin);
    else
      visit_name(text.substr(begin, end - begin));
    begin = end + number;
  }
}

} // namespace

void name_sizes(std::span<std::string* const> texts, std::string_view taken) {
  std::set<std::string, std::less<>> names;
  std::vector<std::string> sizes; // in the order in which they are met
  const auto add_name = [&](std::string_view name) { names.emplace(name); };
  for_each_name(
      taken, [](std::size_t, std::size_t) {}, add_name);
  for (const std::string* text : texts)
    for_each_name(
        *text,
        [&](std::size_t begin, std::size_t length) {
          const std::string size = text->substr(begin, length);
          if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
        },
        add_name);
  if (sizes.empty()) return;

  constexpr std::string_view letters = "nmklpqrstuvwxyzabcdefghijo";
  std::map<std::string, std::string, std::less<>> chosen;
  std::size_t next = 0;
  for (const std::string& size : sizes) {
    std::string name;
    do {
      const std::size_t round = next / letters.size();
      name = std::string(1, letters[next % letters.size()]) +
             (round > 0 ? std::to_string(round) : std::string());
      ++next;
    } while (names.contains(name));
    chosen.emplace(size, name);
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

std::string with_named_sizes(std::string text) {
  std::string* const texts[] = {&text};
  name_sizes(texts);
  return text;
}

} // namespace sinter::repl
