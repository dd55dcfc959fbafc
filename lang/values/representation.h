// What values look like while a program runs: types without sizes, names or abstraction.
//
// An array of records is a record of arrays, all the way down: every array is a shape and a list of
// *leaves*, one for each scalar that its element type contains, in the order of a depth-first walk
// (fields in canonical order; a sum is its tag and then the payloads of every constructor).  A unit
// `()` counts as one leaf, without contents: so every array has a leaf that knows its sizes.
#pragma once

#include "lang/base/element_type.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace sinter {

struct Representation;

struct ScalarRepresentation {
  ElementType element{};
  friend bool operator==(const ScalarRepresentation&, const ScalarRepresentation&) = default;
};
/// All adjacent dimensions at once: `element` is never an array itself, `rank` at least 1.
struct ArrayRepresentation {
  std::uint32_t rank = 1;
  const Representation* element = nullptr;
  friend bool operator==(const ArrayRepresentation&, const ArrayRepresentation&) = default;
};
struct FieldRepresentation {
  std::string name;
  const Representation* type = nullptr;
  friend bool operator==(const FieldRepresentation&, const FieldRepresentation&) = default;
};
/// Fields in canonical order (see types::RecordType); a tuple's are named "0", "1", …
struct RecordRepresentation {
  std::vector<FieldRepresentation> fields;
  friend bool operator==(const RecordRepresentation&, const RecordRepresentation&) = default;
};
/// Whether the fields are called 0, 1, …: a tuple's.
bool is_tuple(const RecordRepresentation& record);
struct ConstructorRepresentation {
  std::string name;
  std::vector<const Representation*> payload;
  friend bool operator==(const ConstructorRepresentation&,
                         const ConstructorRepresentation&) = default;
};
struct SumRepresentation {
  std::vector<ConstructorRepresentation> constructors; ///< sorted by name
  friend bool operator==(const SumRepresentation&, const SumRepresentation&) = default;
};
/// Functions never lie in arrays; what they take and return is not needed while running.
struct FunctionRepresentation {
  friend bool operator==(FunctionRepresentation, FunctionRepresentation) = default;
};
/// A write-only accumulator over arrays (`acc`).
struct AccumulatorRepresentation {
  friend bool operator==(AccumulatorRepresentation, AccumulatorRepresentation) = default;
};

using RepresentationNode =
    std::variant<ScalarRepresentation, ArrayRepresentation, RecordRepresentation, SumRepresentation,
                 FunctionRepresentation, AccumulatorRepresentation>;

/// Where a leaf of a representation stands.
struct LeafLayout {
  ElementType element{};   ///< Bool for a unit
  bool is_unit = false;    ///< keeps sizes only, has no contents
  bool is_payload = false; ///< lies in a sum's payload, so that not every value has it
  /// The dimensions around the scalar, as positions in the representation's list of extents (one
  /// for each array dimension in it, in the order of a depth-first walk, outermost first).
  std::vector<std::uint32_t> dimensions;
};

/// Interned: equal representations have equal addresses.
struct Representation {
  RepresentationNode node;
  /// Leaves that an array of this element type has: `leaves.size()`.
  std::uint32_t leaf_count = 0;
  /// Array dimensions that occur anywhere in it.
  std::uint32_t extent_count = 0;
  std::vector<LeafLayout> leaves;

  bool is_scalar() const { return std::holds_alternative<ScalarRepresentation>(node); }
  bool is_array() const { return std::holds_alternative<ArrayRepresentation>(node); }
  bool is_record() const { return std::holds_alternative<RecordRepresentation>(node); }
  bool is_sum() const { return std::holds_alternative<SumRepresentation>(node); }
  ElementType scalar() const { return std::get<ScalarRepresentation>(node).element; }
  const ArrayRepresentation& array() const { return std::get<ArrayRepresentation>(node); }
  const RecordRepresentation& record() const { return std::get<RecordRepresentation>(node); }
  const SumRepresentation& sum() const { return std::get<SumRepresentation>(node); }
};

/// The interner; one per session, thread-safe.
class Representations {
public:
  Representations();
  ~Representations();
  const Representation* scalar(ElementType element);
  /// An array of `rank` more dimensions over `element` (which may itself be an array: ranks add).
  const Representation* array(std::uint32_t rank, const Representation* element);
  const Representation* record(std::vector<FieldRepresentation> fields);
  const Representation* tuple(const std::vector<const Representation*>& elements);
  const Representation* sum(std::vector<ConstructorRepresentation> constructors);
  const Representation* function();
  const Representation* accumulator();
  const Representation* unit() { return record({}); }

private:
  struct Table;
  std::unique_ptr<Table> table_;
};

/// The type of a sum's tag: u8, or u32 for more than 256 constructors.
ElementType tag_element(const SumRepresentation& sum);

/// "[][]i32", "(i32, bool)", "#none | #some f32".
std::string print(const Representation* representation);

/// The type of the array's elements after `count` indices (an array of lower rank, or the element).
const Representation* indexed(Representations& table, const Representation* array,
                              std::uint32_t count);

} // namespace sinter
