#include "gpu/skeletons/look_back.h"

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

/// What a tile's words say of their values.
constexpr std::uint32_t nothing_known = 0, total_known = 1, prefix_known = 2;

/// A word's last two bits say what it tells, the others are for values.
constexpr unsigned state_at = 62;

/// So many pieces of 32 bits, or of all there are, a component is told in.
std::size_t pieces_of(ElementType type, LookBack::Told told) {
  return told == LookBack::Told::Values && byte_size(type) > 4 ? 2 : 1;
}
/// The first of the warp's threads (i64) that a ballot names; as many as there are if none is.
Value* nearest_of(LaneBuilder& b, Value* ballot) {
  return b.ir.CreateZExt(b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, ballot, b.ir.getFalse()),
                         b.ir.getInt64Ty());
}

std::int64_t words_of_tile(const std::vector<ElementType>& types, LookBack::Told told) {
  std::size_t words = 0;
  for (const ElementType type : types)
    words += pieces_of(type, told);
  return static_cast<std::int64_t>(words);
}

} // namespace

void LookBack::add_areas(LaunchPlan& plan, const std::vector<ElementType>& types,
                         std::int64_t tiles, Told told) {
  // The tickets, and the tiles' words.
  const std::int64_t words = 1 + saturating_product(tiles, words_of_tile(types, told));
  plan.areas.push_back({saturating_product(words, 8), WorkArea::Element{nothing_known, 8}});
}

Value* LookBack::arrays_in(EntryBuilder& entry, Value* shared) const {
  return entry.b.ir.CreateConstGEP1_64(entry.b.ir.getInt8Ty(), shared, 16);
}

/// Those of neighbouring tiles lie beside each other.
Value* LookBack::word_of(EntryBuilder& entry, Value* tile, Value* tiles, std::size_t number) const {
  LaneBuilder& b = entry.b;
  Value* const before =
      b.ir.CreateAdd(b.ir.CreateMul(tiles, b.i64(static_cast<std::int64_t>(number))), b.i64(1));
  return b.ir.CreateGEP(b.ir.getInt64Ty(), entry.place(entry.area(first_area_)),
                        b.ir.CreateAdd(before, tile));
}

void LookBack::tell(EntryBuilder& entry, Value* tile, Value* tiles, std::uint32_t state,
                    const Components& values) const {
  LaneBuilder& b = entry.b;
  llvm::Type* const i64 = b.ir.getInt64Ty();
  std::size_t number = 0;
  for (std::size_t c = 0; c < values.size(); ++c) {
    const unsigned bits = values[c]->getType()->getPrimitiveSizeInBits();
    Value* const whole = b.ir.CreateZExt(b.ir.CreateBitCast(values[c], b.ir.getIntNTy(bits)), i64);
    const std::size_t pieces = pieces_of(folds_.types()[c], told_);
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      Value* part = whole;
      if (pieces == 2)
        part = piece == 0 ? b.ir.CreateAnd(whole, b.i64(UINT32_MAX)) : b.ir.CreateLShr(whole, 32);
      const auto bits_of_state = static_cast<std::int64_t>(std::uint64_t{state} << state_at);
      entry.call(AbstractFunction::tell_i64, {word_of(entry, tile, tiles, number++),
                                              b.ir.CreateOr(part, b.i64(bits_of_state))});
    }
  }
}

/// Nothing is known where the words are not yet all of one state.
LookBack::Heard LookBack::hear(EntryBuilder& entry, Value* tile, Value* tiles) const {
  LaneBuilder& b = entry.b;
  llvm::Type* const i32 = b.ir.getInt32Ty();
  std::vector<Value*> words;
  for (std::int64_t i = 0; i < words_of_tile(folds_.types(), told_); ++i)
    words.push_back(entry.call(AbstractFunction::hear_i64,
                               {word_of(entry, tile, tiles, static_cast<std::size_t>(i))}));
  Heard heard{nullptr, {}};
  for (Value* const word : words) {
    Value* const state = b.ir.CreateTrunc(b.ir.CreateLShr(word, state_at), i32);
    heard.state = heard.state ? b.ir.CreateSelect(b.ir.CreateICmpEQ(heard.state, state), state,
                                                  b.ir.getInt32(nothing_known))
                              : state;
  }
  const auto value_in = [&](Value* word) {
    return b.ir.CreateAnd(word, b.i64((std::int64_t{1} << state_at) - 1));
  };
  std::size_t number = 0;
  for (const ElementType type : folds_.types()) {
    Value* whole = value_in(words[number++]);
    if (pieces_of(type, told_) == 2)
      whole = b.ir.CreateOr(whole, b.ir.CreateShl(value_in(words[number++]), 32));
    llvm::Type* const memory = b.memory_type(type);
    heard.values.push_back(b.ir.CreateBitCast(
        b.ir.CreateTrunc(whole, b.ir.getIntNTy(memory->getPrimitiveSizeInBits())), memory));
  }
  return heard;
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
  // (Operators of a few statements on few values are written down once for each distance.)
  constexpr std::size_t few_statements = 8;
  std::size_t statements = 0;
  for (const FoldFunctions& fold : folds_.parts())
    statements += fold.statements;
  if (statements * folds_.size() <= few_statements) {
    Components sum = values;
    for (std::uint32_t distance = 1; distance < warp_size; distance *= 2)
      sum = combined(sum, b.ir.getInt32(distance));
    return sum;
  }
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

Components LookBack::of_lane(EntryBuilder& entry, const Components& values, Value* lane) const {
  return shuffled(entry, AbstractFunction::shuffle, values, lane);
}

/// Whether a warp has seen a known prefix (i32).
Value* LookBack::flag_in(EntryBuilder& entry, Value* shared, Value* warp) const {
  LaneBuilder& b = entry.b;
  Value* const flags = b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), arrays_in(entry, shared),
                                               static_cast<std::uint64_t>(arrays_.bytes));
  return b.ir.CreateGEP(b.ir.getInt32Ty(), flags, warp);
}

