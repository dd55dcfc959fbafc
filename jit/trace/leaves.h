// How symbolic values lie in the leaves of arrays, as lang/values/elements.h has it for numbers.
#pragma once

#include "jit/trace/code.h"

namespace sinter::jit {

/// A value's scalars: what the leaves of an array of such values hold for it.  Both are parallel to
/// the representation's lists; units have a constant in `leaves`.
struct Parts {
  std::vector<ir::Operand> extents;
  std::vector<ir::Operand> leaves;
};

/// What is known of an array's elements without looking at them.
struct Pattern {
  bool is_iota = false; ///< element i is i
  ir::Operand uniform;  ///< else all are this scalar
};

class Leaves {
public:
  using Operand = ir::Operand;
  using ValueId = ir::ValueId;
  using Value = SymbolicValue;

  explicit Leaves(Code& code) : code_(code), builder_(code.builder()) {}

  // ---- values and their parts

  Parts flatten(const Value& value, const Representation* type) {
    Parts parts;
    flatten(value, type, parts);
    return parts;
  }
  Value unflatten(const Representation* type, std::span<const Operand> extents,
                  std::span<const Operand> leaves);
  /// The leaves of a value but units, with the given extents, which equal its own.
  std::vector<Operand> fit(const Value& value, const Representation* type,
                           std::span<const Operand> extents);
  /// The value of results for all leaves but units.
  Value from_results(const Representation* type, std::span<const Operand> extents,
                     std::span<const ValueId> results);
  /// Rebuilds a value with `change(old, type, is_extent)` for each operand, extents before leaves.
  using Change = std::function<Operand(const Operand&, const ir::Type&, bool is_extent)>;
  Value rebuild(const Value& value, const Change& change);

  // ---- arrays

  /// The element, or row, at some indices that are in bounds.
  Value element(const SymbolicArray& array, const std::vector<Operand>& indices);
  /// The leaf as one of that type, whose extents are equal to its own: itself, where that is known;
  /// else, where only the language's types promise it, a view.
  Operand with_extents(const Operand& leaf, const ir::Type& type);
  /// The array of values of the IR for all leaves but units; their types.
  Value array_of(const Representation* type, std::vector<Operand> extents,
                 std::span<const ValueId> results);
  static std::vector<ir::Type> types(const Representation* type,
                                     const std::vector<Operand>& extents);
  /// An array with its leaves changed one by one.
  Value with_leaves(const Representation* type, std::vector<Operand> extents,
                    const SymbolicArray& array,
                    const std::function<ValueId(ValueId, ir::Type)>& change);
  /// A record of the arrays of an array's fields.
  Value unzip(const Value& array);
  /// An array of scalars.
  Value numbers(ElementType element, const Operand& extent, ValueId leaf);
  /// An array of the type without elements.
  ValueId empty_array(const ir::Type& type);
  ValueId filled(const ir::Type& type, const Operand& scalar);
  /// The extent of an array in a value, by the way there.
  std::optional<SymbolicScalar> extent(const Value& value, std::span<const std::uint32_t> fields,
                                       std::uint32_t dimension);

  /// What is known of the elements of an array of scalars; null if nothing is.
  const Pattern* pattern(ValueId array) const;
  void note_pattern(ValueId array, Pattern pattern) {
    patterns_.insert_or_assign(array.index, pattern);
  }

private:
  void flatten(const Value& value, const Representation* type, Parts& parts);
  void flatten_sum(const Value& value, const Representation* type, Parts& parts);
  void flatten_zeros(const Representation* type, Parts& parts);
  Value unflatten_sum(const Representation* type, std::span<const Operand> leaves);
  std::optional<SymbolicScalar> extent(const SymbolicArray& array,
                                       std::span<const std::uint32_t> fields,
                                       std::uint32_t dimension);

  Code& code_;
  ir::Builder& builder_;
  std::unordered_map<std::uint32_t, Pattern> patterns_; ///< by array
};

/// A sum whose constructor is not known, without payloads yet.
SymbolicValue open_sum(SymbolicScalar tag, std::size_t alternatives);
/// The payload of a constructor as a record; Nothing if the sum cannot be that one.
SymbolicValue alternative(const SymbolicValue& sum, std::uint32_t tag);
/// How many constructors a sum, open or not, may have.
std::uint32_t alternatives(const SymbolicValue& sum);
inline bool is_there(const SymbolicValue& value) {
  return value.kind() != SymbolicValue::Kind::Nothing;
}

} // namespace sinter::jit
