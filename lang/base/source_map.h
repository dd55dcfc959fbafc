// Owns the texts of a program and turns byte offsets into lines and columns.
#pragma once

#include "lang/base/span.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

/// A human's position in a text: both numbers start at 1, columns count bytes.
struct LineColumn {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The texts that a program was read from.  Texts are never moved or freed while the map lives:
/// names in the syntax tree are `std::string_view`s into them.
class SourceMap {
public:
  /// Adds a text under the name that messages show (a path, or "<prompt>").
  FileId add(std::string name, std::string text);

  std::string_view name(FileId file) const { return files_[file.index].name; }
  std::string_view text(FileId file) const { return files_[file.index].text; }
  /// The text that a span covers; empty for an unknown span.
  std::string_view text(Span span) const;
  LineColumn position(FileId file, std::uint32_t offset) const;
  /// The whole line (1-based) without its line break.
  std::string_view line(FileId file, std::uint32_t line) const;
  /// "name:line:column", or "name:line:column-column" / "name:line:column-line:column".
  std::string describe(Span span) const;

  /// Keeps a generated string for as long as the map lives, for names that no text contains.
  std::string_view keep(std::string text);

private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  std::deque<File> files_;
  std::deque<std::string> kept_;
};

} // namespace sinter
