// Borders: a stencil that clamps its indices needs to do so at the borders only.
//
//   r = soac m () { (j: i64)                       r = soac m () { (j: i64)
//     a = add j -1                                   a = add j -1
//     w = max a 0                                    b = add j 1
//     b = add j 1                                    p = ge a 0
//     e = min b last                                 q = le b last
//     x = index row[w]                         →     c = and p q
//     y = index row[e]                               z = if c {
//     z = add x y                                      x = index row[a]  y = index row[b] …
//     yield z                                        } else always {
//   } map                                              as before
//                                                    }
//                                                    yield z
//                                                  } map
//
// Distances may be constants, as here, or numbers that are known outside.
//
// In the interior, neighbouring elements have neighbouring neighbours: lanes load them together
// instead of gathering them (McDonell et al., ICFP 2013: stencils with split borders; here the
// split is a branch that whole vectors of elements take one way).
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void split_borders(ir::Function& function);

} // namespace sinter::jit
