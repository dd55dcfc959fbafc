#include "jit/cpu/repeat.h"

#include "jit/cpu/partition.h"
#include "jit/cpu/scratch.h"
#include "jit/cpu/streaming.h"
#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace sinter::jit {

using ResultKind = KernelLayout::ResultKind;
using ir::GroupKind;

namespace {

const std::atomic<std::uint32_t> no_epoch{0};

/// What a slab may take of the first cache, or, where rows are too long for that, of the second
/// one.
constexpr std::int64_t first_cache_bytes = 48 << 10, second_cache_bytes = 1 << 20;
/// A block of more launches gains little, and one of fewer than two nothing.
constexpr std::int64_t most_launches = 16, fewest_launches = 2;
/// Slabs for each thread, so that one waits for another rarely.
constexpr std::int64_t slabs_per_thread = 2;

} // namespace

SlabPlan plan_slabs(const SlabQuestion& question) {
  const auto up = [&](std::int64_t number) {
    return (number + question.multiple - 1) / question.multiple * question.multiple;
  };
  SlabPlan plan;
  plan.rows = question.rows;
  plan.slab_rows = std::max<std::int64_t>(question.rows, 1);
  plan.skew = question.reach == 0 ? 0 : up(question.reach);
  plan.block = INT64_MAX;
  const std::int64_t row_bytes = std::max<std::int64_t>(question.row_bytes, 1);
  // A slab twice as long as what a block leaves out at both ends.
  const std::int64_t least_rows = up(std::max<std::int64_t>(4 * fewest_launches * plan.skew, 1));
  const std::int64_t bytes = question.rows * row_bytes;
  std::int64_t rows = question.rows;
  if (question.reads_anew) {
    // What is read once is best read in long pieces; the rest stays in some cache anyway.
    if (bytes > static_cast<std::int64_t>(beyond_caches_bytes))
      rows = second_cache_bytes / row_bytes;
  } else if (bytes > first_cache_bytes) {
    rows = first_cache_bytes / row_bytes;
    if (rows < 2 * least_rows && bytes > second_cache_bytes) rows = second_cache_bytes / row_bytes;
    if (rows < 2 * least_rows) rows = question.rows;
  }
  if (question.threads > 1)
    rows =
        std::min(rows, std::max(question.rows / (slabs_per_thread * question.threads), least_rows));
  rows = rows / question.multiple * question.multiple;
  if (rows < least_rows || rows >= question.rows) return plan;
  plan.slab_rows = rows;
  plan.slabs = question.rows / rows; // the last one takes the rest
  plan.block = plan.skew == 0 ? most_launches
                              : std::clamp(rows / (4 * plan.skew), fewest_launches, most_launches);
  return plan;
}

namespace {

class Repeated {
public:
  Repeated(const KernelLayout& layout, const CurrentCode& code, Repetition& repetition,
           const RunContext& context, Workers& workers, WorkMeter& meter)
      : layout_(layout), code_(code), repetition_(repetition), context_(context), workers_(workers),
        meter_(meter), launches_(static_cast<std::int64_t>(repetition.count)) {}

  std::optional<Outcome> run(std::span<const std::optional<Reach>> reaches) {
    if (!is_simple() || !find_sizes() || !can_alternate()) return std::nullopt;
    const std::optional<std::int64_t> reach = farthest_fed(reaches);
    if (!choose_slabs(reach)) return std::nullopt;
    allocate();
    prepare_words();
    prepare_frame();
    run_all();
    if (was_interrupted_) return Stopped{Stopped::Why::Interrupted, 0, {}};
    if (has_failed()) return stopped();
    return take_results();
  }

private:
  // ---- before ----------------------------------------------------------------------------------

  /// Elements alone, each result an array of its own.
  bool is_simple() const {
    return layout_.groups == 1u << static_cast<unsigned>(GroupKind::Map) &&
           layout_.consumed.empty() && !layout_.index_space.empty() &&
           std::all_of(
               layout_.results.begin(), layout_.results.end(),
               [](const KernelLayout::Result& result) { return result.kind == ResultKind::Fresh; });
  }

  bool find_sizes() {
    for (const Datum& argument : repetition_.arguments)
      scalars_.push_back(std::holds_alternative<Scalar>(argument) ? std::get<Scalar>(argument).bits
                                                                  : 0);
    const Extents extents = values_of(layout_.index_space, scalars_);
    rows_ = extents[0];
    row_size_ = element_count(std::span(extents).subspan(1));
    return rows_ > 0 && row_size_ > 0;
  }

