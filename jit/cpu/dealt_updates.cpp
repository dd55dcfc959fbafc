#include "jit/cpu/dealt_updates.h"

#include <algorithm>

namespace sinter::jit {

DealtUpdates::DealtUpdates(const LaunchShape& shape, ChunkRunner& runner, MemoryBudget& budget,
                           Workers& workers)
    : shape_(shape), runner_(runner), workers_(workers),
      lists_(Buffer::allocate(budget,
                              static_cast<std::size_t>(shape.chunks_of_round() * shape.shares() *
                                                       shape.update_list_bytes()))) {}

KernelFrame DealtUpdates::frame(unsigned thread) {
  KernelFrame frame = runner_.frame(thread);
  frame.update_lists = lists_->overwrite();
  frame.shares = shape_.shares();
  frame.update_list_room = shape_.update_list_room();
  return frame;
}

bool DealtUpdates::run() {
  const std::int64_t chunks = shape_.partition().chunks;
  for (std::int64_t first = 0; first < chunks; first += shape_.chunks_of_round()) {
    const std::int64_t slots = std::min(shape_.chunks_of_round(), chunks - first);
    workers_.run(shape_.threads(), slots, [&](std::int64_t slot, unsigned thread) {
      KernelFrame own = frame(thread);
      return runner_.run_chunk(&LinkedCode::deal, own, first + slot, slot);
    });
    if (runner_.has_stopped()) {
      runner_.find_first_failure();
      return false;
    }
    workers_.run(shape_.threads(), shape_.shares(), [&](std::int64_t share, unsigned thread) {
      KernelFrame own = frame(thread);
      runner_.accumulate(own, slots, share);
    });
  }
  return true;
}

} // namespace sinter::jit
