#include "jit/cpu/launch_memory.h"

#include "jit/cpu/streaming.h"
#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

LaunchMemory::LaunchMemory(const KernelLayout& layout, const LaunchShape& shape,
                           std::span<Datum> arguments, std::span<const std::uint64_t> scalars,
                           MemoryBudget& memory, Workers& workers, std::pmr::memory_resource& pool)
    : layout_(layout), shape_(shape), arguments_(arguments), memory_(memory),
      result_words_(layout.results.size(), 0, &pool), leaves_(layout.results.size(), &pool),
      reused_(arguments.size(), 0, &pool), partials_(&pool), partial_strides_(&pool),
      kept_(layout.partials.size(), 0, &pool) {
  allocate_results(scalars, shape.partition().count);
  allocate_partials();
  if (shape.partition().chunks > 1 && layout.has(GroupKind::Histogram) && !shape.is_dealt())
    fill_bins(scalars, workers);
}

void LaunchMemory::allocate_results(std::span<const std::uint64_t> scalars, std::int64_t count) {
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    if (result.kind != ResultKind::Fresh && result.kind != ResultKind::Kept) continue;
    Leaf& leaf = leaves_[i];
    leaf.element = result.element;
    leaf.extents = values_of(result.extents, scalars);
    if (result.kind == ResultKind::Kept) leaf.extents.insert(leaf.extents.begin(), count);
    leaf.strides = row_major_strides(leaf.extents);
    const std::size_t bytes = block_bytes(leaf.element, leaf.extents);
    leaf.buffer = reused_buffer(result, bytes);
    if (!leaf.buffer) leaf.buffer = Buffer::allocate(memory_, bytes);
    result_words_[i] = reinterpret_cast<std::uint64_t>(leaf.buffer->overwrite_all());
  }
}

BufferRef LaunchMemory::reused_buffer(const KernelLayout::Result& result, std::size_t bytes) {
  // Small buffers are cheaper to allocate than to think about.
  constexpr std::size_t worthwhile = 16 << 10;
  if (bytes < worthwhile) return {};
  for (const std::uint32_t parameter : result.reusable) {
    const Leaf& leaf = std::get<Leaf>(arguments_[parameter]);
    if (reused_[parameter] || leaf.offset != 0 || leaf.strides[0] != 1 ||
        leaf.buffer->bytes() != bytes || !leaf.buffer.unique())
      continue;
    reused_[parameter] = 1;
    return leaf.buffer;
  }
  return {};
}

void LaunchMemory::allocate_partials() {
  std::int64_t total = 0;
  for (const KernelLayout::Partial& partial : layout_.partials) {
    std::int64_t stride =
        shape_.elements(partial) * static_cast<std::int64_t>(byte_size(partial.element));
    // (Scalars that stand for single elements lie as in an array.)
    if (!shape_.folds(partial) || stride > 8) stride = stride <= 8 ? 8 : (stride + 63) / 64 * 64;
    partial_strides_.push_back(stride);
    total += (stride * shape_.slots(partial) + 63) / 64 * 64;
  }
  std::byte* base = small_partials_.data();
  if (total > static_cast<std::int64_t>(small_partials_.size())) {
    large_partials_ = Buffer::allocate(memory_, static_cast<std::size_t>(total));
    base = large_partials_->overwrite();
  }
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    partials_.push_back(base);
    base += (partial_strides_[p] * shape_.slots(layout_.partials[p]) + 63) / 64 * 64;
  }
}

void LaunchMemory::fill_bins(std::span<const std::uint64_t> scalars, Workers& workers) {
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    const KernelLayout::Partial& partial = layout_.partials[p];
    if (partial.group != GroupKind::Histogram) continue;
    const std::int64_t elements = shape_.elements(partial);
    workers.run(shape_.threads(), shape_.partition().chunks, [&](std::int64_t chunk, unsigned) {
      fill(partials_[p] + chunk * partial_strides_[p], elements, partial, scalars);
    });
  }
}

void LaunchMemory::fill(std::byte* bins, std::int64_t elements,
                        const KernelLayout::Partial& partial,
                        std::span<const std::uint64_t> scalars) const {
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
    const Scalar neutral =
        partial.neutral_parameter ? Scalar{scalars[*partial.neutral_parameter]} : partial.neutral;
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
    if (layout_.results[i].kind == ResultKind::Fresh && leaves_[i].buffer)
      bytes += leaves_[i].buffer->bytes();
  return bytes >= beyond_caches_bytes && std::ranges::find(reused_, 1) == reused_.end();
}

void LaunchMemory::pack(const Partition& partition) {
  for (std::int64_t chunk = 0; chunk < partition.chunks; ++chunk)
    for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
      if (layout_.partials[p].group != GroupKind::Filter) continue;
      std::int64_t count = 0;
      std::memcpy(&count, partials_[p] + chunk * partial_strides_[p], sizeof count);
      for (std::size_t r = 0; r < leaves_.size(); ++r)
        if (layout_.results[r].kind == ResultKind::Kept && layout_.results[r].count_partial == p &&
            partition.begin(chunk) != kept_[p]) {
          const std::int64_t bytes = row_bytes(leaves_[r]);
          std::byte* const data = leaves_[r].buffer->overwrite();
          std::memmove(data + kept_[p] * bytes, data + partition.begin(chunk) * bytes,
                       static_cast<std::size_t>(count * bytes));
        }
      kept_[p] += count;
    }
}

std::vector<Datum> LaunchMemory::take_results() {
  std::vector<Datum> results;
  results.reserve(layout_.results.size());
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    switch (result.kind) {
    case ResultKind::Scalar:
      results.emplace_back(Scalar{result_words_[i]});
      break;
    case ResultKind::Count:
      results.emplace_back(Scalar::of(kept_[result.count_partial]));
      break;
    case ResultKind::InPlace:
      results.push_back(arguments_[result.parameter]);
      break;
    case ResultKind::Fresh:
      results.emplace_back(std::move(leaves_[i]));
      break;
    case ResultKind::Kept:
      results.emplace_back(fitted(std::move(leaves_[i]), kept_[result.count_partial]));
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
