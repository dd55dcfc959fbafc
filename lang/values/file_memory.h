// Memory for the contents of files, which may be large.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sinter {

/// So much is read, written or unpacked between two looks at whether to stop.
inline constexpr std::size_t bytes_at_once = std::size_t{1} << 20;

/// Throws RuntimeError{OutOfMemory} if what the file `path` holds cannot be kept beside what is in
/// use.
void require_room(std::size_t bytes, const std::string& path);
/// Reserves memory, in large pages where it is much: the system touches it, and takes it back, many
/// times as fast.  (Which is only advice.)
void reserve(std::string& bytes, std::size_t capacity);

/// The contents of a file as they come, of which nobody knows how much there will be.  They are
/// kept in pieces: to make all that is there already larger takes longer the more there is, and
/// can't be stopped in between.
class GrowingBytes {
public:
  /// `expected`: so many will probably come; with one more byte of room their end is seen.
  explicit GrowingBytes(std::string path, std::size_t expected = 0)
      : path_(std::move(path)), first_(expected) {}

  /// Room for more, behind what there is; at most `bytes_at_once`.
  std::span<char> room();
  /// So much of the room has been filled.
  void add(std::size_t count) { used_ += count; }
  /// All that came.
  std::string take();

private:
  std::string path_;
  std::size_t first_;
  std::vector<std::string> pieces_; ///< all of them full but the last one
  std::size_t used_ = 0;            ///< of the last one
};

} // namespace sinter
