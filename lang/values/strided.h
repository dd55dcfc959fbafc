// Loops over strided blocks of memory: copying, comparing, clearing.  Knows bytes and strides only.
#pragma once

#include "lang/values/array.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sinter {

/// Strides of a row-major array, in elements.
Extents row_major_strides(std::span<const std::int64_t> extents);

/// Whether some extent is 0.
bool is_empty(std::span<const std::int64_t> extents);

/// Bytes of a dense block.  Throws RuntimeError{OutOfMemory} when they cannot be counted.
std::size_t block_bytes(ElementType element, std::span<const std::int64_t> extents);

/// Copies a block of elements of `size` bytes (1, 2, 4 or 8).  Strides are in elements; the blocks
/// must not overlap.
void copy_strided(std::byte* target, std::span<const std::int64_t> target_strides,
                  const std::byte* source, std::span<const std::int64_t> source_strides,
                  std::span<const std::int64_t> extents, std::size_t size);

/// Appends the bytes of a leaf's elements in row-major order.
void append_dense(std::string& out, const Leaf& leaf);

/// Sets a block of elements to zero bytes.
void clear_strided(std::byte* target, std::span<const std::int64_t> strides,
                   std::span<const std::int64_t> extents, std::size_t size);

/// Whether two blocks are equal, element by element with the type's `==`.
bool equal_strided(ElementType element, const std::byte* a, std::span<const std::int64_t> a_strides,
                   const std::byte* b, std::span<const std::int64_t> b_strides,
                   std::span<const std::int64_t> extents);

} // namespace sinter
