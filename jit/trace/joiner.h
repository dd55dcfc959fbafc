// What two sides of a branch give, joined leaf by leaf.
//
// What is equal on both sides, or makes sense on one side only and is known outside, stays as it
// is; the rest become results of an `if`, extents before the arrays that have them.
#pragma once

#include "jit/trace/leaves.h"

#include <unordered_set>

namespace sinter::jit {

/// A result of a branch, in the making.
struct JoinedResult {
  ir::Operand then_value, else_value;
  ir::Type type; ///< extents may be placeholders
};

/// Joins two values; fills the list of results.
class Joiner {
public:
  using Operand = ir::Operand;
  using ValueId = ir::ValueId;
  using Value = SymbolicValue;

  /// `inside`: what the sides define themselves.
  Joiner(Code& code, Leaves& leaves, const std::unordered_set<std::uint32_t>& inside)
      : code_(code), leaves_(leaves), inside_(inside) {}

  Value join(const Value& a, const Value& b);
  const std::vector<JoinedResult>& results() const { return results_; }

private:
  Operand add(const Operand& then_value, const Operand& else_value, ir::Type type);
  Operand either(const Operand& then_value, const Operand& else_value, ir::Type type);
  ElementType element(const Operand& known) const { return code_.builder().type(known).element; }
  bool is_inside(const Operand& operand) const {
    return operand.is_value() && inside_.contains(operand.value().index);
  }

  Value join_scalars(const Value& a, const Value& b);
  /// A name that equal sizes have outside, or a result.
  Operand join_extents(const Operand& a, const Operand& b);
  Value join_arrays(const SymbolicArray& a, const SymbolicArray& b);
  Value join_fields(const Value& a, const Value& b);
  Operand tag_of(const Value& sum) const;
  Value join_sums(const Value& a, const Value& b);
  Value join_functions(const FunctionObject<Symbolic>& a, const FunctionObject<Symbolic>& b);

  /// A value that only one side has: the other side gives zeros and empty arrays for what is not
  /// known outside.
  Value one_side(const Value& value, bool is_then);
  Operand give(const Operand& one, const Operand& other, ir::Type type, bool is_then);
  Value one_array(const SymbolicArray& array, bool is_then);

  Code& code_;
  Leaves& leaves_;
  const std::unordered_set<std::uint32_t>& inside_;
  std::vector<JoinedResult> results_;
};

} // namespace sinter::jit
