// Where a piece of a program's text stands.
#pragma once

#include <cstdint>

namespace sinter {

/// Index of a source text in its `SourceMap`.
struct FileId {
  std::uint32_t index = UINT32_MAX;
  friend bool operator==(FileId, FileId) = default;
};

/// A half-open range of bytes `[begin, end)` of one file.  A default-made span belongs to no file:
/// it marks things that no text wrote (built-in names).
struct Span {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool is_known() const { return file.index != UINT32_MAX; }
  friend bool operator==(const Span&, const Span&) = default;
};

/// The smallest span that covers both; both must lie in the same file (or one be unknown).
inline Span cover(Span a, Span b) {
  if (!a.is_known()) return b;
  if (!b.is_known()) return a;
  return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

} // namespace sinter
