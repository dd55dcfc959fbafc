// Memory that is kept for later: the address sanitizer takes it for memory that is freed.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define SINTER_WATCHES_ADDRESSES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SINTER_WATCHES_ADDRESSES
#endif
#endif
#ifdef SINTER_WATCHES_ADDRESSES
#include <sanitizer/asan_interface.h>
#endif

namespace sinter {

#ifdef SINTER_WATCHES_ADDRESSES
/// Whoever touches it is told of.
inline void forbid(std::byte* base, std::size_t bytes) {
  __asan_poison_memory_region(base, bytes);
}
inline void allow(std::byte* base, std::size_t bytes) {
  __asan_unpoison_memory_region(base, bytes);
}
#else
/// Whoever touches it is told of, by the address sanitizer.
inline void forbid(std::byte*, std::size_t) {}
inline void allow(std::byte*, std::size_t) {}
#endif

} // namespace sinter
