// Inputs of SOACs as element reads, and the other way round.
//
//   ys = soac n (xs) { (i: i64, x: f32)            ys = soac n () { (i: i64)
//     y = exp x                                      x = index xs[i]
//     yield y                                →       y = exp x
//   } map                                            yield y
//                                                  } map
#pragma once

#include "jit/ir/ir.h"

#include <functional>

namespace sinter::jit {

/// For inputs that are arrays for which `is_meant` holds, or views of them (rows that are inputs of
/// SOACs inside included).
void read_by_index(ir::Function& function, const std::function<bool(ir::ValueId)>& is_meant);

/// Whether the body reads no other elements (or rows) of the array than those at that index.
bool is_only_read_at(const ir::Body& body, ir::ValueId array, ir::ValueId index);

/// Results of maps that a SOAC beside them reads at its own index alone are inputs of it.
void take_own_elements(ir::Function& function);

} // namespace sinter::jit
