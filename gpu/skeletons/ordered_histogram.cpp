// Histograms of scalars whose order shows (sums of floats above all), maps beside them: the bits
// are those of lang/primitives/fold_order.h.
//
//   keys     Each element's bin and values go to work areas; bodies run once.
//   fold     Elements are cut into segments as the order says, or are one, and bins into ranges.  A
//            block of one warp has a range of a segment: it goes through the segment's bins 32 at a
//            time and in order, and passes over what is not in its range.  Threads with equal bins
//            find each other by ballots over the bits of the bin's number; the first one of them
//            takes the bin's value and combines it with the others' values, from thread to thread,
//            while they are handed around.  So each bin meets its elements in order, however many
//            of them there are, and nobody waits for more than the most frequent bin of 32.
//   merge    The segments' bins, in order, with the destination.
//
// Bins of a range lie in a work area: any number of them do, and the nearest cache has those that
// are met often.  Ranges are a constant number at most, so that all keys are read as often at most.
// Where there is one segment, its bins begin with the destination's values, and replace them.
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/fold_set.h"
#include "gpu/skeletons/placed_groups.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/slots.h"
#include "gpu/skeletons/threads_alike.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::gpu {

using jit::Shape;
using llvm::Value;

namespace {

class OrderedHistogramEntries {
public:
  static constexpr const char *keys_entry = "keys", *fold_entry = "fold", *merge_entry = "merge";

  /// Numbers: elements, segments, their length, ranges of a segment; of each group its bins, how
  /// many of them are a range, and how many bits their numbers in a range have.
  static constexpr unsigned count_number = 0, segments_number = 1, length_number = 2,
                            ranges_number = 3;
  static constexpr unsigned group_number(std::size_t group, unsigned which) {
    return static_cast<unsigned>(4 + 3 * group) + which;
  }

  OrderedHistogramEntries(const ir::Function& function, PlacedKernel& kernel)
      : kernel_(kernel), groups_(kernel.groups) {
    unsigned areas = 0;
    for (const PlacedGroup& group : groups_) {
      first_areas_.push_back(areas);
      areas += static_cast<unsigned>(1 + 2 * group.destinations.size());
    }
    counts_ = word_counts(function, areas, group_number(groups_.size(), 0));
  }

  WordCounts counts() const { return counts_; }

  void make() {
    for (const PlacedGroup& group : groups_)
      folds_.push_back(kernel_.body.fold(group.neutral, group.histogram->combine));
    keys();
    fold();
    merge();
  }

private:
  static constexpr ElementType key_type = ElementType::I32;
  static constexpr std::int64_t tiles_between_looks = 256; ///< for an interruption; a power of two

  // ---- keys

  void keys() {
    const ElementFunction element = kernel_.body.element(BodyFunctions::Maps::Stored);
    EntryBuilder entry(kernel_.kernel, keys_entry, counts_);
    entry.set_scratch();
    for_each_element(entry, element, groups_, shared_by_all(entry, entry.number(count_number)),
                     [&](Value* index, std::span<const PlacedElement> placed) {
                       for (std::size_t g = 0; g < groups_.size(); ++g) {
                         store_slot(
                             entry, key_type, key_area(entry, g), index,
                             entry.b.ir.CreateTrunc(placed[g].place, entry.b.ir.getInt32Ty()));
                         store_all(entry, g, Areas::Values, index, placed[g].values);
                       }
                     });
    kernel_.entries.module.entries.push_back(entry.finish());
  }

  // ---- fold

  /// What a warp works on, i64.
  struct Task {
    Value *segment, *begin, *end;  ///< elements
    Value* lane;                   ///< i32
    std::vector<Value*> low, size; ///< by group: its range of bins
  };

