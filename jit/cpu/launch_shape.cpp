#include "jit/cpu/launch_shape.h"

#include "jit/emit/kernel_abi.h"
#include "lang/primitives/fold_order.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinter::jit {

using ir::GroupKind;

namespace {

/// Of a chained chunk: what is carried in, its own total, what is carried out.
constexpr std::int64_t chain_slots = 3;

/// What lists of updates may take: nobody else is to lack it.
std::int64_t room_for_lists(const MemoryBudget& memory) {
  constexpr std::size_t most = std::size_t{64} << 20;
  const std::size_t limit = memory.limit(), in_use = memory.in_use();
  return static_cast<std::int64_t>(std::min(most, in_use < limit ? (limit - in_use) / 4 : 0));
}

} // namespace

LaunchShape::LaunchShape(const KernelLayout& layout, const LaunchSizes& sizes,
                         std::span<const Datum> arguments, std::span<const std::uint64_t> scalars,
                         const RunContext& context, const Workers& workers)
    : layout_(layout), arguments_(arguments), scalars_(scalars), workers_(workers),
      threads_(context.threads), is_repeated_(context.is_repeated), way_around_(context.way),
      question_(sizes.question()), partition_(sizes.partition()), slice_size_(sizes.slice_size()),
      has_bins_by_thread_(jit::has_bins_by_thread(layout)) {
  // (0: all there are.)
  if (has_bins_by_thread_)
    threads_ = threads_ == 0 ? sizes.threads() : std::min(threads_, sizes.threads());
}

void LaunchShape::consider_dealing(const MemoryBudget& memory) {
  // What a round is: chunks of which each leaves lists that lie in a second-level cache, and some
  // for each thread.
  constexpr std::int64_t least_elements = 1 << 16;
  constexpr std::int64_t most_in_chunk = 1 << 15, least_in_chunk = 1 << 11;
  constexpr std::int64_t most_shares = 64;
  constexpr std::int64_t chunks_of_thread = 4;
  const std::int64_t threads = workers_.thread_limit(threads_);
  if (layout_.update_bytes == 0 || partition_.chunks > 1 || threads < 2) return;
  if (partition_.count < least_elements) return;
  for (const KernelLayout::Partial& partial : layout_.partials)
    if (bin_count(partial, arguments_) > INT32_MAX) return;
  const auto power = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(threads)));
  const std::int64_t shares = std::min(power == threads ? power : 2 * power, most_shares);
  const std::int64_t slots = chunks_of_thread * threads;
  const std::int64_t room = room_for_lists(memory) / (slots * shares * layout_.update_bytes);
  const std::int64_t wanted = std::min({most_in_chunk, room, partition_.count / (2 * threads)});
  const std::int64_t chunk = wanted / update_list_slack * update_list_slack;
  if (chunk < least_in_chunk) return;
  partition_.chunk_size = chunk;
  partition_.chunks = (partition_.count + chunk - 1) / chunk;
  chunks_of_round_ = std::min(slots, partition_.chunks);
  shares_ = shares;
}

std::int64_t LaunchShape::update_list_room() const {
  return partition_.chunk_size + update_list_slack;
}

std::int64_t LaunchShape::update_list_bytes() const {
  return update_list_header + update_list_room() * layout_.update_bytes;
}

void LaunchShape::choose_threads(WorkMeter& meter) {
  if (layout_.index_space.empty()) return;
  // Elements need no chunks where one thread does it all, and few of what is reduced do (what is in
  // a chunk is not interrupted).
  constexpr std::int64_t few_chunks = 64;
  const bool may_be_whole = (only_maps_and_reduces(layout_) || has_bins_by_thread_) &&
                            (!layout_.has(GroupKind::Reduce) || partition_.chunks <= few_chunks);
  if (partition_.chunks > 1) {
    if (thread_count() > 1) {
      way_ = choose_way(meter);
      // (Who decides for a whole loop measures it: looking at the clock takes as long as little
      // work does.)
      is_measured_ = !way_around_ || meter.nanoseconds_alone(partition_.count) == 0 ||
                     (way_ == WorkMeter::Way::Alone && !meter.is_settled(partition_.count));
    }
    if (way_ == WorkMeter::Way::Together) {
      rule_out_small_chunks(meter.nanoseconds_alone(partition_.count));
    } else {
      threads_ = 1;
      if (may_be_whole || std::exchange(chunks_of_round_, 0) > 0)
        partition_ = {.count = partition_.count, .chunk_size = partition_.count, .chunks = 1};
    }
  }
  if (layout_.keeps_fold_order) choose_fold_unit();
  is_chained_ = question_.reads_twice && partition_.chunks > 1;
}

WorkMeter::Way LaunchShape::choose_way(WorkMeter& meter) const {
  const double alone = meter.nanoseconds_alone(partition_.count);
  if (way_around_ && alone > 0)
    return alone < WorkMeter::least_worth_sharing ? WorkMeter::Way::Alone : *way_around_;
  return meter.choose({.count = partition_.count,
                       .expected_nanoseconds = nanoseconds(question_),
                       .follows = is_repeated_});
}

void LaunchShape::rule_out_small_chunks(double alone) {
  // (The emitter's guess of what an element costs can be far off.)
  constexpr double chunk_nanoseconds = 12'000;
  if (alone == 0 || !only_maps_and_reduces(layout_)) return;
  const auto enough =
      std::max<std::int64_t>(static_cast<std::int64_t>(alone / chunk_nanoseconds), thread_count());
  if (partition_.chunks <= enough) return;
  question_.chunk_limit = std::min(question_.chunk_limit, enough);
  partition_ = jit::partition(question_);
}

void LaunchShape::choose_fold_unit() {
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

std::int64_t LaunchShape::slots_of_thread(const KernelLayout::Partial& partial) const {
  return folds(partial) ? fold_units(partition_.chunk_size) + 2 : chain_slots;
}

std::int64_t LaunchShape::slots(const KernelLayout::Partial& partial) const {
  if (is_chained_ && !partial.is_after_scan) return slots_of_thread(partial) * thread_count();
  // (One chunk's updates go into the destination, and so do dealt ones.)
  if (has_bins_by_thread()) return thread_count() - 1;
  const bool is_histogram = partial.group == GroupKind::Histogram;
  if (is_dealt() || (is_histogram && partition_.chunks == 1)) return 0;
  // (One more, as what is run again to find a failure begins anywhere.)
  return folds(partial) ? fold_units(partition_.count) + 1 : partition_.chunks;
}

} // namespace sinter::jit
