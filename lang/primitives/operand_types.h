// Types of a primitive's operands, by position.
#pragma once

#include "lang/primitives/primitives.h"

namespace sinter::primitives {

/// The row's `operand` says the first one's type; one operation has another type behind it.
inline ElementType operand_type(const Primitive& primitive, std::size_t position) {
  const bool is_exponent = primitive.operation == Operation::LoadExponent && position == 1;
  return is_exponent ? ElementType::I32 : primitive.operand;
}

} // namespace sinter::primitives
