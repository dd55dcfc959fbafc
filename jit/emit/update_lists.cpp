// Updates of a histogram's bins that are made now and happen later: the functions `deal` and
// `accumulate` of kernels (kernel_abi.h).
#include "jit/emit/body.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_emitter.h"
#include "jit/emit/kernel_shape.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Among so many shares lanes are moved together share by share; among more they go one by one.
constexpr std::int64_t few_shares = 8;

/// The share that has a bin: of a number or of numbers (of the type of `last_share`).
Value* share_of(LaneBuilder& b, Value* bin, Value* last_share) {
  return b.ir.CreateAnd(b.ir.CreateLShr(bin, std::uint64_t{bins_of_turn_log2}), last_share);
}

} // namespace

BodyEmitter::UpdateList BodyEmitter::update_list(const ir::HistogramGroup& group,
                                                 const UpdateLists& lists, Value* share) {
  const auto behind = [&](Value* pointer, Value* bytes) {
    return b.ir.CreateGEP(b.ir.getInt8Ty(), pointer, bytes);
  };
  UpdateList list;
  list.count = behind(lists.first, b.ir.CreateMul(share, lists.list_bytes));
  list.bins = behind(list.count, b.i64(update_list_header));
  Value* next = behind(list.bins, b.ir.CreateMul(lists.room, b.i64(sizeof(std::int32_t))));
  for (const ir::Operand& neutral : group.neutral) {
    list.values.push_back(next);
    const auto size = static_cast<std::int64_t>(byte_size(source_.type(neutral).element));
    next = behind(next, b.ir.CreateMul(lists.room, b.i64(size)));
  }
  return list;
}

void BodyEmitter::deal(const HistogramState& state, const GroupElement& element) {
  if (!across_lanes_) {
    const std::vector<LaneValue> one = element.scalars(element.values.size());
    under(within(source_.type(state.group->destinations[0]), std::span(one).first(1)),
          [&] { deal_one(state, one); });
    return;
  }
  const bool compresses =
      b.kernel.facts().compresses_lanes && b.lanes() >= 4 &&
      std::all_of(element.types.begin() + 1, element.types.end(), may_lie_in_rows);
  const auto one_by_one = [&] {
    for_each_lane(element.scalars(element.values.size()), [&](std::span<const LaneValue> one) {
      under(within(source_.type(state.group->destinations[0]), one.first(1)),
            [&] { deal_one(state, one); });
    });
  };
  if (!compresses) return one_by_one();
  b.if_then_else(
      b.ir.CreateICmpSLE(state.lists->shares, b.i64(few_shares)),
      [&] { deal_lanes(state, element); }, one_by_one);
}

/// `element` is a bin that there is, and its values.
void BodyEmitter::deal_one(const HistogramState& state, std::span<const LaneValue> element) {
  Value* const last_share = b.ir.CreateSub(state.lists->shares, b.i64(1));
  const UpdateList list =
      update_list(*state.group, *state.lists, share_of(b, element[0].value, last_share));
  Value* const count = b.ir.CreateLoad(b.ir.getInt64Ty(), list.count);
  const auto store = [&](Value* value, Value* begin) {
    b.ir.CreateStore(value, b.ir.CreateGEP(value->getType(), begin, count));
  };
  store(b.ir.CreateTrunc(element[0].value, b.ir.getInt32Ty()), list.bins);
  for (std::size_t i = 0; i < list.values.size(); ++i) {
    Value* value = element[i + 1].value;
    llvm::Type* const stored = b.memory_type(element[i + 1].element);
    if (value->getType() != stored) value = b.ir.CreateZExt(value, stored);
    store(value, list.values[i]);
  }
  b.ir.CreateStore(b.ir.CreateAdd(count, b.i64(1)), list.count);
}

