#include "jit/cpu/launch.h"

#include "jit/cpu/launch_work.h"
#include "jit/cpu/streaming.h"
#include "lang/primitives/fold_order.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

namespace {

/// Where code looks for an epoch if nobody can interrupt it.
const std::atomic<std::uint32_t> no_epoch{0};

/// Storage between chunks may take this much.
constexpr std::int64_t most_partial_bytes = 64 << 20;
constexpr std::int64_t most_histogram_chunks = 64;

} // namespace

// ---- before ------------------------------------------------------------------------------------

Outcome Launch::run() {
  prepare_arguments();
  choose_partition();
  choose_threads();
  choose_way_of_combining();
  allocate_results();
  allocate_partials();
  prepare_frame();
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = is_measured_ ? Clock::now() : Clock::time_point();
  if (!run_phases()) return stopped();
  if (is_measured_) {
    const std::chrono::nanoseconds elapsed = Clock::now() - begin;
    meter_.add(partition_.count, way_, static_cast<double>(elapsed.count()));
  }
  return take_results();
}

void Launch::prepare_arguments() {
  for (std::uint32_t parameter : layout_.consumed) {
    Leaf& leaf = std::get<Leaf>(arguments_[parameter]);
    leaf = writable(*context_.memory, std::move(leaf));
  }
  scalars_.resize(arguments_.size());
  words_.reserve(arguments_.size() * 2);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (const Scalar* scalar = std::get_if<Scalar>(&arguments_[i])) {
      scalars_[i] = scalar->bits;
      words_.push_back(scalar->bits);
      continue;
    }
    const Leaf& leaf = std::get<Leaf>(arguments_[i]);
    words_.push_back(reinterpret_cast<std::uint64_t>(first_element(leaf)));
    for (std::int64_t stride : leaf.strides)
      words_.push_back(static_cast<std::uint64_t>(stride));
  }
}

void Launch::choose_partition() {
  if (layout_.index_space.empty()) {
    partition_ = {.count = 1, .chunk_size = 1, .chunks = 1};
    return;
  }
  PartitionQuestion& question = question_;
  const Extents extents = values_of(layout_.index_space, scalars_);
  question.count = element_count(extents);
  question.row = element_count(std::span(extents).subspan(1));
  question.element_nanoseconds = value_of(layout_.element_cost, scalars_);
  question.element_bytes = layout_.element_bytes;
  // Where chunks cost little, whoever stands by may take some of little work.
  if (only_maps_and_reduces()) question.least_nanoseconds = 5'000;
  bool only_streams = !layout_.has(GroupKind::Reduce) && !layout_.has(GroupKind::Histogram);
  question.reads_twice =
      only_streams && (layout_.has(GroupKind::Scan) || layout_.has(GroupKind::Filter));
  // The last write stays: they happen in order.
  if (layout_.has(GroupKind::Scatter)) question.chunk_limit = 1;
  for (const KernelLayout::Partial& partial : layout_.partials) {
    std::int64_t elements = partial_elements(partial);
    std::int64_t bytes = elements * static_cast<std::int64_t>(byte_size(partial.element));
    std::int64_t limit = most_partial_bytes / std::max<std::int64_t>(bytes, 1);
    // Filling and folding private bins must not cost more than it brings.
    if (partial.group == GroupKind::Histogram)
      limit = std::min({limit, most_histogram_chunks,
                        question.count / (4 * std::max<std::int64_t>(elements, 1))});
    question.chunk_limit = std::min(question.chunk_limit, std::max<std::int64_t>(limit, 1));
  }
  partition_ = partition(question);
  if (layout_.is_segmented) partition_ = partition_of_segments(question.count);
  const bool has_totals = layout_.has(GroupKind::Reduce) || layout_.has(GroupKind::Scan) ||
                          layout_.has(GroupKind::Filter);
  if (!has_totals) slice_size_ = slice_size(question.element_nanoseconds);
  is_chained_ = question.reads_twice;
}

void Launch::choose_way_of_combining() {
  if (layout_.keeps_fold_order) choose_fold_unit();
  is_chained_ &= partition_.chunks > 1;
}

bool Launch::only_maps_and_reduces() const {
  constexpr unsigned map = 1u << static_cast<unsigned>(GroupKind::Map);
  constexpr unsigned reduce = 1u << static_cast<unsigned>(GroupKind::Reduce);
  return (layout_.groups & ~(map | reduce)) == 0;
}

void Launch::choose_fold_unit() {
  using primitives::block_length;
  using primitives::row_length;
  constexpr std::int64_t enough_units = 64;
  const std::int64_t wanted = std::min(partition_.chunks, enough_units);
  fold_unit_ = block_length;
  if (!layout_.has(GroupKind::Scan)) {
    const auto are_too_few = [&] { return partition_.count / fold_unit_ < wanted; };
    if (wanted > 1 && are_too_few()) fold_unit_ = row_length;
    if (wanted > 1 && are_too_few() && layout_.may_keep_elements) fold_unit_ = 1;
  }
  const std::int64_t units = fold_units(partition_.chunk_size);
  partition_.chunk_size = std::max<std::int64_t>(units, 1) * fold_unit_;
  partition_.chunks = std::max<std::int64_t>(
      (partition_.count + partition_.chunk_size - 1) / partition_.chunk_size, 1);
}

