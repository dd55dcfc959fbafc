#include "gpu/skeletons/row_tiles.h"

#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <bit>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;
using primitives::row_length;
using primitives::rows_in_block;

namespace {

constexpr std::int64_t row_stride = row_length + 1; ///< elements
constexpr std::int64_t row_bits = std::countr_zero(std::uint64_t{row_length});

} // namespace

SharedRows::SharedRows(const std::vector<ElementType>& types, std::int64_t most_bytes) {
  for (at_once = rows_in_block; at_once > 1; at_once /= 2)
    if (component_arrays(types, at_once * row_stride).bytes <= most_bytes) break;
  elements = component_arrays(types, at_once * row_stride);
  totals = component_arrays(types, rows_in_block);
  of_blocks = component_arrays(types, usual_threads);
}

RowTiles::RowTiles(EntryBuilder& entry, const FoldSet& folds, const ElementFunction& element,
                   const SharedRows& layout, Value* count)
    : entry_(entry), folds_(folds), element_(element), layout_(layout), count_(count),
      rows_(entry.b.ir.CreateLShr(entry.b.ir.CreateAdd(count, entry.b.i64(row_length - 1)),
                                  entry.b.i64(row_bits))),
      shared_(entry.call(AbstractFunction::shared_memory)),
      may_be_wide_(may_be_wide(entry, element)),
      is_calm_(entry.b.variable(ElementType::Bool, jit::Shape::Uniform)) {
  entry.b.set(is_calm_, entry.b.uniform(entry.b.ir.getTrue(), ElementType::Bool));
}

void RowTiles::calm_if(Value* condition) {
  LaneBuilder& b = entry_.b;
  b.set(is_calm_, b.uniform(b.ir.CreateAnd(b.get(is_calm_).value, condition), ElementType::Bool));
}

void RowTiles::look() {
  calm_if(entry_.may_go_on());
}

Value* RowTiles::begin_of(Value* row) const {
  return entry_.b.ir.CreateMul(row, entry_.b.i64(row_length));
}

Value* RowTiles::end_of(Value* row) const {
  return entry_.b.lesser_of(begin_of(row), count_);
}

void RowTiles::for_some_rows(Value* begin, Value* end,
                             const std::function<void(Value*, Value*)>& body) {
  LaneBuilder& b = entry_.b;
  b.loop(begin, end, layout_.at_once, [&](Value* first) {
    Value* const last = b.lesser_of(b.ir.CreateAdd(first, b.i64(layout_.at_once)), end);
    Value* const begin = begin_of(first);
    Value* const end = end_of(last);
    const jit::Variable computed = b.variable(ElementType::I64, jit::Shape::Uniform);
    b.set(computed, b.index(0));
    if (element_.wide.function)
      b.if_then(may_be_wide_, [&] {
        Value* const whole =
            b.ir.CreateAnd(b.ir.CreateSub(end, begin), b.i64(-std::int64_t{element_.wide.lanes}));
        compute_wide(begin, whole);
        b.set(computed, b.uniform(whole));
      });
    entry_.for_each_of_block(b.ir.CreateAdd(begin, b.get(computed).value), end, [&](Value* index) {
      const ComputedElement element =
          compute_element(entry_, element_, index, b.get(is_calm_).value);
      calm_if(element.is_right);
      set_element(place_of(b.ir.CreateSub(index, begin)), element.values);
    });
    entry_.barrier();
    body(first, last);
    entry_.barrier();
  });
}

void RowTiles::compute_wide(Value* begin, Value* count) {
  // (More of them would take registers from a block beside it.)
  constexpr std::size_t words = 8;
  LaneBuilder& b = entry_.b;
  const std::int64_t at_once = element_.wide.accesses_within(words);
  const std::int64_t lanes = element_.wide.lanes;
  Value* const step = b.ir.CreateMul(entry_.wide(AbstractFunction::block_size), b.i64(lanes));
  Value* const own = b.ir.CreateMul(entry_.wide(AbstractFunction::thread_index), b.i64(lanes));
  entry_.for_each(own, count, b.ir.CreateMul(step, b.i64(at_once)), [&](Value* next) {
    std::vector<Value*> numbers, are_there;
    std::vector<ComputedElements> computed;
    for (std::int64_t i = 0; i < at_once; ++i) {
      numbers.push_back(b.ir.CreateAdd(next, b.ir.CreateMul(step, b.i64(i))));
      are_there.push_back(b.ir.CreateICmpSLT(numbers.back(), count));
      computed.push_back(
          gpu::compute_wide(entry_, element_, b.ir.CreateAdd(begin, numbers.back()),
                            b.ir.CreateAnd(are_there.back(), b.get(is_calm_).value)));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      calm_if(computed[i].is_right);
      b.if_then(are_there[i], [&] {
        Value* const place = place_of(numbers[i]);
        for (std::int64_t lane = 0; lane < lanes; ++lane)
          set_element(b.ir.CreateAdd(place, b.i64(lane)),
                      computed[i].values[static_cast<std::size_t>(lane)]);
      });
    }
  });
}

Value* RowTiles::place_of(Value* number) const {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateAdd(number, b.ir.CreateLShr(number, b.i64(row_bits)));
}

void RowTiles::for_each_index(Value* first, Value* last,
                              const std::function<void(Value*, Value*)>& body) {
  LaneBuilder& b = entry_.b;
  Value* const begin = begin_of(first);
  entry_.for_each_of_block(begin, end_of(last), [&](Value* index) {
    body(index, place_of(b.ir.CreateSub(index, begin)));
  });
}

