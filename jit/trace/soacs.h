// Code for each element of arrays: bodies of SOACs over functions of the program.
#pragma once

#include "jit/trace/leaves.h"

namespace sinter::jit {

/// The elements of some arrays in the body of a SOAC.
struct Elements {
  ir::Operand index;
  std::vector<ir::ValueId> inputs;
  std::vector<SymbolicValue> values; ///< one for each array
};

/// Extents, as far as there are names for them.
using NamedExtents = std::vector<std::optional<ir::Operand>>;

class Soacs {
public:
  using Operand = ir::Operand;
  using ValueId = ir::ValueId;
  using Value = SymbolicValue;

  Soacs(Code& code, Leaves& leaves) : code_(code), builder_(code.builder()), leaves_(leaves) {}

  /// The length that all have, by checks.
  Operand common_length(std::span<const Value> arrays);
  /// In the body of a SOAC that has just been opened: its parameters.
  Elements open_elements(std::span<const Value> arrays, const Operand& extent);
  ir::Body operator_body(const Value& function, const Representation* element,
                         const std::vector<Operand>& extents, SymbolicSite& site);
  /// A SOAC whose body yields the elements as they are; it has no groups yet.
  ir::Soac over_elements(const Value& array);
  /// An array of `type` of what the function makes of the elements.  `known` are the extents of the
  /// results where there are names for them.
  Value map_elements(const Operand& extent, std::span<const Value> arrays,
                     const Representation* type, const NamedExtents& known,
                     const std::function<Value(Elements&)>& function);
  Value tabulate(const Operand& extent, ElementType element,
                 const std::function<Operand(const Operand&)>& at);
  /// The elements of `arrays[kept]` where a predicate of the elements of all holds.
  Value filter(std::span<const Value> arrays, std::size_t kept,
               const std::function<Operand(std::span<Value>)>& predicate);

  /// What `trace` makes of elements.  Where each of them fails, there is a check that there is
  /// none, and the result is what is left then.
  Value unless_all_fail(const Operand& extent, const std::function<Value()>& trace,
                        const std::function<Value()>& without_elements);
  /// The array that a map over nothing gives; `inner` are its extents but the first, where known.
  Value without_elements(const Representation* type, const NamedExtents& inner);

private:
  Operand element_parameter(ValueId leaf, const Operand& index, Elements& elements,
                            std::map<std::uint32_t, Operand>& known);

  Code& code_;
  ir::Builder& builder_;
  Leaves& leaves_;
};

} // namespace sinter::jit
