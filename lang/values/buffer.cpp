// Memory for arrays: small buffers from the heap, large ones mapped, all of them counted.

#include "lang/base/runtime_error.h"
#include "lang/values/array.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace sinter {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// From this size on, the system is asked first whether it has the memory: it promises more than
/// it has, and ends the process when the promise is taken up.
constexpr std::size_t large = std::size_t{64} << 20;

std::string byte_text(std::size_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < std::size(units)) {
    amount /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
  return text;
}

[[noreturn]] void refuse(std::size_t bytes, const std::string& why) {
  throw RuntimeError(FailureKind::OutOfMemory,
                     "out of memory: an array needs " + byte_text(bytes) + ", " + why);
}

/// The memory of the machine, or of the container that this process runs in.
std::size_t physical_memory() {
  static const std::size_t total = [] {
    std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
    for (const char* path :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
      std::size_t limit = 0;
      if (std::ifstream(path) >> limit && limit > 0) bytes = std::min(bytes, limit);
    }
    return bytes;
  }();
  return total;
}

/// What the system could give now without ending somebody; SIZE_MAX if it does not say.
std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::size_t total = 0;
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    unsigned long long kilobytes = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu", &kilobytes) == 1 ||
        std::sscanf(line.c_str(), "SwapFree: %llu", &kilobytes) == 1) {
      total += static_cast<std::size_t>(kilobytes) * 1024;
      found = true;
    }
  }
  return found ? total : SIZE_MAX;
}

