// States of a loop that never fall, and grow by so much a round at most: counters, and places
// behind what was written last.
//
//   for n (0i64) { (i: i64, c: i64)
//     d = add c 1i64                        0 <= c <= i, and so c < n: where `c` is an index of an
//     e = select p d c               →      array of n elements, nothing needs to be checked
//     yield e
//   }
#pragma once

#include "jit/passes/knowledge.h"

namespace sinter::jit {

/// Notes what is known of such states inside of the loop, whose state and index have been
/// introduced.
void note_growing_states(const ir::For& loop, Knowledge& known);
/// Notes what is known behind it of what they have come to; the statement is the loop's.
void note_grown_states(const ir::For& loop, const ir::Statement& statement, Knowledge& known);

} // namespace sinter::jit
