#include "lang/base/reserve.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace sinter {

namespace {

/// What was taken from, for ever.  (The heap is the process's, and so are these.)
struct Range {
  std::atomic<const std::byte*> begin{nullptr};
  std::atomic<const std::byte*> end{nullptr};
};
constinit std::array<Range, 256> ranges;
constinit std::atomic<std::size_t> range_count{0};
constinit thread_local Reserve* of_thread = nullptr;

/// False if too many have been used.
bool add_range(const std::byte* begin, const std::byte* end) noexcept {
  std::size_t place = range_count.load();
  do {
    if (place == ranges.size()) return false;
  } while (!range_count.compare_exchange_weak(place, place + 1));
  ranges[place].end.store(end);
  ranges[place].begin.store(begin);
  return true;
}

std::byte* rounded_up(std::byte* address, std::size_t alignment) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  return address + ((number + alignment - 1) / alignment * alignment - number);
}

} // namespace

Reserve::Reserve(std::size_t bytes) {
  if (of_thread) return;
  if (range_count.load() == ranges.size()) throw std::bad_alloc();
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  begin_ = next_ = static_cast<std::byte*>(memory);
  end_ = begin_ + bytes;
  of_thread = this;
}

Reserve::~Reserve() {
  if (!begin_) return;
  of_thread = nullptr;
  std::byte* const unused =
      next_ == begin_
          ? begin_
          : std::min(rounded_up(next_, static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), end_);
  if (unused == end_) return;
  // Who looks for a range sees the end of what stays before anybody else can have the rest.
  for (Range& range : ranges)
    if (range.begin.load() == begin_) range.end.store(unused);
  munmap(unused, static_cast<std::size_t>(end_ - unused));
}

void* Reserve::take(std::size_t size, std::size_t alignment) noexcept {
  return of_thread ? of_thread->cut(size, alignment) : nullptr;
}

void* Reserve::cut(std::size_t size, std::size_t alignment) noexcept {
  constexpr std::size_t head = alignof(std::max_align_t);
  std::byte* const memory = rounded_up(next_ + head, std::max(alignment, head));
  if (memory > end_ || size > static_cast<std::size_t>(end_ - memory)) return nullptr;
  if (next_ == begin_ && !add_range(begin_, end_)) return nullptr;
  next_ = memory + std::max<std::size_t>(size, 1);
  ::new (memory - head) std::size_t(size);
  return memory;
}

bool Reserve::has(const void* memory) noexcept {
  const std::size_t count = range_count.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const begin = ranges[i].begin.load(std::memory_order_acquire);
    if (begin && memory >= begin && memory < ranges[i].end.load(std::memory_order_acquire))
      return true;
  }
  return false;
}

std::size_t Reserve::size_of(const void* memory) noexcept {
  const auto* const head = static_cast<const std::byte*>(memory) - alignof(std::max_align_t);
  return *std::launder(reinterpret_cast<const std::size_t*>(head));
}

} // namespace sinter
