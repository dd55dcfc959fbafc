// Which arrays a function still writes and reads between its parallel operations, and why: what
// fusion, as far as it is allowed, has not done away with.
#pragma once

#include "jit/ir/ir.h"
#include "jit/reasons/reasons.h"

#include <optional>
#include <vector>

namespace sinter::jit {

/// An array that one SOAC makes and another one reads.
struct NotFused {
  Span producer, consumer;
  ir::ValueId array;
  Reason reason;
  /// Why it is made as a whole even if it is large; nothing where it goes by pieces then.
  std::optional<Reason> kept_whole;
};

/// Of the bodies that run once or are repeated, not of those that run for elements.
std::vector<NotFused> not_fused(const ir::Function& function);

} // namespace sinter::jit
