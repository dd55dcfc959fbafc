#include "lang/base/source_map.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace sinter {

FileId SourceMap::add(std::string name, std::string text) {
  File file{std::move(name), std::move(text), {0}};
  for (std::size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  files_.emplace(next_, std::move(file));
  return {next_++};
}

void SourceMap::forget_before(FileId first, std::span<const FileId> kept) {
  std::unordered_set<std::uint32_t> live;
  for (FileId file : kept)
    live.insert(file.index);
  std::erase_if(files_, [&](const auto& file) {
    return file.first < first.index && !live.contains(file.first);
  });
}

std::string_view SourceMap::text(Span span) const {
  if (!span.is_known()) return {};
  return text(span.file).substr(span.begin, span.end - span.begin);
}

LineColumn SourceMap::position(FileId file, std::uint32_t offset) const {
  const auto& starts = files_.at(file.index).line_starts;
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  assert(after != starts.begin());
  auto line = static_cast<std::uint32_t>(after - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

std::string_view SourceMap::line(FileId file, std::uint32_t line) const {
  const File& source = files_.at(file.index);
  if (line == 0 || line > source.line_starts.size()) return {};
  std::size_t begin = source.line_starts[line - 1];
  std::size_t end =
      line < source.line_starts.size() ? source.line_starts[line] : source.text.size();
  std::string_view text = std::string_view(source.text).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::string SourceMap::describe(Span span) const {
  if (!span.is_known()) return "<built-in>";
  LineColumn from = position(span.file, span.begin);
  LineColumn to = position(span.file, span.end > span.begin ? span.end - 1 : span.begin);
  std::string text(name(span.file));
  text += ":" + std::to_string(from.line) + ":" + std::to_string(from.column);
  if (to.line != from.line)
    text += "-" + std::to_string(to.line) + ":" + std::to_string(to.column);
  else if (to.column != from.column)
    text += "-" + std::to_string(to.column);
  return text;
}

} // namespace sinter
