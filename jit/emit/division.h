// Integer division in compiled code.  No vector unit divides integers, so lanes divide in f64 what
// it holds.
#pragma once

#include "jit/emit/typed.h"

namespace sinter::jit {

/// What is wanted of a division; the other one may be none.
enum class DivisionPart : std::uint8_t { Quotient, Remainder, Both };

template <WholeElement T>
struct IntegerDivision {
  Lane<T> quotient;
  Lane<T> remainder;
};

/// x / y towards zero; 0 and 0 where y is 0.
template <WholeElement T>
IntegerDivision<T> divide_integers(const TypedBuilder& builder, Lane<T> x, Lane<T> y,
                                   DivisionPart part);

} // namespace sinter::jit
