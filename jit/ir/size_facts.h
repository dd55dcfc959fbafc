// What is known of sizes at a point of a function: which are equal, and which numbers are sizes at
// all.  Tracing, the verifier and simplification ask here, and nowhere else, so that none of them
// takes two sizes to be equal that another one does not.
//
// A size's term (extent.h) is found from the definitions of the values that it is made of.  A
// condition that holds, that of a check or of a branch, equates terms; what follows from its parts
// and from those of other conditions is seen:
//
//   e = eq a b    c = and p e    check c      from here on a and b are equal
//   s = select p n 0i64          check p      from here on s is n
//
// Facts end with their scope (`mark`, `undo_to`).  Behind a condition that cannot hold nothing is
// reached, and any sizes may be taken to be equal there.
#pragma once

#include "jit/ir/extent.h"
#include "jit/ir/ir.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace sinter::ir {

class SizeFacts {
public:
  /// The operation that defines a value, as long as the facts live; null if none is known.  Only
  /// scalar operations matter.
  using Definition = std::function<const Operation*(ValueId)>;

  explicit SizeFacts(Definition definition) : definition_(std::move(definition)) {}

  // ---- what is told

  /// From here on the condition holds, or does not.
  void assume(const Operand& condition, bool truth = true);
  /// From here on the number is at least 1, as inside of what is done so often.  What holds where
  /// it is not 0 or less does hold: `c = le n 0i64   d = or c e   check d` says that `e` does, and
  /// `check c` that this is never reached.
  void assume_some(const Operand& number);
  /// From here on the number is the extent of an array.
  void note_extent(const Operand& number);

  /// How much has been told; to give to `undo_to`.
  std::size_t mark() const { return trail_.size(); }
  void undo_to(std::size_t mark);

  // ---- what is asked

  /// Whether two sizes, or the extents of two types, are equal wherever this is reached.
  bool are_equal(const Operand& a, const Operand& b) const;
  bool are_equal(const Type& a, const Type& b) const;
  /// Whether a condition that cannot hold stands before.
  bool is_never_reached() const { return impossible_ > 0; }
  /// The number that a size comes to, if that is known.
  std::optional<std::int64_t> number(const Operand& size) const;
  /// What the size is known to be: a number that is an extent, or a value that a condition compares
  /// and of which `is_wanted` holds.
  std::optional<Operand> name(const Operand& size,
                              const std::function<bool(ValueId)>& is_wanted) const;
  /// Whether it is known to be at least 0 and below `extent_limit`.
  bool is_extent(const Operand& number) const;
  /// What the value comes to by definitions alone: equal terms are equal wherever both values are
  /// there.
  Term term(const Operand& value) const;

private:
  struct Bound {
    ValueId atom;
  };
  struct Equation {};
  struct Truth {
    ValueId condition;
  };
  struct KnownExtent {
    Term term;
  };
  struct Impossible {};
  using Step = std::variant<Bound, Equation, Truth, KnownExtent, Impossible>;

  bool is_none(const Operand& condition, const Operand& number) const;
  void never_reached();
  void told(Step step);
  void equate(Term a, Term b);
  /// Takes the equation `difference = 0`; whether it says something new of an atom.
  bool solve(Term difference);
  std::optional<bool> decide(const Operand& condition, unsigned depth) const;

  /// The term of a value whose operands' terms are known, else an operand to find first.
  std::variant<Term, ValueId> defined(ValueId value) const;
  std::variant<Term, ValueId> defined(ValueId value, const Primitive& primitive) const;
  /// The term of a constant, or of a value that has one already; null if it has none yet.
  Term known_term(const Operand& operand) const;

  /// The term with everything that is known put in.
  Term normal(Term term, unsigned depth = 0) const;
  std::optional<Term> replacement(ValueId atom, unsigned depth) const;
  /// `a - b`, normal; nothing if that is too large to be seen through.
  std::optional<Term> difference(Term a, Term b, unsigned depth = 0) const;
  bool is_zero(Term difference, unsigned depth) const;

  Definition definition_;
  mutable ExtentTable table_;
  mutable std::unordered_map<std::uint32_t, Term> terms_; ///< by value
  mutable std::unordered_map<Term, Term> normal_;         ///< since something was told last
  std::unordered_map<std::uint32_t, Term> bound_;         ///< what atoms are equal to
  std::vector<Term> equations_;                           ///< that say nothing of a single atom
  std::unordered_map<std::uint32_t, bool> truths_;        ///< of conditions
  std::unordered_set<Term> extents_;
  std::size_t impossible_ = 0;
  std::vector<Step> trail_;
};

} // namespace sinter::ir
