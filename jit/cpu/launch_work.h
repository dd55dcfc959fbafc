// One launch in the making: what launch.cpp prepares and takes away, launch_run.cpp runs, and
// launch_chain.cpp runs where chunks hand something on.
#pragma once

#include "jit/cpu/launch.h"
#include "jit/cpu/partition.h"
#include "jit/cpu/scratch.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

namespace sinter::jit {

class Launch {
public:
  Launch(const KernelLayout& layout, const CurrentCode& code, std::vector<Datum> arguments,
         const RunContext& context, Workers& workers, WorkMeter& meter)
      : layout_(layout), code_(code), arguments_(std::move(arguments)), context_(context),
        workers_(workers), meter_(meter) {}
  Outcome run();

private:
  // ---- before ----------------------------------------------------------------------------------

  void prepare_arguments();
  void choose_partition();
  bool only_maps_and_reduces() const;
  bool folds(const KernelLayout::Partial& partial) const {
    return layout_.keeps_fold_order &&
           (partial.group == ir::GroupKind::Reduce || partial.group == ir::GroupKind::Scan);
  }
  /// Of reductions and scans whose order shows: the elements that one partial value stands for, as
  /// many as leave work for all threads, and chunks of whole ones.
  void choose_fold_unit();
  std::int64_t fold_units(std::int64_t elements) const {
    return (elements + fold_unit_ - 1) / fold_unit_;
  }
  /// Chunks are what the definition of histograms says.
  Partition partition_of_segments(std::int64_t count) const;
  std::int64_t partial_bins(const KernelLayout::Partial& partial) const;
  /// One thread does it all, if that has taken less time.
  void choose_threads();
  /// Fewer chunks where they are known to take little time.
  void rule_out_small_chunks();
  /// What chunks leave behind of what is folded, and how it gets to the others.
  void choose_way_of_combining();
  /// Elements of one chunk's storage.
  std::int64_t partial_elements(const KernelLayout::Partial& partial) const;
  void allocate_results();
  /// The memory of an argument that nobody else has and that is read where the result is written.
  BufferRef reused_buffer(const KernelLayout::Result& result, std::size_t bytes);
  /// One slot for each chunk; of chained chunks, three for each thread.
  void allocate_partials();
  /// How many values of a partial there are.
  std::int64_t slots(const KernelLayout::Partial& partial) const;
  std::int64_t slots_of_thread(const KernelLayout::Partial& partial) const {
    return folds(partial) ? fold_units(partition_.chunk_size) + 2 : chain_slots;
  }
  void fill_bins();
  void fill(std::byte* bins, std::int64_t elements, const KernelLayout::Partial& partial) const;
  void prepare_frame();
  /// Whether the results go out of the caches before anybody reads them, and are not what was read.
  bool streams_results() const;
  unsigned thread_count() const {
    return partition_.chunks > 1 ? workers_.thread_limit(context_.threads) : 1;
  }

  // ---- running ---------------------------------------------------------------------------------

  using Phase = RunFunction LinkedCode::*;
  /// A function of the current code.
  template <typename Function>
  Function code(Function LinkedCode::*function) const {
    return code_.load(std::memory_order_acquire)->*function;
  }
  bool run_phases();
  bool is_interrupted() const {
    return frame_.epoch->load(std::memory_order_relaxed) != frame_.start_epoch;
  }
  bool has_stopped() const {
    return was_interrupted_.load(std::memory_order_relaxed) ||
           failed_chunk_.load(std::memory_order_relaxed) != INT64_MAX;
  }
  /// Runs code for a chunk, which it knows by a number.  Whether it went to its end.
  bool run_chunk(Phase phase, KernelFrame& frame, std::int64_t chunk, std::int64_t number);
  /// A large chunk that leaves nothing but elements behind is run in several calls.
  bool run_slices(Phase phase, KernelFrame& frame, std::int64_t chunk, std::int64_t number) const;
  bool run_all_slices(Phase phase, KernelFrame& frame, std::int64_t chunk,
                      std::int64_t number) const;
  bool run_chunks(Phase phase);
  /// Lanes meet a check together, so that one may fail an early check when the one before it would
  /// have failed a later one: what lies just before the failing index is asked again.
  void find_first_failure();
  bool combine(KernelFrame frame, std::int64_t chunks);

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
  bool run_chain();
  void allocate_carries();
  /// What chunks carry on, in turns.
  std::byte* carry(std::size_t partial, std::int64_t chunk) {
    return carry_memory_.data() + carries_[partial] + (chunk & 1) * partial_strides_[partial];
  }
  bool run_link(unsigned thread, std::int64_t chunk);
  /// Until all chunks before have said what they carry on; false if that will not be.
  bool wait_for_carry(std::int64_t chunk);

