#include "repl/streaming/chunk_size.h"

#include <algorithm>

namespace sinter::repl {

namespace {

constexpr double weight = 0.5;   ///< of the last chunk in the average
constexpr double gain = 0.98;    ///< the time falls
constexpr double loss = 1.05;    ///< it rises
constexpr int chunks_a_look = 4; ///< so that chance does not decide

} // namespace

ChunkSize::ChunkSize(std::int64_t first, std::int64_t most)
    : size_(std::clamp<std::int64_t>(first, 1, std::max<std::int64_t>(most, 1))),
      most_(std::max<std::int64_t>(most, 1)), waits_(chunks_a_look) {}

void ChunkSize::note(double seconds) {
  const double time = seconds / static_cast<double>(size_);
  time_ = time_ == 0 ? time : weight * time + (1 - weight) * time_;
  if (--waits_ > 0) return;
  waits_ = chunks_a_look;
  const std::int64_t old = size_;
  if (before_ == 0 || time_ < gain * before_)
    size_ = std::min(size_ * 2, most_);
  else if (time_ > loss * before_)
    size_ = std::max<std::int64_t>(size_ - size_ / 4, 1);
  before_ = time_;
  if (size_ != old) time_ = 0;
}

void ChunkSize::halve(std::int64_t count) {
  most_ = std::max<std::int64_t>(std::min(most_, count / 2), 1);
  size_ = std::min(size_, most_);
}

} // namespace sinter::repl
