// Joined arrays whose elements are read once each, at places that follow from the reader's index,
// are not made: an element is chosen among the parts' by its index.
//
//   e = array (x)
//   ys = concat e xs                               ys = soac n () { (i)
//   zs = soac n (ys) { … } map               →       c = lt i 1
//                                                    y = if c { yield x }
//                                                        else { k = sub i 1;  y1 = index xs[k]
//                                                               yield y1 }
//                                                    yield y
//                                                  } map
//                                                  zs = soac n (ys) { … } map
//
// A few parts only: a choice costs each element something, joining costs as much as moving all.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <unordered_set>

namespace sinter::jit {

/// Writes them as maps, and says which they are: to be computed where they are read (delay.h).
std::unordered_set<std::uint32_t> choose_joined_elements(ir::Function& function);

} // namespace sinter::jit
