#include "lang/values/file_memory.h"

#include "lang/base/heap.h"
#include "lang/base/runtime_error.h"

#include <algorithm>
#include <cstdint>

#include <sys/mman.h>

namespace sinter {

void require_room(std::size_t bytes, const std::string& path) {
  if (HeapWatch* watch = HeapWatch::here(); watch && !watch->allows(bytes))
    throw RuntimeError(FailureKind::OutOfMemory,
                       "out of memory: cannot read `" + path + "`: " + watch->excess());
}

void reserve(std::string& bytes, std::size_t capacity) {
  constexpr std::size_t much = std::size_t{16} << 20, page = 4096;
  bytes.reserve(capacity);
  if (bytes.capacity() < much) return;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(bytes.data()) % page) % page;
  (void)madvise(bytes.data() + before, (bytes.capacity() - before) / page * page, MADV_HUGEPAGE);
}

void grow(std::string& bytes, const std::string& path) {
  constexpr std::size_t least = 1 << 16;
  if (bytes.size() == bytes.capacity() || bytes.empty()) {
    const std::size_t larger = std::max({bytes.capacity(), bytes.size() * 2, least});
    if (larger > bytes.capacity()) require_room(larger, path);
    reserve(bytes, larger);
  }
  // In steps, as the system clears what is touched for the first time.
  bytes.resize(std::min(bytes.capacity(), bytes.size() + bytes_at_once));
}

} // namespace sinter