void RowTiles::fold_rows(Value* first, Value* last,
                         const std::function<void(Value*, const RunningValues&)>& done,
                         const std::function<void(Value*, const RunningValues&)>& after) {
  LaneBuilder& b = entry_.b;
  entry_.for_each_of_block(first, last, [&](Value* row) {
    Value* const begin = b.ir.CreateMul(b.ir.CreateSub(row, first), b.i64(row_stride));
    Value* const length = b.ir.CreateSub(end_of(b.ir.CreateAdd(row, b.i64(1))), begin_of(row));
    const RunningValues sum = folds_.running(entry_, folds_.neutral(entry_));
    folds_.fold_in_order(entry_, sum, begin, b.ir.CreateAdd(begin, length),
                         [&](Value* place) { return element_at(place); },
                         {.after =
                              [&](Value* place) {
                                if (after) after(place, sum);
                              },
                          .words_at_once = after ? words_beside_prefixes : words_of_folds});
    done(row, sum);
  });
}

Components RowTiles::element_at(Value* place) const {
  return folds_.load(entry_, shared_, layout_.elements, place);
}
void RowTiles::set_element(Value* place, const Components& values) const {
  folds_.store(entry_, shared_, layout_.elements, place, values);
}
Value* RowTiles::totals() const {
  return entry_.b.ir.CreateConstGEP1_64(entry_.b.ir.getInt8Ty(), shared_,
                                        static_cast<std::uint64_t>(layout_.elements.bytes));
}
Components RowTiles::total(Value* number) const {
  return folds_.load(entry_, totals(), layout_.totals, number);
}
void RowTiles::set_total(Value* number, const Components& values) const {
  folds_.store(entry_, totals(), layout_.totals, number, values);
}
RunningValues RowTiles::fold_block(Value* rows) const {
  LaneBuilder& b = entry_.b;
  const RunningValues sum = folds_.running(entry_, folds_.neutral(entry_));
  folds_.fold_in_order(entry_, sum, b.i64(0), rows, [&](Value* i) { return total(i); },
                       {.takes_first = b.ir.getTrue(), .rests_are_rare = true});
  return sum;
}

// ---- totals of blocks --------------------------------------------------------------------------

RunningValues fold_totals(EntryBuilder& entry, const FoldSet& folds, const SharedRows& layout,
                          Value* totals, Value* in_one, Carries carries, Value* first_of_all) {
  LaneBuilder& b = entry.b;
  const auto in_areas = [&](Value* i) {
    return first_of_all ? b.ir.CreateAdd(first_of_all, i) : i;
  };
  const RunningValues all = folds.running(entry, folds.neutral(entry));
  Value* const threads = entry.wide(AbstractFunction::block_size);
  Value* const thread = entry.wide(AbstractFunction::thread_index);
  Value* const blocks =
      b.ir.CreateUDiv(b.ir.CreateAdd(totals, b.ir.CreateSub(in_one, b.i64(1))), in_one);
  Value* const shared = entry.call(AbstractFunction::shared_memory);
  const auto at = [&](Value* i) { return folds.load(entry, shared, layout.of_blocks, i); };
  const auto set = [&](Value* i, const Components& values) {
    folds.store(entry, shared, layout.of_blocks, i, values);
  };
  // (In front of the first one stands what nobody asks for.)
  const auto leave_carry = [&](Value* i) {
    if (carries == Carries::Left) set(i, folds.get(entry, all));
  };
  entry.for_each(b.i64(0), blocks, threads, [&](Value* first) {
    Value* const block = b.ir.CreateAdd(first, thread);
    Value* const is_there = b.ir.CreateICmpSLT(block, blocks);
    b.if_then(is_there, [&] {
      Value* const begin = b.ir.CreateMul(block, in_one);
      const RunningValues sum = folds.running(entry, folds.load_areas(entry, 0, in_areas(begin)));
      if (carries == Carries::None)
        folds.fold_in_order(entry, sum, b.ir.CreateAdd(begin, b.i64(1)),
                            b.lesser_of(b.ir.CreateAdd(begin, in_one), totals),
                            [&](Value* i) { return folds.load_areas(entry, 0, in_areas(i)); });
      set(thread, folds.get(entry, sum));
    });
    entry.barrier();
    entry.by_first_thread([&] {
      folds.fold_in_order(entry, all, b.i64(0), b.lesser_of(threads, b.ir.CreateSub(blocks, first)),
                          at,
                          {.before = leave_carry,
                           .takes_first = b.ir.CreateICmpEQ(first, b.i64(0)),
                           .rests_are_rare = true});
    });
    entry.barrier();
    if (carries == Carries::None) return;
    b.if_then(is_there, [&] { folds.store_areas(entry, 0, in_areas(block), at(thread)); });
    // (The thread's own slot is the next that it writes.)
  });
  return all;
}

LaunchShape shape_of_totals(const std::vector<ElementType>& types, std::int64_t totals) {
  LaunchShape shape{.blocks = {1, 1, 1}};
  shape.threads = static_cast<std::uint32_t>(std::clamp<std::int64_t>(
      divided_up(totals, warp_size) * warp_size, warp_size, usual_threads));
  shape.shared_bytes = static_cast<std::uint32_t>(SharedRows(types).of_blocks.bytes);
  return shape;
}

} // namespace sinter::gpu