/// Fresh zero pages, at a huge page's border where that helps; null if there are none.
void* map_pages(std::size_t bytes) {
  constexpr int protection = PROT_READ | PROT_WRITE;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  std::size_t slack = bytes >= 2 * huge_page ? huge_page : 0;
  void* mapped = mmap(nullptr, bytes + slack, protection, flags, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  if (slack == 0) return mapped;
  auto* begin = static_cast<std::byte*>(mapped);
  std::size_t before =
      (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  if (before > 0) munmap(begin, before);
  if (slack > before) munmap(begin + before + bytes, slack - before);
  // Only advice: without huge pages everything works, slower.
  (void)madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

std::size_t whole_pages(std::size_t bytes) {
  static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  return (bytes + page - 1) / page * page;
}

} // namespace

/// Mapped pages that no buffer holds.
class MemoryBudget::SparePages {
public:
  struct Piece {
    void* base = nullptr;
    std::size_t bytes = 0; ///< whole pages
  };

  ~SparePages() { release(); }

  /// A piece of at least that size, and not much more; none if there is none.
  Piece find(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    auto best = pieces_.end();
    for (auto piece = pieces_.begin(); piece != pieces_.end(); ++piece)
      if (piece->bytes >= bytes && piece->bytes - bytes <= bytes / 8 &&
          (best == pieces_.end() || piece->bytes < best->bytes))
        best = piece;
    if (best == pieces_.end()) return {};
    Piece found = *best;
    pieces_.erase(best);
    bytes_ -= found.bytes;
    return found;
  }

  /// Keeps a piece, at the cost of the oldest ones; too large ones go back to the system.
  void keep(Piece piece) noexcept {
    static const std::size_t limit = physical_memory() / 8;
    constexpr std::size_t count_limit = 64;
    std::lock_guard lock(mutex_);
    if (piece.bytes > limit) {
      munmap(piece.base, piece.bytes);
      return;
    }
    while (bytes_ + piece.bytes > limit || pieces_.size() >= count_limit) {
      munmap(pieces_.front().base, pieces_.front().bytes);
      bytes_ -= pieces_.front().bytes;
      pieces_.erase(pieces_.begin());
    }
    try {
      pieces_.push_back(piece);
      bytes_ += piece.bytes;
    } catch (const std::bad_alloc&) {
      munmap(piece.base, piece.bytes);
    }
  }

  void release() noexcept {
    std::lock_guard lock(mutex_);
    for (const Piece& piece : pieces_)
      munmap(piece.base, piece.bytes);
    pieces_.clear();
    bytes_ = 0;
  }

  std::size_t bytes() {
    std::lock_guard lock(mutex_);
    return bytes_;
  }

private:
  std::mutex mutex_;
  std::vector<Piece> pieces_; ///< the oldest first
  std::size_t bytes_ = 0;
};

MemoryBudget::MemoryBudget(std::size_t limit_bytes)
    : limit_(limit_bytes), spare_(std::make_unique<SparePages>()) {}
MemoryBudget::~MemoryBudget() = default;

std::size_t MemoryBudget::spare() const {
  return spare_->bytes();
}

void MemoryBudget::release_spare() noexcept {
  spare_->release();
}

void MemoryBudget::take(std::size_t bytes) {
  std::size_t limit = std::min(this->limit(), physical_memory());
  std::size_t before = in_use_.load(std::memory_order_relaxed);
  do {
    if (before > limit || bytes > limit - before) {
      const char* whose = limit < this->limit() ? "the machine has " : "the limit is ";
      refuse(bytes,
             whose + byte_text(limit) +
                 (before > 0 ? ", of which " + byte_text(before) + " are in use" : std::string()));
    }
  } while (!in_use_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
}

BufferRef Buffer::allocate(MemoryBudget& budget, std::size_t bytes) {
  return allocate(budget, bytes, false);
}

BufferRef Buffer::allocate_zeroed(MemoryBudget& budget, std::size_t bytes) {
  return allocate(budget, bytes, true);
}

BufferRef Buffer::allocate(MemoryBudget& budget, std::size_t bytes, bool zeroed) {
  if (bytes > SIZE_MAX / 2) refuse(bytes, "more than any machine has");
  std::size_t capacity = std::max((bytes + alignment - 1) & ~(alignment - 1), alignment);
  budget.take(bytes);
  bool mapped = bytes >= mapped_size;
  MemoryBudget::SparePages::Piece spare;
  if (mapped) {
    spare = budget.spare_->find(whole_pages(capacity));
    if (!spare.base && budget.in_use() + budget.spare() > physical_memory()) budget.release_spare();
  }
  if (!spare.base && bytes >= large && bytes > available_memory()) {
    budget.release_spare();
    if (bytes > available_memory()) {
      budget.give(bytes);
      refuse(bytes, "the system has only " + byte_text(available_memory()) + " left");
    }
  }
  // A small buffer's header lies in front of its data, in the same piece of the heap.
  constexpr std::size_t header = alignment;
  static_assert(sizeof(Buffer) <= header);
  std::size_t mapped_bytes = !mapped ? 0 : spare.base ? spare.bytes : whole_pages(capacity);
  void* base = spare.base ? spare.base
               : mapped   ? map_pages(mapped_bytes)
                          : std::malloc(capacity + header + alignment);
  if (!base) {
    budget.give(bytes);
    refuse(bytes, "the system has no such memory");
  }
  Buffer* buffer = nullptr;
  if (mapped) {
    buffer = new (std::nothrow) Buffer;
    if (!buffer) {
      munmap(base, mapped_bytes);
      budget.give(bytes);
      refuse(bytes, "the system has no memory left");
    }
    buffer->data_ = static_cast<std::byte*>(base);
  } else {
    auto address = reinterpret_cast<std::uintptr_t>(base);
    std::size_t shift = (alignment - address % alignment) % alignment;
    auto* place = static_cast<std::byte*>(base) + shift;
    buffer = new (place) Buffer;
    buffer->data_ = place + header;
  }
  buffer->budget_ = &budget;
  buffer->base_ = base;
  buffer->bytes_ = bytes;
  buffer->mapped_bytes_ = mapped_bytes;
  // Fresh pages are zero already.
  if (zeroed && (!mapped || spare.base)) std::memset(buffer->data_, 0, bytes);
  return BufferRef(buffer);
}

void Buffer::destroy(Buffer* buffer) noexcept {
  buffer->budget_->give(buffer->bytes_);
  if (buffer->mapped_bytes_ > 0) {
    buffer->budget_->spare_->keep({buffer->base_, buffer->mapped_bytes_});
    delete buffer;
  } else {
    void* base = buffer->base_;
    buffer->~Buffer();
    std::free(base);
  }
}

} // namespace sinter
