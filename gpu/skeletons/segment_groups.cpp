#include "gpu/skeletons/segment_groups.h"

#include <algorithm>
#include <bit>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

constexpr const char* groups_entry = "groups";
/// Parts of segments are multiples of it.
constexpr std::int64_t most_lanes = access_bytes;

/// Behind a SegmentWord each.
enum class GroupNumber : unsigned {
  Length = static_cast<unsigned>(SegmentWord::Count),
  Way,
  SegmentBits, ///< of a block
  LaneBits,    ///< of a segment's threads, all of them
  Parts,
  PartLength,
  Items,
  IsWide,
  All
};

class GroupEntry {
public:
  GroupEntry(jit::KernelModule& kernel, const SegmentFunctions& functions, std::size_t rank,
             WordCounts counts)
      : functions_(functions), folds_(functions.folds()), rank_(rank),
        arrays_(component_arrays(folds_.types(), usual_threads)),
        entry_(kernel, groups_entry, counts), b_(entry_.b) {}

  EntryPoint run() {
    shared_ = entry_.call(AbstractFunction::shared_memory);
    Value* const thread = entry_.wide(AbstractFunction::thread_index);
    Value* const segment_mask = mask_of(GroupNumber::SegmentBits);
    Value* const lane_mask = mask_of(GroupNumber::LaneBits);
    Value* const by_columns = is(SegmentGroups::Way::Columns);
    Value* const in_block =
        b_.ir.CreateSelect(by_columns, b_.ir.CreateAnd(thread, segment_mask),
                           b_.ir.CreateLShr(thread, number(GroupNumber::LaneBits)));
    lane_ =
        b_.ir.CreateSelect(by_columns, b_.ir.CreateLShr(thread, number(GroupNumber::SegmentBits)),
                           b_.ir.CreateAnd(thread, lane_mask));
    lanes_ = b_.ir.CreateAdd(lane_mask, b_.i64(1));
    const jit::Variable is_calm = b_.variable(ElementType::Bool, jit::Shape::Uniform);
    b_.set(is_calm, b_.uniform(b_.ir.getTrue(), ElementType::Bool));
    entry_.for_each(entry_.wide(AbstractFunction::block_index_x), number(GroupNumber::Items),
                    entry_.wide(AbstractFunction::grid_size_x), [&](Value* item) {
                      Value* const parts = number(GroupNumber::Parts);
                      Value* const group = quotient_below_2_31(entry_, item, parts);
                      Value* const part = b_.ir.CreateSub(item, b_.ir.CreateMul(group, parts));
                      Value* const segment = b_.ir.CreateAdd(
                          b_.ir.CreateShl(group, number(GroupNumber::SegmentBits)), in_block);
                      Value* const is_there =
                          b_.ir.CreateICmpSLT(segment, segment_word(entry_, SegmentWord::Segments));
                      const RunningValues sum = folds_.running(entry_, folds_.neutral(entry_));
                      b_.if_then(is_there, [&] { fold_part(segment, part, sum, is_calm); });
                      fold_group(thread, sum);
                      Value* const owns =
                          b_.ir.CreateAnd(is_there, b_.ir.CreateICmpEQ(lane_, b_.i64(0)));
                      b_.if_then(owns, [&] { end_part(segment, part, folds_.get(entry_, sum)); });
                    });
    return entry_.finish();
  }

private:
  Value* number(GroupNumber which) { return entry_.number(static_cast<unsigned>(which)); }
  Value* mask_of(GroupNumber bits) {
    return b_.ir.CreateSub(b_.ir.CreateShl(b_.i64(1), number(bits)), b_.i64(1));
  }
  Value* is(SegmentGroups::Way way) {
    return b_.ir.CreateICmpEQ(number(GroupNumber::Way), b_.i64(static_cast<std::int64_t>(way)));
  }