/// Of W elements those of each share are moved together and stored behind the share's others, by
/// whole vectors: there is room for more than there may be.
void BodyEmitter::deal_lanes(const HistogramState& state, const GroupElement& element) {
  const LaneValue bin = std::get<LaneValue>(element.values[0]);
  Value* const mask = b.mask;
  Value* const there =
      b.and_mask(b.vector(within(source_.type(state.group->destinations[0]), std::span(&bin, 1))));
  const unsigned lanes = b.lanes();
  auto* const numbers = llvm::FixedVectorType::get(b.ir.getInt32Ty(), lanes);
  std::vector<Value*> vectors = {b.ir.CreateTrunc(b.vector(bin), numbers)};
  unsigned part = std::min<unsigned>(lanes, b.kernel.facts().vector_bytes / sizeof(std::int32_t));
  for (std::size_t i = 1; i < element.values.size(); ++i) {
    vectors.push_back(b.vector(std::get<LaneValue>(element.values[i])));
    part = std::min(part, static_cast<unsigned>(b.kernel.facts().vector_bytes /
                                                byte_size(element.types[i].element)));
  }
  b.leave_lanes();
  const auto in_all_lanes = [&](Value* number) {
    return b.ir.CreateVectorSplat(lanes, b.ir.CreateTrunc(number, b.ir.getInt32Ty()));
  };
  Value* const shares =
      share_of(b, vectors[0], in_all_lanes(b.ir.CreateSub(state.lists->shares, b.i64(1))));
  b.loop(b.i64(0), state.lists->shares, 1, [&](Value* share) {
    Value* const own = b.ir.CreateAnd(there, b.ir.CreateICmpEQ(shares, in_all_lanes(share)));
    const UpdateList list = update_list(*state.group, *state.lists, share);
    Value* count = b.ir.CreateLoad(b.ir.getInt64Ty(), list.count);
    for (unsigned first = 0; first < lanes; first += part) {
      std::vector<int> order;
      for (unsigned lane = first; lane < first + part; ++lane)
        order.push_back(static_cast<int>(lane));
      Value* const kept = b.ir.CreateShuffleVector(own, order);
      for (std::size_t i = 0; i < vectors.size(); ++i) {
        Value* const packed =
            b.kernel.hooks.compress(b, b.ir.CreateShuffleVector(vectors[i], order), kept);
        llvm::Type* const type = vectors[i]->getType()->getScalarType();
        Value* const place = b.ir.CreateGEP(type, i == 0 ? list.bins : list.values[i - 1], count);
        b.ir.CreateAlignedStore(packed, place, llvm::Align(type->getScalarSizeInBits() / 8));
      }
      Value* const bits = b.ir.CreateBitCast(kept, b.ir.getIntNTy(part));
      count = b.ir.CreateAdd(
          count, b.ir.CreateZExtOrTrunc(b.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits),
                                        b.ir.getInt64Ty()));
    }
    b.ir.CreateStore(count, list.count);
  });
  b.enter_lanes(mask);
}

