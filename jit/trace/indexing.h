// Literals, ranges, indexing, slicing and updates of arrays.
#pragma once

#include "jit/trace/soacs.h"

namespace sinter::jit {

class Indexing {
public:
  using Operand = ir::Operand;
  using ValueId = ir::ValueId;
  using Value = SymbolicValue;
  using Operation = primitives::Operation;

  Indexing(Code& code, Leaves& leaves, Soacs& soacs)
      : code_(code), builder_(code.builder()), leaves_(leaves), soacs_(soacs) {}

  Value bytes(std::string_view text);
  Value array_literal(std::span<Value> elements, SymbolicSite& site);
  Value range(const eval::RangeBounds<Symbolic>& bounds);
  Value index(const Value& array, std::span<const SymbolicPart> parts);
  Value update(const Value& target, std::span<const SymbolicPart> parts, const Value& replacement);
  /// In words, for messages.
  std::string describe_shape(std::span<const Operand> extents) const;

private:
  /// Which elements an index list selects in one dimension.
  struct Selection {
    Operand begin, count, stride;
    bool is_slice = false;
  };

  struct Range;

  Range open_range(const eval::RangeBounds<Symbolic>& bounds);
  Operand count_steps(const eval::RangeBounds<Symbolic>& bounds, const Range& range,
                      const Operand& distance);
  Operand is_not_negative(const Operand& number);
  /// One dimension of an index list with its defaults; `is_valid` says whether it is in bounds.
  Selection select(const SymbolicPart& part, const Operand& extent, Operand& is_valid);
  std::vector<Selection> select_all(const SymbolicArray& array,
                                    std::span<const SymbolicPart> parts);
  Value update_element(const SymbolicArray& array, const std::vector<Selection>& selections,
                       const Value& replacement);
  Value update_slice(const SymbolicArray& array, const std::vector<Selection>& selections,
                     const SymbolicArray& source, std::span<const SymbolicPart> parts);
  std::string describe(std::span<const SymbolicPart> parts) const;
  std::string describe(const eval::RangeBounds<Symbolic>& bounds) const;

  Code& code_;
  ir::Builder& builder_;
  Leaves& leaves_;
  Soacs& soacs_;
};

} // namespace sinter::jit