  /// The thread's elements of the part.
  void fold_part(Value* segment, Value* part, const RunningValues& sum,
                 const jit::Variable& is_calm) {
    const SegmentIndices indices = segment_indices(entry_, rank_, segment);
    Value* const begin = b_.ir.CreateMul(part, number(GroupNumber::PartLength));
    Value* const end = b_.lesser_of(b_.ir.CreateAdd(begin, number(GroupNumber::PartLength)),
                                    number(GroupNumber::Length));
    const jit::Variable rest = b_.variable(ElementType::I64, jit::Shape::Uniform);
    b_.set(rest, b_.uniform(begin));
    if (functions_.lanes() > 1)
      b_.if_then(b_.ir.CreateICmpNE(number(GroupNumber::IsWide), b_.i64(0)), [&] {
        Value* const whole =
            b_.ir.CreateAnd(b_.ir.CreateSub(end, begin), b_.i64(-std::int64_t{functions_.lanes()}));
        Value* const end_of_whole = b_.ir.CreateAdd(begin, whole);
        fold_accesses(indices, begin, end_of_whole, sum, is_calm);
        b_.set(rest, b_.uniform(end_of_whole));
      });
    Value* const step = b_.ir.CreateMul(lanes_, b_.i64(functions_.elements_at_once()));
    entry_.for_each(b_.ir.CreateAdd(b_.get(rest).value, lane_), end, step, [&](Value* first) {
      look(is_calm);
      std::vector<Value*> are_there;
      std::vector<Components> values;
      for (std::int64_t i = 0; i < functions_.elements_at_once(); ++i) {
        Value* const position = b_.ir.CreateAdd(first, b_.ir.CreateMul(lanes_, b_.i64(i)));
        are_there.push_back(
            b_.ir.CreateAnd(b_.get(is_calm).value, b_.ir.CreateICmpSLT(position, end)));
        values.push_back(functions_.element(entry_, indices, position, are_there.back(),
                                            BodyFunctions::Maps::Left));
      }
      for (std::size_t i = 0; i < values.size(); ++i)
        b_.if_then(are_there[i], [&] { folds_.fold(entry_, sum, values[i]); });
    });
  }

  void look(const jit::Variable& is_calm) {
    b_.set(is_calm, b_.uniform(b_.ir.CreateAnd(b_.get(is_calm).value, entry_.may_go_on()),
                               ElementType::Bool));
  }

  /// The same by several elements at once; [begin, end) is a multiple of them.
  void fold_accesses(const SegmentIndices& indices, Value* begin, Value* end,
                     const RunningValues& sum, const jit::Variable& is_calm) {
    Value* const width = b_.i64(functions_.lanes());
    Value* const step = b_.ir.CreateMul(lanes_, width);
    Value* const own = b_.ir.CreateAdd(begin, b_.ir.CreateMul(lane_, width));
    const std::int64_t at_once = functions_.accesses_at_once();
    entry_.for_each(own, end, b_.ir.CreateMul(step, b_.i64(at_once)), [&](Value* first) {
      look(is_calm);
      std::vector<Value*> are_there;
      std::vector<std::vector<Components>> values;
      for (std::int64_t i = 0; i < at_once; ++i) {
        Value* const position = b_.ir.CreateAdd(first, b_.ir.CreateMul(step, b_.i64(i)));
        are_there.push_back(
            b_.ir.CreateAnd(b_.get(is_calm).value, b_.ir.CreateICmpSLT(position, end)));
        values.push_back(functions_.elements(entry_, indices, position, are_there.back()));
      }
      for (std::size_t i = 0; i < values.size(); ++i)
        b_.if_then(are_there[i], [&] {
          for (const Components& element : values[i])
            folds_.fold(entry_, sum, element);
        });
    });
  }

  /// Of each group, in its first thread.  All threads of the block come here.
  void fold_group(Value* thread, const RunningValues& sum) {
    b_.if_then_else(
        is(SegmentGroups::Way::Lanes), [&] { fold_lanes(sum); },
        [&] {
          b_.if_then_else(
              is(SegmentGroups::Way::Block),
              [&] {
                const Components all =
                    folds_.over_block(entry_, folds_.get(entry_, sum), shared_, arrays_);
                folds_.set(entry_, sum, all);
              },
              [&] {
                folds_.store(entry_, shared_, arrays_, thread, folds_.get(entry_, sum));
                entry_.barrier();
                b_.if_then(b_.ir.CreateICmpEQ(lane_, b_.i64(0)), [&] {
                  b_.loop(b_.i64(1), lanes_, 1, [&](Value* lane) {
                    Value* const other = b_.ir.CreateAdd(
                        thread, b_.ir.CreateShl(lane, number(GroupNumber::SegmentBits)));
                    folds_.fold(entry_, sum, folds_.load(entry_, shared_, arrays_, other));
                  });
                });
              });
          entry_.barrier(); // before the next item's values
        });
  }

