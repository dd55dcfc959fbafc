#include "gpu/skeletons/tile_elements.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

constexpr std::int64_t most_elements_of_thread = 16;
/// Registers for those elements.
constexpr std::size_t most_words_of_thread = 24;
/// Of elements that come from memory.
constexpr std::size_t most_words_on_the_way = 16;
constexpr std::int64_t most_tile_bytes = 44
                                         << 10; ///< several blocks share a multiprocessor's memory

} // namespace

TileElements::TileElements(const std::vector<ElementType>& types, std::size_t words) {
  for (of_thread = most_elements_of_thread; of_thread > 1; of_thread /= 2)
    if (component_arrays(types, threads * of_thread * 33 / 32).bytes <= most_tile_bytes &&
        words * static_cast<std::size_t>(of_thread) <= most_words_of_thread)
      break;
  arrays = component_arrays(types, threads * of_thread * 33 / 32);
}

LaunchShape TileElements::shape(const LaunchSizes& sizes) const {
  return shape_for_threads(sizes, divided_up(sizes.count, of_thread), threads);
}

Value* TileElements::behind(EntryBuilder& entry, Value* shared) const {
  return entry.b.ir.CreateConstGEP1_64(entry.b.ir.getInt8Ty(), shared,
                                       static_cast<std::uint64_t>(arrays.bytes));
}

Value* TileElements::place(EntryBuilder& entry, Value* number) {
  return entry.b.ir.CreateAdd(number, entry.b.ir.CreateLShr(number, entry.b.i64(5)));
}

Value* TileElements::place_of_own(EntryBuilder& entry, std::int64_t i) const {
  LaneBuilder& b = entry.b;
  return place(entry, b.ir.CreateAdd(b.ir.CreateMul(entry.wide(AbstractFunction::thread_index),
                                                    b.i64(of_thread)),
                                     b.i64(i)));
}

EntryPoint with_threads(EntryPoint point) {
  point.threads = TileElements::threads;
  return point;
}

TileComputation::TileComputation(EntryBuilder& entry, const TileElements& tile,
                                 const ElementFunction& element, Components behind, Value* count)
    : entry_(entry), tile_(tile), element_(element), behind_(std::move(behind)), count_(count),
      may_be_wide_(may_be_wide(entry, element)),
      is_calm_(entry.b.variable(ElementType::Bool, jit::Shape::Uniform)) {
  entry.b.set(is_calm_, entry.b.uniform(entry.b.ir.getTrue(), ElementType::Bool));
}

Value* TileComputation::first_of(Value* tile) {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateMul(
      tile, b.ir.CreateMul(entry_.wide(AbstractFunction::block_size), b.i64(tile_.of_thread)));
}

void TileComputation::calm_if(Value* condition) {
  LaneBuilder& b = entry_.b;
  b.set(is_calm_, b.uniform(b.ir.CreateAnd(b.get(is_calm_).value, condition), ElementType::Bool));
}

void TileComputation::compute(Value* tile, Value* shared) {
  LaneBuilder& b = entry_.b;
  calm_if(entry_.may_go_on());
  Value* const first = first_of(tile);
  const std::int64_t lanes = element_.wide.lanes;
  if (lanes == 1 || tile_.of_thread % lanes != 0) return compute_each(first, shared);
  Value* const is_whole = b.ir.CreateICmpSLE(first_of(b.ir.CreateAdd(tile, b.i64(1))), count_);
  b.if_then_else(
      b.ir.CreateAnd(may_be_wide_, is_whole), [&] { compute_wide(first, shared); },
      [&] { compute_each(first, shared); });
}

void TileComputation::compute_each(Value* first, Value* shared) {
  LaneBuilder& b = entry_.b;
  b.loop(b.i64(0), b.i64(tile_.of_thread), 1, [&](Value* i) {
    Value* const number =
        b.ir.CreateAdd(b.ir.CreateMul(i, entry_.wide(AbstractFunction::block_size)),
                       entry_.wide(AbstractFunction::thread_index));
    Value* const index = b.ir.CreateAdd(first, number);
    Value* const is_there = b.ir.CreateICmpSLT(index, count_);
    const ComputedElement element =
        compute_element(entry_, element_, index, b.ir.CreateAnd(is_there, b.get(is_calm_).value));
    calm_if(element.is_right);
    Components values;
    for (std::size_t c = 0; c < behind_.size(); ++c)
      values.push_back(b.ir.CreateSelect(is_there, element.values[c], behind_[c]));
    store_components(entry_, shared, tile_.arrays, TileElements::place(entry_, number), values);
  });
}

/// Of a whole tile.  Several accesses are under way before the first one's elements are stored.
void TileComputation::compute_wide(Value* first, Value* shared) {
  LaneBuilder& b = entry_.b;
  const std::int64_t lanes = element_.wide.lanes;
  Value* const threads = entry_.wide(AbstractFunction::block_size);
  Value* const own = entry_.wide(AbstractFunction::thread_index);
  const std::int64_t accesses = tile_.of_thread / lanes;
  const auto at_once = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(
      std::min(accesses, element_.wide.accesses_within(most_words_on_the_way)))));
  b.loop(b.i64(0), b.i64(accesses), at_once, [&](Value* begin) {
    std::vector<Value*> numbers;
    std::vector<ComputedElements> computed;
    for (std::int64_t i = 0; i < at_once; ++i) {
      Value* const access = b.ir.CreateAdd(begin, b.i64(i));
      numbers.push_back(
          b.ir.CreateMul(b.ir.CreateAdd(b.ir.CreateMul(access, threads), own), b.i64(lanes)));
      computed.push_back(gpu::compute_wide(entry_, element_, b.ir.CreateAdd(first, numbers.back()),
                                           b.get(is_calm_).value));
    }
    for (std::size_t i = 0; i < computed.size(); ++i) {
      calm_if(computed[i].is_right);
      // (What lies between elements lies between multiples of the lanes.)
      Value* const place = TileElements::place(entry_, numbers[i]);
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        store_components(entry_, shared, tile_.arrays, b.ir.CreateAdd(place, b.i64(lane)),
                         computed[i].values[static_cast<std::size_t>(lane)]);
    }
  });
}

void TileComputation::for_each_index(Value* tile, const std::function<void(Value*, Value*)>& body) {
  LaneBuilder& b = entry_.b;
  Value* const first = first_of(tile);
  Value* const end = b.lesser_of(first_of(b.ir.CreateAdd(tile, b.i64(1))), count_);
  entry_.for_each_of_block(first, end, [&](Value* index) {
    body(index, TileElements::place(entry_, b.ir.CreateSub(index, first)));
  });
}

} // namespace sinter::gpu
