#include "gpu/emulator/shadow.h"

#include <new>

#include <sys/mman.h>

namespace sinter::gpu {

namespace {

void* reserve_pages(std::size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return pages;
}

std::size_t word_cells_bytes(std::size_t bytes) {
  return (bytes + 3) / 4 * sizeof(AccessCell);
}

void drop_pages(void* begin, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

} // namespace

Shadow::Shadow(std::size_t bytes, bool has_cells) : bytes_(bytes) {
  states_ = static_cast<std::uint8_t*>(reserve_pages(bytes));
  if (!has_cells) return;
  try {
    word_cells_ = static_cast<AccessCell*>(reserve_pages(word_cells_bytes(bytes)));
    byte_cells_ = static_cast<AccessCell*>(reserve_pages(bytes * sizeof(AccessCell)));
  } catch (const std::bad_alloc&) {
    if (word_cells_) munmap(word_cells_, word_cells_bytes(bytes));
    munmap(states_, bytes);
    throw;
  }
}

Shadow::~Shadow() {
  munmap(states_, bytes_);
  if (word_cells_) munmap(word_cells_, word_cells_bytes(bytes_));
  if (byte_cells_) munmap(byte_cells_, bytes_ * sizeof(AccessCell));
}

void Shadow::forget_accesses() {
  forget_accesses(0, bytes_);
}

void Shadow::forget_accesses(std::size_t offset, std::size_t bytes) {
  if (!has_cells()) return;
  drop_pages(word_cells_ + offset / 4, word_cells_bytes(bytes));
  drop_pages(byte_cells_ + offset, bytes * sizeof(AccessCell));
}

} // namespace sinter::gpu
