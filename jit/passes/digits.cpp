#include "jit/passes/digits.h"

#include "jit/passes/counted_elements.h"

#include <bit>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// More are not partitioned by.
constexpr unsigned most_bits_of_digits = 16;

const ir::Primitive* integer_operation(const std::vector<Statement>& statements,
                                       const Operand& value) {
  const auto* primitive = defining<ir::Primitive>(statements, value);
  return primitive && is_integer(primitive->primitive->operand) ? primitive : nullptr;
}

/// What is converted, from integers to integers; of how few bits it is on the way.
Operand without_conversions(const std::vector<Statement>& statements, Operand value,
                            unsigned& fewest_bits) {
  while (const auto* primitive = integer_operation(statements, value)) {
    const auto& row = *primitive->primitive;
    if (row.operation != ScalarOperation::Convert || !is_integer(row.result)) break;
    const auto own = static_cast<unsigned>(8 * byte_size(row.result) - is_signed(row.result));
    fewest_bits = std::min(fewest_bits, own);
    value = primitive->arguments[0];
  }
  return value;
}

/// How many of the lowest bits the operation leaves, and takes all others away.
std::optional<unsigned> lowest_bits(const ir::Primitive& primitive) {
  const Operand& by = primitive.arguments.back();
  if (primitive.arguments.size() != 2 || !by.is_constant()) return std::nullopt;
  const auto& row = *primitive.primitive;
  auto count = by.scalar().as<std::uint64_t>();
  if (row.operation == ScalarOperation::And) {
    ++count;
  } else if (row.operation != ScalarOperation::Modulo &&
             (row.operation != ScalarOperation::Remainder || is_signed(row.operand))) {
    return std::nullopt;
  }
  if (count < 2 || !std::has_single_bit(count)) return std::nullopt;
  return static_cast<unsigned>(std::countr_zero(count));
}

} // namespace

std::optional<Digit> digit_of(const std::vector<Statement>& statements, const Operand& value) {
  Digit digit;
  unsigned fewest_bits = 64;
  Operand rest = without_conversions(statements, value, fewest_bits);
  const auto* primitive = integer_operation(statements, rest);
  if (primitive && primitive->primitive->operation == ScalarOperation::Xor &&
      primitive->arguments[1].is_constant()) {
    digit.inverted = primitive->arguments[1].scalar().as<std::int64_t>();
    rest = without_conversions(statements, primitive->arguments[0], fewest_bits);
    primitive = integer_operation(statements, rest);
  }
  const std::optional<unsigned> bits = primitive ? lowest_bits(*primitive) : std::nullopt;
  if (!bits || *bits > std::min(fewest_bits, most_bits_of_digits)) return std::nullopt;
  digit.bits = *bits;
  if (digit.inverted < 0 || digit.inverted >= digit.count()) return std::nullopt;
  // (Conversions leave the lowest bits, of which there are enough.)
  unsigned bits_on_the_way = static_cast<unsigned>(8 * byte_size(primitive->primitive->operand));
  rest = without_conversions(statements, primitive->arguments[0], bits_on_the_way);
  if (rest.is_constant() || bits_on_the_way + 1 < digit.bits) return std::nullopt;
  digit.number = rest;
  const auto* shift = integer_operation(statements, rest);
  if (shift && (shift->primitive->operation == ScalarOperation::ShiftRight ||
                shift->primitive->operation == ScalarOperation::ShiftRightLogical)) {
    digit.number = shift->arguments[0];
    digit.shift = shift->primitive;
    digit.begin = shift->arguments[1];
  }
  return digit.number.is_value() ? std::optional(digit) : std::nullopt;
}

} // namespace sinter::jit
