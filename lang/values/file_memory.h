// Memory for the contents of files, which may be large.
#pragma once

#include <cstddef>
#include <string>

namespace sinter {

/// So much is read, written or unpacked between two looks at whether to stop.
inline constexpr std::size_t bytes_at_once = std::size_t{1} << 20;

/// Throws RuntimeError{OutOfMemory} if what the file `path` holds cannot be kept beside what is in
/// use.
void require_room(std::size_t bytes, const std::string& path);
/// Reserves memory, in large pages where it is much: the system touches it, and takes it back, many
/// times as fast.  (Which is only advice.)
void reserve(std::string& bytes, std::size_t capacity);
/// Room for more behind what is there already.
void grow(std::string& bytes, const std::string& path);

} // namespace sinter
