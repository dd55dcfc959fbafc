// Contents of buffers that are not in the host's memory, or not only there: on a device.
#pragma once

#include <cstddef>

namespace sinter {

class Buffer;

/// Who keeps contents of buffers in memory of its own: a device's cache, which outlives the
/// buffers. It holds no reference to a buffer, so that the only owner of one is known as such; what
/// it keeps for a buffer ends with `forget` or `invalidate`, or by Buffer::return_from.
///
/// Thread-safe.  Calls come from whatever thread reads, writes or drops a buffer, while other
/// threads that want the same buffer wait: so none of them asks that buffer for its contents, and
/// who holds a lock that they take asks no buffer for contents, but by Buffer::return_from.
class Elsewhere {
public:
  virtual ~Elsewhere() = default;
  /// Writes the contents to `target`, which has room for the buffer's bytes.  Throws RuntimeError
  /// if it cannot; then it still has them.
  virtual void fetch(Buffer& buffer, std::byte* target) = 0;
  /// The host is about to write: what is kept for the buffer is stale, and nobody asks for it
  /// again.
  virtual void invalidate(Buffer& buffer) noexcept = 0;
  /// The buffer goes away.  Also called where nothing is kept for it any more.
  virtual void forget(Buffer& buffer) noexcept = 0;
};

} // namespace sinter
