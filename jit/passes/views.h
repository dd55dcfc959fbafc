// Views are seen through: what is read through a view is read from the array itself, and a view of
// a view is one view.
//
//   ys = slice xs [b:+s]
//   y = index ys [i]                  →  k = mul i s;  j = add b k;  y = index xs [j]
//   zs = slice ys [c:+t]              →  zs = slice xs [b + c*s :+ s*t]
//   row = index xss [i]
//   y = index row [j]                 →  y = index xss [i, j]
//   ts = transpose xss (1, 0)
//   y = index ts [i, j]               →  y = index xss [j, i]
//   xs2 = reshape (reshape xs)        →  xs, if the sizes are those of xs
//   rs = reshape xss                     (xss: [2][3], rs: [6])
//   y = index rs [4]                  →  y = index xss [1, 1]
//   rs = reshape xss                     (xss: [n][m], 0 < i < n, 0 <= j < m)
//   y = index rs [m*i + j - m]        →  k = add i -1;  y = index xss [k, j]
//   ls = [a, b, c]
//   y = index ls [1]                  →  b
//   is = soac n () { (i) yield i } map
//   y = index is [j]                  →  j  (known_elements.h)
//   c = copy xs                       →  xs, if nobody overwrites either
#pragma once

#include "jit/passes/knowledge.h"

#include <optional>

namespace sinter::jit {

/// Nothing if there is nothing simpler.  `statement` is the operation's.
std::optional<Simpler> simpler(const ir::Index& index, const ir::Statement& statement,
                               Knowledge& known);
std::optional<Simpler> simpler(const ir::Slice& slice, const ir::Statement& statement,
                               Knowledge& known);
std::optional<Simpler> simpler(const ir::Transpose& transpose, const ir::Statement& statement,
                               Knowledge& known);
std::optional<Simpler> simpler(const ir::Reshape& reshape, const ir::Statement& statement,
                               Knowledge& known);
std::optional<Simpler> simpler(const ir::Copy& copy, const ir::Statement& statement,
                               Knowledge& known);

} // namespace sinter::jit
