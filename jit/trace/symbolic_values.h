// What values are while a piece of the program is traced.
//
// A scalar is a value of the IR or a constant; an array is what the interpreter's arrays are, with
// values of the IR instead of numbers and buffers: extents, and an IR array for each leaf.  A sum
// whose constructor is not known is *open*: its fields are the tag (u8), then for each constructor
// its payload as a record, or Nothing where it cannot be that one.
#pragma once

#include "jit/ir/ir.h"
#include "lang/values/representation.h"
#include "lang/values/value.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sinter::jit {

/// A handle to a value of the IR, or to a constant of the domain's table.
struct SymbolicScalar {
  enum class Kind : std::uint32_t { None, Value, Constant };
  Kind kind = Kind::None;
  std::uint32_t index = 0;
};

/// Immutable; lives in the domain.
struct SymbolicArray {
  const Representation* type = nullptr; ///< of the array itself
  /// One for each of the representation's extents, shape first.
  std::vector<ir::Operand> extents;
  /// One for each of the representation's leaves; `no_leaf` for units.
  std::vector<ir::ValueId> leaves;

  static constexpr ir::ValueId no_leaf{UINT32_MAX};
  const ir::Operand& length() const { return extents.front(); }
  std::uint32_t rank() const { return type->array().rank; }
};

class SymbolicArrayRef {
public:
  SymbolicArrayRef() = default;
  explicit SymbolicArrayRef(const SymbolicArray* array) : array_(array) {}
  const SymbolicArray* operator->() const { return array_; }
  const SymbolicArray& operator*() const { return *array_; }
  /// Never: who owns what is decided when the trace is complete (ownership.h).
  bool unique() const { return false; }

private:
  const SymbolicArray* array_ = nullptr;
};

struct Symbolic {
  using Scalar = SymbolicScalar;
  using Array = SymbolicArrayRef;
  using Accumulator = std::shared_ptr<void>;
};
using SymbolicValue = BasicValue<Symbolic>;

/// Values from here on stand for results of a branch that is still being joined.
inline constexpr std::uint32_t first_placeholder = 0x8000'0000;
inline bool is_placeholder(const ir::Operand& operand) {
  return operand.is_value() && operand.value().index >= first_placeholder;
}

/// The tag of a sum that is open.
inline constexpr std::uint32_t open_tag = UINT32_MAX;
inline bool is_open(const SymbolicValue& sum) {
  return sum.tag() == open_tag;
}
/// How many constructors an open sum knows of.
inline std::uint32_t alternative_count(const SymbolicValue& open) {
  return static_cast<std::uint32_t>(open.fields().size() - 1);
}

/// With the numbers of the IR's values: "(v3, []i64 of (v1) in v4)".
std::string print(const SymbolicValue& value);
/// To standard error, for a debugger (`call sinter::jit::dump(value)`).
void dump(const SymbolicValue& value);

/// The type in the IR of a leaf of an array, or of a representation, with the given extents.
inline ir::Type leaf_type(const LeafLayout& leaf, const std::vector<ir::Operand>& extents) {
  ir::Type type{leaf.element, {}};
  for (std::uint32_t dimension : leaf.dimensions)
    type.extents.push_back(extents[dimension]);
  return type;
}

} // namespace sinter::jit