Partition Launch::partition_of_segments(std::int64_t count) const {
  std::int64_t bins = 0;
  for (const KernelLayout::Partial& partial : layout_.partials)
    if (partial.group == GroupKind::Histogram) bins = std::max(bins, partial_bins(partial));
  const primitives::Segments segments = primitives::segments(count, bins);
  return {.count = count,
          .chunk_size = std::max<std::int64_t>(segments.length, 1),
          .chunks = segments.count};
}

std::int64_t Launch::partial_bins(const KernelLayout::Partial& partial) const {
  const auto& extents = std::get<Leaf>(arguments_[partial.destination]).extents;
  std::int64_t bins = 1;
  for (std::size_t d = 0; d < partial.index_count; ++d)
    bins *= extents[d];
  return bins;
}

void Launch::choose_threads() {
  if (partition_.chunks <= 1) return;
  is_measured_ = thread_count() > 1;
  if (is_measured_)
    way_ = meter_.choose({.count = partition_.count,
                          .expected_nanoseconds = nanoseconds(question_),
                          .follows = context_.is_repeated});
  if (is_measured_ && way_ == WorkMeter::Way::Together) return rule_out_small_chunks();
  context_.threads = 1;
  // Then elements need no chunks, and few of what is reduced (they are what is interrupted).
  constexpr std::int64_t few_chunks = 64;
  const std::int64_t most = layout_.has(GroupKind::Reduce) ? few_chunks : INT64_MAX;
  if (!only_maps_and_reduces() || partition_.chunks > most) return;
  partition_.chunk_size = partition_.count;
  partition_.chunks = 1;
}

void Launch::rule_out_small_chunks() {
  // (The emitter's guess of what an element costs can be far off.)
  constexpr double chunk_nanoseconds = 12'000;
  const double alone = meter_.nanoseconds_alone(partition_.count);
  if (alone == 0 || !only_maps_and_reduces()) return;
  const auto enough =
      std::max<std::int64_t>(static_cast<std::int64_t>(alone / chunk_nanoseconds), thread_count());
  if (partition_.chunks <= enough) return;
  question_.chunk_limit = std::min(question_.chunk_limit, enough);
  partition_ = partition(question_);
}

std::int64_t Launch::partial_elements(const KernelLayout::Partial& partial) const {
  if (partial.group == GroupKind::Histogram)
    return element_count(std::get<Leaf>(arguments_[partial.destination]).extents);
  return element_count(values_of(partial.extents, scalars_));
}

void Launch::allocate_results() {
  result_words_.assign(layout_.results.size(), 0);
  leaves_.resize(layout_.results.size());
  reused_.assign(arguments_.size(), false);
  for (std::size_t i = 0; i < layout_.results.size(); ++i) {
    const KernelLayout::Result& result = layout_.results[i];
    if (result.kind != ResultKind::Fresh && result.kind != ResultKind::Kept) continue;
    Leaf& leaf = leaves_[i];
    leaf.element = result.element;
    leaf.extents = values_of(result.extents, scalars_);
    if (result.kind == ResultKind::Kept)
      leaf.extents.insert(leaf.extents.begin(), partition_.count);
    leaf.strides = row_major_strides(leaf.extents);
    std::size_t bytes = block_bytes(leaf.element, leaf.extents);
    leaf.buffer = reused_buffer(result, bytes);
    if (!leaf.buffer) leaf.buffer = Buffer::allocate(*context_.memory, bytes);
    result_words_[i] = reinterpret_cast<std::uint64_t>(leaf.buffer->data());
  }
}

BufferRef Launch::reused_buffer(const KernelLayout::Result& result, std::size_t bytes) {
  // Small buffers are cheaper to allocate than to think about.
  constexpr std::size_t worthwhile = 16 << 10;
  if (bytes < worthwhile) return {};
  for (std::uint32_t parameter : result.reusable) {
    const Leaf& leaf = std::get<Leaf>(arguments_[parameter]);
    if (reused_[parameter] || leaf.offset != 0 || leaf.strides[0] != 1 ||
        leaf.buffer->bytes() != bytes || !leaf.buffer.unique())
      continue;
    reused_[parameter] = true;
    return leaf.buffer;
  }
  return {};
}

