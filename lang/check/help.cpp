#include "lang/check/help.h"

#include "lang/base/diagnostic.h"
#include "lang/base/diagnostic_ids.h"

#include <algorithm>

namespace sinter::help {

namespace {

constexpr std::string_view fence = "```";

/// Takes the first line, without its end, off a text.
std::string_view take_line(std::string_view& text) {
  std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view without_empty_lines_around(std::string_view text) {
  std::size_t begin = text.find_first_not_of('\n');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of('\n') - begin + 1);
}

std::string_view without_brackets(std::string_view id) {
  if (id.size() > 2 && id.front() == '[' && id.back() == ']') return id.substr(1, id.size() - 2);
  return id;
}

void append_indented(std::string& out, std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (!line.empty()) (out += "    ") += line;
    out += '\n';
  }
}

/// How a block is introduced; empty if it is not shown.
std::string heading(std::string_view label) {
  if (label.starts_with("file ")) return "with the file " + std::string(label.substr(5));
  std::string_view word = label.substr(0, label.find(' '));
  if (word == "rejected") return "Rejected";
  if (word == "warned") return "Warned of";
  if (word == "failing") return "Fails while running";
  if (word == "message") return "with the message";
  if (word == "accepted") return "Accepted";
  return {};
}

} // namespace

const Block* Page::find(std::string_view word) const {
  auto found = std::find_if(blocks.begin(), blocks.end(), [&](const Block& block) {
    return block.label.substr(0, block.label.find(' ')) == word;
  });
  return found == blocks.end() ? nullptr : &*found;
}

Page parse(std::string_view text) {
  Page page;
  std::string_view title = take_line(text);
  if (title.starts_with("# ")) page.id = title.substr(2);
  page.explanation = without_empty_lines_around(text.substr(0, text.find(fence)));
  // The row of the registry, which comes first, has been read when the program was built.
  if (page.explanation.starts_with("*"))
    page.explanation = without_empty_lines_around(
        page.explanation.substr(std::min(page.explanation.find("\n\n"), page.explanation.size())));
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (!line.starts_with(fence)) continue;
    const char* begin = text.data();
    const char* end = begin;
    while (!text.empty() && take_line(text) != fence)
      end = text.data();
    page.blocks.push_back(
        {line.substr(fence.size()), {begin, static_cast<std::size_t>(end - begin)}});
  }
  return page;
}

std::optional<std::string> show(std::string_view id) {
  id = without_brackets(id);
  auto all = files();
  auto file = std::find_if(all.begin(), all.end(), [&](const File& f) { return f.name == id; });
  const DiagnosticId* row = find_diagnostic_id(id);
  if (file == all.end() || !row) return std::nullopt;
  Page page = parse(file->text);
  std::string text = std::string(id) + ": " + std::string(row->meaning) + "\n\n" +
                     std::string(page.explanation) + "\n";
  for (const Block& block : page.blocks)
    if (std::string head = heading(block.label); !head.empty()) {
      text += "\n" + head + ":\n\n";
      append_indented(text, block.text);
    }
  return text;
}

std::string show_all() {
  std::size_t width = 0;
  for (const DiagnosticId& row : diagnostic_ids())
    width = std::max(width, row.id.size());
  std::string text;
  for (const DiagnosticId& row : diagnostic_ids()) {
    std::string left(row.id);
    left.resize(width, ' ');
    text += left + "  " + std::string(row.meaning) + "\n";
  }
  return text;
}

std::string no_such_id(std::string_view id) {
  id = without_brackets(id);
  std::vector<std::string_view> ids;
  for (const DiagnosticId& row : diagnostic_ids())
    ids.push_back(row.id);
  std::string text = "there is no diagnostic `" + std::string(id) + "`";
  auto similar = similar_names(id, ids);
  for (std::size_t i = 0; i < similar.size(); ++i)
    text += (i == 0 ? "; did you mean `" : ", `") + std::string(similar[i]) + "`";
  return text + (similar.empty() ? "" : "?");
}

} // namespace sinter::help
