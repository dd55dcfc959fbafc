#include "gpu/backend/launch_memory.h"

#include "gpu/backend/errors.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sinter::gpu {

using jit::KernelLayout;
using ResultKind = KernelLayout::ResultKind;

namespace {

constexpr std::int64_t alignment = 256; // of areas

std::size_t offset_bytes(const Leaf& leaf) {
  return static_cast<std::size_t>(leaf.offset * static_cast<std::int64_t>(byte_size(leaf.element)));
}

std::size_t bytes_of(const Leaf& leaf) {
  return static_cast<std::size_t>(element_count(leaf.extents)) * byte_size(leaf.element);
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

void LaunchMemory::bind_arguments(const std::vector<bool>& is_pending) {
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
    if (!is_pending.empty() && is_pending[i]) continue;
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

// ---- arguments that are turned over -----------------------------------------------------------

void LaunchMemory::allocate_turned(const LaunchPlan& plan, LaunchWords& words) {
  std::size_t word = 0; // of the parameter
  for (std::uint32_t parameter = 0; parameter < arguments_.size(); ++parameter) {
    const Leaf* const leaf = std::get_if<Leaf>(&arguments_[parameter]);
    const std::size_t first = std::exchange(word, word + 1 + (leaf ? leaf->extents.size() : 0));
    if (std::ranges::find(plan.turned, parameter) == plan.turned.end()) continue;
    Turned turned;
    try {
      turned.copy = place_.cache.allocate(bytes_of(*leaf));
    } catch (const DeviceFull&) {
      return;
    }
    const std::int64_t rows = leaf->extents[0];
    turned.words = {words.arguments[first], turned.copy.address(), static_cast<std::uint64_t>(rows),
                    static_cast<std::uint64_t>(element_count(leaf->extents) / rows)};
    turned.element_bytes = byte_size(leaf->element);
    words.arguments[first] = turned.copy.address();
    const Extents strides = row_major_strides(leaf->extents);
    words.arguments[first + 1] = 1;
    for (std::size_t d = 1; d < strides.size(); ++d)
      words.arguments[first + 1 + d] = static_cast<std::uint64_t>(strides[d] * rows);
    turned_.push_back(std::move(turned));
  }
}

void LaunchMemory::turn_arguments() {
  for (const Turned& turned : turned_)
    place_.transpose(turned.words, turned.element_bytes);
}

// ---- results and areas -------------------------------------------------------------------------

void LaunchMemory::allocate(const LaunchPlan& plan, std::int64_t count, LaunchWords& words) {
  words.arguments = words_;
  allocate_results(count, words);
  allocate_areas(plan, words);
  words.numbers = plan.numbers;
}

void LaunchMemory::allocate_results(std::int64_t count, LaunchWords& words) {
  leaves_.resize(layout_.results.size());
  staged_.resize(layout_.results.size());
  words.results.assign(layout_.results.size(), 0);
  const auto is_word = [](const KernelLayout::Result& result) {
    return result.kind == ResultKind::Scalar || result.kind == ResultKind::Count;
  };
  if (std::ranges::any_of(layout_.results, is_word)) {
    const std::size_t bytes = layout_.results.size() * sizeof(std::uint64_t);
    scalar_results_ = place_.cache.make(budget_, bytes, pins_);
    words.scalars = *place_.cache.find(*scalar_results_.get(), pins_);
    on_device([&] { place_.device.fill(words.scalars, 0, sizeof(std::uint64_t), bytes / 8); });
  }
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    if (result.kind == ResultKind::Fresh) {
      leaves_[i] = fresh(result.element, jit::values_of(result.extents, scalars_));
      words.results[i] = *place_.cache.find(*leaves_[i].buffer.get(), pins_);
    } else if (result.kind == ResultKind::Kept) {
      leaves_[i].element = result.element;
      leaves_[i].extents = jit::values_of(result.extents, scalars_);
      staged_[i].row_bytes = block_bytes(result.element, leaves_[i].extents);
      leaves_[i].extents.insert(leaves_[i].extents.begin(), count);
      staged_[i].block = place_.cache.allocate(block_bytes(result.element, leaves_[i].extents));
      words.results[i] = staged_[i].block.address();
    }
  }
}

void LaunchMemory::allocate_areas(const LaunchPlan& plan, LaunchWords& words) {
  std::int64_t total = 0;
  std::vector<std::int64_t> begins;
  for (const WorkArea& area : plan.areas) {
    begins.push_back(total);
    if (area.bytes > INT64_MAX - alignment - total) throw DeviceFull();
    total += (area.bytes + alignment - 1) / alignment * alignment;
  }
  words.areas.clear();
  if (plan.areas.empty()) return;
  areas_ = place_.cache.allocate(static_cast<std::size_t>(total));
  for (const std::int64_t begin : begins)
    words.areas.push_back(areas_.address() + static_cast<std::uint64_t>(begin));
}

void LaunchMemory::fill_areas(const LaunchPlan& plan, const LaunchWords& words) {
  for (std::size_t i = 0; i < plan.areas.size(); ++i) {
    const WorkArea& area = plan.areas[i];
    if (area.bytes == 0) continue;
    const auto bytes = static_cast<std::size_t>(area.bytes);
    if (const auto* element = std::get_if<WorkArea::Element>(&area.beginning))
      on_device([&] {
        place_.device.fill(words.areas[i], element->bits, element->bytes, bytes / element->bytes);
      });
    else if (const auto* argument = std::get_if<WorkArea::Argument>(&area.beginning))
      fill_with_argument(words.areas[i], bytes, argument->parameter);
  }
}

void LaunchMemory::fill_with_argument(DeviceAddress area, std::size_t bytes,
                                      std::uint32_t parameter) {
  const Leaf& array = std::get<Leaf>(arguments_[parameter]);
  std::vector<std::byte> pattern(bytes_of(array));
  if (pattern.empty()) return;
  copy_strided(pattern.data(), row_major_strides(array.extents), first_element(array),
               array.strides, array.extents, byte_size(array.element));
  std::size_t filled = std::min(pattern.size(), bytes);
  on_device([&] {
    place_.device.copy_in(area, std::span(pattern).first(filled));
    while (filled < bytes) { // twice as much each time
      const std::size_t more = std::min(filled, bytes - filled);
      place_.device.copy_within(area + filled, area, more);
      filled += more;
    }
  });
}

// ---- filters -----------------------------------------------------------------------------------

std::vector<std::int64_t>
LaunchMemory::kept_in_chunks(const LaunchPlan& plan, const LaunchWords& words, std::uint32_t area) {
  std::vector<std::int64_t> kept(static_cast<std::size_t>(plan.kept->chunks));
  on_device(
      [&] { place_.device.copy_out(std::as_writable_bytes(std::span(kept)), words.areas[area]); });
  return kept;
}

/// Which result is the number of what another one has kept.
std::size_t LaunchMemory::count_of(std::size_t kept) const {
  for (std::size_t i = 0; i < layout_.results.size(); ++i)
    if (layout_.results[i].kind == ResultKind::Count &&
        layout_.results[i].count_partial == layout_.results[kept].count_partial)
      return i;
  throw std::logic_error("a filter without its count");
}

void LaunchMemory::take_kept(const LaunchPlan& plan, const LaunchWords& words,
                             std::span<std::uint64_t> scalars) {
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    if (result.kind != ResultKind::Kept && result.kind != ResultKind::Count) continue;
    std::vector<std::int64_t> kept;
    if (plan.kept) {
      kept = kept_in_chunks(plan, words, result.count_partial);
      scalars[i] =
          static_cast<std::uint64_t>(std::accumulate(kept.begin(), kept.end(), std::int64_t{0}));
    } else {
      scalars[i] = scalars[count_of(i)];
      kept = {static_cast<std::int64_t>(scalars[i])};
    }
    if (result.kind == ResultKind::Count) continue;
    leaves_[i].extents[0] = static_cast<std::int64_t>(scalars[i]);
    leaves_[i] = fresh(result.element, std::move(leaves_[i].extents));
    DeviceAddress target = *place_.cache.find(*leaves_[i].buffer.get(), pins_);
    const std::size_t row_bytes = staged_[i].row_bytes;
    for (std::size_t chunk = 0; chunk < kept.size(); ++chunk) {
      const std::size_t bytes = static_cast<std::size_t>(kept[chunk]) * row_bytes;
      if (bytes == 0) continue;
      const std::size_t begin =
          chunk == 0 ? 0 : chunk * static_cast<std::size_t>(plan.kept->size) * row_bytes;
      on_device(
          [&] { place_.device.copy_within(target, staged_[i].block.address() + begin, bytes); });
      target += bytes;
    }
  }
}

std::vector<std::uint64_t> LaunchMemory::read_scalars() {
  std::vector<std::uint64_t> words(layout_.results.size());
  if (!scalar_results_) return words;
  const DeviceAddress address = *place_.cache.find(*scalar_results_.get(), pins_);
  on_device([&] { place_.device.copy_out(std::as_writable_bytes(std::span(words)), address); });
  return words;
}

std::vector<jit::Datum> LaunchMemory::take_results(std::span<const std::uint64_t> scalars) {
  std::vector<jit::Datum> results;
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    switch (result.kind) {
    case ResultKind::Scalar:
    case ResultKind::Count:
      if (scalars.empty()) {
        // The word, as an array without dimensions.
        Leaf pending;
        pending.element = result.element;
        pending.buffer = scalar_results_;
        pending.offset =
            static_cast<std::int64_t>(i * sizeof(std::uint64_t) / byte_size(result.element));
        results.emplace_back(std::move(pending));
        break;
      }
      results.emplace_back(Scalar{scalars[i]});
      break;
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
