// Integer division in compiled code.  No vector unit divides integers, so lanes divide in f64 what
// it holds.
#pragma once

#include "jit/emit/lanes.h"

namespace sinter::jit {

/// What is wanted of a division; the other one may be null.
enum class DivisionPart : std::uint8_t { Quotient, Remainder, Both };

struct IntegerDivision {
  llvm::Value* quotient;
  llvm::Value* remainder;
};

/// x / y towards zero, of scalars or vectors of that integer type; 0 and 0 where y is 0.
IntegerDivision divide_integers(LaneBuilder& builder, ElementType element, llvm::Value* x,
                                llvm::Value* y, DivisionPart part);

} // namespace sinter::jit
