#include "jit/cpu/chained_chunks.h"

#include "jit/cpu/streaming.h"

#include <cstring>
#include <thread>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

ChainedChunks::ChainedChunks(const KernelLayout& layout, const LaunchShape& shape,
                             LaunchMemory& memory, ChunkRunner& runner, MemoryBudget& budget,
                             Workers& workers)
    : layout_(layout), shape_(shape), memory_(memory), runner_(runner), workers_(workers) {
  if (layout.has(GroupKind::Filter)) allocate_staging(budget);
  std::int64_t total = 0;
  for (const std::int64_t stride : memory.partial_strides()) {
    carries_.push_back(total);
    total += 2 * stride;
  }
  carry_memory_.resize(static_cast<std::size_t>(total));
  for (unsigned thread = 0; thread < shape.thread_count(); ++thread)
    links_.push_back(link(thread));
  for (Link& link : links_) { // (where they stay)
    link.frame.partials = link.partials.data();
    link.frame.results = link.result_words.data();
  }
}

ChainedChunks::Link ChainedChunks::link(unsigned thread) const {
  Link link;
  link.frame = runner_.frame(thread);
  const auto partials = memory_.partials();
  for (std::size_t p = 0; p < partials.size(); ++p)
    link.partials.push_back(layout_.partials[p].is_after_scan
                                ? partials[p]
                                : partials[p] + static_cast<std::int64_t>(thread) *
                                                    shape_.slots_of_thread(layout_.partials[p]) *
                                                    memory_.partial_strides()[p]);
  const auto words = memory_.result_words();
  link.result_words.assign(words.begin(), words.end());
  link.kept.resize(partials.size());
  return link;
}

bool ChainedChunks::run() {
  std::atomic<std::int64_t> next{0};
  workers_.run(shape_.threads(), shape_.thread_count(), [&](std::int64_t, unsigned thread) {
    for (;;) {
      const std::int64_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= shape_.partition().chunks || !run_link(thread, chunk)) return;
    }
  });
  if (!runner_.has_stopped()) return true;
  runner_.find_first_failure();
  return false;
}

bool ChainedChunks::run_link(unsigned thread, std::int64_t chunk) {
  Link& link = links_[thread];
  const Partition& partition = shape_.partition();
  const bool has_scan = layout_.has(GroupKind::Scan);
  aim_at_staging(thread, chunk);
  const std::int64_t number = chunk == 0 ? 0 : 1;
  const std::int64_t units = shape_.fold_units(partition.end(chunk) - partition.begin(chunk));
  link.frame.fold_begin = partition.begin(chunk) - number * shape_.fold_unit();
  link.frame.fold_units = number + units + 1;
  link.frame.begins_fold = 1 - number;
  aim_at_chunk(link, chunk, number);
  if (!runner_.run_chunk(&LinkedCode::run, link.frame, chunk, number)) return false;
  if (!wait_for_carry(chunk)) return false;
  take_carry(link, chunk, number);
  // As if the carry were the total of a chunk before.
  if (has_scan && !runner_.combine(link.frame, number + 2)) return false;
  hand_on(link, chunk, number);
  finished_.store(chunk + 1, std::memory_order_release);
  if (has_scan && !runner_.run_chunk(&LinkedCode::finish, link.frame, chunk, number)) return false;
  copy_kept(link, thread);
  return true;
}

/// What the chunk leaves as it finishes stays where it is: its slot `number` is the chunk's.
void ChainedChunks::aim_at_chunk(Link& link, std::int64_t chunk, std::int64_t number) const {
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    if (!layout_.partials[p].is_after_scan) continue;
    const std::int64_t slot = shape_.folds(layout_.partials[p])
                                  ? link.frame.fold_begin / shape_.fold_unit()
                                  : chunk - number;
    link.partials[p] = memory_.partials()[p] + slot * memory_.partial_strides()[p];
  }
}

void ChainedChunks::take_carry(Link& link, std::int64_t chunk, std::int64_t number) {
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    if (layout_.partials[p].is_after_scan) continue;
    const std::int64_t stride = memory_.partial_strides()[p];
    if (layout_.partials[p].group == GroupKind::Filter)
      std::memcpy(&link.kept[p], link.partials[p] + number * stride, sizeof link.kept[p]);
    else if (chunk > 0)
      std::memcpy(link.partials[p], carry(p, chunk - 1), static_cast<std::size_t>(stride));
  }
}

void ChainedChunks::hand_on(Link& link, std::int64_t chunk, std::int64_t number) {
  const Partition& partition = shape_.partition();
  const std::int64_t units = shape_.fold_units(partition.end(chunk) - partition.begin(chunk));
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    if (layout_.partials[p].group != GroupKind::Scan) continue;
    const std::int64_t stride = memory_.partial_strides()[p];
    const std::int64_t slot = number + (shape_.folds(layout_.partials[p]) ? units : 1);
    std::memcpy(carry(p, chunk), link.partials[p] + slot * stride,
                static_cast<std::size_t>(stride));
  }
  const auto kept = memory_.kept();
  link.kept_before.assign(kept.begin(), kept.end());
  for (std::size_t p = 0; p < kept.size(); ++p)
    kept[p] += link.kept[p];
}

bool ChainedChunks::wait_for_carry(std::int64_t chunk) const {
  for (int spins = 0; finished_.load(std::memory_order_acquire) < chunk; ++spins) {
    if (runner_.is_pointless(chunk)) return false;
    // The thread that is waited for may need this one's core.
    if (spins < 1000)
      __builtin_ia32_pause();
    else
      std::this_thread::yield();
  }
  return true;
}

// ---- filters -----------------------------------------------------------------------------------

void ChainedChunks::allocate_staging(MemoryBudget& budget) {
  staging_.resize(memory_.leaves().size());
  for (std::size_t r = 0; r < staging_.size(); ++r)
    if (layout_.results[r].kind == ResultKind::Kept)
      staging_[r] = Buffer::allocate(
          budget, static_cast<std::size_t>(staging_bytes(r) * shape_.thread_count()));
}

void ChainedChunks::aim_at_staging(unsigned thread, std::int64_t chunk) {
  for (std::size_t r = 0; r < staging_.size(); ++r)
    if (staging_[r])
      links_[thread].result_words[r] = reinterpret_cast<std::uint64_t>(staging(thread, r)) -
                                       static_cast<std::uint64_t>(row_bytes(memory_.leaves()[r]) *
                                                                  shape_.partition().begin(chunk));
}

void ChainedChunks::copy_kept(const Link& link, unsigned thread) {
  for (std::size_t r = 0; r < staging_.size(); ++r) {
    if (!staging_[r]) continue;
    const Leaf& leaf = memory_.leaves()[r];
    const std::uint32_t p = layout_.results[r].count_partial;
    const std::int64_t bytes = row_bytes(leaf);
    std::byte* const target = leaf.buffer->overwrite() + link.kept_before[p] * bytes;
    const auto kept_bytes = static_cast<std::size_t>(link.kept[p] * bytes);
    if (leaf.buffer->bytes() >= beyond_caches_bytes)
      copy_past_caches(target, staging(thread, r), kept_bytes);
    else
      std::memcpy(target, staging(thread, r), kept_bytes);
  }
}

} // namespace sinter::jit