void Launch::allocate_partials() {
  std::int64_t total = 0;
  std::pmr::vector<std::int64_t> offsets(&pool_);
  for (const KernelLayout::Partial& partial : layout_.partials) {
    std::int64_t stride =
        partial_elements(partial) * static_cast<std::int64_t>(byte_size(partial.element));
    // (Scalars that stand for single elements lie as in an array.)
    if (!folds(partial) || stride > 8) stride = stride <= 8 ? 8 : (stride + 63) / 64 * 64;
    partial_strides_.push_back(stride);
    offsets.push_back(total);
    total += (stride * slots(partial) + 63) / 64 * 64;
  }
  kept_.assign(layout_.partials.size(), 0);
  std::byte* base = small_partials_.data();
  if (total > static_cast<std::int64_t>(small_partials_.size())) {
    large_partials_ = Buffer::allocate(*context_.memory, static_cast<std::size_t>(total));
    base = large_partials_->data();
  }
  for (std::int64_t offset : offsets)
    partials_.push_back(base + offset);
  if (partition_.chunks > 1 && layout_.has(GroupKind::Histogram)) fill_bins();
}

std::int64_t Launch::slots(const KernelLayout::Partial& partial) const {
  if (is_chained_) return slots_of_thread(partial) * thread_count();
  // (One more, as what is run again to find a failure begins anywhere.)
  return folds(partial) ? fold_units(partition_.count) + 1 : partition_.chunks;
}

void Launch::fill_bins() {
  for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
    const KernelLayout::Partial& partial = layout_.partials[p];
    if (partial.group != GroupKind::Histogram) continue;
    std::int64_t elements = partial_elements(partial);
    workers_.run(context_.threads, partition_.chunks, [&](std::int64_t chunk, unsigned) {
      std::byte* bins = partials_[p] + chunk * partial_strides_[p];
      fill(bins, elements, partial);
    });
  }
}

void Launch::fill(std::byte* bins, std::int64_t elements,
                  const KernelLayout::Partial& partial) const {
  std::int64_t size = static_cast<std::int64_t>(byte_size(partial.element));
  if (elements == 0) return;
  std::int64_t pattern_bytes = size;
  if (partial.neutral_parameter &&
      std::holds_alternative<Leaf>(arguments_[*partial.neutral_parameter])) {
    const Leaf& neutral = std::get<Leaf>(arguments_[*partial.neutral_parameter]);
    copy_strided(bins, row_major_strides(neutral.extents), first_element(neutral), neutral.strides,
                 neutral.extents, byte_size(partial.element));
    pattern_bytes = element_count(neutral.extents) * size;
  } else {
    Scalar neutral =
        partial.neutral_parameter ? Scalar{scalars_[*partial.neutral_parameter]} : partial.neutral;
    store_scalar(partial.element, bins, 0, neutral);
  }
  // The pattern doubles itself.
  std::int64_t total = elements * size;
  for (std::int64_t filled = pattern_bytes; filled < total;) {
    std::int64_t step = std::min(filled, total - filled);
    std::memcpy(bins + filled, bins, static_cast<std::size_t>(step));
    filled += step;
  }
}

void Launch::prepare_frame() {
  frame_.arguments = words_.data();
  frame_.results = result_words_.data();
  frame_.partials = partials_.data();
  frame_.partial_strides = partial_strides_.data();
  frame_.chunks = partition_.chunks;
  frame_.fold_unit = fold_unit_;
  frame_.fold_units = fold_units(partition_.count);
  frame_.epoch = context_.interrupt ? &context_.interrupt->epoch_word() : &no_epoch;
  frame_.start_epoch = context_.interrupt ? context_.epoch : 0;
  frame_.failure = &failure_;
  frame_.streams_results = streams_results() ? 1 : 0;
  arenas_.assign(thread_count(), ScratchArena(*context_.memory));
}

bool Launch::streams_results() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < layout_.results.size(); ++i)
    if (layout_.results[i].kind == ResultKind::Fresh && leaves_[i].buffer)
      bytes += leaves_[i].buffer->bytes();
  const bool reuses = std::find(reused_.begin(), reused_.end(), true) != reused_.end();
  return !reuses && bytes >= beyond_caches_bytes;
}

// ---- after -------------------------------------------------------------------------------------

std::string Launch::refusal() const {
  for (const ScratchArena& arena : arenas_)
    if (!arena.refusal().empty()) return arena.refusal();
  return "out of memory";
}

Stopped Launch::stopped() const {
  if (was_interrupted_.load()) return {Stopped::Why::Interrupted, 0, {}};
  if (!failure_.is_set) return {Stopped::Why::OutOfMemory, 0, {}, refusal()};
  Stopped result{Stopped::Why::Failed, failure_.site, {}};
  if (!layout_.index_space.empty()) result.first_index = failure_.index;
  return result;
}

std::vector<Datum> Launch::take_results() {
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

Leaf Launch::fitted(Leaf leaf, std::int64_t kept) const {
  std::int64_t room = leaf.extents[0];
  leaf.extents[0] = kept;
  if (kept < room / 8) return copy(*context_.memory, leaf);
  return leaf;
}

Outcome launch_kernel(const KernelLayout& layout, const CurrentCode& code,
                      std::vector<Datum> arguments, const RunContext& context, Workers& workers,
                      WorkMeter& meter) {
  return Launch(layout, code, std::move(arguments), context, workers, meter).run();
}

} // namespace sinter::jit
