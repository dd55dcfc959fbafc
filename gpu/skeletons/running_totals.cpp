#include "gpu/skeletons/running_totals.h"

#include <algorithm>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

/// The words: how many blocks have begun, how many tiles are taken, whether a tile's total is
/// there.
constexpr std::int64_t blocks_counter = 0, tiles_counter = 1, first_state = 2;
constexpr std::uint32_t total_known = 1;
/// Which block folds, of those that begin.
constexpr std::uint32_t folding_block = 1;

/// For each multiprocessor, and in all: with fewer, all is done before the fold is far.
constexpr std::int64_t tiles_of_multiprocessor = 4, least_tiles = 16;

/// Of totals in shared memory: as many are loaded while as many are folded.
ComponentArrays shared_totals(const std::vector<ElementType>& types) {
  return component_arrays(types, 2 * std::int64_t{usual_threads});
}

constexpr std::int64_t slot_bytes = 16;

} // namespace

// ---- the plan ----------------------------------------------------------------------------------

bool RunningTotalsPlan::is_worth_it(const LaunchSizes& sizes, const std::vector<ElementType>& types,
                                    const SharedRows& layout, std::int64_t tiles) {
  const std::int64_t least =
      std::max(least_tiles, tiles_of_multiprocessor * std::int64_t{sizes.multiprocessors});
  return tiles >= least && tiles < INT32_MAX - (std::int64_t{1} << 16) &&
         shared_totals(types).bytes <= layout.bytes();
}

void RunningTotalsPlan::add_area(LaunchPlan& plan, std::int64_t tiles, bool is_on) {
  if (is_on)
    plan.areas.push_back({4 * (first_state + tiles), WorkArea::Element{0, 4}});
  else
    plan.areas.push_back({0, {}});
}

LaunchShape RunningTotalsPlan::shape(const LaunchSizes& sizes, LaunchShape shape,
                                     std::int64_t tiles) {
  shape.blocks = shape_for_blocks(sizes, tiles + 1).blocks;
  shape.shared_bytes += slot_bytes;
  return shape;
}

// ---- blocks ------------------------------------------------------------------------------------

RunningTotals::RunningTotals(EntryBuilder& entry, const FoldSet& folds, const SharedRows& layout,
                             Value* is_on)
    : entry_(entry), folds_(folds), layout_(layout), is_on_(is_on),
      shared_(entry.call(AbstractFunction::shared_memory)),
      tile_(entry.b.variable(ElementType::I64, jit::Shape::Uniform)) {}

Value* RunningTotals::word(Value* number) const {
  return entry_.b.ir.CreateGEP(entry_.b.ir.getInt32Ty(),
                               entry_.place(entry_.area(static_cast<unsigned>(folds_.size()))),
                               number);
}

Value* RunningTotals::taken_ticket(std::int64_t counter) const {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, word(b.i64(counter)), b.ir.getInt32(1),
                              llvm::MaybeAlign(4), llvm::AtomicOrdering::Monotonic);
}

Value* RunningTotals::slot() const {
  return entry_.b.ir.CreateConstGEP1_64(entry_.b.ir.getInt8Ty(), shared_,
                                        static_cast<std::uint64_t>(layout_.bytes()));
}

void RunningTotals::set_slot(Value* tile) const {
  entry_.b.ir.CreateAlignedStore(tile, slot(), llvm::Align(4));
}

void RunningTotals::for_each_tile(Value* tiles, Carries carries,
                                  const std::function<void(Value*)>& body,
                                  const std::function<void(const RunningValues&)>& done) {
  LaneBuilder& b = entry_.b;
  const auto set_tile = [&](Value* tile) { b.set(tile_, b.uniform(tile)); };
  const auto take_slot = [&] {
    set_tile(b.ir.CreateSExt(b.ir.CreateAlignedLoad(b.ir.getInt32Ty(), slot(), llvm::Align(4)),
                             b.ir.getInt64Ty()));
  };
  set_tile(entry_.wide(AbstractFunction::block_index_x));
  b.if_then(is_on_, [&] {
    entry_.by_first_thread([&] {
      Value* const order = taken_ticket(blocks_counter);
      b.if_then_else(
          b.ir.CreateICmpEQ(order, b.ir.getInt32(folding_block)),
          [&] { set_slot(b.ir.getInt32(-1)); }, [&] { set_slot(taken_ticket(tiles_counter)); });
    });
    entry_.barrier();
    take_slot();
  });
  b.if_then_else(
      b.ir.CreateICmpSLT(b.get(tile_).value, b.i64(0)),
      [&] {
        const RunningValues sum = fold(tiles, carries);
        entry_.by_first_thread([&] { done(sum); });
      },
      [&] {
        b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(tile_).value, tiles); },
                     [&] {
                       Value* const tile = b.get(tile_).value;
                       body(tile);
                       b.if_then_else(is_on_, take_slot, [&] {
                         set_tile(b.ir.CreateAdd(tile, entry_.wide(AbstractFunction::grid_size_x)));
                       });
                     });
      });
}

