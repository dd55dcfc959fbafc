#include "lang/values/file_memory.h"

#include "lang/base/heap.h"
#include "lang/base/interruptible.h"
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

std::span<char> GrowingBytes::room() {
  constexpr std::size_t least = std::size_t{1} << 16, most = std::size_t{16} << 20;
  if (pieces_.empty() || used_ == pieces_.back().capacity()) {
    const std::size_t capacity = pieces_.empty()
                                     ? std::max(least, first_)
                                     : std::clamp(pieces_.back().capacity() * 2, least, most);
    require_room(capacity, path_);
    reserve(pieces_.emplace_back(), capacity);
    used_ = 0;
  }
  std::string& last = pieces_.back();
  // In steps, as the system clears what is touched for the first time.
  if (used_ == last.size()) last.resize(std::min(last.capacity(), used_ + bytes_at_once));
  return std::span(last).subspan(used_, std::min(last.size() - used_, bytes_at_once));
}

std::string GrowingBytes::take() {
  if (pieces_.empty()) return {};
  pieces_.back().resize(used_);
  if (pieces_.size() == 1) return std::move(pieces_.front());
  std::size_t size = 0;
  for (const std::string& piece : pieces_)
    size += piece.size();
  require_room(size, path_);
  std::string all;
  reserve(all, size);
  for (std::string& piece : pieces_) {
    for (std::size_t at = 0; at < piece.size(); at += bytes_at_once) {
      poll_interruption();
      all.append(piece, at, bytes_at_once);
    }
    piece = {};
  }
  return all;
}

} // namespace sinter
