// How much of a thread's stack is left: for recursions whose depth a program decides.
#pragma once

namespace sinter {

/// Whether the calling thread has used up half of its stack.  (The other half is for what does not
/// ask, as it recurses no deeper than what did.)
bool stack_is_low();

} // namespace sinter
