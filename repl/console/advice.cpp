#include "repl/console/advice.h"

#include "repl/text/lines.h"

#include <algorithm>

namespace sinter::repl {

namespace {

/// "f64.sqrt" and the like.
bool is_path(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.'") ==
             std::string_view::npos;
}

} // namespace

std::optional<Advice> advice_for(std::string_view input) {
  std::string_view text = without_blanks(input);
  while (text.ends_with('\n'))
    text = without_blanks(text.substr(0, text.size() - 1));
  const std::string_view word = text.substr(0, std::min(text.find_first_of(" ("), text.size()));
  const bool is_alone = word == text || text == std::string(word) + "()";
  if (is_alone && (word == "exit" || word == "quit" || word == "q" || word == "bye"))
    return Advice{{}, "`:quit` leaves, and so does Ctrl-D"};
  if (is_alone && word == "help") return Advice{":help", {}};
  if (word == "help" && text.ends_with(')')) {
    const std::string_view name = text.substr(5, text.size() - 6);
    if (is_path(name)) return Advice{":doc " + std::string(name), {}};
  }
  std::string_view asked = text;
  while (asked.starts_with('?'))
    asked.remove_prefix(1);
  while (asked.ends_with('?'))
    asked.remove_suffix(1);
  asked = without_blanks(asked);
  if (asked.size() != text.size() && is_path(asked))
    return Advice{":doc " + std::string(asked), {}};
  if (text == "?") return Advice{":help", {}};
  if (text.starts_with('!'))
    return Advice{{},
                  "commands of a shell are not run here; `:cd` shows and changes the folder, "
                  "`:load`, `:read` and `:write` take files"};
  if (text.starts_with('%')) return Advice{{}, "commands begin with `:` here; `:help` lists them"};
  return std::nullopt;
}

} // namespace sinter::repl
