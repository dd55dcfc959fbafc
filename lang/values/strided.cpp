#include "lang/values/strided.h"

#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <cstring>

namespace sinter {

Extents row_major_strides(std::span<const std::int64_t> extents) {
  Extents strides(extents.size());
  // Unsigned: the sizes behind an empty dimension may be absurd, their strides are never used.
  std::uint64_t stride = 1;
  for (std::size_t i = extents.size(); i-- > 0;) {
    strides[i] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(extents[i]);
  }
  return strides;
}

bool is_empty(std::span<const std::int64_t> extents) {
  return std::find(extents.begin(), extents.end(), 0) != extents.end();
}

std::size_t block_bytes(ElementType element, std::span<const std::int64_t> extents) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(element_count(extents), static_cast<std::int64_t>(byte_size(element)),
                             &bytes))
    throw RuntimeError(FailureKind::OutOfMemory, "out of memory: an array of shape " +
                                                     shape_text(extents) +
                                                     " is larger than any machine's memory");
  return static_cast<std::size_t>(bytes);
}

namespace {

/// A loop nest over two blocks, made shorter: no dimension of extent 1, and neighbours that both
/// blocks walk as one are one.
struct Nest {
  Extents extents;
  Extents first;
  Extents second;

  Nest(std::span<const std::int64_t> sizes, std::span<const std::int64_t> a,
       std::span<const std::int64_t> b) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 1) continue;
      if (!extents.empty() && first.back() == a[i] * sizes[i] && second.back() == b[i] * sizes[i]) {
        extents.back() *= sizes[i];
        first.back() = a[i];
        second.back() = b[i];
        continue;
      }
      extents.push_back(sizes[i]);
      first.push_back(a[i]);
      second.push_back(b[i]);
    }
  }
  std::size_t depth() const { return extents.size(); }
};

/// Looks whether to stop whenever so many elements have been gone through that it may take
/// milliseconds, however far apart they lie.
class ElementPoll {
public:
  void operator()(std::int64_t elements) {
    if ((left_ -= elements) > 0) return;
    left_ = interval;
    poll_interruption();
  }

  static constexpr std::int64_t interval = 1 << 15;

private:
  std::int64_t left_ = interval;
};

/// Calls `inner(first offset, second offset)` for each index of the outer `depth` dimensions;
/// offsets in elements.  Stops early when `inner` returns false.
template <typename Inner>
bool for_each_outer(const Nest& nest, std::size_t depth, Inner&& inner) {
  Extents index(depth);
  std::int64_t a = 0, b = 0;
  for (;;) {
    if (!inner(a, b)) return false;
    std::size_t d = depth;
    for (;;) {
      if (d == 0) return true;
      --d;
      a += nest.first[d];
      b += nest.second[d];
      if (++index[d] < nest.extents[d]) break;
      a -= nest.first[d] * nest.extents[d];
      b -= nest.second[d] * nest.extents[d];
      index[d] = 0;
    }
  }
}

/// Calls `inner(first offset, second offset, count)` for each row of the innermost dimension; long
/// rows come in pieces.
template <typename Inner>
bool for_each_row(const Nest& nest, Inner&& inner) {
  const std::size_t last = nest.depth() - 1;
  ElementPoll poll;
  return for_each_outer(nest, last, [&](std::int64_t a, std::int64_t b) {
    for (std::int64_t left = nest.extents[last]; left > 0;) {
      const std::int64_t count = std::min(left, ElementPoll::interval);
      poll(count);
      if (!inner(a, b, count)) return false;
      a += count * nest.first[last];
      b += count * nest.second[last];
      left -= count;
    }
    return true;
  });
}

template <typename Word>
void copy_words(std::byte* target_bytes, const std::byte* source_bytes, const Nest& nest) {
  auto* target = reinterpret_cast<Word*>(target_bytes);
  auto* source = reinterpret_cast<const Word*>(source_bytes);
  std::size_t depth = nest.depth();
  if (depth == 0) {
    *target = *source;
    return;
  }
  const std::int64_t columns = nest.extents[depth - 1];
  const std::int64_t to = nest.first[depth - 1];
  const std::int64_t from = nest.second[depth - 1];
  if (to == 1 && from == 1) {
    for_each_row(nest, [&](std::int64_t a, std::int64_t b, std::int64_t count) {
      std::memcpy(target + a, source + b, static_cast<std::size_t>(count) * sizeof(Word));
      return true;
    });
    return;
  }
  if (to == 1 && from == 0) {
    for_each_row(nest, [&](std::int64_t a, std::int64_t b, std::int64_t count) {
      std::fill_n(target + a, count, source[b]);
      return true;
    });
    return;
  }
  // A transposition: in tiles, so that each cache line that is fetched is used up.
  constexpr std::int64_t tile = 32;
  if (depth >= 2 && to == 1 && columns >= tile && nest.extents[depth - 2] >= tile) {
    const std::int64_t rows = nest.extents[depth - 2];
    const std::int64_t row_to = nest.first[depth - 2];
    const std::int64_t row_from = nest.second[depth - 2];
    ElementPoll poll;
    for_each_outer(nest, depth - 2, [&](std::int64_t a, std::int64_t b) {
      for (std::int64_t i = 0; i < rows; i += tile)
        for (std::int64_t j = 0; j < columns; j += tile) {
          poll(tile * tile);
          for (std::int64_t ii = i; ii < std::min(i + tile, rows); ++ii)
            for (std::int64_t jj = j; jj < std::min(j + tile, columns); ++jj)
              target[a + ii * row_to + jj] = source[b + ii * row_from + jj * from];
        }
      return true;
    });
    return;
  }
  for_each_row(nest, [&](std::int64_t a, std::int64_t b, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      target[a + i * to] = source[b + i * from];
    return true;
  });
}

} // namespace