/// By all of a warp, each thread with a tile of its own (i64) before its neighbour's below: what
/// they fold to, up to the nearest one whose prefix is known, and whether there is one, come to the
/// warp's slots.
void LookBack::look(EntryBuilder& entry, Value* seen, Value* tiles, Value* shared) const {
  LaneBuilder& b = entry.b;
  Value* const thread = entry.wide(AbstractFunction::thread_index);
  Value* const lane = b.ir.CreateAnd(thread, b.i64(warp_size - 1));
  const Components neutral = folds_.neutral(entry);
  const RunningValues value = folds_.running(entry, neutral);
  const jit::Variable state = b.variable(ElementType::I32, jit::Shape::Uniform);
  const jit::Variable knowing = b.variable(ElementType::I32, jit::Shape::Uniform);
  Value* const is_there = b.ir.CreateICmpSGE(seen, b.i64(0));
  const auto says = [&](std::uint32_t what) {
    return entry.call(AbstractFunction::ballot,
                      {b.ir.CreateICmpEQ(b.get(state).value, b.ir.getInt32(what))});
  };
  const auto look_once = [&] {
    // (In front of the first tile everything is known.)
    b.set(state, b.uniform(b.ir.getInt32(prefix_known), ElementType::I32));
    b.if_then(is_there, [&] {
      const Heard heard = hear(entry, seen, tiles);
      b.set(state, b.uniform(heard.state, ElementType::I32));
      folds_.set(entry, value, heard.values);
    });
    b.set(knowing, b.uniform(says(prefix_known), ElementType::I32));
  };
  look_once();
  // Those that are nearer than the nearest known prefix have to have told something.
  b.while_loop(
      [&] {
        Value* const prefixes = b.get(knowing).value;
        Value* const nearer =
            b.ir.CreateAnd(b.ir.CreateSub(prefixes, b.ir.getInt32(1)), b.ir.CreateNot(prefixes));
        return b.ir.CreateICmpNE(b.ir.CreateAnd(says(nothing_known), nearer), b.ir.getInt32(0));
      },
      look_once);
  Value* const prefixes = b.get(knowing).value;
  const Components wanted = selected(entry, b.ir.CreateICmpULE(lane, nearest_of(b, prefixes)),
                                     folds_.get(entry, value), neutral);
  const Components all = over_tiles(entry, wanted);
  leave(entry, shared, all,
        b.ir.CreateZExt(b.ir.CreateICmpNE(prefixes, b.ir.getInt32(0)), b.ir.getInt32Ty()));
}

/// By the first thread of a warp, for the warp's slots.
void LookBack::leave(EntryBuilder& entry, Value* shared, const Components& values,
                     Value* flag) const {
  LaneBuilder& b = entry.b;
  Value* const thread = entry.wide(AbstractFunction::thread_index);
  Value* const warp = b.ir.CreateLShr(thread, b.i64(5));
  Value* const is_first = b.ir.CreateICmpEQ(b.ir.CreateAnd(thread, b.i64(warp_size - 1)), b.i64(0));
  b.if_then(is_first, [&] {
    folds_.store(entry, arrays_in(entry, shared), arrays_, b.ir.CreateAdd(warp, b.i64(most_warps)),
                 values);
    b.ir.CreateAlignedStore(flag, flag_in(entry, shared, warp), llvm::Align(4));
  });
}

