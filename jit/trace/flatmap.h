// flatmap: a function gives an array for each element, and those are joined.
//
// First a map tells how long the pieces are (and gives the second results); a scan tells where each
// begins in the joined array.  The joined elements are then computed anew: if element k of a piece
// is scalar code of the piece's element of `xs` and of k, a map over the *joined* array does that
// for all pieces at once, after each position has been told which piece it lies in (a scatter of
// the pieces' numbers to where they begin, and a scan by `max`: the flattening of Blelloch's NESL,
// 1996).  Otherwise a loop over the pieces writes one after the other.  Either way the function is
// evaluated twice for each element: the work stays within a constant factor.
//
//   lengths, others = map f xs                    -- of the pieces, which nobody stores
//   ends            = scan (+) 0 lengths
//   begins          = map2 (-) ends lengths
//   piece_of        = scan max 0 (scatter (replicate m 0) (those begins that are not empty)
//                                         (iota n))
//   joined, firsts  = map (\j p -> let k = j - begins[p] in ((f xs[p])[k], k == 0)) piece_of
#pragma once

#include "jit/trace/loops.h"
#include "jit/trace/soacs.h"

namespace sinter::jit {

/// What the operation gives: lengths, firsts, begins, the joined array and the second results.
SymbolicValue flatmap(Code& code, Leaves& leaves, Soacs& soacs, Loops& loops,
                      std::span<SymbolicValue> arguments, SymbolicSite& site);

} // namespace sinter::jit