void RunningTotals::take_next(Value* is_due, const std::function<void()>& meanwhile) {
  LaneBuilder& b = entry_.b;
  // The last thread has least to do: tiles have fewer rows than blocks have threads.  (The
  // assembler lets whoever takes a ticket wait for it at once.)
  Value* const is_last = b.ir.CreateICmpEQ(
      entry_.call(AbstractFunction::thread_index),
      b.ir.CreateSub(entry_.call(AbstractFunction::block_size), b.ir.getInt32(1)));
  Value* const takes = b.ir.CreateAnd({is_on_, is_due, is_last});
  const jit::Variable ticket = b.variable(ElementType::I32, jit::Shape::Uniform);
  b.set(ticket, b.uniform(b.ir.getInt32(0), ElementType::I32));
  b.if_then(takes,
            [&] { b.set(ticket, b.uniform(taken_ticket(tiles_counter), ElementType::I32)); });
  meanwhile();
  b.if_then(takes, [&] { set_slot(b.get(ticket).value); });
}

void RunningTotals::publish(Value* tile) {
  LaneBuilder& b = entry_.b;
  b.if_then(is_on_, [&] {
    entry_.call(AbstractFunction::publish_i32,
                {word(b.ir.CreateAdd(tile, b.i64(first_state))), b.ir.getInt32(total_known)});
  });
}

// ---- the block that folds ----------------------------------------------------------------------

void RunningTotals::wait_for(Value* tile) {
  LaneBuilder& b = entry_.b;
  Value* const state = word(b.ir.CreateAdd(tile, b.i64(first_state)));
  b.while_loop(
      [&] {
        return b.ir.CreateICmpNE(entry_.call(AbstractFunction::observe_i32, {state}),
                                 b.ir.getInt32(total_known));
      },
      [] {});
}

/// All but the first warp wait for totals, each thread for one, and leave them in a half of shared
/// memory, while the first thread folds those in the other half.
RunningValues RunningTotals::fold(Value* tiles, Carries carries) {
  LaneBuilder& b = entry_.b;
  const ComponentArrays arrays = shared_totals(folds_.types());
  Value* const thread = entry_.wide(AbstractFunction::thread_index);
  Value* const own = b.ir.CreateSub(thread, b.i64(warp_size));
  Value* const at_once =
      b.ir.CreateSub(entry_.wide(AbstractFunction::block_size), b.i64(warp_size));
  RunningValues sum = folds_.running(entry_, folds_.neutral(entry_));
  const jit::Variable half = b.variable(ElementType::I64, jit::Shape::Uniform);
  b.set(half, b.uniform(b.i64(0)));
  // (At first there are none to fold.)
  entry_.for_each(b.ir.CreateNeg(at_once), tiles, at_once, [&](Value* first) {
    Value* const begin = b.get(half).value;
    Value* const other = b.ir.CreateSub(b.i64(usual_threads), begin);
    Value* const next = b.ir.CreateAdd(b.ir.CreateAdd(first, at_once), own);
    b.if_then(b.ir.CreateAnd(b.ir.CreateICmpSGE(own, b.i64(0)), b.ir.CreateICmpSLT(next, tiles)),
              [&] {
                wait_for(next);
                folds_.store(entry_, shared_, arrays, b.ir.CreateAdd(other, own),
                             folds_.load_areas(entry_, 0, next));
              });
    b.if_then(
        b.ir.CreateAnd(b.ir.CreateICmpEQ(thread, b.i64(0)), b.ir.CreateICmpSGE(first, b.i64(0))),
        [&] {
          FoldSteps steps{.takes_first = b.ir.CreateICmpEQ(first, b.i64(0)),
                          .rests_are_rare = true};
          if (carries == Carries::Left)
            steps.before = [&](Value* place) {
              folds_.store_areas(entry_, 0, b.ir.CreateAdd(first, b.ir.CreateSub(place, begin)),
                                 folds_.get(entry_, sum));
            };
          Value* const end =
              b.ir.CreateAdd(begin, b.lesser_of(at_once, b.ir.CreateSub(tiles, first)));
          folds_.fold_in_order(
              entry_, sum, begin, end,
              [&](Value* place) { return folds_.load(entry_, shared_, arrays, place); }, steps);
        });
    entry_.barrier();
    b.set(half, b.uniform(other));
  });
  return sum;
}

} // namespace sinter::gpu