/// By all of the block, each of whose threads gets what stands before the tile.
Components LookBack::look_back(EntryBuilder& entry, Value* tile, Value* tiles,
                               Value* shared) const {
  LaneBuilder& b = entry.b;
  Value* const thread = entry.wide(AbstractFunction::thread_index);
  Value* const threads = entry.wide(AbstractFunction::block_size);
  Value* const lane = b.ir.CreateAnd(thread, b.i64(warp_size - 1));
  Value* const warp = b.ir.CreateLShr(thread, b.i64(5));
  Value* const is_of_warp = b.ir.CreateICmpULT(lane, b.ir.CreateLShr(threads, b.i64(5)));
  const Components neutral = folds_.neutral(entry);
  const RunningValues before = folds_.running(entry, neutral);
  const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
  b.set(next, b.uniform(b.ir.CreateSub(tile, b.i64(1))));
  b.while_loop(
      [&] { return b.ir.CreateICmpSGE(b.get(next).value, b.i64(0)); },
      [&] {
        Value* const nearest_tile =
            b.ir.CreateSub(b.get(next).value, b.ir.CreateMul(warp, b.i64(warp_size)));
        b.if_then_else(
            b.ir.CreateICmpSGE(nearest_tile, b.i64(0)),
            [&] { look(entry, b.ir.CreateSub(nearest_tile, lane), tiles, shared); },
            [&] { leave(entry, shared, neutral, b.ir.getInt32(1)); });
        entry.barrier();
        // Each warp puts together what all of them have seen, a thread for each of them.
        const RunningValues value = folds_.running(entry, neutral);
        const jit::Variable flag = b.variable(ElementType::I32, jit::Shape::Uniform);
        b.set(flag, b.uniform(b.ir.getInt32(0), ElementType::I32));
        b.if_then(is_of_warp, [&] {
          folds_.set(entry, value,
                     folds_.load(entry, arrays_in(entry, shared), arrays_,
                                 b.ir.CreateAdd(lane, b.i64(most_warps))));
          b.set(flag,
                b.uniform(b.ir.CreateAlignedLoad(b.ir.getInt32Ty(), flag_in(entry, shared, lane),
                                                 llvm::Align(4)),
                          ElementType::I32));
        });
        Value* const prefixes = entry.call(
            AbstractFunction::ballot, {b.ir.CreateICmpNE(b.get(flag).value, b.ir.getInt32(0))});
        const Components wanted = selected(entry, b.ir.CreateICmpULE(lane, nearest_of(b, prefixes)),
                                           folds_.get(entry, value), neutral);
        const Components all = of_lane(entry, over_tiles(entry, wanted), b.ir.getInt32(0));
        folds_.set(entry, before, folds_.combined(entry, all, folds_.get(entry, before)));
        Value* const is_over = b.ir.CreateICmpNE(prefixes, b.ir.getInt32(0));
        b.set(next, b.uniform(b.ir.CreateSelect(is_over, b.i64(-1),
                                                b.ir.CreateSub(b.get(next).value, threads))));
        b.if_then(b.ir.CreateNot(is_over), [&] { entry.barrier(); }); // (the slots are used again)
      });
  return folds_.get(entry, before);
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
  // Each warp folds the totals of all of them, a thread for each.
  const Components neutral = folds_.neutral(entry);
  const RunningValues of_warps = folds_.running(entry, neutral);
  b.if_then(b.ir.CreateICmpSLT(lane, warps),
            [&] { folds_.set(entry, of_warps, folds_.load(entry, memory, arrays_, lane)); });
  const Components up_to_warp = inclusive_of_warp(entry, folds_.get(entry, of_warps));
  const auto as_lane = [&](Value* number) { return b.ir.CreateTrunc(number, b.ir.getInt32Ty()); };
  const Components all =
      of_lane(entry, up_to_warp, b.ir.getInt32(warp_size - 1)); // (neutral behind the last one)
  const Components before_warp =
      of_lane(entry, up_to_warp,
              as_lane(b.ir.CreateAnd(b.ir.CreateSub(warp, b.i64(1)), b.i64(warp_size - 1))));
  const RunningValues before = folds_.running(
      entry, selected(entry, b.ir.CreateICmpEQ(warp, b.i64(0)), neutral, before_warp));
  const Components neighbour =
      shuffled(entry, AbstractFunction::shuffle_up, inclusive, b.ir.getInt32(1));
  folds_.fold(entry, before,
              selected(entry, b.ir.CreateICmpEQ(lane, b.i64(0)), neutral, neighbour));
  Value* const is_first = b.ir.CreateICmpEQ(thread, b.i64(0));
  Value* const others = b.ir.CreateICmpNE(tiles, b.i64(1));
  const RunningValues outside = folds_.running(entry, neutral);
  b.if_then(others, [&] {
    b.if_then(is_first, [&] { tell(entry, tile, tiles, total_known, all); });
    folds_.set(entry, outside, look_back(entry, tile, tiles, shared));
    b.if_then(is_first, [&] {
      tell(entry, tile, tiles, prefix_known,
           folds_.combined(entry, folds_.get(entry, outside), all));
    });
  });
  const Components front = folds_.get(entry, outside);
  return {folds_.combined(entry, front, folds_.get(entry, before)), front,
          folds_.combined(entry, front, all)};
}

} // namespace sinter::gpu
