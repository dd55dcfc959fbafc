#include "jit/cpu/streaming.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <emmintrin.h>

namespace sinter::jit {

namespace {

constexpr std::size_t line = 64, vector_bytes = sizeof(__m128i);

/// How many of the block's bytes lie before its first whole line.  Parts of lines would be read and
/// merged by the memory controller.
std::size_t bytes_before_line(const std::byte* block, std::size_t bytes) {
  return std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(block) % line) % line);
}

} // namespace

void copy_past_caches(std::byte* target, const std::byte* source, std::size_t bytes) {
  const std::size_t before = bytes_before_line(target, bytes);
  std::memcpy(target, source, before);
  std::size_t at = before;
  for (; at + line <= bytes; at += line)
    for (std::size_t part = 0; part < line; part += vector_bytes)
      _mm_stream_si128(reinterpret_cast<__m128i*>(target + at + part),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + at + part)));
  std::memcpy(target + at, source + at, bytes - at);
  order_stores_past_caches();
}

void fill_past_caches(std::byte* target, std::uint64_t pattern, std::size_t bytes) {
  const __m128i vector = _mm_set1_epi64x(static_cast<std::int64_t>(pattern));
  std::array<std::byte, line> whole;
  for (std::size_t part = 0; part < line; part += vector_bytes)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(whole.data() + part), vector);
  const std::size_t before = bytes_before_line(target, bytes);
  std::memcpy(target, whole.data(), before);
  std::size_t at = before;
  for (; at + line <= bytes; at += line)
    for (std::size_t part = 0; part < line; part += vector_bytes)
      _mm_stream_si128(reinterpret_cast<__m128i*>(target + at + part), vector);
  std::memcpy(target + at, whole.data(), bytes - at);
  order_stores_past_caches();
}

void order_stores_past_caches() {
  _mm_sfence();
}

} // namespace sinter::jit