  void fold() {
    EntryBuilder entry(kernel_.kernel, fold_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    Value* const ranges = entry.number(ranges_number);
    Value* const tasks = b.ir.CreateMul(entry.number(segments_number), ranges);
    const jit::Variable goes_on = b.variable(ElementType::Bool, Shape::Uniform);
    b.set(goes_on, {b.ir.getTrue(), Shape::Uniform, ElementType::Bool});
    const Stride own{entry.wide(AbstractFunction::block_index_x), tasks,
                     entry.wide(AbstractFunction::grid_size_x)};
    for_each_number(entry, own, [&](Value* number) {
      Task task;
      task.segment = b.ir.CreateUDiv(number, ranges);
      Value* const range = b.ir.CreateURem(number, ranges);
      task.begin = b.ir.CreateMul(task.segment, entry.number(length_number));
      task.end = b.lesser_of(b.ir.CreateAdd(task.begin, entry.number(length_number)),
                             entry.number(count_number));
      task.lane = entry.call(AbstractFunction::thread_index);
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        Value* const whole = entry.number(group_number(g, 1));
        task.low.push_back(b.ir.CreateMul(range, whole));
        Value* const rest = b.ir.CreateSub(entry.number(group_number(g, 0)), task.low.back());
        task.size.push_back(b.greater_of(b.lesser_of(whole, rest), b.i64(0)));
        begin_bins(entry, task, g);
      }
      entry.barrier();
      fold_task(entry, task, goes_on);
    });
    kernel_.entries.module.entries.push_back(entry.finish());
  }

  /// With the neutral elements; if there is one segment, with the destination's values.
  void begin_bins(EntryBuilder& entry, const Task& task, std::size_t g) {
    jit::LaneBuilder& b = entry.b;
    Value* const is_only = is_only_segment(entry);
    const Components neutral = neutral_of(entry, folds_[g]);
    for_each_number(entry, shared_by_block(entry, task.size[g]), [&](Value* number) {
      Value* const bin = b.ir.CreateAdd(task.low[g], number);
      Value* const slot = bin_slot(entry, g, task.segment, bin);
      b.if_then_else(
          is_only,
          [&] {
            store_all(entry, g, Areas::Bins, slot,
                      load_places(entry, groups_[g], indices_of(entry, groups_[g], bin)));
          },
          [&] { store_all(entry, g, Areas::Bins, slot, neutral); });
    });
  }