  /// Whether what is handed on lies as a result would, in memory that nobody else has.
  bool can_alternate() {
    for (std::size_t r = 0; r < layout_.results.size(); ++r) {
      if (!repetition_.fed[r]) continue;
      const KernelLayout::Result& result = layout_.results[r];
      const Leaf& leaf = std::get<Leaf>(repetition_.arguments[*repetition_.fed[r]]);
      if (leaf.element != result.element || leaf.extents != values_of(result.extents, scalars_) ||
          leaf.offset != 0 || !is_row_major(leaf) || !leaf.buffer.unique() ||
          leaf.buffer->bytes() != block_bytes(leaf.element, leaf.extents))
        return false;
    }
    return true;
  }

  std::optional<std::int64_t> farthest_fed(std::span<const std::optional<Reach>> reaches) const {
    std::int64_t result = 0;
    for (const std::optional<std::uint32_t>& fed : repetition_.fed) {
      if (!fed) continue;
      if (!reaches[*fed] || !is_constant(*reaches[*fed])) return std::nullopt;
      result = std::max(result, farthest(*reaches[*fed], rows_, scalars_));
    }
    return result;
  }

  /// Whether the bounds are the same for all launches.
  bool is_constant(const Reach& reach) const {
    const auto is_same = [&](const Distance& distance) {
      if (!distance.bound || !distance.bound->parameter) return true;
      std::size_t scalar = 0, per_launch = 0;
      for (std::uint32_t i = 0; i < repetition_.arguments.size(); ++i) {
        if (std::holds_alternative<Leaf>(repetition_.arguments[i])) continue;
        if (i < *distance.bound->parameter) ++scalar;
        ++per_launch;
      }
      for (std::size_t at = scalar; at < repetition_.scalars.size(); at += per_launch)
        if (repetition_.scalars[at].bits != repetition_.scalars[scalar].bits) return false;
      return true;
    };
    return std::all_of(reach.least.begin(), reach.least.end(), is_same) &&
           std::all_of(reach.greatest.begin(), reach.greatest.end(), is_same);
  }

  bool choose_slabs(std::optional<std::int64_t> reach) {
    const double work = static_cast<double>(rows_ * row_size_) *
                        std::max(value_of(layout_.element_cost, scalars_), 0.01);
    SlabQuestion question;
    question.rows = rows_;
    question.row_bytes = row_bytes();
    question.reads_anew = reads_anew();
    question.reach = reach.value_or(rows_);
    // Whole cache lines of every element type.
    question.multiple = layout_.index_space.size() == 1 ? 64 : 1;
    question.threads = 1;
    constexpr double least_shared_nanoseconds = 25'000;
    const double all_work = work * static_cast<double>(launches_);
    if (all_work >= least_shared_nanoseconds && question.reach < rows_) {
      // Many launches are tried in both ways: threads that wait for each other lose where others
      // take the processors.
      constexpr double longest_trial = 20e6;
      const unsigned threads = workers_.thread_limit(context_.threads);
      way_ = threads > 1 ? meter_.choose({.count = rows_ * row_size_ * launches_,
                                          .longest_trial = longest_trial / threads})
                         : WorkMeter::Way::Alone;
      is_measured_ = threads > 1;
      if (way_ == WorkMeter::Way::Together) question.threads = threads;
    }
    slice_size_ = slice_size(value_of(layout_.element_cost, scalars_));
    plan_ = plan_slabs(question);
    plan_.block = std::min(plan_.block, launches_);
    threads_ = static_cast<unsigned>(std::min<std::int64_t>(question.threads, plan_.slabs));
    // One slab is one thread's: work that others would share is none for it.
    return plan_.slabs > 1 || work < least_shared_nanoseconds;
  }

  /// What a launch reads and writes of a row, as far as arrays are about as large as its results.
  std::int64_t row_bytes() const {
    std::int64_t of_results = 0, bytes = 0;
    for (const KernelLayout::Result& result : layout_.results) {
      const Extents extents = values_of(result.extents, scalars_);
      of_results += static_cast<std::int64_t>(block_bytes(result.element, extents));
    }
    for (const Datum& argument : repetition_.arguments)
      if (const Leaf* leaf = std::get_if<Leaf>(&argument))
        bytes += std::min(static_cast<std::int64_t>(content_bytes(*leaf)), of_results);
    return (bytes + of_results) / rows_;
  }

