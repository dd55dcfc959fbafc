#include "jit/cpu/launch.h"

#include "jit/cpu/partition.h"
#include "jit/cpu/scratch.h"
#include "jit/cpu/streaming.h"
#include "lang/base/runtime_error.h"
#include "lang/primitives/fold_order.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <thread>

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
  Launch(const KernelLayout& layout, const CurrentCode& code, std::vector<Datum> arguments,
         const RunContext& context, Workers& workers, WorkMeter& meter)
      : layout_(layout), code_(code), arguments_(std::move(arguments)), context_(context),
        workers_(workers), meter_(meter) {}

  Outcome run() {
    prepare_arguments();
    choose_partition();
    choose_threads();
    allocate_results();
    allocate_partials();
    prepare_frame();
    if (!run_phases()) return stopped();
    if (partition_.chunks > 1)
      meter_.add(partition_.count, static_cast<double>(work_nanoseconds_.load()));
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
      partition_ = {.count = 1, .chunk_size = 1, .chunks = 1};
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
    if (layout_.is_segmented) partition_ = partition_of_segments(question.count);
    if (layout_.keeps_fold_order) choose_fold_unit();
    const bool has_totals = layout_.has(GroupKind::Reduce) || layout_.has(GroupKind::Scan) ||
                            layout_.has(GroupKind::Filter);
    if (!has_totals) slice_size_ = slice_size(question);
    is_chained_ = question.reads_twice && partition_.chunks > 1;
  }

  bool folds(const KernelLayout::Partial& partial) const {
    return layout_.keeps_fold_order &&
           (partial.group == GroupKind::Reduce || partial.group == GroupKind::Scan);
  }

  /// Of reductions and scans whose order shows: the elements that one partial value stands for, as
  /// many as leave work for all threads, and chunks of whole ones.
  void choose_fold_unit() {
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
  std::int64_t fold_units(std::int64_t elements) const {
    return (elements + fold_unit_ - 1) / fold_unit_;
  }

  /// Chunks are what the definition of histograms says.
  Partition partition_of_segments(std::int64_t count) const {
    std::int64_t bins = 0;
    for (const KernelLayout::Partial& partial : layout_.partials)
      if (partial.group == GroupKind::Histogram) bins = std::max(bins, partial_bins(partial));
    const primitives::Segments segments = primitives::segments(count, bins);
    return {.count = count,
            .chunk_size = std::max<std::int64_t>(segments.length, 1),
            .chunks = segments.count};
  }
  std::int64_t partial_bins(const KernelLayout::Partial& partial) const {
    const auto& extents = std::get<Leaf>(arguments_[partial.destination]).extents;
    std::int64_t bins = 1;
    for (std::size_t d = 0; d < partial.index_count; ++d)
      bins *= extents[d];
    return bins;
  }

  /// Another thread has to be woken and waited for.
  void choose_threads() {
    constexpr double least_worth_sharing = 20'000;
    const double nanoseconds = meter_.estimate(partition_.count);
    if (nanoseconds > 0 && nanoseconds < least_worth_sharing) context_.threads = 1;
  }

  /// How many indices are run in one call, which can be interrupted between calls only.
  static std::int64_t slice_size(const PartitionQuestion& question) {
    constexpr double slice_nanoseconds = 5e6;
    constexpr std::int64_t whole_vectors = 64;
    const double size = slice_nanoseconds / std::max(question.element_nanoseconds, 0.5);
    return std::max<std::int64_t>(static_cast<std::int64_t>(size) / whole_vectors, 1) *
           whole_vectors;
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

  /// One slot for each chunk; of chained chunks, three for each thread.
  void allocate_partials() {
    std::int64_t total = 0;
    std::vector<std::int64_t> offsets;
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

  /// How many values of a partial there are.
  std::int64_t slots(const KernelLayout::Partial& partial) const {
    if (is_chained_) return slots_of_thread(partial) * thread_count();
    // (One more, as what is run again to find a failure begins anywhere.)
    return folds(partial) ? fold_units(partition_.count) + 1 : partition_.chunks;
  }
  std::int64_t slots_of_thread(const KernelLayout::Partial& partial) const {
    return folds(partial) ? fold_units(partition_.chunk_size) + 2 : chain_slots;
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
    frame_.fold_unit = fold_unit_;
    frame_.fold_units = fold_units(partition_.count);
    frame_.epoch = context_.interrupt ? &context_.interrupt->epoch_word() : &no_epoch;
    frame_.start_epoch = context_.interrupt ? context_.epoch : 0;
    frame_.failure = &failure_;
    frame_.streams_results = streams_results() ? 1 : 0;
    arenas_.assign(thread_count(), ScratchArena(*context_.memory));
  }

  /// Whether the results go out of the caches before anybody reads them, and are not what was read.
  bool streams_results() const {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < layout_.results.size(); ++i)
      if (layout_.results[i].kind == ResultKind::Fresh && leaves_[i].buffer)
        bytes += leaves_[i].buffer->bytes();
    const bool reuses = std::find(reused_.begin(), reused_.end(), true) != reused_.end();
    return !reuses && bytes >= beyond_caches_bytes;
  }

  unsigned thread_count() const {
    return partition_.chunks > 1 ? workers_.thread_limit(context_.threads) : 1;
  }

  // ---- running ---------------------------------------------------------------------------------

  using Phase = RunFunction LinkedCode::*;
  using Clock = std::chrono::steady_clock;

  /// A function of the current code.
  template <typename Function>
  Function code(Function LinkedCode::*function) const {
    return code_.load(std::memory_order_acquire)->*function;
  }

  bool run_phases() {
    if (is_chained_) return run_chain();
    if (!run_chunks(&LinkedCode::run)) return false;
    bool is_single = partition_.chunks == 1;
    bool has_scan = layout_.has(GroupKind::Scan) && !is_single;
    if (has_scan || layout_.has(GroupKind::Reduce) ||
        (layout_.has(GroupKind::Histogram) && !is_single))
      if (!combine(frame_, partition_.chunks)) return false;
    if (has_scan && !run_chunks(&LinkedCode::finish)) return false;
    if (layout_.has(GroupKind::Filter)) pack();
    return true;
  }

  bool is_interrupted() const {
    return frame_.epoch->load(std::memory_order_relaxed) != frame_.start_epoch;
  }
  bool has_stopped() const {
    return was_interrupted_.load(std::memory_order_relaxed) ||
           failed_chunk_.load(std::memory_order_relaxed) != INT64_MAX;
  }

  /// Runs code for a chunk, which it knows by a number.  Whether it went to its end.
  bool run_chunk(Phase phase, KernelFrame& frame, std::int64_t chunk, std::int64_t number) {
    // Those before a failing one still run: they may hold an earlier failure.
    if (chunk > failed_chunk_.load(std::memory_order_relaxed)) return false;
    if (is_interrupted()) {
      was_interrupted_.store(true, std::memory_order_relaxed);
      return false;
    }
    const auto begin = Clock::now();
    const bool is_whole = run_slices(phase, frame, chunk, number);
    work_nanoseconds_.fetch_add(std::chrono::nanoseconds(Clock::now() - begin).count(),
                                std::memory_order_relaxed);
    if (is_whole) return true;
    if (is_interrupted()) was_interrupted_.store(true, std::memory_order_relaxed);
    std::int64_t least = failed_chunk_.load(std::memory_order_relaxed);
    while (chunk < least && !failed_chunk_.compare_exchange_weak(least, chunk))
      ;
    return false;
  }

  /// A large chunk that leaves nothing but elements behind is run in several calls.
  bool run_slices(Phase phase, KernelFrame& frame, std::int64_t chunk, std::int64_t number) const {
    const bool is_whole = run_all_slices(phase, frame, chunk, number);
    if (frame.streams_results != 0) order_stores_past_caches();
    return is_whole;
  }
  bool run_all_slices(Phase phase, KernelFrame& frame, std::int64_t chunk,
                      std::int64_t number) const {
    std::int64_t begin = partition_.begin(chunk);
    const std::int64_t chunk_end = partition_.end(chunk);
    while (chunk_end - begin > slice_size_) {
      if (code(phase)(&frame, begin, begin + slice_size_, number) != 0 || is_interrupted())
        return false;
      begin += slice_size_;
    }
    return code(phase)(&frame, begin, chunk_end, number) == 0;
  }

  bool run_chunks(Phase phase) {
    auto one = [&](std::int64_t chunk, unsigned thread) {
      KernelFrame frame = frame_;
      frame.arena = &arenas_[thread];
      run_chunk(phase, frame, chunk, chunk);
    };
    if (partition_.chunks == 1 || layout_.has(GroupKind::Scatter))
      for (std::int64_t chunk = 0; chunk < partition_.chunks; ++chunk)
        one(chunk, 0); // the last write stays: they happen in order
    else
      workers_.run(context_.threads, partition_.chunks, one);
    if (!has_stopped()) return true;
    if (phase == &LinkedCode::run) find_first_failure();
    return false;
  }

  /// Lanes meet a check together, so that one may fail an early check when the one before it would
  /// have failed a later one: what lies just before the failing index is asked again.
  void find_first_failure() {
    constexpr std::int64_t most_lanes = 64;
    if (was_interrupted_.load() || layout_.index_space.size() != 1) return;
    std::int64_t chunk = failed_chunk_.load();
    KernelFrame frame = frame_;
    frame.arena = &arenas_[0];
    if (is_chained_) frame.fold_begin = partition_.begin(chunk);
    while (failure_.is_set) {
      std::int64_t end = failure_.index;
      std::int64_t begin = std::max(partition_.begin(chunk), end - most_lanes);
      if (begin >= end || code(&LinkedCode::run)(&frame, begin, end, is_chained_ ? 0 : chunk) == 0)
        return;
    }
  }

  bool combine(KernelFrame frame, std::int64_t chunks) {
    const CombineFunction function = code(&LinkedCode::combine);
    if (!function) return true;
    if (!frame.arena) frame.arena = &arenas_[0];
    if (function(&frame, chunks) == 0) return true;
    if (is_interrupted())
      was_interrupted_.store(true, std::memory_order_relaxed);
    else
      failed_chunk_.store(0, std::memory_order_relaxed);
    return false;
  }

  // ---- chained chunks --------------------------------------------------------------------------

  // Scans and filters: a thread takes the next chunk, runs it, waits until the one before has said
  // what it carries on, says what it carries on itself, and does its second phase while the chunk
  // is in the cache still (Merrill and Garland, "Single-pass parallel prefix scan with decoupled
  // look-back", 2016, without the looking back: the chunk before is never far behind).

  /// A thread's slots: what is carried in, the chunk's own total, what is carried out.
  static constexpr std::int64_t chain_slots = 3;

  struct ChainLink {
    KernelFrame frame;
    std::vector<std::byte*> partials;
    std::vector<std::uint64_t> result_words;
    /// By partial, of filters: kept in the chunk, and in all chunks before it.
    std::vector<std::int64_t> kept, kept_before;
  };

  bool run_chain() {
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
      link.result_words = result_words_;
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

  void allocate_carries() {
    std::int64_t total = 0;
    for (std::int64_t stride : partial_strides_) {
      carries_.push_back(total);
      total += 2 * stride;
    }
    carry_memory_.resize(static_cast<std::size_t>(total));
  }

  /// What chunks carry on, in turns.
  std::byte* carry(std::size_t partial, std::int64_t chunk) {
    return carry_memory_.data() + carries_[partial] + (chunk & 1) * partial_strides_[partial];
  }

  bool run_link(unsigned thread, std::int64_t chunk) {
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
    link.kept_before = kept_;
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

  /// Until all chunks before have said what they carry on; false if that will not be.
  bool wait_for_carry(std::int64_t chunk) {
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

  // ---- filters ---------------------------------------------------------------------------------

  static std::int64_t row_bytes(const Leaf& leaf) {
    return leaf.strides[0] * static_cast<std::int64_t>(byte_size(leaf.element));
  }

  /// For each thread, room for a chunk of which everything is kept.
  void allocate_staging() {
    staging_.resize(leaves_.size());
    for (std::size_t r = 0; r < leaves_.size(); ++r)
      if (layout_.results[r].kind == ResultKind::Kept)
        staging_[r] = Buffer::allocate(*context_.memory,
                                       static_cast<std::size_t>(staging_bytes(r) * thread_count()));
  }
  std::int64_t staging_bytes(std::size_t result) const {
    return (row_bytes(leaves_[result]) * partition_.chunk_size + 63) / 64 * 64;
  }
  std::byte* staging(unsigned thread, std::size_t result) {
    return staging_[result]->data() + thread * staging_bytes(result);
  }
  /// Code writes at the index in the whole space, which then lies in the thread's staging.
  void aim_at_staging(unsigned thread, std::int64_t chunk) {
    for (std::size_t r = 0; r < staging_.size(); ++r)
      if (staging_[r])
        links_[thread].result_words[r] =
            reinterpret_cast<std::uint64_t>(staging(thread, r)) -
            static_cast<std::uint64_t>(row_bytes(leaves_[r]) * partition_.begin(chunk));
  }

  /// Moves what chunks have kept, each at its own beginning, together.
  void pack() {
    for (std::int64_t chunk = 0; chunk < partition_.chunks; ++chunk)
      for (std::size_t p = 0; p < layout_.partials.size(); ++p) {
        if (layout_.partials[p].group != GroupKind::Filter) continue;
        std::int64_t count = 0;
        std::memcpy(&count, partials_[p] + chunk * partial_strides_[p], sizeof count);
        for (std::size_t r = 0; r < leaves_.size(); ++r)
          if (layout_.results[r].kind == ResultKind::Kept &&
              layout_.results[r].count_partial == p && partition_.begin(chunk) != kept_[p]) {
            std::int64_t bytes = row_bytes(leaves_[r]);
            std::byte* data = leaves_[r].buffer->data();
            std::memmove(data + kept_[p] * bytes, data + partition_.begin(chunk) * bytes,
                         static_cast<std::size_t>(count * bytes));
          }
        kept_[p] += count;
      }
  }

  // ---- after -----------------------------------------------------------------------------------

  Stopped stopped() const {
    if (was_interrupted_.load()) return {Stopped::Why::Interrupted, 0, {}};
    if (!failure_.is_set) return {Stopped::Why::OutOfMemory, 0, {}, refusal()};
    Stopped result{Stopped::Why::Failed, failure_.site, {}};
    if (!layout_.index_space.empty()) result.first_index = failure_.index;
    return result;
  }

  /// Of the thread that got no scratch memory.
  std::string refusal() const {
    for (const ScratchArena& arena : arenas_)
      if (!arena.refusal().empty()) return arena.refusal();
    return "out of memory";
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

  /// A filter's array; copied if it would hold on to much more memory than it needs.  (Halves and
  /// quarters of an array, as partitions make them, are not worth a copy.)
  Leaf fitted(Leaf leaf, std::int64_t kept) const {
    std::int64_t room = leaf.extents[0];
    leaf.extents[0] = kept;
    if (kept < room / 8) return copy(*context_.memory, leaf);
    return leaf;
  }

  const KernelLayout& layout_;
  const CurrentCode& code_;
  std::vector<Datum> arguments_;
  RunContext context_;
  Workers& workers_;
  WorkMeter& meter_;

  Partition partition_;
  std::int64_t slice_size_ = INT64_MAX; ///< indices of one call
  std::int64_t fold_unit_ = 1;          ///< elements of a partial value that keeps the order
  std::vector<std::uint64_t> scalars_;  ///< by parameter
  std::vector<std::uint64_t> words_, result_words_;
  std::vector<Leaf> leaves_;       ///< by result: those made here
  std::vector<bool> reused_;       ///< by parameter
  std::vector<BufferRef> staging_; ///< by result, of chained filters
  std::vector<std::byte*> partials_;
  std::vector<std::int64_t> partial_strides_;
  alignas(64) std::array<std::byte, 1024> small_partials_;
  BufferRef large_partials_;
  std::vector<ScratchArena> arenas_; ///< by thread
  KernelFrame frame_;
  FailureNote failure_;
  std::atomic<std::int64_t> failed_chunk_{INT64_MAX};
  std::atomic<bool> was_interrupted_{false};
  std::atomic<std::int64_t> work_nanoseconds_{0}; ///< of all threads together
  std::vector<std::int64_t> kept_;                ///< by partial, of filters: so far

  bool is_chained_ = false;
  std::vector<ChainLink> links_; ///< by thread
  std::vector<std::int64_t> carries_;
  std::vector<std::byte> carry_memory_;
  std::atomic<std::int64_t> finished_{0}; ///< chunks that have said what they carry on
};

} // namespace

Outcome launch_kernel(const KernelLayout& layout, const CurrentCode& code,
                      std::vector<Datum> arguments, const RunContext& context, Workers& workers,
                      WorkMeter& meter) {
  return Launch(layout, code, std::move(arguments), context, workers, meter).run();
}

} // namespace sinter::jit
