#include "jit/runtime/piece_sizes.h"

#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>
#include <unistd.h>

namespace sinter::jit {

namespace {

/// Of the size that fills half of the caches.
constexpr std::int64_t most_times = 4;

} // namespace

std::string words(PieceReason reason) {
  switch (reason) {
  case PieceReason::Forced:
    return "as was asked for";
  case PieceReason::Caches:
    return "as half of the threads' second-level caches hold them";
  case PieceReason::Room:
    return "as memory has room for no more";
  case PieceReason::Faster:
    return "as more took less time for each element";
  case PieceReason::Slower:
    return "as more took more time for each element";
  case PieceReason::NoRoom:
    return "as more found no memory";
  }
  return {};
}

PieceSizes::PieceSizes(const PieceFacts& facts) : unit_(std::max<std::int64_t>(facts.unit, 1)) {
  using primitives::block_length;
  step_ = (block_length + unit_ - 1) / unit_ * unit_;
  const std::int64_t element_bytes = std::max<std::int64_t>(facts.element_bytes, 1);
  if (facts.forced_size > 0) {
    step_ = unit_;
    size_ = largest_ = rounded(facts.forced_size);
    why_ = PieceReason::Forced;
    is_settled_ = true;
    return;
  }
  const std::int64_t in_caches =
      rounded(std::int64_t{facts.threads} * facts.cache_bytes / 2 / element_bytes);
  const std::int64_t in_memory = rounded(facts.room_bytes / element_bytes);
  largest_ = std::min(most_times * in_caches, in_memory);
  size_ = std::min(in_caches, in_memory);
  if (size_ < in_caches) why_ = PieceReason::Room;
  is_settled_ = size_ == largest_;
}

std::int64_t PieceSizes::rounded(std::int64_t size) const {
  if (size >= step_) return size / step_ * step_;
  return std::max(size / unit_, std::int64_t{1}) * unit_;
}

void PieceSizes::try_size(std::int64_t size, PieceReason why) {
  size_ = size;
  why_ = why;
  times_.begin_size();
}

void PieceSizes::took(std::int64_t count, double nanoseconds) {
  assert(count > 0);
  if (is_first_) {
    is_first_ = false;
    return;
  }
  if (is_settled_ || count < size_) return; // (The last one is shorter.)
  using Told = TrialTimes::Told;
  const Told told = times_.took(nanoseconds / static_cast<double>(count));
  if (told == Told::Nothing) return;
  if (told == Told::Slower) {
    try_size(rounded(size_ / 4 * 3), PieceReason::Slower);
    is_settled_ = true;
    return;
  }
  const std::int64_t more = std::min(rounded(size_ / 2 * 3), largest_);
  if (told == Told::Alike || more <= size_) {
    is_settled_ = true;
    return;
  }
  try_size(more, PieceReason::Faster);
}

bool PieceSizes::has_no_room() {
  const std::int64_t less = rounded(size_ / 2);
  if (less >= size_) return false;
  largest_ = less;
  try_size(less, PieceReason::NoRoom);
  is_settled_ = true;
  return true;
}

void PieceMeter::add(std::uint64_t pieces, std::int64_t first_size, const PieceSizes& last) {
  runs_.fetch_add(1, std::memory_order_relaxed);
  pieces_.fetch_add(pieces, std::memory_order_relaxed);
  first_size_.store(first_size, std::memory_order_relaxed);
  last_size_.store(last.size(), std::memory_order_relaxed);
  why_.store(last.why(), std::memory_order_relaxed);
}

PieceMeter::Totals PieceMeter::totals() const {
  return {runs_, pieces_, first_size_, last_size_, why_};
}

std::int64_t second_level_cache_bytes() {
  constexpr std::int64_t usual = std::int64_t{1} << 20;
  const long known = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return known > 0 ? known : usual;
}

} // namespace sinter::jit
