// Joined arrays: parts that are joined themselves are joined once, and an array that was cut is not
// put together again.
//
//   ys = concat as bs
//   zs = concat ys cs                       →  zs = concat as bs cs
//   front = slice xs [0:+1]   (k of them)
//   back = slice xs [k:+1]    (the rest)
//   zs = concat front back                  →  zs = xs
#pragma once

#include "jit/passes/knowledge.h"

#include <optional>

namespace sinter::jit {

/// Joins the parts of parts.
void join_once(ir::Concat& concat, const Knowledge& known);
/// The array that the joined one, `result`, equals, or nothing.
std::optional<ir::ValueId> equal_to_joined(const ir::Concat& concat, ir::ValueId result,
                                           const Knowledge& known);

} // namespace sinter::jit
