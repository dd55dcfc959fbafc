// Arrays of sums of what stands before each element, as programs and the prelude write them.
//
//   b = soac k () { (j: i64)                                b = soac k () { (j: i64)
//     z = eq j 0i64                                           z = eq j 0i64
//     u = if z { 0 } else { c[j-1] }                          u = if z { 0 } else { e[j-1] }
//     yield u                                       or        yield u
//   } scan (0i64) { … add … }                               } map        of e = scan … c
//
// or `e[j] - c[j]`.
#pragma once

#include "jit/ir/ir.h"

#include <optional>
#include <span>

namespace sinter::jit {

/// The array whose elements the sums are of; nothing if they are something else.
std::optional<ir::ValueId> summed_before(std::span<const ir::Body* const> around,
                                         const ir::Operand& sums);

} // namespace sinter::jit
