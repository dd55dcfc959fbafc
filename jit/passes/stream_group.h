// SOACs of one body that can go through their indices together, piece by piece.
//
//   m, ys = soac n (xs) { … } filter 1                       over n: a piece's indices
//   zs: [m]i64 = soac m (ys) { … } scan (0i64) { … }         over m: those of a piece that are kept
//   r = soac m (ys, zs) { … } reduce (0i64) { … }
//
// A member runs over the extent of the first one, or over what a filter among them keeps.  What it
// reads elementwise is made by members, or is there before.  Of a piece
//
//   a map, a filter     gives its elements to the members that read them: none of these arrays is
//                       needed as a whole by anybody
//   a reduction, a scan combines with what came before; its order must not show, but over the
//                       extent: there pieces end where blocks do (lang/primitives/fold_order.h)
//   a scatter           goes on with the array of the piece before
//   a histogram         too; its order must not show
//
// Nothing that a member needs inside is known only when all pieces are: that would take a second
// round.  Rules of the streaming operators of T. Henriksen et al. ("Futhark: purely functional
// GPU-programming with nested parallelism and in-place array updates", PLDI 2017, F1–F7).
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/rewrite.h"
#include "jit/reasons/reasons.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::jit {

struct StreamGroup {
  ir::Operand extent;               ///< of the first member
  std::vector<std::size_t> members; ///< statements of the body, in order: two or more
  /// What members make for members, over the extent or over what is kept; arrays of scalars.
  std::vector<ir::ValueId> inside;
  /// Arrays from outside that members read elementwise, each once.
  std::vector<ir::ValueId> inputs;
  /// Statements between the members that need what these give, and have to come after them.
  std::vector<std::size_t> late;
};

/// Why pieces of the group's work cannot follow each other, if so.  `is_kept`: it runs over what a
/// filter among the members keeps.
std::optional<Reason> against_pieces(const ir::Function& function, const ir::Group& group,
                                     bool is_kept);

/// The group that begins with that statement, if there is one.
std::optional<StreamGroup> stream_group(const ir::Function& function, const AliasClasses& aliases,
                                        const ir::Body& body, std::size_t first);

} // namespace sinter::jit
