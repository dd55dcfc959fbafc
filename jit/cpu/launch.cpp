#include "jit/cpu/launch.h"

#include "jit/cpu/partition.h"
#include "jit/cpu/scratch.h"
#include "lang/base/runtime_error.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstring>

namespace sinter::jit {

namespace {

using ResultKind = KernelLayout::ResultKind;
using GroupKind = KernelLayout::GroupKind;

/// Where code looks for an epoch if nobody can interrupt it.
const std::atomic<std::uint32_t> no_epoch{0};

/// Storage between chunks may take this much.
constexpr std::int64_t most_partial_bytes = 64 << 20;
constexpr std::int64_t most_histogram_chunks = 64;

class Launch {
public:
  Launch(const KernelLayout& layout, const LinkedCode& code, std::vector<Datum> arguments,
         const RunContext& context, Workers& workers)
      : layout_(layout), code_(code), arguments_(std::move(arguments)), context_(context),
        workers_(workers) {}

  Outcome run() {
    prepare_arguments();
    choose_partition();
    allocate_results();
    allocate_partials();
    prepare_frame();
    if (!run_phases()) return stopped();
    return take_results();
  }

private:
  // ---- before ----------------------------------------------------------------------------------

  void prepare_arguments() {
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

  void choose_partition() {
    if (layout_.index_space.empty()) {
      partition_ = {.count = 1, .chunk_size = 1, .chunks = 1, .chunks_together = 1};
      return;
    }
    PartitionQuestion question;
    question.count = element_count(values_of(layout_.index_space, scalars_));
    question.element_nanoseconds = value_of(layout_.element_cost, scalars_);
    question.element_bytes = layout_.element_bytes;
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
  }

  /// Elements of one chunk's storage.
  std::int64_t partial_elements(const KernelLayout::Partial& partial) const {
    if (partial.group == GroupKind::Histogram)
      return element_count(std::get<Leaf>(arguments_[partial.destination]).extents);
    return element_count(values_of(partial.extents, scalars_));
  }

  void allocate_results() {
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

  /// The memory of an argument that nobody else has and that is read where the result is written.
  BufferRef reused_buffer(const KernelLayout::Result& result, std::size_t bytes) {
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

  void allocate_partials() {
    // In a scan's later rounds the carry comes first, and what the round carries out last.
    std::int64_t slots = partition_.chunks_together + 2;
    std::int64_t total = 0;
    std::vector<std::int64_t> offsets;
    for (const KernelLayout::Partial& partial : layout_.partials) {
      std::int64_t stride =
          partial_elements(partial) * static_cast<std::int64_t>(byte_size(partial.element));
      stride = stride <= 8 ? 8 : (stride + 63) / 64 * 64;
      partial_strides_.push_back(stride);
      offsets.push_back(total);
      total += (stride * slots + 63) / 64 * 64;
    }
    std::byte* base = small_partials_.data();
    if (total > static_cast<std::int64_t>(small_partials_.size())) {
      large_partials_ = Buffer::allocate(*context_.memory, static_cast<std::size_t>(total));
      base = large_partials_->data();
    }
    for (std::int64_t offset : offsets)
      partials_.push_back(base + offset);
    if (partition_.chunks > 1 && layout_.has(GroupKind::Histogram)) fill_bins();
  }

  void fill_bins() {
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

  void fill(std::byte* bins, std::int64_t elements, const KernelLayout::Partial& partial) const {
    std::int64_t size = static_cast<std::int64_t>(byte_size(partial.element));
    if (elements == 0) return;
    std::int64_t pattern_bytes = size;
    if (partial.neutral_parameter &&
        std::holds_alternative<Leaf>(arguments_[*partial.neutral_parameter])) {
      const Leaf& neutral = std::get<Leaf>(arguments_[*partial.neutral_parameter]);
      copy_strided(bins, row_major_strides(neutral.extents), first_element(neutral),
                   neutral.strides, neutral.extents, byte_size(partial.element));
      pattern_bytes = element_count(neutral.extents) * size;
    } else {
      Scalar neutral = partial.neutral_parameter ? Scalar{scalars_[*partial.neutral_parameter]}
                                                 : partial.neutral;
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

  void prepare_frame() {
    frame_.arguments = words_.data();
    frame_.results = result_words_.data();
    frame_.partials = partials_.data();
    frame_.partial_strides = partial_strides_.data();
    frame_.chunks = partition_.chunks;
    frame_.epoch = context_.interrupt ? &context_.interrupt->epoch_word() : &no_epoch;
    frame_.start_epoch = context_.interrupt ? context_.epoch : 0;
    frame_.failure = &failure_;
    bool is_parallel = partition_.chunks > 1;
    unsigned threads = is_parallel ? workers_.thread_limit(context_.threads) : 1;
    arenas_.assign(threads, ScratchArena(*context_.memory));
  }

  // ---- running ---------------------------------------------------------------------------------

  bool is_interrupted() const {
    return frame_.epoch->load(std::memory_order_relaxed) != frame_.start_epoch;
  }

  /// Chunks [first, last) of the partition, known to the code by number - first + shift.
  bool run_chunks(RunFunction function, std::int64_t first, std::int64_t last, std::int64_t shift) {
    auto one = [&](std::int64_t i, unsigned thread) {
      std::int64_t chunk = first + i;
      // Those before a failing one still run: they may hold an earlier failure.
      if (chunk > failed_chunk_.load(std::memory_order_relaxed)) return;
      if (is_interrupted()) {
        was_interrupted_.store(true, std::memory_order_relaxed);
        return;
      }
      KernelFrame frame = frame_;
      frame.arena = &arenas_[thread];
      if (function(&frame, partition_.begin(chunk), partition_.end(chunk), i + shift) == 0) return;
      if (is_interrupted()) was_interrupted_.store(true, std::memory_order_relaxed);
      std::int64_t least = failed_chunk_.load(std::memory_order_relaxed);
      while (chunk < least && !failed_chunk_.compare_exchange_weak(least, chunk))
        ;
    };
    if (last - first == 1)
      one(0, 0);
    else
      workers_.run(context_.threads, last - first, one);
    if (!has_stopped()) return true;
    if (function == code_.run) find_first_failure(shift - first);
    return false;
  }

  /// Lanes meet a check together, so that one may fail an early check when the one before it would
  /// have failed a later one: what lies just before the failing index is asked again.
  void find_first_failure(std::int64_t number_shift) {
    constexpr std::int64_t most_lanes = 64;
    if (was_interrupted_.load() || layout_.index_space.size() != 1) return;
    std::int64_t chunk = failed_chunk_.load();
    KernelFrame frame = frame_;
    frame.arena = &arenas_[0];
    while (failure_.is_set) {
      std::int64_t end = failure_.index;
      std::int64_t begin = std::max(partition_.begin(chunk), end - most_lanes);
      if (begin >= end || code_.run(&frame, begin, end, chunk + number_shift) == 0) return;
    }
  }

  bool has_stopped() const {
    return was_interrupted_.load(std::memory_order_relaxed) ||
           failed_chunk_.load(std::memory_order_relaxed) != INT64_MAX;
  }

  bool combine(std::int64_t chunks) {
    if (!code_.combine) return true;
    KernelFrame frame = frame_;
    frame.arena = &arenas_[0];
    if (code_.combine(&frame, chunks) == 0) return true;
    if (is_interrupted())
      was_interrupted_.store(true, std::memory_order_relaxed);
    else
      failed_chunk_.store(0, std::memory_order_relaxed);
    return false;
  }

  bool run_phases() {
    bool has_scan = layout_.has(GroupKind::Scan);
    bool has_filter = layout_.has(GroupKind::Filter);
    bool is_single = partition_.chunks == 1;
    if (has_filter && !is_single) allocate_staging();
    // All at once, or round by round.
    std::int64_t shift = 0;
    for (std::int64_t first = 0; first < partition_.chunks; first += partition_.chunks_together) {
      std::int64_t last = std::min(first + partition_.chunks_together, partition_.chunks);
      if (has_filter && !is_single) aim_at_staging(first);
      if (!run_chunks(code_.run, first, last, shift)) return false;
      if (has_scan && !is_single) {
        std::int64_t slots = last - first + shift;
        bool is_last = last == partition_.chunks;
        if (!combine(is_last ? slots : slots + 1)) return false;
        if (!run_chunks(code_.finish, first, last, shift)) return false;
        if (!is_last) carry(slots);
      }
      if (has_filter) keep(first, last, shift);
      if (has_scan) shift = 1;
    }
    bool is_folded =
        layout_.has(GroupKind::Reduce) || (layout_.has(GroupKind::Histogram) && !is_single);
    if (is_folded && !(has_scan && !is_single)) return combine(partition_.chunks);
    return true;
  }

  /// What a round of a scan carries out becomes what the next one begins with.
  void carry(std::int64_t slot) {
    for (std::size_t p = 0; p < layout_.partials.size(); ++p)
      if (layout_.partials[p].group == GroupKind::Scan)
        std::memcpy(partials_[p], partials_[p] + slot * partial_strides_[p],
                    static_cast<std::size_t>(partial_strides_[p]));
  }

  // ---- filters ---------------------------------------------------------------------------------

  /// Elements of a row of a kept array.
  static std::int64_t row_elements(const Leaf& leaf) { return leaf.strides[0]; }
  static std::int64_t row_bytes(const Leaf& leaf) {
    return row_elements(leaf) * static_cast<std::int64_t>(byte_size(leaf.element));
  }

  void allocate_staging() {
    staging_.resize(leaves_.size());
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      if (layout_.results[i].kind == ResultKind::Kept)
        staging_[i] = Buffer::allocate(
            *context_.memory,
            static_cast<std::size_t>(row_bytes(leaves_[i]) * partition_.chunk_size *
                                     partition_.chunks_together));
  }

  /// Code writes at the index in the whole space, which lies in this round's staging.
  void aim_at_staging(std::int64_t first_chunk) {
    for (std::size_t i = 0; i < leaves_.size(); ++i)
      if (staging_[i])
        result_words_[i] =
            reinterpret_cast<std::uint64_t>(staging_[i]->data()) -
            static_cast<std::uint64_t>(row_bytes(leaves_[i]) * partition_.begin(first_chunk));
  }

  /// Moves what a round has kept behind what the earlier ones have.
  void keep(std::int64_t first, std::int64_t last, std::int64_t shift) {
    std::size_t partial = 0;
    while (layout_.partials[partial].group != GroupKind::Filter)
      ++partial;
    std::vector<std::int64_t> begins;
    std::int64_t total = kept_;
    for (std::int64_t chunk = first; chunk < last; ++chunk) {
      std::int64_t count = 0;
      std::memcpy(&count, partials_[partial] + (chunk - first + shift) * partial_strides_[partial],
                  sizeof count);
      begins.push_back(total);
      total += count;
    }
    begins.push_back(total);
    kept_ = total;
    if (staging_.empty()) return;
    workers_.run(context_.threads, last - first, [&](std::int64_t i, unsigned) {
      auto at = static_cast<std::size_t>(i);
      for (std::size_t r = 0; r < leaves_.size(); ++r)
        if (staging_[r]) {
          std::int64_t bytes = row_bytes(leaves_[r]);
          std::memcpy(leaves_[r].buffer->data() + begins[at] * bytes,
                      staging_[r]->data() + i * partition_.chunk_size * bytes,
                      static_cast<std::size_t>((begins[at + 1] - begins[at]) * bytes));
        }
    });
  }

  // ---- after -----------------------------------------------------------------------------------

  Stopped stopped() const {
    if (was_interrupted_.load()) return {Stopped::Why::Interrupted, 0, {}};
    if (!failure_.is_set) return {Stopped::Why::OutOfMemory, 0, {}};
    Stopped result{Stopped::Why::Failed, failure_.site, {}};
    if (!layout_.index_space.empty()) result.first_index = failure_.index;
    return result;
  }

  std::vector<Datum> take_results() {
    std::vector<Datum> results;
    results.reserve(layout_.results.size());
    for (std::size_t i = 0; i < layout_.results.size(); ++i) {
      const KernelLayout::Result& result = layout_.results[i];
      switch (result.kind) {
      case ResultKind::Scalar:
        results.emplace_back(Scalar{result_words_[i]});
        break;
      case ResultKind::Count:
        results.emplace_back(Scalar::of(kept_));
        break;
      case ResultKind::InPlace:
        results.push_back(arguments_[result.parameter]);
        break;
      case ResultKind::Fresh:
        results.emplace_back(std::move(leaves_[i]));
        break;
      case ResultKind::Kept:
        results.emplace_back(shrunk(std::move(leaves_[i])));
        break;
      }
    }
    return results;
  }

  /// A filter's array without the room that it turned out not to need.
  Leaf shrunk(Leaf leaf) const {
    std::int64_t room = leaf.extents[0];
    leaf.extents[0] = kept_;
    if (leaf.buffer->bytes() >= Buffer::mapped_size)
      leaf.buffer->shrink(static_cast<std::size_t>(kept_ * row_bytes(leaf)));
    else if (kept_ < room / 2)
      return copy(*context_.memory, leaf);
    return leaf;
  }

  const KernelLayout& layout_;
  const LinkedCode& code_;
  std::vector<Datum> arguments_;
  const RunContext& context_;
  Workers& workers_;

  Partition partition_;
  std::vector<std::uint64_t> scalars_; ///< by parameter
  std::vector<std::uint64_t> words_, result_words_;
  std::vector<Leaf> leaves_;       ///< by result: those made here
  std::vector<bool> reused_;       ///< by parameter
  std::vector<BufferRef> staging_; ///< by result, of filters in several chunks
  std::vector<std::byte*> partials_;
  std::vector<std::int64_t> partial_strides_;
  alignas(64) std::array<std::byte, 1024> small_partials_;
  BufferRef large_partials_;
  std::vector<ScratchArena> arenas_; ///< by thread
  KernelFrame frame_;
  FailureNote failure_;
  std::atomic<std::int64_t> failed_chunk_{INT64_MAX};
  std::atomic<bool> was_interrupted_{false};
  std::int64_t kept_ = 0;
};

} // namespace

Outcome launch_kernel(const KernelLayout& layout, const LinkedCode& code,
                      std::vector<Datum> arguments, const RunContext& context, Workers& workers) {
  return Launch(layout, code, std::move(arguments), context, workers).run();
}

} // namespace sinter::jit