void copy_strided(std::byte* target, std::span<const std::int64_t> target_strides,
                  const std::byte* source, std::span<const std::int64_t> source_strides,
                  std::span<const std::int64_t> extents, std::size_t size) {
  if (is_empty(extents)) return;
  Nest nest(extents, target_strides, source_strides);
  if (size == 1)
    copy_words<std::uint8_t>(target, source, nest);
  else if (size == 2)
    copy_words<std::uint16_t>(target, source, nest);
  else if (size == 4)
    copy_words<std::uint32_t>(target, source, nest);
  else
    copy_words<std::uint64_t>(target, source, nest);
}

void append_dense(std::string& out, const Leaf& leaf) {
  std::size_t bytes = block_bytes(leaf.element, leaf.extents);
  if (bytes == 0) return;
  std::size_t size = byte_size(leaf.element);
  const std::byte* first = leaf.buffer->contents() + leaf.offset * static_cast<std::int64_t>(size);
  if (is_row_major(leaf)) {
    out.reserve(out.size() + bytes);
    constexpr std::size_t piece = std::size_t{1} << 18;
    for (std::size_t done = 0; done < bytes; done += piece) {
      poll_interruption();
      out.append(reinterpret_cast<const char*>(first) + done, std::min(piece, bytes - done));
    }
    return;
  }
  std::size_t begin = out.size();
  out.resize(begin + bytes);
  auto* target = reinterpret_cast<std::byte*>(out.data() + begin);
  if (begin % size == 0) {
    copy_strided(target, row_major_strides(leaf.extents), first, leaf.strides, leaf.extents, size);
    return;
  }
  // `copy_strided` wants elements at multiples of their size.
  BufferRef dense = Buffer::allocate(leaf.buffer->budget(), bytes);
  copy_strided(dense->overwrite(), row_major_strides(leaf.extents), first, leaf.strides,
               leaf.extents, size);
  std::memcpy(target, dense->contents(), bytes);
}

void clear_strided(std::byte* target, std::span<const std::int64_t> strides,
                   std::span<const std::int64_t> extents, std::size_t size) {
  static constexpr std::uint64_t zero = 0;
  Extents still(extents.size());
  if (is_empty(extents)) return;
  Nest nest(extents, strides, strides);
  std::size_t depth = nest.depth();
  if (depth > 0 && nest.first[depth - 1] == 1) {
    for_each_row(nest, [&](std::int64_t a, std::int64_t, std::int64_t count) {
      std::memset(target + a * static_cast<std::int64_t>(size), 0,
                  static_cast<std::size_t>(count) * size);
      return true;
    });
    return;
  }
  copy_strided(target, strides, reinterpret_cast<const std::byte*>(&zero), still, extents, size);
}

bool equal_strided(ElementType element, const std::byte* a, std::span<const std::int64_t> a_strides,
                   const std::byte* b, std::span<const std::int64_t> b_strides,
                   std::span<const std::int64_t> extents) {
  if (is_empty(extents)) return true;
  Nest nest(extents, a_strides, b_strides);
  std::size_t depth = nest.depth();
  return with_cpp_type(element, [&]<typename T>() {
    auto* left = reinterpret_cast<const T*>(a);
    auto* right = reinterpret_cast<const T*>(b);
    if (depth == 0) return *left == *right;
    const std::int64_t left_step = nest.first[depth - 1];
    const std::int64_t right_step = nest.second[depth - 1];
    return for_each_row(nest, [&](std::int64_t i, std::int64_t j, std::int64_t count) {
      for (std::int64_t k = 0; k < count; ++k)
        if (!(left[i + k * left_step] == right[j + k * right_step])) return false;
      return true;
    });
  });
}

} // namespace sinter
