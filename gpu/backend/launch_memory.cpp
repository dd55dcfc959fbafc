#include "gpu/backend/launch_memory.h"

#include "gpu/backend/errors.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace sinter::gpu {

using ir::GroupKind;
using jit::KernelLayout;
using ResultKind = KernelLayout::ResultKind;

namespace {

constexpr std::int64_t alignment = 64;

std::size_t offset_bytes(const Leaf& leaf) {
  return static_cast<std::size_t>(leaf.offset * static_cast<std::int64_t>(byte_size(leaf.element)));
}

std::size_t bytes_of(const Leaf& leaf) {
  return static_cast<std::size_t>(element_count(leaf.extents)) * byte_size(leaf.element);
}

/// Of what can be counted on a device.
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw DeviceFull();
  return result;
}

std::int64_t aligned(std::int64_t bytes) {
  if (bytes > INT64_MAX - alignment) throw DeviceFull();
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

// ---- arguments ---------------------------------------------------------------------------------

Leaf LaunchMemory::fresh(ElementType element, Extents extents) {
  Leaf leaf;
  leaf.element = element;
  leaf.strides = row_major_strides(extents);
  leaf.buffer = place_.cache.make(budget_, block_bytes(element, extents), pins_);
  leaf.extents = std::move(extents);
  return leaf;
}

Leaf LaunchMemory::own_copy(const Leaf& leaf) {
  if (!is_row_major(leaf)) return copy(budget_, leaf);
  Leaf result = fresh(leaf.element, leaf.extents);
  const DeviceAddress target = *place_.cache.find(*result.buffer.get(), pins_);
  const DeviceAddress source = place_.cache.hold(*leaf.buffer.get(), pins_) + offset_bytes(leaf);
  if (!is_empty(leaf.extents))
    on_device([&] { place_.device.copy_within(target, source, bytes_of(leaf)); });
  return result;
}

void LaunchMemory::bind_arguments() {
  for (const std::uint32_t parameter : layout_.consumed) {
    Leaf& leaf = std::get<Leaf>(arguments_[parameter]);
    if (!leaf.buffer.unique() || !is_injective(leaf)) leaf = own_copy(leaf);
  }
  scalars_.assign(arguments_.size(), 0);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (const auto* const scalar = std::get_if<Scalar>(&arguments_[i])) {
      scalars_[i] = scalar->bits;
      words_.push_back(scalar->bits);
      continue;
    }
    const Leaf& leaf = std::get<Leaf>(arguments_[i]);
    words_.push_back(place_.cache.hold(*leaf.buffer.get(), pins_) + offset_bytes(leaf));
    for (const std::int64_t stride : leaf.strides)
      words_.push_back(static_cast<std::uint64_t>(stride));
  }
}

void LaunchMemory::save_consumed() {
  for (const std::uint32_t parameter : layout_.consumed) {
    Buffer& buffer = *std::get<Leaf>(arguments_[parameter]).buffer.get();
    const DeviceAddress original = *place_.cache.find(buffer, pins_);
    saved_.push_back({place_.cache.allocate(buffer.bytes()), original, buffer.bytes()});
    on_device(
        [&] { place_.device.copy_within(saved_.back().copy.address(), original, buffer.bytes()); });
  }
}

void LaunchMemory::restore_consumed() {
  for (const Saved& saved : saved_)
    on_device(
        [&] { place_.device.copy_within(saved.original, saved.copy.address(), saved.bytes); });
}

void LaunchMemory::begin_writing() {
  for (const std::uint32_t parameter : layout_.consumed)
    std::get<Leaf>(arguments_[parameter]).buffer->move_to(place_.cache);
}

// ---- results, and what chunks leave ------------------------------------------------------------

void LaunchMemory::allocate(const Chunks& chunks, LaunchNumbers& numbers) {
  numbers.arguments = words_;
  allocate_results(chunks, numbers);
  allocate_partials(chunks, numbers);
}

void LaunchMemory::allocate_results(const Chunks& chunks, LaunchNumbers& numbers) {
  leaves_.resize(layout_.results.size());
  staged_.resize(layout_.results.size());
  numbers.results.assign(layout_.results.size(), 0);
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    if (result.kind == ResultKind::Fresh) {
      leaves_[i] = fresh(result.element, jit::values_of(result.extents, scalars_));
      numbers.results[i] = *place_.cache.find(*leaves_[i].buffer.get(), pins_);
    } else if (result.kind == ResultKind::Kept) {
      leaves_[i].element = result.element;
      leaves_[i].extents = jit::values_of(result.extents, scalars_);
      staged_[i].row_bytes = block_bytes(result.element, leaves_[i].extents);
      leaves_[i].extents.insert(leaves_[i].extents.begin(), chunks.count);
      staged_[i].block = place_.cache.allocate(block_bytes(result.element, leaves_[i].extents));
      numbers.results[i] = staged_[i].block.address();
    }
  }
}