  /// As SlabQuestion says: an array has a byte of its own for each element of each launch.
  bool reads_anew() const {
    return std::any_of(
        repetition_.arguments.begin(), repetition_.arguments.end(), [&](const Datum& argument) {
          const Leaf* const leaf = std::get_if<Leaf>(&argument);
          return leaf && content_bytes(*leaf) >= beyond_caches_bytes &&
                 static_cast<std::int64_t>(content_bytes(*leaf)) / launches_ >= rows_ * row_size_;
        });
  }

  void allocate() {
    for (const KernelLayout::Result& result : layout_.results) {
      Leaf& leaf = made_.emplace_back();
      leaf.element = result.element;
      leaf.extents = values_of(result.extents, scalars_);
      leaf.strides = row_major_strides(leaf.extents);
      leaf.buffer = Buffer::allocate(*context_.memory, block_bytes(leaf.element, leaf.extents));
    }
    for (std::size_t r = 0; r < made_.size(); ++r) {
      if (repetition_.fed[r])
        given_.push_back(std::get<Leaf>(repetition_.arguments[*repetition_.fed[r]]));
      else
        given_.push_back(made_[r]); // nobody reads it, and the last one stays
    }
  }
  /// Launch 0 reads what was given and writes what is made; launch 1 the other way.
  std::vector<Leaf>& written(std::int64_t launch) { return launch % 2 == 0 ? made_ : given_; }

  void prepare_words() {
    auto scalar = repetition_.scalars.begin();
    for (std::int64_t launch = 0; launch < launches_; ++launch) {
      for (std::uint32_t i = 0; i < repetition_.arguments.size(); ++i) {
        const Leaf* leaf = std::get_if<Leaf>(&repetition_.arguments[i]);
        if (!leaf) {
          words_.push_back((scalar++)->bits);
          continue;
        }
        const auto fed = std::find(repetition_.fed.begin(), repetition_.fed.end(), i);
        if (fed != repetition_.fed.end())
          leaf = &written(launch + 1)[static_cast<std::size_t>(fed - repetition_.fed.begin())];
        words_.push_back(reinterpret_cast<std::uint64_t>(first_element(*leaf)));
        for (const std::int64_t stride : leaf->strides)
          words_.push_back(static_cast<std::uint64_t>(stride));
      }
    }
    for (const std::int64_t launch : {0, 1})
      for (const Leaf& leaf : written(launch))
        result_words_.push_back(reinterpret_cast<std::uint64_t>(leaf.buffer->overwrite()));
  }

  void prepare_frame() {
    frame_.epoch = context_.interrupt ? &context_.interrupt->epoch_word() : &no_epoch;
    frame_.start_epoch = context_.interrupt ? context_.epoch : 0;
    arenas_.assign(threads_, ScratchArena(*context_.memory));
  }

  // ---- running ---------------------------------------------------------------------------------

  void run_all() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = is_measured_ ? Clock::now() : Clock::time_point();
    slabs_ = std::vector<Progress>(static_cast<std::size_t>(plan_.slabs));
    seams_ = std::vector<Progress>(static_cast<std::size_t>(plan_.slabs - 1));
    blocks_ = (launches_ + plan_.block - 1) / plan_.block;
    pieces_left_ = blocks_ * (2 * plan_.slabs - 1);
    workers_.run(threads_, threads_, [&](std::int64_t member, unsigned thread) {
      run_pieces(plan_.slabs * member / threads_, plan_.slabs * (member + 1) / threads_, thread);
    });
    if (is_measured_ && !has_stopped()) {
      const std::chrono::nanoseconds elapsed = Clock::now() - begin;
      meter_.add(rows_ * row_size_ * launches_, way_, static_cast<double>(elapsed.count()));
    }
  }

  /// Of a slab or a seam: blocks that have been begun, and those that are done.
  struct Progress {
    std::atomic<std::int64_t> begun{0}, done{0};
  };

  /// What is next of some slabs and the seams after them, whose rows are in this thread's caches;
  /// of the others, if there is nothing for long.  Whoever waits can begin what nobody has begun,
  /// so that it does not matter how many threads there are.
  void run_pieces(std::int64_t first, std::int64_t last, unsigned thread) {
    constexpr int patience = 300, great_patience = 3000;
    for (int waited = 0; pieces_left_.load(std::memory_order_relaxed) > 0;) {
      if (run_next(first, last, thread) || (waited >= patience && run_next(0, plan_.slabs, thread)))
        waited = 0;
      else if (++waited >= great_patience)
        std::this_thread::yield();
    }
  }

