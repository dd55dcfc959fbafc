#include "repl/streaming/chunk_size.h"

#include <algorithm>

namespace sinter::repl {

namespace {

/// A chunk that takes less is computed by one thread for the most part, and between two of them
/// there is much that is no computing.
constexpr double short_seconds = 2e-3;

} // namespace

ChunkSize::ChunkSize(std::int64_t first, std::int64_t most)
    : size_(std::clamp<std::int64_t>(first, 1, std::max<std::int64_t>(most, 1))),
      most_(std::max<std::int64_t>(most, 1)) {}

void ChunkSize::note(double seconds) {
  using Told = TrialTimes::Told;
  if (seconds < short_seconds && size_ < most_) {
    size_ = std::min(size_ * 2, most_);
    times_.begin_size();
    return;
  }
  const Told told = times_.took(seconds / static_cast<double>(size_));
  const std::int64_t old = size_;
  if (told == Told::First || told == Told::Faster)
    size_ = std::min(size_ * 2, most_);
  else if (told == Told::Slower)
    size_ = std::max<std::int64_t>(size_ - size_ / 4, 1);
  if (size_ != old) times_.begin_size();
}

void ChunkSize::halve(std::int64_t count) {
  most_ = std::max<std::int64_t>(std::min(most_, count / 2), 1);
  size_ = std::min(size_, most_);
}

} // namespace sinter::repl
