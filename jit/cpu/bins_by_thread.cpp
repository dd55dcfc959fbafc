#include "jit/cpu/bins_by_thread.h"

namespace sinter::jit {

BinsByThread::BinsByThread(const LaunchShape& shape, LaunchMemory& memory, ChunkRunner& runner,
                           Workers& workers)
    : shape_(shape), memory_(memory), runner_(runner), workers_(workers),
      is_filled_(shape.thread_count() - 1, 0) {}

bool BinsByThread::run_chunk(std::int64_t chunk, unsigned thread) {
  KernelFrame frame = runner_.frame(thread);
  if (thread == 0) return runner_.run_chunk(&LinkedCode::run, frame, chunk, 0);
  const unsigned slot = thread - 1;
  if (!is_filled_[slot]) {
    memory_.fill_bins(slot);
    is_filled_[slot] = 1;
  }
  frame.chunks = shape_.thread_count(); // code is told that it is not the only one
  return runner_.run_chunk(&LinkedCode::run, frame, chunk, slot);
}

/// One thread's bins with the destination, as if there were no others.
bool BinsByThread::join(std::int64_t slot) {
  KernelFrame frame = runner_.frame();
  std::vector<std::byte*> bins(memory_.partials().begin(), memory_.partials().end());
  for (std::size_t p = 0; p < bins.size(); ++p)
    bins[p] += slot * memory_.partial_strides()[p];
  frame.partials = bins.data();
  frame.chunks = shape_.thread_count();
  return runner_.combine(frame, 1);
}

bool BinsByThread::run() {
  workers_.run(shape_.threads(), shape_.partition().chunks,
               [&](std::int64_t chunk, unsigned thread) { return run_chunk(chunk, thread); });
  if (runner_.has_stopped()) {
    runner_.find_first_failure();
    return false;
  }
  for (std::size_t slot = 0; slot < is_filled_.size(); ++slot)
    if (is_filled_[slot] && !join(static_cast<std::int64_t>(slot))) return false;
  return true;
}

} // namespace sinter::jit
