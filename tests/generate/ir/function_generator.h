// The generator of random functions (ir_generator.h): what it keeps while it writes one, and what
// kinds of statements there are.
#pragma once

#include "tests/generate/ir/ir_generator.h"
#include "tests/generate/ir/ir_writer.h"

#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace sinter::generate::of_ir {

using namespace ir;
using Op = primitives::Operation;
using Ownership = IrWriter::Ownership;

inline Type scalar_type(ElementType element) {
  return {element, {}};
}
inline const Type i64 = scalar_type(ElementType::I64);

inline Type array_of(const Operand& extent, const Type& element) {
  Type type{element.element, {extent}};
  type.extents.insert(type.extents.end(), element.extents.begin(), element.extents.end());
  return type;
}
inline Type row_of(const Type& type) {
  return {type.element, {type.extents.begin() + 1, type.extents.end()}};
}
inline Operand number(ElementType element, int value) {
  return Operand::constant(element, with_cpp_type(element, [&]<typename T>() {
                             return Scalar::of<T>(static_cast<T>(value));
                           }));
}

class Generator {
public:
  Generator(Random& random, const IrOptions& options)
      : random_(random), options_(options), writer_(random) {
    elements_ = {ElementType::I64, ElementType::I64, ElementType::I32, ElementType::U8,
                 ElementType::Bool};
    if (options.floats) {
      elements_.push_back(ElementType::F32);
      elements_.push_back(ElementType::F64);
    }
  }
  Function run();

private:
  using Write = void (Generator::*)();
  void statements(std::size_t count);
  /// Fewer statements the deeper.
  void few_statements();

  // ---- operands
  Operand constant(ElementType element);
  /// A scalar in scope, or a constant.
  Operand scalar(ElementType element);
  /// Any value of the type: one in scope, or a new one.
  Operand operand(const Type& type);
  /// A fresh array of the type.
  ValueId filled(const Type& type);
  std::optional<ValueId> array(std::size_t least_rank = 1);
  /// An array that may be consumed here.
  std::optional<ValueId> own_array();
  ValueId primitive(const primitives::Primitive& primitive, std::vector<Operand> arguments);
  ValueId primitive(Op operation, ElementType element, std::vector<Operand> arguments);
  /// An index into an extent that is surely not 0.
  Operand index_below(const Operand& extent);
  /// An extent: one in scope that some array has, or a small constant.
  Operand extent();
  bool is_indexable(const Type& type, std::size_t count) const;

  // ---- simple statements
  void arithmetic();
  void conversion();
  void select();
  /// What the bits of a number choose, combined.
  void chosen_bits();
  /// An element or a row; where the extents may be 0, in a branch.
  void element();
  void view();
  /// A copy, a literal, a join, a tabulation.
  void fresh();
  void check();

  // ---- control
  void branch();
  void loop();
  /// A fold of an array that is gone through in pieces, and another one that is written so.
  void stream();

  // ---- operators
  /// Neutral elements, and the operator over as many parameters on each side.
  struct Operator {
    std::vector<Operand> neutral;
    std::vector<Type> types;
    Body combine;
    bool is_commutative = true;
  };
  /// Of scalars, on one element type: + and * (which wrap around), min, max, and, or.
  Operator scalar_operator(ElementType element);
  /// Composition of x -> a*x + b: associative, not commutative.
  Operator composition();
  /// Elementwise addition of rows.
  Operator row_operator(const Type& row);
  ValueId zeros(const Type& type);
  /// What a body may give to an operator: floats as small whole numbers, so that sums are exact.
  Operand element_for(const Type& type);

  // ---- SOACs
  /// Opens a SOAC's body over an extent: index and elements; `write` gives the results.
  Body soac_body(const Operand& extent, const std::vector<ValueId>& inputs,
                 const std::function<std::vector<Operand>()>& write);
  std::vector<ValueId> inputs_of(const Operand& extent);
  /// Maps, reductions and scans, several at once.
  void soac();
  /// What becomes of a scan's prefixes: maps (of an element), reductions (by an operator).
  struct PlannedPost {
    std::vector<ElementType> passed;
    std::vector<std::variant<ElementType, Operator>> groups;
  };
  PlannedPost planned_post();
  static std::vector<Type> types_of(const PlannedPost& planned, const Operand& extent);
  std::vector<Post> post(std::optional<PlannedPost>& planned, const std::vector<Type>& prefixes);
  void filter_or_partition();
  void filter();
  void partition();

  // ---- consumption
  void update();
  /// The whole array, from behind.
  void update_slice();
  void scatter();
  void histogram();

  Random& random_;
  IrOptions options_;
  IrWriter writer_;
  std::vector<ElementType> elements_;
  bool is_in_post_ = false; ///< where nothing fails
  unsigned soacs_ = 0;      ///< around: their bodies and operators, and those of posts
};

} // namespace sinter::generate::of_ir