  // ---- filters ---------------------------------------------------------------------------------

  static std::int64_t row_bytes(const Leaf& leaf) {
    return leaf.strides[0] * static_cast<std::int64_t>(byte_size(leaf.element));
  }
  /// For each thread, room for a chunk of which everything is kept.
  void allocate_staging();
  std::int64_t staging_bytes(std::size_t result) const {
    return (row_bytes(leaves_[result]) * partition_.chunk_size + 63) / 64 * 64;
  }
  std::byte* staging(unsigned thread, std::size_t result) {
    return staging_[result]->data() + thread * staging_bytes(result);
  }
  /// Code writes at the index in the whole space, which then lies in the thread's staging.
  void aim_at_staging(unsigned thread, std::int64_t chunk);
  /// Moves what chunks have kept, each at its own beginning, together.
  void pack();

  // ---- after -----------------------------------------------------------------------------------

  Stopped stopped() const;
  /// Of the thread that got no scratch memory.
  std::string refusal() const;
  std::vector<Datum> take_results();
  /// A filter's array; copied if it would hold on to much more memory than it needs.  (Halves and
  /// quarters of an array, as partitions make them, are not worth a copy.)
  Leaf fitted(Leaf leaf, std::int64_t kept) const;

  const KernelLayout& layout_;
  const CurrentCode& code_;
  std::vector<Datum> arguments_;
  RunContext context_;
  Workers& workers_;
  WorkMeter& meter_;

  /// What a launch remembers is little: no allocations for that.
  std::array<std::byte, 2048> bytes_;
  std::pmr::monotonic_buffer_resource pool_{bytes_.data(), bytes_.size()};

  Partition partition_;
  PartitionQuestion question_;          ///< that it answers
  std::int64_t slice_size_ = INT64_MAX; ///< indices of one call
  std::int64_t fold_unit_ = 1;          ///< elements of a partial value that keeps the order
  bool is_measured_ = false;            ///< the time that the chunks take is of interest
  WorkMeter::Way way_ = WorkMeter::Way::Alone;
  std::pmr::vector<std::uint64_t> scalars_{&pool_}; ///< by parameter
  std::pmr::vector<std::uint64_t> words_{&pool_}, result_words_{&pool_};
  std::pmr::vector<Leaf> leaves_{&pool_};          ///< by result: those made here
  std::pmr::vector<unsigned char> reused_{&pool_}; ///< by parameter
  std::vector<BufferRef> staging_;                 ///< by result, of chained filters
  std::pmr::vector<std::byte*> partials_{&pool_};
  std::pmr::vector<std::int64_t> partial_strides_{&pool_};
  alignas(64) std::array<std::byte, 1024> small_partials_;
  BufferRef large_partials_;
  std::pmr::vector<ScratchArena> arenas_{&pool_}; ///< by thread
  KernelFrame frame_;
  FailureNote failure_;
  std::atomic<std::int64_t> failed_chunk_{INT64_MAX};
  std::atomic<bool> was_interrupted_{false};
  std::pmr::vector<std::int64_t> kept_{&pool_}; ///< by partial, of filters: so far

  bool is_chained_ = false;
  std::vector<ChainLink> links_; ///< by thread
  std::vector<std::int64_t> carries_;
  std::vector<std::byte> carry_memory_;
  std::atomic<std::int64_t> finished_{0}; ///< chunks that have said what they carry on
};

} // namespace sinter::jit
