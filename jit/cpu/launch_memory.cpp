#include "jit/cpu/launch_memory.h"

#include "jit/cpu/streaming.h"
#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/spare_buffers.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

LaunchMemory::LaunchMemory(const KernelLayout& layout, const LaunchShape& shape, LaunchNotes& notes,
                           std::span<Datum> arguments, MemoryBudget& memory, Workers& workers)
    : layout_(layout), shape_(shape), notes_(notes), arguments_(arguments), memory_(memory) {
  notes_.reused.assign(arguments.size(), 0);
  notes_.kept.assign(layout.partials.size(), 0);
  allocate_results();
  allocate_partials();
  if (shape.partition().chunks > 1 && layout.has(GroupKind::Histogram) && !shape.is_dealt() &&
      !shape.has_bins_by_thread())
    workers.run(shape.threads(), shape.partition().chunks,
                [this](std::int64_t chunk, unsigned) { fill_bins(chunk); });
}

void LaunchMemory::renew_results(SpareBuffers* spare) {
  std::ranges::fill(notes_.reused, 0);
  allocate_results(spare);
}

void LaunchMemory::allocate_results(SpareBuffers* spare) {
  notes_.result_words.assign(layout_.results.size(), 0);
  notes_.leaves.clear();
  const std::span<const LaunchSizes::Result> sizes = notes_.sizes.results();
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    Leaf& leaf = notes_.leaves.emplace_back(sizes[i].leaf);
    if (result.kind != ResultKind::Fresh && result.kind != ResultKind::Kept) continue;
    leaf.buffer = reused_buffer(result, sizes[i].bytes);
    if (!leaf.buffer && spare) leaf.buffer = spare->take(sizes[i].bytes);
    if (!leaf.buffer) leaf.buffer = Buffer::allocate(memory_, sizes[i].bytes);
    notes_.result_words[i] = reinterpret_cast<std::uint64_t>(leaf.buffer->overwrite_all());
  }
}

BufferRef LaunchMemory::reused_buffer(const KernelLayout::Result& result, std::size_t bytes) {
  // Small buffers are cheaper to allocate than to think about.
  constexpr std::size_t worthwhile = 16 << 10;
  if (bytes < worthwhile) return {};
  for (const std::uint32_t parameter : result.reusable) {
    const Leaf& leaf = std::get<Leaf>(arguments_[parameter]);
    if (notes_.reused[parameter] || leaf.offset != 0 || leaf.strides[0] != 1 ||
        leaf.buffer->bytes() != bytes || !leaf.buffer.unique())
      continue;
    notes_.reused[parameter] = 1;
    return leaf.buffer;
  }
  return {};
}

void LaunchMemory::allocate_partials() {
  notes_.partials.clear();
  notes_.partial_strides.clear();
  if (layout_.partials.empty()) return;
  std::int64_t total = 0;
  for (const KernelLayout::Partial& partial : layout_.partials) {
    std::int64_t stride =
        shape_.elements(partial) * static_cast<std::int64_t>(byte_size(partial.element));
    // (Scalars that stand for single elements lie as in an array.)
    if (!shape_.folds(partial) || stride > 8) stride = stride <= 8 ? 8 : (stride + 63) / 64 * 64;
    notes_.partial_strides.push_back(stride);
    total += (stride * shape_.slots(partial) + 63) / 64 * 64;
  }
  std::byte* base = small_partials_.data();
  if (total > static_cast<std::int64_t>(small_partials_.size())) {
    large_partials_ = Buffer::allocate(memory_, static_cast<std::size_t>(total));
    base = large_partials_->overwrite();
  }
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    notes_.partials.push_back(base);
    base += (notes_.partial_strides[p] * shape_.slots(layout_.partials[p]) + 63) / 64 * 64;
  }
}

void LaunchMemory::fill_bins(std::int64_t slot) {
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    const KernelLayout::Partial& partial = layout_.partials[p];
    if (partial.group == GroupKind::Histogram)
      fill(notes_.partials[p] + slot * notes_.partial_strides[p], shape_.elements(partial),
           partial);
  }
}

