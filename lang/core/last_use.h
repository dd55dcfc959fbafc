// Liveness: which reads of a variable are the last ones, so that the value may be moved.
//
// A read of a slot is its last use if no path from it reads the slot again before it is bound anew.
// The pass walks against the order of evaluation, which it shares with the walker:
// - applications, array operations, records, sums and array literals: left to right (an
//   application's function last);
// - indexing: the indices, then the array;
// - updates: the indices of the path, then the replacement, then the value: so in
//   `xs with [i] = f xs[i]` the read of `xs` as the value is the last;
// - loops: the initial value, then the bound or array; each iteration binds the parameter anew, and
//   what is defined outside stays alive all through the loop;
// - the sizes of a result type may be evaluated after the arguments: their reads are never last.
//
// Fields of a record are followed one by one: in `{xs = r.xs with [i] = x, n = r.n + 1}` the read
// of `r.xs` is the field's last, although `r` is read again.
//
// Bindings that nobody reads are removed on the way (the slot would keep a value alive), and so are
// sizes that are read off a shape for nothing.
#pragma once

#include "lang/core/core.h"

namespace sinter::core {

/// Marks the reads in a function that was just made.
void mark_last_uses(Function& function);
/// The same for the body of a global or an expression with a frame of `frame_size` slots.
void mark_last_uses(const Expr& body, std::uint32_t frame_size);

} // namespace sinter::core
