#include "gpu/emulator/block_order.h"

#include <algorithm>

namespace sinter::gpu {

BlockOrder::Times BlockOrder::times_of(const EmulatedBlock& block) const {
  Times times = block.seen;
  times.resize(blocks_);
  times[block.number] = block.time;
  return times;
}

void BlockOrder::join(Times& times, const Times& others) {
  if (times.size() < others.size()) times.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i)
    times[i] = std::max(times[i], others[i]);
}

void BlockOrder::publish(EmulatedBlock& block, std::uint64_t word) {
  join(words_[word], times_of(block));
  ++block.time;
}

void BlockOrder::observe(EmulatedBlock& block, std::uint64_t word) {
  const auto found = words_.find(word);
  if (found != words_.end()) join(block.seen, found->second);
}

void BlockOrder::fence(EmulatedBlock& block) {
  block.fenced = times_of(block);
  ++block.time;
}

void BlockOrder::write_atomically(EmulatedBlock& block, std::uint64_t word) {
  observe(block, word);
  if (!block.fenced.empty()) join(words_[word], block.fenced);
}

} // namespace sinter::gpu
