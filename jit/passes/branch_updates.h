// An element that one branch alone overwrites is overwritten always: by what it was, where the
// other branch runs.
//
//   v = if c {                                     x = if c {
//     e = …                                          e = …
//     u = update a[i] = e                →           yield e
//     yield u                                      } else {
//   } else {                                         y = index a[i]
//     yield a                                        yield y
//   }                                              }
//                                                  v = update a[i] = x
//
// The same of several elements, one after the other, and of several arrays.  So a loop's rounds
// write the same places whatever they decide (if-conversion, as in J. R. Allen, K. Kennedy, C.
// Porterfield and J. Warren, "Conversion of control dependence to data dependence", POPL 1983).
// Only where the elements are known to be there, and are other ones in each round.  Rows too, where
// rounds that leave them may copy them.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <optional>
#include <vector>

namespace sinter::jit {

/// A round that branches are in.
struct RoundOfBranches {
  ir::ValueId number;
  bool copies_rows = false; ///< it may, to leave them
  bool is_told = false;     ///< nothing will run: places are taken to be there
};
/// The statements that stand for the branch, in a round; nothing if it stays.
std::optional<std::vector<ir::Statement>> update_always(ir::Function& function,
                                                        const ir::Statement& statement,
                                                        Facts& facts, const RoundOfBranches& round);

} // namespace sinter::jit
