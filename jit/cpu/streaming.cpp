#include "jit/cpu/streaming.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <emmintrin.h>

namespace sinter::jit {

void copy_past_caches(std::byte* target, const std::byte* source, std::size_t bytes) {
  constexpr std::size_t line = 64, vector = sizeof(__m128i);
  // Whole lines only: a part of one would be read and merged by the memory controller.
  const std::size_t ahead = (line - reinterpret_cast<std::uintptr_t>(target) % line) % line;
  const std::size_t before = std::min(bytes, ahead);
  std::memcpy(target, source, before);
  std::size_t at = before;
  for (; at + line <= bytes; at += line)
    for (std::size_t part = 0; part < line; part += vector)
      _mm_stream_si128(reinterpret_cast<__m128i*>(target + at + part),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + at + part)));
  std::memcpy(target + at, source + at, bytes - at);
  order_stores_past_caches();
}

void order_stores_past_caches() {
  _mm_sfence();
}

} // namespace sinter::jit
