#include "repl/kernel/cell.h"

#include "lang/syntax/parser.h"
#include "repl/blanks.h"

#include <algorithm>
#include <array>

namespace sinter::repl {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool is_indented(std::string_view line) {
  return line.starts_with(' ') || line.starts_with('\t');
}

/// Whether no input can begin with the line, but one can go on with it.
bool can_only_go_on(std::string_view line) {
  constexpr std::array<std::string_view, 6> words = {"in", "then", "else", "case", "with", "do"};
  std::size_t end =
      std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789'"), line.size());
  if (std::find(words.begin(), words.end(), line.substr(0, end)) != words.end()) return true;
  // An operator; but `-` may be a sign or begin a comment, `!` negates.
  constexpr std::string_view operators = ")]},|<>=+*/%&^:.";
  return !line.empty() && operators.find(line.front()) != std::string_view::npos;
}

/// Whether the text ends inside a construct, as a prompt would see it.
bool is_open(const std::string& text) {
  SourceMap sources;
  syntax::Ast ast;
  Diagnostics diagnostics;
  FileId file = sources.add("<cell>", text);
  return syntax::parse_prompt(sources, file, ast, diagnostics).incomplete;
}

/// Nothing but white space and comments: it belongs to what follows.
bool says_nothing(std::string_view text) {
  for (std::string_view line : lines_of(text)) {
    std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos && !line.substr(begin).starts_with("--")) return false;
  }
  return true;
}

bool begins_command(std::string_view line) {
  return line.size() > 1 && line[0] == ':' && line[1] >= 'a' && line[1] <= 'z';
}

/// Whether a line that is not blank belongs to the input before it.
bool goes_on(const std::string& input, std::string_view line) {
  if (begins_command(line)) return false;
  if (is_indented(line)) return true;
  if (begins_command(input)) return false;
  return says_nothing(input) || can_only_go_on(line) || is_open(input);
}

} // namespace

std::vector<CellInput> split_cell(std::string_view cell) {
  std::vector<CellInput> inputs;
  bool closed = true; // nothing may go on
  std::size_t number = 0;
  for (std::string_view line : lines_of(cell)) {
    if (is_blank(line)) {
      if (!closed && begins_command(inputs.back().text)) closed = true;
      if (!closed) inputs.back().text += "\n";
    } else if (!closed && goes_on(inputs.back().text, line)) {
      inputs.back().text += "\n" + std::string(line);
    } else {
      inputs.push_back({std::string(line), number});
      closed = false;
    }
    ++number;
  }
  for (CellInput& input : inputs)
    input.text.erase(input.text.find_last_not_of(" \t\r\n") + 1);
  // Comments alone ask for nothing; documentation asks for what it documents.
  std::erase_if(inputs, [](const CellInput& input) {
    return says_nothing(input.text) && !is_open(input.text);
  });
  return inputs;
}

bool is_unfinished(std::string_view cell) {
  std::vector<CellInput> inputs = split_cell(cell);
  return !inputs.empty() && !inputs.back().text.starts_with(':') && is_open(inputs.back().text);
}

} // namespace sinter::repl
