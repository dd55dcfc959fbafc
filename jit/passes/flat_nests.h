// Flat maps whose bodies take their index apart are nests of maps:
//
//   e = mul n m                                    h = mulhi n m   c = eq h 0   check c, "…"
//   v: [e]f32 = soac e (xs) { (q: i64, x: f32)     xss: [n][m]f32 = reshape xs
//     i = div q m                                  vs: [n][m]f32 = soac n (xss) { (i: i64, r:
//     [m]f32) j = mod q m                                    b = mul i m y = index as[i] w: [m]f32
//     = soac m (r) { (j: i64, x: f32) z = index bs[j]                        →         q = add b j
//     …                                                y = index as[i]   z = index bs[j]
//     yield s                                          …
//   } map                                              yield s
//                                                    } map
//                                                    yield w
//                                                  } map
//                                                  v: [e]f32 = reshape vs
//
// Then rows are rows, neighbours are neighbours, and no element costs a division; elements of other
// flat arrays are seen to be those of rows (simplify.h).  Three and more
// dimensions are found one after the other, from the innermost on.  The check is that the product
// does not wrap around; where it fails, the interpreter goes on.  Not where what uses the elements
// goes along the flat index.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void nest_flat_maps(ir::Function& function);

} // namespace sinter::jit