  /// The segment's elements, 32 at a time.  The keys of the next ones are read ahead.
  void fold_task(EntryBuilder& entry, const Task& task, const jit::Variable& goes_on) {
    jit::LaneBuilder& b = entry.b;
    std::vector<jit::Variable> next;
    Value* const lane = b.ir.CreateZExt(task.lane, b.ir.getInt64Ty());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      next.push_back(b.variable(ElementType::I64, Shape::Uniform));
      read_key(entry, task, g, b.ir.CreateAdd(task.begin, lane), next[g]);
    }
    const Stride tiles{task.begin, task.end, b.i64(32)};
    for_each_number(entry, tiles, [&](Value* tile) {
      Value* const index = b.ir.CreateAdd(tile, lane);
      Value* const tiles_so_far = b.ir.CreateLShr(tile, 5);
      b.if_then(
          b.ir.CreateICmpEQ(b.ir.CreateAnd(tiles_so_far, b.i64(tiles_between_looks - 1)), b.i64(0)),
          [&] { look(entry, goes_on); });
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        Value* const key = b.get(next[g]).value;
        read_key(entry, task, g, b.ir.CreateAdd(index, b.i64(32)), next[g]);
        Value* const number = b.ir.CreateSub(key, task.low[g]);
        Value* const is_mine = b.ir.CreateAnd(
            b.get(goes_on).value, b.ir.CreateAnd(b.ir.CreateICmpSGE(key, b.i64(0)),
                                                 b.ir.CreateICmpULT(number, task.size[g])));
        Value* const active = entry.call(AbstractFunction::ballot, {is_mine});
        b.if_then(b.ir.CreateICmpNE(active, b.ir.getInt32(0)),
                  [&] { fold_tile(entry, task, g, index, number, is_mine, active); });
      }
    });
  }

  /// -1 behind the segment's end.
  void read_key(EntryBuilder& entry, const Task& task, std::size_t g, Value* index,
                const jit::Variable& key) {
    jit::LaneBuilder& b = entry.b;
    b.set(key, b.index(-1));
    b.if_then(b.ir.CreateICmpSLT(index, task.end), [&] {
      Value* const read = load_slot(entry, key_type, key_area(entry, g), index);
      b.set(key, b.uniform(b.ir.CreateSExt(read, b.ir.getInt64Ty())));
    });
  }

  /// All threads of the warp hear the same.
  void look(EntryBuilder& entry, const jit::Variable& goes_on) {
    jit::LaneBuilder& b = entry.b;
    Value* const stops = b.ir.CreateNot(entry.may_go_on());
    Value* const who = entry.call(AbstractFunction::ballot, {stops});
    b.set(goes_on, {b.ir.CreateAnd(b.get(goes_on).value, b.ir.CreateICmpEQ(who, b.ir.getInt32(0))),
                    Shape::Uniform, ElementType::Bool});
  }

  void fold_tile(EntryBuilder& entry, const Task& task, std::size_t g, Value* index, Value* number,
                 Value* is_mine, Value* active) {
    jit::LaneBuilder& b = entry.b;
    Value* const alike = threads_alike(entry, number, active, entry.number(group_number(g, 2)));
    Value* const leads =
        b.ir.CreateAnd(is_mine, b.ir.CreateICmpEQ(threads_before(entry, alike), b.ir.getInt32(0)));
    Value* const slot = bin_slot(entry, g, task.segment, b.ir.CreateAdd(task.low[g], number));
    const std::vector<ElementType>& types = folds_[g].types;
    const ComponentVariables own(entry, types), running(entry, types);
    own.set(zero_components(entry, types));
    running.set(zero_components(entry, types));
    b.if_then(is_mine, [&] { own.set(load_all(entry, g, Areas::Values, index)); });
    b.if_then(leads, [&] { running.set(load_all(entry, g, Areas::Bins, slot)); });
    hand_around(entry, g, task.lane, b.ir.CreateSelect(leads, alike, b.ir.getInt32(0)), own.get(),
                running);
    b.if_then(leads, [&] { store_all(entry, g, Areas::Bins, slot, running.get()); });
    entry.barrier(); // the next tile's threads see the bins
  }

  /// Each thread combines its running values with those of the threads whose bits are set, in
  /// order.
  void hand_around(EntryBuilder& entry, std::size_t g, Value* lane, Value* threads,
                   const Components& own, const ComponentVariables& running) {
    jit::LaneBuilder& b = entry.b;
    const jit::Variable rest = b.variable(ElementType::I32, Shape::Uniform);
    const auto set_rest = [&](Value* bits) {
      b.set(rest, {bits, Shape::Uniform, ElementType::I32});
    };
    const auto has_rest = [&] { return b.ir.CreateICmpNE(b.get(rest).value, b.ir.getInt32(0)); };
    set_rest(threads);
    b.while_loop(
        [&] {
          return b.ir.CreateICmpNE(entry.call(AbstractFunction::ballot, {has_rest()}),
                                   b.ir.getInt32(0));
        },
        [&] {
          Value* const bits = b.get(rest).value;
          Value* const first =
              b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, b.ir.getFalse());
          Value* const source = b.ir.CreateSelect(has_rest(), first, lane);
          const Components given = shuffled(entry, AbstractFunction::shuffle, own, source);
          b.if_then(has_rest(),
                    [&] { running.set(combined(entry, folds_[g], running.get(), given)); });
          set_rest(b.ir.CreateAnd(bits, b.ir.CreateSub(bits, b.ir.getInt32(1))));
        });
  }

  // ---- merge

  void merge() {
    EntryBuilder entry(kernel_.kernel, merge_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    Value* const is_only = is_only_segment(entry);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const ComponentVariables running(entry, folds_[g].types);
      const Stride bins = shared_by_all(entry, entry.number(group_number(g, 0)));
      for_each_number(entry, bins, [&](Value* bin) {
        const std::vector<Value*> indices = indices_of(entry, groups_[g], bin);
        const auto bin_of = [&](Value* segment) {
          return load_all(entry, g, Areas::Bins, bin_slot(entry, g, segment, bin));
        };
        b.if_then_else(
            is_only, [&] { running.set(bin_of(b.i64(0))); },
            [&] {
              running.set(load_places(entry, groups_[g], indices));
              b.loop(b.i64(0), entry.number(segments_number), 1, [&](Value* segment) {
                running.set(combined(entry, folds_[g], running.get(), bin_of(segment)));
              });
            });
        const Components values = running.get();
        for (std::size_t i = 0; i < values.size(); ++i)
          store_place(entry, groups_[g].destinations[i], indices, values[i]);
      });
    }
    kernel_.entries.module.entries.push_back(entry.finish());
  }

  // ---- places

  Value* key_area(EntryBuilder& entry, std::size_t g) const { return entry.area(first_areas_[g]); }
  /// Of each component an area of values, element by element, and one of bins.
  enum class Areas : unsigned { Values, Bins };
  Value* area(EntryBuilder& entry, std::size_t g, Areas areas, std::size_t component) const {
    return entry.area(first_areas_[g] +
                      static_cast<unsigned>(1 + 2 * component + static_cast<std::size_t>(areas)));
  }
  Components load_all(EntryBuilder& entry, std::size_t g, Areas areas, Value* number) const {
    Components values;
    for (std::size_t i = 0; i < groups_[g].destinations.size(); ++i)
      values.push_back(
          load_slot(entry, groups_[g].destinations[i].element, area(entry, g, areas, i), number));
    return values;
  }
  void store_all(EntryBuilder& entry, std::size_t g, Areas areas, Value* number,
                 const Components& values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      store_slot(entry, groups_[g].destinations[i].element, area(entry, g, areas, i), number,
                 values[i]);
  }
  Value* bin_slot(EntryBuilder& entry, std::size_t g, Value* segment, Value* bin) const {
    return entry.b.ir.CreateAdd(entry.b.ir.CreateMul(segment, entry.number(group_number(g, 0))),
                                bin);
  }
  Value* is_only_segment(EntryBuilder& entry) const {
    return entry.b.ir.CreateICmpEQ(entry.number(segments_number), entry.b.i64(1));
  }

  PlacedKernel& kernel_;
  const std::vector<PlacedGroup>& groups_;
  WordCounts counts_;
  std::vector<unsigned> first_areas_; ///< by group
  std::vector<FoldFunctions> folds_;  ///< likewise
};

