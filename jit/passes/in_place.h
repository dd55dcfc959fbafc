// Copies of arrays that nobody needs afterwards are not made: the array itself is overwritten.
//
//   ys = soac n (xs) { … } map                     ys = soac n (xs) { … } map
//   zs = copy ys                             →     us = update ys [0] 1f32
//   us = update zs [0] 1f32
//
// The source must be a fresh array of the same body (so that nobody outside knows it), and neither
// it nor a view of it may be read later.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

void remove_copies(ir::Function& function);

} // namespace sinter::jit