void BodyEmitter::accumulate(const HistogramState& state, const UpdateList& list) {
  std::vector<ir::Type> types;
  for (const ir::Operand& neutral : state.group->neutral)
    types.push_back(source_.type(neutral));
  Value* const count = b.ir.CreateLoad(b.ir.getInt64Ty(), list.count);
  const auto update_of = [&](Value* update) {
    const auto load = [&](llvm::Type* type, Value* begin) {
      return b.ir.CreateLoad(type, b.ir.CreateGEP(type, begin, update));
    };
    const LaneValue bin =
        b.uniform(b.ir.CreateZExt(load(b.ir.getInt32Ty(), list.bins), b.ir.getInt64Ty()));
    std::vector<Emitted> values;
    for (std::size_t i = 0; i < types.size(); ++i) {
      Value* value = load(b.memory_type(types[i].element), list.values[i]);
      if (value->getType() != b.type(types[i].element))
        value = b.ir.CreateTrunc(value, b.type(types[i].element));
      values.emplace_back(b.uniform(value, types[i].element));
    }
    return std::pair(bin, values);
  };
  const auto one_by_one = [&](Value* begin, Value* end) {
    b.loop(begin, end, 1, [&](Value* update) {
      const auto [bin, values] = update_of(update);
      combine_into_bins(state, std::span(&bin, 1), values, types);
    });
  };
  if (!may_keep_bin(state)) return one_by_one(b.i64(0), count);
  constexpr unsigned at_a_time = 8;
  Value* const whole = b.ir.CreateAnd(count, b.i64(-std::int64_t{at_a_time}));
  b.loop(b.i64(0), whole, at_a_time, [&](Value* first) {
    auto* const type = llvm::FixedVectorType::get(b.ir.getInt32Ty(), at_a_time);
    Value* const bins = b.ir.CreateAlignedLoad(
        type, b.ir.CreateGEP(b.ir.getInt32Ty(), list.bins, first), llvm::Align(4));
    b.if_then_else(
        most_repeat(bins),
        [&] {
          const KeptBin kept = keep_bin(state);
          std::optional<Value*> before;
          for (unsigned i = 0; i < at_a_time; ++i) {
            const auto [bin, values] = update_of(b.ir.CreateAdd(first, b.i64(i)));
            combine_with_kept(state, kept, bin, values,
                              before ? b.ir.CreateICmpEQ(bin.value, *before) : nullptr);
            before = bin.value;
          }
        },
        [&] { one_by_one(first, b.ir.CreateAdd(first, b.i64(at_a_time))); });
  });
  one_by_one(whole, count);
}

// ---- in a kernel -------------------------------------------------------------------------------

UpdateLists KernelEmitter::update_lists(Entry& entry, const ir::HistogramGroup& group,
                                        Value* slot) {
  LaneBuilder& b = entry.body.b;
  UpdateLists lists;
  lists.shares = field(entry, offsetof(KernelFrame, shares), b.ir.getInt64Ty());
  lists.room = field(entry, offsetof(KernelFrame, update_list_room), b.ir.getInt64Ty());
  lists.list_bytes = b.ir.CreateAdd(
      b.ir.CreateMul(lists.room, b.i64(update_bytes(function_, group))), b.i64(update_list_header));
  lists.first = b.ir.CreateGEP(
      b.ir.getInt8Ty(), field(entry, offsetof(KernelFrame, update_lists), b.ir.getPtrTy()),
      b.ir.CreateMul(slot, b.ir.CreateMul(lists.shares, lists.list_bytes)));
  return lists;
}

std::string KernelEmitter::deal(const ir::Soac& soac) {
  assert(may_deal_updates(function_, soac));
  const auto entry = enter("deal", 3);
  BodyEmitter& body = entry->body;
  LaneBuilder& b = body.b;
  preliminaries(*entry);
  const auto& group = std::get<ir::HistogramGroup>(soac.groups[0]);
  const UpdateLists lists = update_lists(*entry, group, entry->function->getArg(3));
  b.loop(b.i64(0), lists.shares, 1, [&](Value* share) {
    b.ir.CreateStore(b.i64(0), body.update_list(group, lists, share).count);
  });
  body.with_scratch([&] {
    std::vector<GroupState> states = {HistogramState{&group, {}, lists}};
    body.soac_range(soac, states, entry->function->getArg(1),
                    b.uniform(entry->function->getArg(2)));
  });
  body.finish();
  return entry->name;
}

std::string KernelEmitter::accumulate(const ir::Soac& soac) {
  const auto entry = enter("accumulate", 3);
  BodyEmitter& body = entry->body;
  LaneBuilder& b = body.b;
  preliminaries(*entry);
  const auto& group = std::get<ir::HistogramGroup>(soac.groups[0]);
  HistogramState state{&group, {}};
  for (const ir::Operand& destination : group.destinations)
    state.places.push_back(body.array(destination.value()));
  b.loop(entry->function->getArg(1), entry->function->getArg(2), 1, [&](Value* slot) {
    body.accumulate(state, body.update_list(group, update_lists(*entry, group, slot),
                                            entry->function->getArg(3)));
  });
  body.finish();
  return entry->name;
}

} // namespace sinter::jit
