// Checks that are the same in all rounds of a loop, or of how far its rounds are counted, are made
// once before it:
//
//   for k (…) { (i: i64, …)                        a = le k 0   b = le k n   c = or a b
//     c = lt i n                                   check c
//     check c                              →       for k (…) { (i: i64, …)
//     for m (…) { check d  … }                       for m (…) { … }   -- d, as if it stood before
//   }                                              }
//
// One that fails there fails in some round, if not another one before: compiled code then has done
// nothing.
#pragma once

#include "jit/ir/ir.h"

#include <vector>

namespace sinter::jit {

/// Takes such checks out of the round, of a loop over i64; appends what stands before that.  The
/// conditions of those.
std::vector<ir::Operand> take_out_round_checks(ir::Function& function, const ir::Operand& bound,
                                               ir::Body& round, Span span,
                                               std::vector<ir::Statement>& out);

} // namespace sinter::jit
