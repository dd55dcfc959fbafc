#include "jit/cpu/copy.h"

#include "jit/cpu/streaming.h"
#include "jit/runtime/leaf_operations.h"
#include "lang/values/array.h"

#include <algorithm>
#include <cstring>

namespace sinter::jit {

namespace {

/// Less than this is not worth waking other threads.
constexpr std::int64_t least_bytes = 1 << 20;
constexpr std::int64_t part_bytes = 256 << 10;

Leaf rows(const Leaf& array, std::int64_t begin, std::int64_t end) {
  Leaf part = array;
  part.offset += begin * array.strides[0];
  part.extents[0] = end - begin;
  return part;
}

/// Whether it is one element throughout.
bool is_one_element(const Leaf& array) {
  return std::ranges::all_of(array.strides, [](std::int64_t stride) { return stride == 0; });
}
/// The first element's bytes, again and again.
std::uint64_t pattern(const Leaf& array) {
  std::uint64_t result = 0;
  const std::size_t size = byte_size(array.element);
  for (std::size_t at = 0; at < sizeof result; at += size)
    std::memcpy(reinterpret_cast<std::byte*>(&result) + at, first_element(array), size);
  return result;
}

} // namespace

void copy_in_parts(const Leaf& target, const Leaf& source, const RunContext& context,
                   Workers& workers) {
  const std::int64_t bytes =
      element_count(target.extents) * static_cast<std::int64_t>(byte_size(target.element));
  if (bytes < least_bytes || target.extents.empty()) return copy_elements(target, source);
  // (What is a part of something larger than the caches is hardly what is read next.)
  const bool is_large = target.buffer->bytes() >= beyond_caches_bytes && is_row_major(target);
  const bool is_fill = is_large && is_one_element(source);
  const bool is_streamed = is_large && is_row_major(source);
  // Whatever has to be fetched is fetched by this thread: the others may not throw.
  (void)source.buffer->contents();
  (void)target.buffer->overwrite();
  const std::int64_t count = target.extents[0];
  const std::int64_t parts = std::min(count, bytes / part_bytes);
  const std::int64_t size = (count + parts - 1) / parts;
  workers.run(context.threads, parts, [&](std::int64_t part, unsigned) {
    const std::int64_t begin = part * size, end = std::min(count, begin + size);
    if (begin >= end) return;
    if (context.interrupt &&
        context.interrupt->epoch_word().load(std::memory_order_relaxed) != context.epoch)
      return;
    const Leaf to = rows(target, begin, end), from = rows(source, begin, end);
    if (is_fill)
      fill_past_caches(first_place(to), pattern(from), content_bytes(to));
    else if (is_streamed)
      copy_past_caches(first_place(to), first_element(from), content_bytes(from));
    else
      copy_elements(to, from);
  });
}

} // namespace sinter::jit
