#include "repl/inputs.h"

#include "repl/blanks.h"

#include <algorithm>

namespace sinter::repl {

namespace {

constexpr std::string_view declaration_keywords[] = {
    "def", "entry", "import", "let", "local", "module", "open", "type",
};

bool begins_declaration(std::string_view line) {
  return std::ranges::any_of(declaration_keywords, [&](std::string_view keyword) {
    if (!line.starts_with(keyword)) return false;
    return line.size() == keyword.size() ||
           std::string_view(" \t^~\"").find(line[keyword.size()]) != std::string_view::npos;
  });
}

/// What goes before an input: it says nothing alone.
bool is_prologue(std::string_view line) {
  return line.starts_with("--") || line.starts_with("#[");
}

} // namespace

std::vector<Input> split_inputs(std::string_view text) {
  std::vector<Input> found;
  Input open;
  bool has_content = false; // more than comments and attributes
  auto close = [&] {
    if (has_content) found.push_back(std::move(open));
    open = {};
    has_content = false;
  };
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_blank(line)) {
      close();
      continue;
    }
    const bool is_command = line.starts_with(':');
    if (is_command || (has_content && (begins_declaration(line) || is_prologue(line)))) close();
    if (open.text.empty()) open.line = number;
    if (is_command) {
      found.push_back({number, std::string(line.substr(0, line.find_last_not_of(" \t") + 1))});
      open = {};
      continue;
    }
    open.text += std::string(line) + "\n";
    has_content = has_content || !is_prologue(line);
  }
  close();
  return found;
}

} // namespace sinter::repl
