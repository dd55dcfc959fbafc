// Reductions that select an element by its value and, among equals, by its index:
//
//   s, at = soac n (xs) { (i: i64, x: f32)
//     yield x, i
//   } reduce (-f32.inf, n) { (a: f32, p: i64, b: f32, q: i64)
//     c = gt a b   d = eq a b   e = lt p q   g = and d e   h = or c g
//     t = select h a b   u = select h p q   yield t, u }
//
// Elements come by ascending index, so that while they are folded one after the other `p` is less
// than `q` wherever `p` is an element's: the running value stays if `a >= b`, and nobody compares
// indices.  Only the neutral element's index may be anything.  Where it stands behind all (`n`),
// and its value before no other, the first element replaces it whatever that is; so it does a NaN,
// with which the fold may begin as well.  What lanes or rows have come to is combined by the
// operator itself.
#pragma once

#include "jit/ir/ir.h"
#include "lang/primitives/primitives.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

/// Of an operator on a float and an index, whose elements' index ascends.
struct AscendingSelection {
  std::size_t value = 0, index = 1; ///< components
  /// The running value stays if it is so to the element's: Less, LessEqual, Greater or
  /// GreaterEqual.  Of numbers; and of NaNs too where `begins` says how.
  primitives::Operation stays{};
  enum class Begins : std::uint8_t {
    Neutral, ///< with the neutral element
    Nan,     ///< with a NaN, if there are elements
    Unknown  ///< NaNs, or the neutral element's index, may come out otherwise
  };
  Begins begins = Begins::Unknown; ///< of folds from the left
};

/// Those of a function, by their operators' places in it.
class AscendingSelections {
public:
  explicit AscendingSelections(const ir::Function& function);
  /// Null if it is none.  `combine` is a reduction's operator.
  const AscendingSelection* find(const ir::Body& combine) const;

private:
  void visit(const ir::Function& function, const ir::Body& body);
  void look_at(const ir::Function& function, const ir::Soac& soac);
  bool fits_in_i32(const ir::Operand& extent) const;
  bool implies_small(const ir::Operand& condition, const ir::Operand& extent) const;
  template <typename T>
  const T* definition(const ir::Operand& operand) const;
  bool is_convert_of(const ir::Operand& operand, const ir::Operand& converted) const;

  std::unordered_map<std::uint32_t, const ir::Statement*> definitions_;
  std::vector<ir::Operand> holding_; ///< conditions, where it is visited
  std::unordered_map<const ir::Body*, AscendingSelection> found_;
};

} // namespace sinter::jit
