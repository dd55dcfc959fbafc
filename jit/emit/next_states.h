// Arrays that a round of a loop makes of those that it begins with, element by element, are made
// where those lie.
//
//   r = for n (a) { (k: i64, s: [m]f32)
//     t = soac m (s) { (i: i64, x: f32) … } map      (t is made in s)
//     yield t
//   }
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <unordered_map>

namespace sinter::jit {

/// By the index of a SOAC's result: the state of the loop around it in whose memory each element
/// may be stored as soon as it is computed.  The SOAC reads that memory by elements of its own
/// index alone, and nobody does after it: in scalar code, or in vectors that are stored after they
/// are read, and are computed once.
std::unordered_map<std::uint32_t, ir::ValueId> states_made_in_place(const ir::Function& function);

} // namespace sinter::jit
