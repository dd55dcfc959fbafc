#include "gpu/skeletons/look_back.h"

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

/// What a tile's state word says.
constexpr std::uint32_t nothing_known = 0, total_known = 1, prefix_known = 2;

} // namespace

void LookBack::add_areas(LaunchPlan& plan, const std::vector<ElementType>& types,
                         std::int64_t tiles) {
  // The tickets, and a state for each tile.
  plan.areas.push_back({4 * (tiles + 1), WorkArea::Element{nothing_known, 4}});
  for (int i = 0; i < 2; ++i)
    for (const ElementType type : types)
      plan.areas.push_back({tiles * static_cast<std::int64_t>(byte_size(type)), {}});
}

Value* LookBack::arrays_in(EntryBuilder& entry, Value* shared) const {
  return entry.b.ir.CreateConstGEP1_64(entry.b.ir.getInt8Ty(), shared, 16);
}

Value* LookBack::state_of(EntryBuilder& entry, Value* tile) const {
  LaneBuilder& b = entry.b;
  return b.ir.CreateGEP(b.ir.getInt32Ty(), entry.place(entry.area(first_area_)),
                        b.ir.CreateAdd(tile, b.i64(1)));
}

void LookBack::for_each_tile(EntryBuilder& entry, Value* tiles, Value* shared,
                             const std::function<void(Value*)>& body) const {
  LaneBuilder& b = entry.b;
  const jit::Variable tile = b.variable(ElementType::I64, jit::Shape::Uniform);
  const auto take_ticket = [&] {
    entry.by_first_thread([&] {
      Value* const ticket = b.ir.CreateAtomicRMW(
          llvm::AtomicRMWInst::Add, entry.place(entry.area(first_area_)), b.ir.getInt32(1),
          llvm::MaybeAlign(4), llvm::AtomicOrdering::Monotonic);
      b.ir.CreateAlignedStore(ticket, shared, llvm::Align(4));
    });
    entry.barrier();
    b.set(tile, b.uniform(b.ir.CreateZExt(
                    b.ir.CreateAlignedLoad(b.ir.getInt32Ty(), shared, llvm::Align(4)),
                    b.ir.getInt64Ty())));
  };
  take_ticket();
  b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(tile).value, tiles); },
               [&] {
                 body(b.get(tile).value);
                 take_ticket();
               });
}

/// Values of the threads of a warp, each combined with those at distances 1, 2, 4, … as `combined`
/// does.
template <typename Combined>
Components LookBack::by_doubling(EntryBuilder& entry, const Components& values,
                                 Combined&& combined) const {
  LaneBuilder& b = entry.b;
  const RunningValues sum = folds_.running(entry, values);
  const jit::Variable delta = b.variable(ElementType::I32, jit::Shape::Uniform);
  b.set(delta, b.uniform(b.ir.getInt32(1), ElementType::I32));
  b.while_loop([&] { return b.ir.CreateICmpULT(b.get(delta).value, b.ir.getInt32(warp_size)); },
               [&] {
                 Value* const distance = b.get(delta).value;
                 folds_.set(entry, sum, combined(folds_.get(entry, sum), distance));
                 b.set(delta, b.uniform(b.ir.CreateShl(distance, 1), ElementType::I32));
               });
  return folds_.get(entry, sum);
}

Components LookBack::inclusive_of_warp(EntryBuilder& entry, const Components& values) const {
  LaneBuilder& b = entry.b;
  Value* const lane =
      b.ir.CreateAnd(entry.call(AbstractFunction::thread_index), b.ir.getInt32(warp_size - 1));
  return by_doubling(entry, values, [&](const Components& own, Value* distance) {
    const Components other = shuffled(entry, AbstractFunction::shuffle_up, own, distance);
    return selected(entry, b.ir.CreateICmpUGE(lane, distance), folds_.combined(entry, other, own),
                    own);
  });
}

/// Of values of tiles, of which each thread has the one before its neighbour's below: of all of the
/// warp, in its first thread.
Components LookBack::over_tiles(EntryBuilder& entry, const Components& values) const {
  return by_doubling(entry, values, [&](const Components& own, Value* distance) {
    const Components earlier = shuffled(entry, AbstractFunction::shuffle_down, own, distance);
    return folds_.combined(entry, earlier, own);
  });
}

