// A loop that goes on while a number is below a bound, and adds one to it in each round (or another
// constant), has a known number of rounds:
//
//   s, j = while (s0, 1i64) { (s, j)               m = max n 1i64
//     p = le j n                                   c = sub m 1i64
//     yield p                                      s = for c (s0) { (k, s)
//   } do { (s, j)                           →        j = add 1i64 k
//     t = add s j                                    t = add s j
//     i = add j 1i64                                 yield t
//     yield t, i                                   }
//   }                                              (j is m)
//
// (For `lt` here; `le` goes one round further.)  Also downwards, and in every type of integers if
// the number starts at 0.  Only where the count cannot wrap around while the loop would come to an
// end: numbers of i64 that are not negative, or narrower ones.
#pragma once

#include "jit/passes/knowledge.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::jit {

struct CountedLoop {
  std::vector<ir::Statement> before; ///< what the loop needs
  ir::For loop;                      ///< carries all of the state but the number
  std::size_t number = 0;            ///< which one of the state that was
  ir::Operand last;                  ///< what it is in the end
};

/// Nothing if the rounds are not counted.
std::optional<CountedLoop> counted_loop(const ir::While& loop, Span span, Knowledge& known);

} // namespace sinter::jit
