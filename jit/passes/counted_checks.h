// Checks of places that are counted: by rounds which write there, and count on at once.
//
//   for n (as, s) { (i: i64, bs: [m]f32, c: i64)     `c` grows by one in each round that checks it,
//     p = …                                          and in no other one: all of the checks hold if
//     t = select p 1i64 0i64                         what it comes to is no more than `m`
//     d = add c t
//     es = if p {
//       q = lt c m     check q
//       u = update bs[c] = x     yield u
//     } else { yield bs }
//     yield es, d
//   }
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/round_values.h"

#include <vector>

namespace sinter::jit {

/// Takes those checks of the state that `term` is added to out of the round, a copy of the one
/// whose values are given; what it must not be more than in the end.
std::vector<ir::Operand> take_out_counted_checks(ir::Body& round, const RoundValues& values,
                                                 ir::ValueId state, const ir::Operand& term);

} // namespace sinter::jit