  /// Whether there was a piece, of the first block that has one.
  bool run_next(std::int64_t first, std::int64_t last, unsigned thread) {
    std::int64_t block = blocks_, number = 0;
    bool is_slab = false;
    for (std::int64_t slab = first; slab < last; ++slab)
      for (const bool slab_itself : {true, false}) {
        if (!slab_itself && slab + 1 == plan_.slabs) continue;
        const std::int64_t begun =
            progress(slab_itself, slab).begun.load(std::memory_order_relaxed);
        if (begun >= block ||
            !(slab_itself ? may_begin_slab(begun, slab) : may_begin_seam(begun, slab)))
          continue;
        block = begun;
        number = slab;
        is_slab = slab_itself;
      }
    if (block == blocks_) return false;
    Progress& mine = progress(is_slab, number);
    std::int64_t expected = block;
    if (!mine.begun.compare_exchange_strong(expected, block + 1, std::memory_order_relaxed))
      return true; // somebody else was quicker
    pieces_left_.fetch_sub(1, std::memory_order_relaxed);
    if (is_slab)
      run_slab(block, number, thread);
    else
      run_seam(block, number, thread);
    mine.done.store(block + 1, std::memory_order_release);
    return true;
  }
  Progress& progress(bool is_slab, std::int64_t number) {
    return (is_slab ? slabs_ : seams_)[static_cast<std::size_t>(number)];
  }
  static bool are_done(const Progress& progress, std::int64_t blocks) {
    return progress.done.load(std::memory_order_acquire) >= blocks;
  }
  /// What a slab needs of the blocks before, and overwrites: itself, and the seams beside it.
  bool may_begin_slab(std::int64_t block, std::int64_t slab) const {
    const auto at = static_cast<std::size_t>(slab);
    return are_done(slabs_[at], block) && (slab == 0 || are_done(seams_[at - 1], block)) &&
           (slab + 1 == plan_.slabs || are_done(seams_[at], block));
  }
  bool may_begin_seam(std::int64_t block, std::int64_t seam) const {
    const auto at = static_cast<std::size_t>(seam);
    return are_done(seams_[at], block) && are_done(slabs_[at], block + 1) &&
           are_done(slabs_[at + 1], block + 1);
  }

  void run_slab(std::int64_t block, std::int64_t slab, unsigned thread) {
    const bool is_first = slab == 0, is_last = slab + 1 == plan_.slabs;
    const std::int64_t first = block * plan_.block;
    const std::int64_t last = std::min(first + plan_.block, launches_);
    for (std::int64_t launch = first; launch < last; ++launch) {
      const std::int64_t left_out = (launch - first) * plan_.skew;
      const std::int64_t begin = plan_.begin(slab) + (is_first ? 0 : left_out);
      const std::int64_t end = plan_.end(slab) - (is_last ? 0 : left_out);
      if (!run_rows(launch, begin, end, thread)) return;
    }
  }

  void run_seam(std::int64_t block, std::int64_t seam, unsigned thread) {
    const std::int64_t first = block * plan_.block;
    const std::int64_t last = std::min(first + plan_.block, launches_);
    for (std::int64_t launch = first + 1; launch < last; ++launch) {
      const std::int64_t left_out = (launch - first) * plan_.skew;
      if (!run_rows(launch, plan_.end(seam) - left_out, plan_.end(seam) + left_out, thread)) return;
    }
  }

  /// Whether launches after this one make sense there.
  bool run_rows(std::int64_t launch, std::int64_t begin, std::int64_t end, unsigned thread) {
    if (was_interrupted_.load(std::memory_order_relaxed) || !comes_before_failure(launch, begin))
      return false;
    if (begin >= end) return true;
    KernelFrame frame = frame_;
    FailureNote failure;
    const auto at = static_cast<std::size_t>(launch);
    frame.arguments = words_.data() + at * (words_.size() / repetition_.count);
    frame.results = result_words_.data() + (at % 2) * layout_.results.size();
    frame.failure = &failure;
    frame.arena = &arenas_[thread];
    const std::int64_t last = end * row_size_;
    // Between calls it can be interrupted.
    for (std::int64_t from = begin * row_size_; from < last; from += slice_size_) {
      if (run(frame, from, std::min(from + slice_size_, last)) && !is_interrupted()) continue;
      if (is_interrupted())
        was_interrupted_.store(true, std::memory_order_relaxed);
      else
        note(launch, begin, from, frame, thread);
      return false;
    }
    return true;
  }
  bool run(KernelFrame& frame, std::int64_t begin, std::int64_t end) const {
    return code_.load(std::memory_order_acquire)->run(&frame, begin, end, 0) == 0;
  }
  bool is_interrupted() const {
    return frame_.epoch->load(std::memory_order_relaxed) != frame_.start_epoch;
  }

