// Sizes as terms: what a size comes to, whatever the values that it is made of are called.
//
// A term is a number plus multiples of products of values ("atoms": values that are not sums or
// products themselves).  It counts modulo 2^64, as i64 does, so it is exact whatever wraps around:
//
//   a = add n 1i64    b = mul a m    c = sub b m        c is n·m, and so is `mul m n`
//
// Terms of one table are made once each ("hash-consed"): two are equal if their addresses are.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::ir {

class Extent {
public:
  struct Summand {
    std::vector<ValueId> factors; ///< ascending; at least one
    std::uint64_t coefficient = 0;
    friend bool operator==(const Summand&, const Summand&) = default;
  };

  std::uint64_t constant() const { return constant_; }
  /// By their factors, ascending; no coefficient is 0.
  const std::vector<Summand>& summands() const { return summands_; }
  bool is_number() const { return summands_.empty(); }
  bool is_zero() const { return is_number() && constant_ == 0; }

private:
  friend class ExtentTable;
  std::uint64_t constant_ = 0;
  std::vector<Summand> summands_;
};

/// A term of a table, which lives as long as the table does.
using Term = const Extent*;

/// "3 + 2·v5·v7 - v9", by the numbers of the values.
std::string print(Term term);
/// To standard error, for a debugger (`call sinter::ir::dump(term)`).
void dump(Term term);

class ExtentTable {
public:
  Term number(std::uint64_t constant);
  Term atom(ValueId value);
  // Nothing if the result has more summands or factors than anybody needs.
  std::optional<Term> sum(Term a, Term b, std::uint64_t factor = 1); ///< a + factor·b
  std::optional<Term> product(Term a, Term b);
  /// The term with another one in place of an atom.
  std::optional<Term> substitute(Term term, ValueId atom, Term by);

private:
  Term intern(Extent term);

  std::unordered_multimap<std::uint64_t, std::unique_ptr<const Extent>> terms_; ///< by hash
};

} // namespace sinter::ir
