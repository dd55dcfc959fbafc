#include "jit/emit/body.h"

#include "jit/emit/primitives.h"
#include "jit/emit/range_checks.h"

#include <cassert>

namespace sinter::jit {

using llvm::Value;
using primitives::Operation;

BodyEmitter::BodyEmitter(KernelModule& kernel, const ir::Function& source, const LanePlan& plan,
                         llvm::Function* function)
    : b(kernel, function), source_(source), plan_(plan), uniformity_(source),
      tables_(literal_tables(source)), used_(used_values(source)), ascending_(source),
      environment_(source.values.size()), rows_of_updates_(rows_of_updates(source)),
      states_in_place_(states_made_in_place(source)), filled_by_loops_(filled_by_loops(source)),
      failed_(b.block("failed")) {}

void BodyEmitter::finish() {
  b.ir.CreateRet(b.i64(0));
  b.ir.SetInsertPoint(failed_);
  b.ir.CreateRet(b.i64(1));
  b.promote_variables();
}

// ---- the environment ---------------------------------------------------------------------------

void BodyEmitter::bind(ir::ValueId value, Emitted emitted_value) {
  environment_[value.index] = std::move(emitted_value);
}

Emitted BodyEmitter::emitted(const ir::Operand& operand) {
  if (operand.is_constant()) return b.constant(operand.element(), operand.scalar());
  assert(environment_[operand.value().index]);
  return *environment_[operand.value().index];
}

LaneValue BodyEmitter::scalar(const ir::Operand& operand) {
  return std::get<LaneValue>(emitted(operand));
}

const ArrayView& BodyEmitter::array(ir::ValueId value) const {
  assert(environment_[value.index]);
  return std::get<ArrayView>(*environment_[value.index]);
}

std::vector<LaneValue> BodyEmitter::scalars(std::span<const ir::Operand> operands) {
  std::vector<LaneValue> result;
  for (const ir::Operand& operand : operands)
    result.push_back(scalar(operand));
  return result;
}

std::vector<LaneValue> BodyEmitter::extents(const ir::Type& type) {
  return scalars(type.extents);
}

// ---- statements --------------------------------------------------------------------------------

void BodyEmitter::statements(const ir::Body& body) {
  for (const ir::Statement& statement : body.statements)
    emit(statement);
}

void BodyEmitter::emit(const ir::Statement& statement) {
  std::visit([&](const auto& op) { emit(statement, op); }, statement.operation);
}

namespace {

/// Sums, differences and narrowings of linear indices are linear, and may have a bound; nothing
/// else is tried.
std::optional<LaneValue> emit_linear(LaneBuilder& b, const primitives::Primitive& primitive,
                                     std::span<const LaneValue> operands) {
  if (!is_integer(primitive.operand) || !is_integer(primitive.result)) return std::nullopt;
  const auto shape = [&](std::size_t i) { return operands[i].shape; };
  switch (primitive.operation) {
  case Operation::Add:
    if (std::max(shape(0), shape(1)) != Shape::Linear || shape(0) == shape(1)) return std::nullopt;
    return LaneValue{b.ir.CreateAdd(operands[0].value, operands[1].value), Shape::Linear,
                     primitive.result};
  case Operation::Subtract:
    if (shape(0) != Shape::Linear || shape(1) == Shape::Varying) return std::nullopt;
    return LaneValue{b.ir.CreateSub(operands[0].value, operands[1].value),
                     shape(1) == Shape::Linear ? Shape::Uniform : Shape::Linear, primitive.result};
  case Operation::Convert:
    if (shape(0) != Shape::Linear || byte_size(primitive.result) > byte_size(primitive.operand))
      return std::nullopt;
    return LaneValue{b.ir.CreateTrunc(operands[0].value, b.type(primitive.result)), Shape::Linear,
                     primitive.result};
  case Operation::Maximum:
  case Operation::Minimum: {
    const std::size_t moving = shape(0) == Shape::Uniform ? 1 : 0;
    if (primitive.operand != ElementType::I64 || shape(1 - moving) != Shape::Uniform ||
        !(shape(moving) == Shape::Linear || operands[moving].line))
      return std::nullopt;
    return b.clamped(operands[moving], operands[1 - moving].value,
                     primitive.operation == Operation::Maximum);
  }
  default:
    return std::nullopt;
  }
}

} // namespace

void BodyEmitter::emit(const ir::Statement& statement, const ir::Primitive& op) {
  if (const auto settled = settled_.find(statement.results[0].index); settled != settled_.end()) {
    bind(statement.results[0], b.uniform(settled->second, ElementType::Bool));
    return;
  }
  const std::vector<LaneValue> operands = scalars(op.arguments);
  if (const auto linear = emit_linear(b, *op.primitive, operands)) {
    bind(statement.results[0], *linear);
    return;
  }
  if (const auto parts = emit_in_two_parts(*op.primitive, operands)) {
    bind(statement.results[0], *parts);
    return;
  }
  if (op.primitive->operation == Operation::Convert && operands[0].shape == Shape::Linear &&
      op.primitive->operand == ElementType::I64 &&
      (op.primitive->result == ElementType::F32 || op.primitive->result == ElementType::F64)) {
    bind(statement.results[0],
         b.varying(emit_float_of_linear(b, op.primitive->result, operands[0].value),
                   op.primitive->result));
    return;
  }
  bool is_uniform = true;
  for (const LaneValue& operand : operands)
    is_uniform = is_uniform && operand.shape == Shape::Uniform;
  std::array<Value*, 3> values{};
  for (std::size_t i = 0; i < operands.size(); ++i)
    values[i] = is_uniform ? operands[i].value : b.vector(operands[i]);
  Value* result = op.primitive->operation == Operation::And
                      ? emit_range_check(b, values[0], values[1])
                      : nullptr;
  if (!result) result = emit_primitive(b, *op.primitive, values);
  bind(statement.results[0], is_uniform ? b.uniform(result, op.primitive->result)
                                        : b.varying(result, op.primitive->result));
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::Select& op) {
  const LaneValue condition = scalar(op.condition);
  const LaneValue first = scalar(op.then_value);
  const LaneValue second = scalar(op.else_value);
  const bool keeps_shape = condition.shape == Shape::Uniform && first.shape == second.shape;
  Value* const result =
      keeps_shape ? b.ir.CreateSelect(condition.value, first.value, second.value)
                  : b.ir.CreateSelect(condition.shape == Shape::Uniform ? condition.value
                                                                        : b.vector(condition),
                                      b.vector(first), b.vector(second));
  bind(statement.results[0],
       LaneValue{result, keeps_shape ? first.shape : Shape::Varying, first.element});
}

void BodyEmitter::emit(const ir::Statement&, const ir::Check& op) {
  fail(scalar(op.condition), op.site.index);
}

void BodyEmitter::fail(const LaneValue& condition, std::uint32_t site) {
  const LaneValue index = outer_index_.value_or(b.index(0));
  Value* failing = nullptr; // lanes
  Value* is_failing = nullptr;
  if (condition.shape == Shape::Uniform) {
    is_failing = b.ir.CreateNot(condition.value);
    if (b.in_lanes()) failing = b.mask_or_all();
  } else {
    failing = b.and_mask(b.ir.CreateNot(b.vector(condition)));
    const TwoParts* const parts = b.last_lane() ? condition.parts : nullptr;
    is_failing = parts ? b.ir.CreateNot(b.ir.CreateAnd(parts->first, parts->last)) : b.any(failing);
  }
  b.if_then(is_failing, [&] {
    Value* first = index.value;
    if (failing && index.shape == Shape::Linear)
      first = b.ir.CreateAdd(index.value, b.first_lane(failing));
    else if (failing && index.shape == Shape::Varying)
      first = b.ir.CreateExtractElement(index.value, b.first_lane(failing));
    b.kernel.hooks.note_failure(b, frame, first, site);
    b.ir.CreateBr(failed_);
    b.ir.SetInsertPoint(b.block("unreachable"));
  });
}

void BodyEmitter::check_epoch() {
  Value* const may_go_on = b.kernel.hooks.may_go_on(b, frame);
  auto* const go_on = b.block("go_on");
  b.ir.CreateCondBr(may_go_on, go_on, failed_);
  b.ir.SetInsertPoint(go_on);
}

} // namespace sinter::jit
