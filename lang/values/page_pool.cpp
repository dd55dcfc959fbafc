#include "lang/values/page_pool.h"

#include "lang/values/forbidden_memory.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <span>
#include <system_error>

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

namespace sinter {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Into one piece.  (Each may be a mapping of its own, of which a process has some 65,000.)
constexpr int most_moves = 64;

std::size_t rounded_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// Fresh zero pages at a huge page's border; null if there are none.
std::byte* map_huge_pages(std::size_t bytes) {
  constexpr int protection = PROT_READ | PROT_WRITE;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  void* const mapped = mmap(nullptr, bytes + huge_page, protection, flags, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before =
      (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  if (before > 0) munmap(begin, before);
  if (before < huge_page) munmap(begin + before + bytes, huge_page - before);
  // Only advice: without huge pages everything works, slower.
  (void)madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

std::span<std::byte> whole_huge_pages(std::byte* base, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(base);
  const std::uintptr_t first = rounded_up(begin, huge_page);
  const std::uintptr_t last = (begin + bytes) / huge_page * huge_page;
  if (first >= last) return {};
  return {base + (first - begin), last - first};
}

/// Moves huge pages, not their contents, over others; how many bytes, which are no longer at their
/// old place.  For the address sanitizer the old place is nothing then.
std::size_t move_pages(std::span<std::byte> from, std::byte* to) {
  const auto move = [&](std::size_t begin, std::size_t bytes) {
    return mremap(from.data() + begin, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to + begin) !=
           MAP_FAILED;
  };
  std::size_t moved = 0;
  if (move(0, from.size())) moved = from.size();
  // Old systems move no more than one mapping, whose borders are huge pages' borders here.
  while (moved < from.size() && move(moved, huge_page))
    moved += huge_page;
  allow(from.data(), moved);
  return moved;
}

} // namespace

PagePool::~PagePool() {
  if (watcher_.joinable()) {
    watcher_.request_stop();
    watcher_.join();
  }
  for (const auto& [base, piece] : free_) {
    allow(base, piece.bytes);
    munmap(base, piece.bytes);
  }
}

/// Adds a free piece; neighbours become one with it.
void PagePool::insert(std::byte* base, Free piece) {
  auto after = free_.lower_bound(base);
  const auto join = [&](const Free& other) {
    piece.bytes += other.bytes;
    piece.is_zero = piece.is_zero && other.is_zero;
    piece.since = std::max(piece.since, other.since);
  };
  if (after != free_.end() && after->first == base + piece.bytes) {
    const auto next = after++;
    join(remove(next));
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second.bytes == base) {
      base = before->first;
      join(remove(before));
    }
  }
  const auto [place, is_new] = free_.emplace(base, piece);
  try {
    by_size_.emplace(piece.bytes, base);
  } catch (...) {
    free_.erase(place);
    throw;
  }
  kept_ += piece.bytes;
}

void PagePool::insert_or_unmap(std::byte* base, Free piece) noexcept {
  try {
    insert(base, piece);
  } catch (const std::bad_alloc&) {
    allow(base, piece.bytes);
    munmap(base, piece.bytes);
  }
}

PagePool::Free PagePool::remove(FreePieces::iterator piece) {
  const Free result = piece->second;
  by_size_.erase({result.bytes, piece->first});
  free_.erase(piece);
  kept_ -= result.bytes;
  return result;
}

PagePool::Piece PagePool::find(std::size_t wanted) {
  const std::size_t bytes = rounded_up(wanted, unit);
  std::lock_guard lock(mutex_);
  const auto best = by_size_.lower_bound({bytes, nullptr});
  if (best == by_size_.end()) return {};
  std::byte* const base = best->second;
  const Free piece = remove(free_.find(base));
  if (piece.bytes > bytes)
    insert_or_unmap(base + bytes, {piece.bytes - bytes, piece.is_zero, piece.since});
  allow(base, wanted);
  return {base, bytes, piece.is_zero};
}

PagePool::Piece PagePool::map(std::size_t wanted) {
  const std::size_t bytes = rounded_up(wanted, unit), mapped = rounded_up(bytes, huge_page);
  std::byte* const base = map_huge_pages(mapped);
  if (!base) return {};
  forbid(base + wanted, mapped - wanted);
  std::lock_guard lock(mutex_);
  const bool is_zero = fill_with_kept({base, mapped}) == 0;
  if (mapped > bytes) insert_or_unmap(base + bytes, {mapped - bytes, is_zero, Clock::now()});
  return {base, bytes, is_zero};
}

/// Puts kept huge pages, of the largest pieces first, in the place of fresh ones that nobody has
/// touched; how many bytes.
std::size_t PagePool::fill_with_kept(std::span<std::byte> fresh) noexcept {
  std::size_t filled = 0;
  for (int moves = 0; moves < most_moves && filled < fresh.size() && !by_size_.empty(); ++moves) {
    const auto largest = free_.find(std::prev(by_size_.end())->second);
    std::span<std::byte> pages = whole_huge_pages(largest->first, largest->second.bytes);
    if (pages.empty()) break;
    pages = pages.first(std::min(pages.size(), fresh.size() - filled));
    const std::size_t moved = move_pages(pages, fresh.data() + filled);
    if (moved == 0) break;
    filled += moved;
    take_out(largest, pages.first(moved));
  }
  return filled;
}

void PagePool::give_back(Piece piece, std::size_t most) noexcept {
  forbid(piece.base, piece.bytes);
  std::lock_guard lock(mutex_);
  insert_or_unmap(piece.base, {piece.bytes, false, Clock::now()});
  shrink_locked(std::min(most, most_kept_));
  if (is_asleep_ && kept_ >= huge_page) is_kept_.notify_one();
  if (watcher_.joinable()) return;
  try {
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  } catch (const std::system_error&) {
    // Then memory goes back when there is too much of it, or at the end.
  }
}

void PagePool::shrink(std::size_t most) noexcept {
  std::lock_guard lock(mutex_);
  shrink_locked(most);
}

std::size_t PagePool::kept() const {
  std::lock_guard lock(mutex_);
  return kept_;
}

/// Gives a piece's whole huge pages back to the system.  Parts of others stay: their other parts
/// are buffers.
void PagePool::unmap(FreePieces::iterator piece) noexcept {
  const std::span<std::byte> pages = whole_huge_pages(piece->first, piece->second.bytes);
  allow(pages.data(), pages.size());
  munmap(pages.data(), pages.size());
  take_out(piece, pages);
}

/// Keeps what lies before and after a part that is no longer mapped.
void PagePool::take_out(FreePieces::iterator place, std::span<std::byte> part) noexcept {
  std::byte* const base = place->first;
  const Free piece = remove(place);
  const auto keep = [&](std::byte* rest, std::byte* end) {
    if (rest == end) return;
    insert_or_unmap(rest, {static_cast<std::size_t>(end - rest), piece.is_zero, piece.since});
  };
  keep(base, part.data());
  keep(part.data() + part.size(), base + piece.bytes);
}

void PagePool::shrink_locked(std::size_t most) noexcept {
  while (kept_ > most) {
    const auto piece = oldest();
    if (piece == free_.end()) return;
    unmap(piece);
  }
}

/// What has been kept for the longest time, of what can be given back; the end if nothing can.
PagePool::FreePieces::iterator PagePool::oldest() {
  auto result = free_.end();
  for (auto piece = free_.begin(); piece != free_.end(); ++piece)
    if (!whole_huge_pages(piece->first, piece->second.bytes).empty() &&
        (result == free_.end() || piece->second.since < result->second.since))
      result = piece;
  return result;
}

/// Gives back what nobody has wanted for long.
void PagePool::watch(const std::stop_token& stop) {
  // Signals are for other threads.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto piece = oldest();
    is_asleep_ = piece == free_.end();
    if (is_asleep_) {
      is_kept_.wait(lock, stop, [&] { return oldest() != free_.end(); });
      continue;
    }
    const auto end = piece->second.since + patience_;
    if (end <= Clock::now())
      unmap(piece);
    else
      is_kept_.wait_until(lock, stop, end, [] { return false; });
  }
}

} // namespace sinter