  // ---- failures --------------------------------------------------------------------------------

  bool has_stopped() const { return was_interrupted_.load() || has_failed(); }
  bool has_failed() const { return failed_launch_.load() != INT64_MAX; }

  /// The first failure counts: of the least launch, and in that of the least index.  So all that
  /// may hold an earlier one still runs.
  bool comes_before_failure(std::int64_t launch, std::int64_t begin) {
    const std::int64_t failed = failed_launch_.load(std::memory_order_acquire);
    if (launch != failed) return launch < failed;
    std::lock_guard lock(failing_);
    return launch < failed_launch_ || (launch == failed_launch_ && begin < failed_begin_);
  }

  void note(std::int64_t launch, std::int64_t begin, std::int64_t from, KernelFrame& frame,
            unsigned thread) {
    find_first_failure(frame, from);
    std::lock_guard lock(failing_);
    const std::int64_t known = failed_launch_.load();
    if (launch > known || (launch == known && begin > failed_begin_)) return;
    failed_begin_ = begin;
    failed_site_ = frame.failure->site;
    failed_index_ = frame.failure->index;
    is_out_of_memory_ = !frame.failure->is_set;
    if (is_out_of_memory_) refusal_ = arenas_[thread].refusal();
    failed_launch_.store(launch, std::memory_order_release);
  }

  /// Lanes meet a check together: what lies just before the failing index may fail a later one.
  void find_first_failure(KernelFrame& frame, std::int64_t from) const {
    constexpr std::int64_t most_lanes = 64;
    if (layout_.index_space.size() != 1) return;
    while (frame.failure->is_set) {
      const std::int64_t end = frame.failure->index;
      const std::int64_t begin = std::max(from, end - most_lanes);
      if (begin >= end || run(frame, begin, end)) return;
    }
  }

  Stopped stopped() const {
    if (is_out_of_memory_)
      return {Stopped::Why::OutOfMemory, 0, {}, refusal_.empty() ? "out of memory" : refusal_};
    Stopped result{Stopped::Why::Failed, failed_site_, {}};
    result.first_index = failed_index_;
    return result;
  }

  std::vector<Datum> take_results() {
    repetition_.arguments.clear();
    std::vector<Datum> results;
    for (Leaf& leaf : written(launches_ - 1))
      results.emplace_back(std::move(leaf));
    return results;
  }

  const KernelLayout& layout_;
  const CurrentCode& code_;
  Repetition& repetition_;
  const RunContext& context_;
  Workers& workers_;
  WorkMeter& meter_;
  std::int64_t launches_;

  std::vector<std::uint64_t> scalars_; ///< by argument, of the first launch
  std::int64_t rows_ = 0, row_size_ = 0;
  SlabPlan plan_;
  unsigned threads_ = 1;
  std::int64_t slice_size_ = INT64_MAX; ///< indices of one call
  bool is_measured_ = false;            ///< there are several threads
  WorkMeter::Way way_ = WorkMeter::Way::Alone;
  std::vector<Leaf> given_, made_;                  ///< by result
  std::vector<std::uint64_t> words_, result_words_; ///< by launch; of even launches and odd ones
  std::vector<ScratchArena> arenas_;                ///< by thread
  KernelFrame frame_;

  std::vector<Progress> slabs_, seams_; ///< seam 0 is between slab 0 and slab 1
  std::int64_t blocks_ = 0;
  std::atomic<std::int64_t> pieces_left_{0}; ///< that nobody has begun
  std::atomic<bool> was_interrupted_{false};
  std::atomic<std::int64_t> failed_launch_{INT64_MAX};
  std::mutex failing_; ///< of all below
  std::int64_t failed_begin_ = 0, failed_index_ = 0;
  std::uint32_t failed_site_ = 0;
  bool is_out_of_memory_ = false;
  std::string refusal_;
};

} // namespace

std::optional<Outcome> repeat_kernel(const KernelLayout& layout,
                                     std::span<const std::optional<Reach>> reaches,
                                     const CurrentCode& code, Repetition& repetition,
                                     const RunContext& context, Workers& workers,
                                     WorkMeter& meter) {
  return Repeated(layout, code, repetition, context, workers, meter).run(reaches);
}

} // namespace sinter::jit