LaunchPlan plan_ordered(const LaunchSizes& sizes, const std::vector<PlacedGroup>& groups) {
  /// A segment has up to so many ranges, each for so many elements at least.
  constexpr std::int64_t most_ranges = 64, elements_for_range = 2048;
  constexpr std::int64_t most_bins = std::int64_t{1} << 31; // keys have 32 bits
  using Entries = OrderedHistogramEntries;
  std::int64_t bins_of_largest = 0;
  for (const PlacedGroup& group : groups)
    bins_of_largest = std::max(bins_of_largest, group.places(sizes));
  const primitives::Segments segments = primitives::segments(sizes.count, bins_of_largest);
  const std::int64_t ranges =
      std::clamp(std::min(divided_up(segments.length, elements_for_range), bins_of_largest),
                 std::int64_t{1}, most_ranges);
  LaunchPlan plan;
  for (const std::int64_t number : {sizes.count, segments.count, segments.length, ranges})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  for (const PlacedGroup& group : groups) {
    const std::int64_t bins = group.places(sizes);
    const std::int64_t range = divided_up(bins, ranges);
    plan.numbers.push_back(static_cast<std::uint64_t>(bins));
    plan.numbers.push_back(static_cast<std::uint64_t>(range));
    plan.numbers.push_back(
        std::bit_width(static_cast<std::uint64_t>(std::max(range, std::int64_t{1}) - 1)));
    plan.areas.push_back(
        {.bytes = bins < most_bins ? saturating_product(sizes.count, 4) : INT64_MAX,
         .beginning = {}});
    for (const Destination& destination : group.destinations) {
      const std::int64_t bytes = bytes_of_slot(destination.element);
      plan.areas.push_back({.bytes = saturating_product(sizes.count, bytes), .beginning = {}});
      plan.areas.push_back(
          {.bytes = saturating_product(saturating_product(segments.count, bins), bytes),
           .beginning = {}});
    }
  }
  plan.steps = {{Entries::keys_entry, shape_for_threads(sizes, sizes.count), true},
                {Entries::fold_entry, shape_for_warps(sizes, segments.count * ranges), false},
                {Entries::merge_entry, shape_for_threads(sizes, bins_of_largest), true}};
  return plan;
}

} // namespace

std::optional<KernelEntries> make_ordered_histogram(const ir::Function& function,
                                                    const SkeletonOptions& options) {
  std::vector<PlacedGroup> groups = placed_groups(function, options.layouts);
  const bool takes_it =
      !groups.empty() && std::all_of(groups.begin(), groups.end(), [&](const PlacedGroup& group) {
        return group.histogram && is_plain_operator(function, group.histogram->combine);
      });
  if (!takes_it) return std::nullopt;
  PlacedKernel kernel(function, options, groups);
  OrderedHistogramEntries entries(function, kernel);
  if (entries.counts().all() > most_entry_words) return std::nullopt;
  entries.make();
  // (Blocks of `fold` have 32 threads, however little scratch memory there is.)
  if (kernel.hooks.use_scratch()) return std::nullopt;
  return kernel.finish([groups = std::move(groups)](const LaunchSizes& sizes) {
    return plan_ordered(sizes, groups);
  });
}

} // namespace sinter::gpu
