// The three functions of a law by which a function may run in pieces:
//
//   chunk    a piece's blocks, its first index, and what it needs whole  →  its state
//   combine  the states of neighbours, in order  →  the state of both
//   finish   the state of all  →  the results
//
// A state is a list of components; combining them needs no code, only what they are:
//
//   Shared   the same in all pieces: the first one's
//   Joined   arrays, one behind the other
//   Stacked  a value; values of pieces lie side by side in an array with one more dimension
//   Sum      an i64; added
//
// So combining is associative, and the state of all does not depend on who combined what.  Of
//
//   fn dotp(n: i64, xs: [n]i32, ys: [n]i32) -> i32 {
//     s: i32 = soac n (xs, ys) { … } reduce (0i32) { … }     ret s
//   }
//
// they are
//
//   fn chunk(first: i64, count: i64, n: i64, xs: [count]i32, ys: [count]i32) -> (i64, i32) {
//     s: i32 = soac count (xs, ys) { … } reduce (0i32) { … }     ret 1, s
//   }
//   fn finish(pieces: i64, all: [pieces]i32) -> i32 {          -- pieces: Sum;  all: Stacked
//     s: i32 = soac pieces (all) { … } reduce (0i32) { … }     ret s
//   }
#pragma once

#include "jit/gate/pieces.h"
#include "jit/ir/ir.h"
#include "jit/pieces/cut_plan.h"

#include <cstdint>
#include <vector>

namespace sinter::jit {

/// A parameter of the chunk's function.
struct ChunkArgument {
  enum class Kind : std::uint8_t {
    First,     ///< the index of the piece's first element
    Count,     ///< of its elements
    HaloBegin, ///< the first index of what follows next but one
    HaloCount, ///< the extent of what follows next
    Block,     ///< of a parameter: its elements at the piece's indices, with its halo
    Whole,     ///< a parameter
  };
  Kind kind = Kind::Whole;
  std::size_t parameter = 0;      ///< of the function that is cut
  std::int64_t low = 0, high = 0; ///< the halo, of the last four but Whole
};

struct PieceFunctions {
  ir::Function chunk;
  std::vector<ChunkArgument> arguments; ///< of `chunk`
  ir::Function finish;
  /// The results of `chunk`, and the parameters of `finish`.
  std::vector<StateComponent> state;
};

/// By a plan for the function.  What comes out is verified.
PieceFunctions piece_functions(const ir::Function& function, const CutPlan& plan);

} // namespace sinter::jit
