// Numbers that change once, at most, along the lanes: a running index's high bits, and what is
// computed and read by those alone.
//
//   i                  13  14  15  16  17 …   (13 + lane)
//   k = shr i 4         0   0   0   1   1 …   two numbers, and where the second one begins
//   x = index xs[k]     a   a   a   b   b …   two loads instead of a gather
#include "jit/emit/body.h"
#include "jit/emit/primitives.h"
#include "jit/ir/costs.h"

#include <array>
#include <bit>
#include <cstdint>

namespace sinter::jit {

using llvm::Value;
using primitives::Operation;

namespace {

/// How far apart the indices are at which the operation's result changes; nothing if that is
/// unknown or less than the lanes are.
std::optional<std::uint64_t> distance_of_changes(const primitives::Primitive& primitive,
                                                 std::span<const LaneValue> operands,
                                                 unsigned lanes) {
  if (!is_integer(primitive.operand) || operands.size() != 2 ||
      operands[0].shape != Shape::Linear || operands[1].shape != Shape::Uniform)
    return std::nullopt;
  const auto* const by = llvm::dyn_cast<llvm::ConstantInt>(operands[1].value);
  if (!by || by->isNegative()) return std::nullopt;
  std::uint64_t distance = by->getZExtValue();
  if (primitive.operation == Operation::ShiftRight ||
      primitive.operation == Operation::ShiftRightLogical) {
    if (distance >= 8 * byte_size(primitive.operand) || distance >= 63) return std::nullopt;
    distance = std::uint64_t{1} << distance;
  } else if (primitive.operation != Operation::Divide || !std::has_single_bit(distance)) {
    return std::nullopt;
  }
  return distance >= lanes ? std::optional(distance) : std::nullopt;
}

} // namespace

/// Which lanes are behind the next multiple of as many as there are, or at it.  (Computed where the
/// index is known, so that all that is made of it has the same.)
Value* BodyEmitter::behind_multiple(Value* first) {
  Value*& mask = behind_multiples_[{first, b.lanes()}];
  if (mask) return mask;
  const llvm::IRBuilderBase::InsertPointGuard guard(b.ir);
  if (auto* const made = llvm::dyn_cast<llvm::Instruction>(first))
    b.ir.SetInsertPoint(made->getParent(), made->getInsertionPointAfterDef().value());
  else
    b.ir.SetInsertPoint(&b.function->getEntryBlock(),
                        b.function->getEntryBlock().getFirstInsertionPt());
  const std::uint64_t lanes = std::bit_ceil(b.lanes());
  llvm::Type* const type = first->getType();
  Value* const within = b.ir.CreateAnd(first, llvm::ConstantInt::get(type, lanes - 1));
  Value* const left = b.ir.CreateSub(llvm::ConstantInt::get(type, lanes), within);
  mask = b.ir.CreateICmpUGE(b.lane_numbers(b.ir.getInt32Ty()),
                            b.splat(b.ir.CreateZExtOrTrunc(left, b.ir.getInt32Ty())));
  return mask;
}

std::optional<TwoParts> BodyEmitter::common_parts(std::span<const LaneValue> values) const {
  const TwoParts* found = nullptr;
  for (const LaneValue& value : values) {
    if (value.shape == Shape::Uniform) continue;
    if (!value.parts || (found && found->is_behind != value.parts->is_behind)) return std::nullopt;
    found = value.parts;
  }
  return found ? std::optional(*found) : std::nullopt;
}

std::optional<LaneValue> BodyEmitter::emit_in_two_parts(const primitives::Primitive& primitive,
                                                        std::span<const LaneValue> operands) {
  if (!b.in_lanes() || b.kernel.is_compact || primitive.is_defined) return std::nullopt;
  const auto computed = [&](const auto& operand_of) {
    std::array<Value*, 3> values{};
    for (std::size_t i = 0; i < operands.size(); ++i)
      values[i] = operand_of(operands[i]);
    return emit_primitive(b, primitive, values);
  };
  if (distance_of_changes(primitive, operands, b.lanes())) {
    Value* const lane = b.last_lane();
    if (!lane) return std::nullopt;
    Value* const first = operands[0].value;
    Value* const last = b.ir.CreateAdd(first, b.ir.CreateZExtOrTrunc(lane, first->getType()));
    const auto of = [&](Value* index) {
      return computed([&](const LaneValue& operand) {
        return operand.shape == Shape::Linear ? index : operand.value;
      });
    };
    return b.in_two_parts(of(first), of(last), behind_multiple(first), primitive.result);
  }
  const std::optional<TwoParts> parts = common_parts(operands);
  if (!parts || primitive.cost >= costs::function_call) return std::nullopt;
  Value* const first =
      computed([](const LaneValue& each) { return each.parts ? each.parts->first : each.value; });
  Value* const last =
      computed([](const LaneValue& each) { return each.parts ? each.parts->last : each.value; });
  return b.in_two_parts(first, last, parts->is_behind, primitive.result);
}

std::optional<LaneValue> BodyEmitter::read_in_two_parts(const ir::Index& op, const ArrayView& from,
                                                        std::span<const LaneValue> indices) {
  const std::optional<TwoParts> parts = common_parts(indices);
  if (!parts || !b.last_lane() || from.offset.shape != Shape::Uniform) return std::nullopt;
  // (What is one register all lanes pick from as quickly.)
  const ir::Operand& extent = source_.type(op.array).extents.back();
  const TargetFacts& facts = b.kernel.facts();
  if (facts.picks_lanes && extent.is_constant() &&
      extent.scalar().as<std::int64_t>() * 4 <= static_cast<std::int64_t>(facts.vector_bytes))
    return std::nullopt;
  const auto read = [&](Value* TwoParts::*part) {
    std::vector<LaneValue> at(indices.begin(), indices.end());
    for (LaneValue& index : at)
      if (index.parts) index = b.uniform(index.parts->*part, index.element);
    return b.load(from, b.element_offset(from, at)).value;
  };
  return b.in_two_parts(read(&TwoParts::first), read(&TwoParts::last), parts->is_behind,
                        from.element);
}

} // namespace sinter::jit