void LaunchMemory::allocate_partials(const Chunks& chunks, LaunchNumbers& numbers) {
  std::int64_t total = 0;
  std::vector<std::int64_t> begins;
  for (const KernelLayout::Partial& partial : layout_.partials) {
    const bool is_by_unit = has_units(layout_, partial);
    std::int64_t stride = product(elements_of(partial, arguments_, scalars_),
                                  static_cast<std::int64_t>(byte_size(partial.element)));
    // (Scalars that stand for single elements lie as in an array.)
    if (!is_by_unit || stride > 8) stride = stride <= 8 ? 8 : aligned(stride);
    const std::int64_t slots = is_by_unit ? chunks.fold_units + 1 : chunks.chunks;
    begins.push_back(total);
    total += aligned(product(stride, slots));
    if (total < 0) throw DeviceFull();
    numbers.partial_strides.push_back(static_cast<std::uint64_t>(stride));
  }
  if (layout_.partials.empty()) return;
  partials_ = place_.cache.allocate(static_cast<std::size_t>(total));
  for (const std::int64_t begin : begins)
    numbers.partials.push_back(partials_.address() + static_cast<std::uint64_t>(begin));
}

std::vector<std::byte> LaunchMemory::filled_bins(const KernelLayout::Partial& partial) {
  const std::size_t size = byte_size(partial.element);
  std::vector<std::byte> pattern;
  const Leaf* array = nullptr;
  if (partial.neutral_parameter) array = std::get_if<Leaf>(&arguments_[*partial.neutral_parameter]);
  if (array) {
    pattern.resize(bytes_of(*array));
    if (!pattern.empty())
      copy_strided(pattern.data(), row_major_strides(array->extents), first_element(*array),
                   array->strides, array->extents, size);
  } else {
    const Scalar neutral =
        partial.neutral_parameter ? Scalar{scalars_[*partial.neutral_parameter]} : partial.neutral;
    pattern.resize(size);
    store_scalar(partial.element, pattern.data(), 0, neutral);
  }
  const std::size_t total =
      static_cast<std::size_t>(elements_of(partial, arguments_, scalars_)) * size;
  std::vector<std::byte> bins(total);
  for (std::size_t at = 0; at < total && !pattern.empty(); at += pattern.size())
    std::memcpy(bins.data() + at, pattern.data(), pattern.size());
  return bins;
}

void LaunchMemory::fill_bins(const Chunks& chunks, const LaunchNumbers& numbers) {
  if (chunks.chunks == 1) return;
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    if (layout_.partials[p].group != GroupKind::Histogram) continue;
    const std::vector<std::byte> bins = filled_bins(layout_.partials[p]);
    for (std::int64_t chunk = 0; chunk < chunks.chunks; ++chunk)
      place_.device.copy_in(numbers.partials[p] +
                                static_cast<std::uint64_t>(chunk) * numbers.partial_strides[p],
                            bins);
  }
}

// ---- filters -----------------------------------------------------------------------------------

/// How many elements the filter has kept, whose counts it reads the first time.
std::int64_t LaunchMemory::kept_of(const Chunks& chunks, const LaunchNumbers& numbers,
                                   std::size_t partial) {
  kept_.resize(layout_.partials.size());
  std::vector<std::int64_t>& kept = kept_[partial];
  if (kept.empty()) {
    kept.resize(static_cast<std::size_t>(chunks.chunks)); // (their stride is 8)
    on_device([&] {
      place_.device.copy_out(std::as_writable_bytes(std::span(kept)), numbers.partials[partial]);
    });
  }
  return std::accumulate(kept.begin(), kept.end(), std::int64_t{0});
}

void LaunchMemory::pack_kept(const Chunks& chunks, const LaunchNumbers& numbers) {
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    if (result.kind == ResultKind::Count) (void)kept_of(chunks, numbers, result.count_partial);
    if (result.kind != ResultKind::Kept) continue;
    leaves_[i].extents[0] = kept_of(chunks, numbers, result.count_partial);
    leaves_[i] = fresh(result.element, std::move(leaves_[i].extents));
    DeviceAddress target = *place_.cache.find(*leaves_[i].buffer.get(), pins_);
    const std::size_t row_bytes = staged_[i].row_bytes;
    for (std::int64_t chunk = 0; chunk < chunks.chunks; ++chunk) {
      const std::size_t bytes =
          static_cast<std::size_t>(kept_[result.count_partial][static_cast<std::size_t>(chunk)]) *
          row_bytes;
      if (bytes == 0) continue;
      const DeviceAddress source =
          staged_[i].block.address() + static_cast<std::uint64_t>(chunks.begin(chunk)) * row_bytes;
      on_device([&] { place_.device.copy_within(target, source, bytes); });
      target += bytes;
    }
  }
}

std::vector<jit::Datum> LaunchMemory::take_results(std::span<const std::uint64_t> scalars) {
  std::vector<jit::Datum> results;
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    switch (result.kind) {
    case ResultKind::Scalar:
      results.emplace_back(Scalar{scalars[i]});
      break;
    case ResultKind::Count: {
      const std::vector<std::int64_t>& kept = kept_[result.count_partial];
      results.emplace_back(Scalar::of(std::accumulate(kept.begin(), kept.end(), std::int64_t{0})));
      break;
    }
    case ResultKind::InPlace:
      results.push_back(arguments_[result.parameter]);
      break;
    case ResultKind::Fresh:
    case ResultKind::Kept:
      results.emplace_back(std::move(leaves_[i]));
      break;
    }
  }
  return results;
}

} // namespace sinter::gpu
