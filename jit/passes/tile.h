// Tiling: a nest of two maps around a reduction that reads one array by rows and another by columns
// (a matrix product, and what looks like one) works on blocks, so that what was read is used often.
//
//   c = soac n (a) { (i: i64, r: [m]f32)          packed = b in blocks of `width` columns
//     u = soac p () { (j: i64)                    blocks = soac p/width () { (jb: i64)
//       s = soac m (r) { (k: i64, x: f32)           soac n/height () { (ib: i64)
//         y = index b[k, j]                    →      soac width () { (jj: i64)
//         z = mul x y                                   s0, s1, … = soac m () { (k: i64)
//         yield z                                         y = index packed[jb, k, jj]
//       } reduce (0f32) { … }                             x0 = index a[height*ib, k]
//       yield s                                           x1 = index a[height*ib + 1, k] …
//     } map                                               yield mul x0 y, mul x1 y, …
//     yield u                                           } reduce … reduce …
//   } map                                         c = blocks, put in order again
//
// `height` rows are reduced at a time, so that each element of a column is read once for all of
// them (unroll and jam): as many as have their sums in registers, of a line of columns (six rows of
// two vectors with AVX2's 16 registers, eight of one with AVX-512's 32).  A block of columns lies
// together in memory, so that it stays in the second-level cache while all rows pass (packing:
// Goto, van de Geijn: Anatomy of High-Performance Matrix Multiplication, ACM TOMS 2008; Futhark's
// block and register tiling).  Where all columns stay there, which are short, and rows are many,
// blocks of rows are outside instead, and their lines are written where they belong.  The last
// blocks repeat the last row or column.  Small problems take the nest as it was, by branches at run
// time.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/vector_registers.h"

namespace sinter::jit {

/// For a processor with such registers.
void tile(ir::Function& function, const VectorRegisters& vectors = {});

} // namespace sinter::jit
