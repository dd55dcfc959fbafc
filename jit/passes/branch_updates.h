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
// The same of several elements, one after the other.
// So a loop's rounds write the same places whatever they decide (if-conversion, as in J. R. Allen,
// K. Kennedy, C. Porterfield and J. Warren, "Conversion of control dependence to data dependence",
// POPL 1983).  Only where the elements are known to be there, and are other ones in each round.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"

#include <optional>
#include <vector>

namespace sinter::jit {

/// The statements that stand for the branch, in a round of that number; nothing if it stays.
std::optional<std::vector<ir::Statement>> update_always(ir::Function& function,
                                                        const ir::Statement& statement,
                                                        Facts& facts, ir::ValueId number);

} // namespace sinter::jit