  void fold_lanes(const RunningValues& sum) {
    const jit::Variable delta = b_.variable(ElementType::I32, jit::Shape::Uniform);
    Value* const half = b_.ir.CreateLShr(lanes_, 1);
    b_.set(delta, b_.uniform(b_.ir.CreateTrunc(half, b_.ir.getInt32Ty()), ElementType::I32));
    b_.while_loop([&] { return b_.ir.CreateICmpNE(b_.get(delta).value, b_.ir.getInt32(0)); },
                  [&] {
                    Value* const distance = b_.get(delta).value;
                    folds_.fold(entry_, sum,
                                shuffled(entry_, AbstractFunction::shuffle_down,
                                         folds_.get(entry_, sum), distance));
                    b_.set(delta, b_.uniform(b_.ir.CreateLShr(distance, 1), ElementType::I32));
                  });
  }

  void end_part(Value* segment, Value* part, const Components& values) {
    Value* const parts = number(GroupNumber::Parts);
    b_.if_then_else(
        b_.ir.CreateICmpEQ(parts, b_.i64(1)),
        [&] { functions_.finish(entry_, segment_indices(entry_, rank_, segment), values); },
        [&] {
          folds_.store_areas(entry_, 0, b_.ir.CreateAdd(b_.ir.CreateMul(segment, parts), part),
                             values);
        });
  }

  const SegmentFunctions& functions_;
  const FoldSet& folds_;
  std::size_t rank_;
  ComponentArrays arrays_;
  EntryBuilder entry_;
  LaneBuilder& b_;
  Value *shared_ = nullptr, *lane_ = nullptr, *lanes_ = nullptr; ///< the thread's in its group
};

} // namespace

std::int64_t SegmentGroups::segments_of_block() const {
  if (way == Way::Columns) return std::int64_t{1} << column_bits;
  return way == Way::Block ? 1 : std::int64_t{usual_threads} >> lane_bits;
}

LaunchPlan SegmentGroups::plan(const LaunchSizes& sizes,
                               const std::vector<ElementType>& types) const {
  const auto bits = [](std::int64_t power) {
    return std::int64_t{std::countr_zero(static_cast<std::uint64_t>(power))};
  };
  LaunchPlan plan;
  plan.numbers = segment_words(segments, inner, parts, 1);
  for (const std::int64_t number : {length, static_cast<std::int64_t>(way),
                                    bits(segments_of_block()), bits(threads_of_segment()), parts,
                                    divided_up(divided_up(length, parts), most_lanes) * most_lanes,
                                    items(), std::int64_t{is_wide}})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  const std::int64_t left = parts == 1 ? 0 : saturating_product(segments, parts);
  for (const ElementType type : types)
    plan.areas.push_back(
        {saturating_product(left, static_cast<std::int64_t>(byte_size(type))), {}});
  LaunchShape shape = shape_for_blocks(sizes, items());
  if (way != Way::Lanes)
    shape.shared_bytes = static_cast<std::uint32_t>(component_arrays(types, usual_threads).bytes);
  plan.steps.push_back({groups_entry, shape});
  if (parts > 1) plan.steps.push_back(fold_segments_step(sizes, types, segments, parts));
  return plan;
}

std::vector<EntryPoint> segment_group_entries(jit::KernelModule& kernel,
                                              const ir::Function& function,
                                              const SegmentFunctions& functions, std::size_t rank) {
  const WordCounts counts =
      word_counts(function, functions.folds().size(), static_cast<std::size_t>(GroupNumber::All));
  std::vector<EntryPoint> result;
  result.push_back(GroupEntry(kernel, functions, rank, counts).run());
  result.push_back(fold_segments_entry(kernel, counts, functions, rank));
  return result;
}

} // namespace sinter::gpu
