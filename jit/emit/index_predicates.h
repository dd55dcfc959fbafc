// Conditions on the index of a SOAC: its index space falls into a few ranges in each of which all
// of them keep their value.
//
//   r = soac m () { (j: i64)
//     a = add j -1
//     p = ge a 0              j + -1 >= 0: changes at 1
//     b = add j k
//     q = lt b n              j + k < n: changes at n - k
//     z = if p { … } else { … }
//
// In such a range a condition is one bool for all lanes, a branch on it a jump, and what one branch
// does alone (loads of neighbours, say) has no mask.  (Index-set splitting: Griebl, Feautrier and
// Lengauer, "Index set splitting", IJPP 2000; here the ranges are found when the code runs, since
// bounds and offsets are known only then.)
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <vector>

namespace sinter::jit {

/// `index + offset` compared with a bound, in wrapping arithmetic of i64; offset and bound are the
/// same for all elements, and known before the SOAC runs.
struct IndexPredicate {
  struct Term {
    ir::Operand operand;
    bool is_subtracted = false;
  };
  ir::ValueId result;
  primitives::Operation order{}; ///< with the index on the left: <, <=, >, >=, == or !=
  std::int64_t constant = 0;     ///< of the offset,
  std::vector<Term> terms;       ///< and the rest of it
  ir::Operand bound;
};

/// Those in the SOAC's body, at any depth.  None if no branch that is worth a jump depends on them.
std::vector<IndexPredicate> index_predicates(const ir::Soac& soac);

/// Where such a predicate changes: it has one value for all indices from 0 to the first change (not
/// included), from there to the next, and so on.  `Number` is an i64, or code that computes one:
/// what is needed are wrapping sums and differences.
///
/// `index + offset` goes up by ones but for one place, where it falls from the greatest number to
/// the least; on both sides the comparison changes at the bound alone (== and != : there and back).
template <typename Number, typename Visit>
void for_each_change(primitives::Operation order, const Number& offset, const Number& bound,
                     const Number& one, const Number& least, Visit&& visit) {
  using primitives::Operation;
  const Number at_bound = bound - offset;
  const bool is_equality = order == Operation::Equal || order == Operation::NotEqual;
  if (is_equality || order == Operation::Less || order == Operation::GreaterEqual) visit(at_bound);
  if (is_equality || order == Operation::LessEqual || order == Operation::Greater)
    visit(at_bound + one);
  visit(least - offset);
}

} // namespace sinter::jit
