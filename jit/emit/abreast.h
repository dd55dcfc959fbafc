// Neighbouring elements whose folds wait for themselves go abreast, inside of lanes:
//
//   ys = soac n () { (j: i64)                         for j in steps of 2
//     s, at = soac m (xs) { (k: i64, x: f32)            for k < m
//       w = index ws[k, j]                                s0, at0 = the fold's step for j
//       v = add x w                             →         s1, at1 = the fold's step for j + 1
//       yield v, k                                      ys[j], ys[j + 1] = s0, s1
//     } reduce (-f32.inf, m) { … }
//     yield s
//   } map
//
// A running value that is compared with an element and then selected is there some cycles later; a
// processor does not see the next element's fold behind the whole of this one.  Each fold takes its
// elements in the order that it would alone.  (Unroll and jam: Callahan, Cocke, Kennedy: Estimating
// interlock and improving balance for pipelined architectures, JPDC 1988.)
#pragma once

#include "jit/emit/analysis.h"
#include "jit/emit/ascending.h"
#include "jit/ir/ir.h"

namespace sinter::jit {

/// Whether elements of the map, one after the other in each lane, may go abreast: each gives
/// numbers, has a fold that waits for itself (one that selects by value and index), by itself or in
/// branches on what is the same for all elements, and beside that computes scalars alone.
bool may_go_abreast(const ir::Function& function, const ir::Soac& soac,
                    const Uniformity& uniformity, const AscendingSelections& ascending);

/// Whether the body has such a fold.
bool has_fold(const ir::Body& body);

} // namespace sinter::jit