/// By all of the first warp: what stands before the tile comes to the shared slot behind the
/// warps'.
void LookBack::look_back(EntryBuilder& entry, Value* tile, Value* shared,
                         const Components& total) const {
  LaneBuilder& b = entry.b;
  Value* const lane = entry.wide(AbstractFunction::thread_index);
  Value* const is_first_lane = b.ir.CreateICmpEQ(lane, b.i64(0));
  b.if_then(is_first_lane, [&] {
    folds_.store_areas(entry, aggregates(), tile, total);
    entry.call(AbstractFunction::publish_i32, {state_of(entry, tile), b.ir.getInt32(total_known)});
  });
  const Components neutral = folds_.neutral(entry);
  const RunningValues before = folds_.running(entry, neutral);
  const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
  const jit::Variable state = b.variable(ElementType::I32, jit::Shape::Uniform);
  b.set(next, b.uniform(b.ir.CreateSub(tile, b.i64(1))));
  b.while_loop(
      [&] { return b.ir.CreateICmpSGE(b.get(next).value, b.i64(0)); },
      [&] {
        Value* const seen = b.ir.CreateSub(b.get(next).value, lane);
        Value* const is_there = b.ir.CreateICmpSGE(seen, b.i64(0));
        // (In front of the first tile everything is known.)
        b.set(state, b.uniform(b.ir.getInt32(prefix_known), ElementType::I32));
        const auto look = [&] {
          b.if_then(is_there, [&] {
            b.set(state,
                  b.uniform(entry.call(AbstractFunction::observe_i32, {state_of(entry, seen)}),
                            ElementType::I32));
          });
        };
        look();
        b.while_loop(
            [&] {
              Value* const is_unknown =
                  b.ir.CreateICmpEQ(b.get(state).value, b.ir.getInt32(nothing_known));
              return b.ir.CreateICmpNE(entry.call(AbstractFunction::ballot, {is_unknown}),
                                       b.ir.getInt32(0));
            },
            look);
        Value* const knows_prefix =
            b.ir.CreateICmpEQ(b.get(state).value, b.ir.getInt32(prefix_known));
        Value* const knowing = entry.call(AbstractFunction::ballot, {knows_prefix});
        // The nearest of them ends the search: with the lanes up to it.
        Value* const nearest = b.ir.CreateZExt(
            b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, knowing, b.ir.getFalse()),
            b.ir.getInt64Ty());
        const RunningValues value = folds_.running(entry, neutral);
        b.if_then(b.ir.CreateAnd(is_there, b.ir.CreateICmpULE(lane, nearest)), [&] {
          b.if_then_else(
              knows_prefix,
              [&] { folds_.set(entry, value, folds_.load_areas(entry, prefixes(), seen)); },
              [&] { folds_.set(entry, value, folds_.load_areas(entry, aggregates(), seen)); });
        });
        folds_.set(entry, before,
                   folds_.combined(entry, over_tiles(entry, folds_.get(entry, value)),
                                   folds_.get(entry, before)));
        Value* const is_over = b.ir.CreateICmpNE(knowing, b.ir.getInt32(0));
        b.set(next, b.uniform(b.ir.CreateSelect(
                        is_over, b.i64(-1), b.ir.CreateSub(b.get(next).value, b.i64(warp_size)))));
      });
  b.if_then(is_first_lane, [&] {
    const Components value = folds_.get(entry, before);
    folds_.store_areas(entry, prefixes(), tile, folds_.combined(entry, value, total));
    entry.call(AbstractFunction::publish_i32, {state_of(entry, tile), b.ir.getInt32(prefix_known)});
    folds_.store(entry, arrays_in(entry, shared), arrays_, b.i64(most_warps), value);
  });
}

LookBack::Prefix LookBack::prefix(EntryBuilder& entry, Value* tile, Value* tiles, Value* shared,
                                  const Components& total) const {
  LaneBuilder& b = entry.b;
  Value* const thread = entry.wide(AbstractFunction::thread_index);
  Value* const lane = b.ir.CreateAnd(thread, b.i64(warp_size - 1));
  Value* const warp = b.ir.CreateLShr(thread, b.i64(5));
  Value* const warps = b.ir.CreateLShr(entry.wide(AbstractFunction::block_size), b.i64(5));
  Value* const memory = arrays_in(entry, shared);
  const Components inclusive = inclusive_of_warp(entry, total);
  b.if_then(b.ir.CreateICmpEQ(lane, b.i64(warp_size - 1)),
            [&] { folds_.store(entry, memory, arrays_, warp, inclusive); });
  entry.barrier();
  const Components neutral = folds_.neutral(entry);
  const RunningValues before = folds_.running(entry, neutral);
  const RunningValues all = folds_.running(entry, neutral);
  b.loop(b.i64(0), warps, 1, [&](Value* i) {
    const Components one = folds_.load(entry, memory, arrays_, i);
    folds_.fold(entry, all, one);
    b.if_then(b.ir.CreateICmpSLT(i, warp), [&] { folds_.fold(entry, before, one); });
  });
  const Components neighbour =
      shuffled(entry, AbstractFunction::shuffle_up, inclusive, b.ir.getInt32(1));
  folds_.fold(entry, before,
              selected(entry, b.ir.CreateICmpEQ(lane, b.i64(0)), neutral, neighbour));
  Value* const is_alone = b.ir.CreateICmpEQ(tiles, b.i64(1));
  b.if_then(b.ir.CreateICmpEQ(warp, b.i64(0)), [&] {
    b.if_then_else(
        is_alone,
        [&] {
          b.if_then(b.ir.CreateICmpEQ(lane, b.i64(0)),
                    [&] { folds_.store(entry, memory, arrays_, b.i64(most_warps), neutral); });
        },
        [&] { look_back(entry, tile, shared, folds_.get(entry, all)); });
  });
  entry.barrier();
  const Components outside = folds_.load(entry, memory, arrays_, b.i64(most_warps));
  return {folds_.combined(entry, outside, folds_.get(entry, before)), outside,
          folds_.combined(entry, outside, folds_.get(entry, all))};
}

} // namespace sinter::gpu
