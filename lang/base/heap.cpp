#include "lang/base/heap.h"

#include "lang/base/reserve.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

#include <malloc.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINTER_SANITIZER_HAS_HEAP
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SINTER_SANITIZER_HAS_HEAP
#endif
#endif

namespace sinter {

namespace {

/// So much a thread may owe to the common count.
constexpr std::ptrdiff_t step = 256 << 10;
/// From this size on an allocation is asked for before it is made.
[[maybe_unused]] constexpr std::size_t large = std::size_t{8} << 20;

// The heap is the process's, and so are these.
std::atomic<std::ptrdiff_t> in_use{0};
std::atomic<std::ptrdiff_t> in_use_apart{0}; ///< and counted elsewhere
std::atomic<std::ptrdiff_t> held{0};         ///< in use, or given back since the last trim

/// What a thread has not yet told.
struct Owed {
  std::ptrdiff_t bytes = 0;
  std::ptrdiff_t apart = 0;
  bool is_uncounted = false;
  bool pays_at_end = false;
  HeapWatch* watch = nullptr;
};
constinit thread_local Owed owed;

void pay() noexcept {
  const std::ptrdiff_t bytes = std::exchange(owed.bytes, 0);
  const std::ptrdiff_t apart = std::exchange(owed.apart, 0);
  if (owed.is_uncounted) return;
  in_use.fetch_add(bytes, std::memory_order_relaxed);
  in_use_apart.fetch_add(apart, std::memory_order_relaxed);
  if (bytes + apart > 0) held.fetch_add(bytes + apart, std::memory_order_relaxed);
}

[[gnu::noinline]] void settle() noexcept {
  const bool has_grown = owed.bytes + owed.apart > 0;
  if (!owed.pays_at_end) {
    owed.pays_at_end = true;
    struct AtEnd {
      ~AtEnd() { pay(); }
    };
    static thread_local AtEnd at_end;
    static_cast<void>(at_end);
  }
  pay();
  if (has_grown && owed.watch && !owed.is_uncounted) owed.watch->grew();
}

inline void count(std::ptrdiff_t bytes, std::ptrdiff_t apart = 0) noexcept {
  owed.bytes += bytes;
  owed.apart += apart;
  const std::ptrdiff_t both = owed.bytes + owed.apart;
  if (both > step || both < -step) [[unlikely]]
    settle();
}

std::size_t amount(std::ptrdiff_t bytes) {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(bytes, 0)); // others may owe
}

} // namespace

std::ptrdiff_t heap_in_use() noexcept {
  return in_use.load(std::memory_order_relaxed);
}

std::size_t heap_slack() noexcept {
  return amount(held.load(std::memory_order_relaxed) - in_use.load(std::memory_order_relaxed) -
                in_use_apart.load(std::memory_order_relaxed));
}

void trim_heap() noexcept {
  held.store(in_use.load(std::memory_order_relaxed) + in_use_apart.load(std::memory_order_relaxed),
             std::memory_order_relaxed);
  malloc_trim(0);
}

void keep_heap() noexcept {
  // (Otherwise the library finds these as it goes, by what it has seen so far.)
  constexpr int mebibyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 4 * mebibyte);
  mallopt(M_TRIM_THRESHOLD, 64 * mebibyte);
}

void count_heap(std::ptrdiff_t bytes, std::ptrdiff_t apart) noexcept {
  count(bytes, apart);
}

HeapWatch* HeapWatch::here() noexcept {
  return owed.watch;
}

HeapWatch::Here::Here(HeapWatch* watch) noexcept : before_(std::exchange(owed.watch, watch)) {}
HeapWatch::Here::~Here() {
  owed.watch = before_;
}

std::string memory_shortage() {
  std::string words = "out of memory";
  try {
    if (owed.watch) words += ": " + owed.watch->excess();
  } catch (const std::bad_alloc&) {
    // Less will do.
  }
  return words;
}

UncountedHeap::UncountedHeap() noexcept : was_counted_(!owed.is_uncounted) {
  if (was_counted_) pay();
  owed.is_uncounted = true;
}
UncountedHeap::~UncountedHeap() {
  if (!was_counted_) return;
  owed.bytes = owed.apart = 0;
  owed.is_uncounted = false;
}

#ifndef SINTER_SANITIZER_HAS_HEAP
namespace {

/// What the heap takes for so much, with what it needs for itself.
std::ptrdiff_t piece_for(std::size_t size) {
  constexpr std::size_t header = sizeof(std::size_t), unit = 2 * header, least = 2 * unit;
  return static_cast<std::ptrdiff_t>(std::max((size + header + unit - 1) / unit * unit, least));
}

void* allocate(std::size_t size) {
  if (size >= large && owed.watch && !owed.is_uncounted && !owed.watch->allows(size))
    throw std::bad_alloc();
  for (;;) {
    if (void* memory = std::malloc(size > 0 ? size : 1)) {
      count(piece_for(size));
      return memory;
    }
    if (void* memory = Reserve::take(size, 1)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

void* allocate(std::size_t size, std::size_t alignment) {
  const std::size_t whole =
      (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  if (whole < size) throw std::bad_alloc();
  for (;;) {
    if (void* memory = std::aligned_alloc(alignment, whole)) return memory;
    if (void* memory = Reserve::take(size, alignment)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

void release(void* memory, std::size_t size) noexcept {
  if (!memory || Reserve::has(memory)) return;
  count(-piece_for(size));
  std::free(memory);
}

/// Of those that are not counted.
void release(void* memory) noexcept {
  if (!Reserve::has(memory)) std::free(memory);
}

} // namespace
#endif

} // namespace sinter

#ifndef SINTER_SANITIZER_HAS_HEAP
// (The library's other forms lead to these.  Those for a given alignment are not counted.)
void* operator new(std::size_t size) {
  return sinter::allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return sinter::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  if (!sinter::Reserve::has(memory))
    sinter::release(memory, malloc_usable_size(memory)); // rare, and slow
}
void operator delete(void* memory, std::size_t size) noexcept {
  sinter::release(memory, size);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  sinter::release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  sinter::release(memory);
}
#endif
