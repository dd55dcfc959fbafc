// Which bits of a number a small number is, as it is partitioned by.
//
//   s = shr x 8u32
//   d = and s 255u32      the 8 bits of `x` from bit 8 on
//   e = convert d
//   f = xor e 255i64      the same, all of them inverted
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::jit {

struct Digit {
  ir::Operand number;                           ///< an integer
  const primitives::Primitive* shift = nullptr; ///< what moves it to the right; null: nothing
  ir::Operand begin;                            ///< the first bit, of the number's type
  unsigned bits = 0;                            ///< at least 1
  std::int64_t inverted = 0;                    ///< those of them that are
  std::int64_t count() const { return std::int64_t{1} << bits; }
};

/// Nothing if the value, which one of the statements defines, is no digit: below `count()`.
std::optional<Digit> digit_of(const std::vector<ir::Statement>& statements,
                              const ir::Operand& value);

} // namespace sinter::jit
