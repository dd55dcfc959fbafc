// Which accesses of blocks are in order though the blocks run at the same time.
//
// Each block has a time of its own.  What it publishes carries all that is before it: its own time,
// and what it has learnt of others'; who observes the word learns that.  A fence is kept until the
// block's next atomic write, which carries it likewise.
//
// Blocks learn, not threads: what one thread of a block observes counts for all of them, and what
// one publishes counts for what all have done before.  So some races are missed where a barrier is
// missing beside publishing or observing; nothing that is in order is taken for a race.
#pragma once

#include "gpu/emulator/kernel_run.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sinter::gpu {

class BlockOrder {
public:
  explicit BlockOrder(std::uint32_t blocks) : blocks_(blocks) {}

  void publish(EmulatedBlock& block, std::uint64_t word);
  void observe(EmulatedBlock& block, std::uint64_t word);
  void fence(EmulatedBlock& block);
  /// An atomic write, which may also read.
  void write_atomically(EmulatedBlock& block, std::uint64_t word);
  bool has_words() const { return !words_.empty(); }

private:
  using Times = std::vector<std::uint32_t>;
  Times times_of(const EmulatedBlock& block) const;
  static void join(Times& times, const Times& others);

  std::uint32_t blocks_;
  std::unordered_map<std::uint64_t, Times> words_;
};

} // namespace sinter::gpu
