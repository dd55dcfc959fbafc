// Loops inside of a body whose turns wait for themselves: while a result is under way to what needs
// it, a processor computes other lanes, if it has them in view.
#pragma once

#include "jit/ir/ir.h"

namespace sinter::jit {

/// So many primitives, each of which waits for the one before, that a processor does not see beyond
/// them.
inline constexpr int long_chain = 48;

/// Whether the body, which runs in lanes, has a loop whose turns have less to compute for two
/// registers of each value than what they wait for: a loop that carries scalars from one turn to
/// the next, or a SOAC whose elements are a long chain each.  False where lanes go through loops
/// apart (more of them would wait for the last one), and for loops that go through memory.
bool waits_in_turns(const ir::Function& function, const ir::Body& body);

} // namespace sinter::jit