void LaunchMemory::fill(std::byte* bins, std::int64_t elements,
                        const KernelLayout::Partial& partial) const {
  const auto size = static_cast<std::int64_t>(byte_size(partial.element));
  if (elements == 0) return;
  std::int64_t pattern_bytes = size;
  if (partial.neutral_parameter &&
      std::holds_alternative<Leaf>(arguments_[*partial.neutral_parameter])) {
    const Leaf& neutral = std::get<Leaf>(arguments_[*partial.neutral_parameter]);
    copy_strided(bins, row_major_strides(neutral.extents), first_element(neutral), neutral.strides,
                 neutral.extents, byte_size(partial.element));
    pattern_bytes = element_count(neutral.extents) * size;
  } else {
    const Scalar neutral = partial.neutral_parameter
                               ? Scalar{notes_.scalars[*partial.neutral_parameter]}
                               : partial.neutral;
    store_scalar(partial.element, bins, 0, neutral);
  }
  // The pattern doubles itself.
  const std::int64_t total = elements * size;
  for (std::int64_t filled = pattern_bytes; filled < total;) {
    const std::int64_t step = std::min(filled, total - filled);
    std::memcpy(bins + filled, bins, static_cast<std::size_t>(step));
    filled += step;
  }
}

bool LaunchMemory::streams_results() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < layout_.results.size(); ++i)
    if (layout_.results[i].kind == ResultKind::Fresh && notes_.leaves[i].buffer)
      bytes += notes_.leaves[i].buffer->bytes();
  return bytes >= beyond_caches_bytes && std::ranges::find(notes_.reused, 1) == notes_.reused.end();
}

void LaunchMemory::pack(const Partition& partition) {
  for (std::int64_t chunk = 0; chunk < partition.chunks; ++chunk)
    for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
      if (layout_.partials[p].group != GroupKind::Filter) continue;
      std::int64_t count = 0;
      std::memcpy(&count, notes_.partials[p] + chunk * notes_.partial_strides[p], sizeof count);
      for (std::size_t r = 0; r < notes_.leaves.size(); ++r)
        if (layout_.results[r].kind == ResultKind::Kept && layout_.results[r].count_partial == p &&
            partition.begin(chunk) != notes_.kept[p]) {
          const std::int64_t bytes = row_bytes(notes_.leaves[r]);
          std::byte* const data = notes_.leaves[r].buffer->overwrite();
          std::memmove(data + notes_.kept[p] * bytes, data + partition.begin(chunk) * bytes,
                       static_cast<std::size_t>(count * bytes));
        }
      notes_.kept[p] += count;
    }
}

std::vector<Datum> LaunchMemory::take_results(std::vector<Datum> arguments) {
  for (std::size_t i = 0; i < layout_.results.size(); ++i)
    if (layout_.results[i].kind == ResultKind::InPlace)
      notes_.leaves[i] = std::get<Leaf>(arguments[layout_.results[i].parameter]);
  std::vector<Datum> results = std::move(arguments);
  results.clear();
  results.reserve(layout_.results.size());
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    switch (result.kind) {
    case ResultKind::Scalar:
      results.emplace_back(Scalar{notes_.result_words[i]});
      break;
    case ResultKind::Count:
      results.emplace_back(Scalar::of(notes_.kept[result.count_partial]));
      break;
    case ResultKind::InPlace:
    case ResultKind::Fresh:
      results.emplace_back(std::move(notes_.leaves[i]));
      break;
    case ResultKind::Kept:
      results.emplace_back(fitted(std::move(notes_.leaves[i]), notes_.kept[result.count_partial]));
      break;
    }
  }
  return results;
}

Leaf LaunchMemory::fitted(Leaf leaf, std::int64_t kept) const {
  const std::int64_t room = leaf.extents[0];
  leaf.extents[0] = kept;
  if (kept < room / 8) return copy(memory_, leaf);
  return leaf;
}

} // namespace sinter::jit
