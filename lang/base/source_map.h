// Owns the texts of a program and turns byte offsets into lines and columns.
#pragma once

#include "lang/base/span.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sinter {

/// A human's position in a text: both numbers start at 1, columns count bytes.
struct LineColumn {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The texts that a program was read from.  Texts are never moved, and live until they are let go:
/// names in the syntax tree are `std::string_view`s into them.
class SourceMap {
public:
  /// Adds a text under the name that messages show (a path, or "<prompt>").  Ids are never used
  /// twice, and grow.
  FileId add(std::string name, std::string text);
  /// The id that the next text gets.
  FileId next() const { return {next_}; }
  /// Lets all texts before `first` go but for those in `kept`.
  void forget_before(FileId first, std::span<const FileId> kept);
  /// How many texts there are.
  std::size_t size() const { return files_.size(); }

  std::string_view name(FileId file) const { return files_.at(file.index).name; }
  std::string_view text(FileId file) const { return files_.at(file.index).text; }
  /// The text that a span covers; empty for an unknown span.
  std::string_view text(Span span) const;
  LineColumn position(FileId file, std::uint32_t offset) const;
  /// The whole line (1-based) without its line break.
  std::string_view line(FileId file, std::uint32_t line) const;
  /// "name:line:column", or "name:line:column-column" / "name:line:column-line:column".
  std::string describe(Span span) const;

private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  std::unordered_map<std::uint32_t, File> files_;
  std::uint32_t next_ = 0;
};

} // namespace sinter
