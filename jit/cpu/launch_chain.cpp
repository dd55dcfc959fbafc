// Chunks that hand on what they carry, and what filters keep.
#include "jit/cpu/launch_work.h"
#include "jit/cpu/streaming.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

// ---- chained chunks ----------------------------------------------------------------------------

bool Launch::run_chain() {
  if (layout_.has(GroupKind::Filter)) allocate_staging();
  allocate_carries();
  unsigned threads = thread_count();
  for (unsigned thread = 0; thread < threads; ++thread) {
    ChainLink& link = links_.emplace_back();
    link.frame = frame_;
    link.frame.arena = &arenas_[thread];
    for (std::size_t p = 0; p < partials_.size(); ++p)
      link.partials.push_back(partials_[p] + static_cast<std::int64_t>(thread) *
                                                 slots_of_thread(layout_.partials[p]) *
                                                 partial_strides_[p]);
    link.result_words.assign(result_words_.begin(), result_words_.end());
    link.kept.resize(partials_.size());
  }
  for (ChainLink& link : links_) {
    link.frame.partials = link.partials.data();
    link.frame.results = link.result_words.data();
  }
  std::atomic<std::int64_t> next{0};
  workers_.run(context_.threads, threads, [&](std::int64_t, unsigned thread) {
    for (;;) {
      std::int64_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= partition_.chunks || !run_link(thread, chunk)) return;
    }
  });
  if (!has_stopped()) return true;
  find_first_failure();
  return false;
}

void Launch::allocate_carries() {
  std::int64_t total = 0;
  for (std::int64_t stride : partial_strides_) {
    carries_.push_back(total);
    total += 2 * stride;
  }
  carry_memory_.resize(static_cast<std::size_t>(total));
}

bool Launch::run_link(unsigned thread, std::int64_t chunk) {
  ChainLink& link = links_[thread];
  aim_at_staging(thread, chunk);
  std::int64_t number = chunk == 0 ? 0 : 1;
  const std::int64_t units = fold_units(partition_.end(chunk) - partition_.begin(chunk));
  link.frame.fold_begin = partition_.begin(chunk) - number * fold_unit_;
  link.frame.fold_units = number + units + 1;
  if (!run_chunk(&LinkedCode::run, link.frame, chunk, number)) return false;
  if (!wait_for_carry(chunk)) return false;
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    auto stride = static_cast<std::size_t>(partial_strides_[p]);
    if (layout_.partials[p].group == GroupKind::Filter)
      std::memcpy(&link.kept[p], link.partials[p] + number * partial_strides_[p],
                  sizeof link.kept[p]);
    else if (chunk > 0)
      std::memcpy(link.partials[p], carry(p, chunk - 1), stride);
  }
  // As if the carry were the total of a chunk before.
  if (layout_.has(GroupKind::Scan) && !combine(link.frame, number + 2)) return false;
  for (std::size_t p = 0; p < layout_.partials.size(); ++p)
    if (layout_.partials[p].group == GroupKind::Scan)
      std::memcpy(carry(p, chunk),
                  link.partials[p] +
                      (number + (folds(layout_.partials[p]) ? units : 1)) * partial_strides_[p],
                  static_cast<std::size_t>(partial_strides_[p]));
  link.kept_before.assign(kept_.begin(), kept_.end());
  for (std::size_t p = 0; p < kept_.size(); ++p)
    kept_[p] += link.kept[p];
  finished_.store(chunk + 1, std::memory_order_release);
  if (layout_.has(GroupKind::Scan) && !run_chunk(&LinkedCode::finish, link.frame, chunk, number))
    return false;
  for (std::size_t r = 0; r < leaves_.size(); ++r) {
    if (layout_.results[r].kind != ResultKind::Kept) continue;
    std::uint32_t p = layout_.results[r].count_partial;
    std::int64_t bytes = row_bytes(leaves_[r]);
    std::byte* target = leaves_[r].buffer->data() + link.kept_before[p] * bytes;
    auto kept_bytes = static_cast<std::size_t>(link.kept[p] * bytes);
    if (leaves_[r].buffer->bytes() >= beyond_caches_bytes)
      copy_past_caches(target, staging(thread, r), kept_bytes);
    else
      std::memcpy(target, staging(thread, r), kept_bytes);
  }
  return true;
}

bool Launch::wait_for_carry(std::int64_t chunk) {
  for (int spins = 0; finished_.load(std::memory_order_acquire) < chunk; ++spins) {
    if (was_interrupted_.load(std::memory_order_relaxed) ||
        failed_chunk_.load(std::memory_order_relaxed) < chunk)
      return false;
    // The thread that is waited for may need this one's core.
    if (spins < 1000)
      __builtin_ia32_pause();
    else
      std::this_thread::yield();
  }
  return true;
}

// ---- filters -----------------------------------------------------------------------------------

void Launch::allocate_staging() {
  staging_.resize(leaves_.size());
  for (std::size_t r = 0; r < leaves_.size(); ++r)
    if (layout_.results[r].kind == ResultKind::Kept)
      staging_[r] = Buffer::allocate(*context_.memory,
                                     static_cast<std::size_t>(staging_bytes(r) * thread_count()));
}

void Launch::aim_at_staging(unsigned thread, std::int64_t chunk) {
  for (std::size_t r = 0; r < staging_.size(); ++r)
    if (staging_[r])
      links_[thread].result_words[r] =
          reinterpret_cast<std::uint64_t>(staging(thread, r)) -
          static_cast<std::uint64_t>(row_bytes(leaves_[r]) * partition_.begin(chunk));
}

void Launch::pack() {
  for (std::int64_t chunk = 0; chunk < partition_.chunks; ++chunk)
    for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
      if (layout_.partials[p].group != GroupKind::Filter) continue;
      std::int64_t count = 0;
      std::memcpy(&count, partials_[p] + chunk * partial_strides_[p], sizeof count);
      for (std::size_t r = 0; r < leaves_.size(); ++r)
        if (layout_.results[r].kind == ResultKind::Kept && layout_.results[r].count_partial == p &&
            partition_.begin(chunk) != kept_[p]) {
          std::int64_t bytes = row_bytes(leaves_[r]);
          std::byte* data = leaves_[r].buffer->data();
          std::memmove(data + kept_[p] * bytes, data + partition_.begin(chunk) * bytes,
                       static_cast<std::size_t>(count * bytes));
        }
      kept_[p] += count;
    }
}

} // namespace sinter::jit
