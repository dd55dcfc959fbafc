// The intermediate representation: first-order array programs, typed, in A-normal form.
//
// This folder is about the representation alone: its nodes (this file), what is true of each
// (operations.def, groups.def), how they are built (build.h, hash-consing), written and read as
// text (print.h, parse.h), checked (verify.h), walked (walk.h) and, slowly and simply, run
// (evaluate.h): the judge of every pass.  It knows nothing of the language's syntax, of tracing, of
// passes or of machine code.
//
// A function is a body: parameters, statements in order, results.  Statements define values, once;
// operations whose meaning needs code (`if`, loops, SOACs) carry nested bodies, which may use all
// values defined before in the bodies around them.  Records, sums and functions are gone: a value
// is a scalar or an array of scalars, whose extents are values themselves (symbolic sizes).
//
//   fn dotp(n: i64, xs: [n]f32, ys: [n]f32) -> f32 {
//     s: f32 = soac n (xs, ys) { (i: i64, x: f32, y: f32)
//       p: f32 = mul x y
//       yield p
//     } reduce (0f32) { (a: f32, b: f32)
//       c: f32 = add a b
//       yield c
//     }
//     ret s
//   }
//
// Values are pure.  `update` and the destinations of scatter and histogram *consume* their array:
// nobody may use it (nor a view of it) afterwards on any path, so code generation may overwrite it.
// Arrays are dense in meaning; `index` with fewer indices than dimensions, `slice`, `transpose` and
// `reshape` are views where the strides allow.
#pragma once

#include "lang/base/element_type.h"
#include "lang/base/runtime_error.h"
#include "lang/base/span.h"
#include "lang/primitives/primitives.h"
#include "lang/values/scalar.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::ir {

/// A value of a function: an index into Function::values.
struct ValueId {
  std::uint32_t index = 0;
  friend auto operator<=>(ValueId, ValueId) = default;
};

/// What a statement reads: a value, or a constant scalar.
class Operand {
public:
  Operand() = default;
  Operand(ValueId value) : value_(value) {}
  static Operand constant(ElementType element, Scalar scalar) {
    Operand operand;
    operand.is_constant_ = true;
    operand.element_ = element;
    operand.scalar_ = scalar;
    return operand;
  }
  static Operand i64(std::int64_t number) { return constant(ElementType::I64, Scalar::of(number)); }
  bool is_constant() const { return is_constant_; }
  bool is_value() const { return !is_constant_; }
  ValueId value() const { return value_; }         ///< of a value
  ElementType element() const { return element_; } ///< of a constant
  Scalar scalar() const { return scalar_; }        ///< of a constant
  friend bool operator==(const Operand& a, const Operand& b) {
    if (a.is_constant_ != b.is_constant_) return false;
    return a.is_constant_ ? a.element_ == b.element_ && a.scalar_ == b.scalar_
                          : a.value_ == b.value_;
  }

private:
  bool is_constant_ = false;
  ElementType element_{};
  ValueId value_;
  Scalar scalar_{};
};

/// Every extent is less than this: no machine holds more elements, and what is computed from a few
/// extents does not wrap around.  Whoever makes an extent of a number sees to it (the tracer with
/// checks, who runs a function with its inputs); passes and code rely on it.
inline constexpr std::int64_t extent_limit = std::int64_t{1} << 48;

/// A scalar (no extents) or an array of scalars; extents are i64, outermost first, each at least 0
/// and below `extent_limit`.  An extent is an operand, since code needs the number; two types are
/// equal where their extents come to the same by what is known there (size_facts.h), whatever they
/// are called.
struct Type {
  ElementType element{};
  std::vector<Operand> extents;
  bool is_scalar() const { return extents.empty(); }
  std::size_t rank() const { return extents.size(); }
  friend bool operator==(const Type&, const Type&) = default;
};

struct Statement;

/// A variant of all but the first: of a table's rows, each behind a comma.
template <typename, typename... Alternatives>
using VariantOf = std::variant<Alternatives...>;

/// Code with parameters and results.  `parameters` are values defined by the body itself.
struct Body {
  std::vector<ValueId> parameters;
  std::vector<Statement> statements;
  std::vector<Operand> results;
};

// ---- operations --------------------------------------------------------------------------------

/// A row of the primitive table on scalars.  Where the row is undefined (division by zero) a check
/// stands before it; the operation itself is total.
struct Primitive {
  const primitives::Primitive* primitive = nullptr;
  std::vector<Operand> arguments; ///< as many as the row's arity
};
/// `condition ? then_value : else_value`, scalars, both already computed.
struct Select {
  Operand condition, then_value, else_value;
};
/// Runs one of two bodies without parameters.  Results may be arrays; extents that differ between
/// the bodies are results themselves, before the arrays that have them.
struct If {
  Operand condition;
  Body then_body, else_body;
  /// Where the condition holds, `else_body` gives the same, only slower: it may run always.
  bool is_shortcut = false;
};
/// `for i < bound`: the body's parameters are the index (of `bound`'s integer type) and the state,
/// its results the next state.  The state is consumed where the body consumes it.
struct For {
  Operand bound;
  ElementType index_type = ElementType::I64;
  std::vector<Operand> initial;
  Body body;
  /// The program says that rounds need nothing of each other: of the arrays that it carries, no
  /// round reads or writes what another one writes, but to combine with it in any order.
  bool is_parallel = false;
  /// One kernel goes through all rounds, whatever is in them: they have little to do.
  bool is_whole = false;
};
/// `condition` and `body` have the state as parameters; `condition` yields one bool and consumes
/// nothing.
struct While {
  std::vector<Operand> initial;
  Body condition, body;
  bool is_whole = false; ///< as a For's
};

/// Goes through the indices below `extent` in pieces of neighbours, from the first one on.  The
/// body's parameters are a piece's first index, how many it has (i64, at least 1), and the state;
/// its results are the next state.  Each piece but the last has a multiple of `unit` indices, and
/// who runs it chooses which: the body sees to it that the last state is the same for any choice.
/// So what is made for a piece can stay in caches.  The state is consumed where the body consumes
/// it. On the host's level only: not inside of SOACs and operators.
struct Stream {
  Operand extent;
  std::uint32_t unit = 1;
  std::uint32_t element_bytes = 0; ///< of arrays that the body reads and makes, for each index
  std::vector<Operand> initial;
  Body body;
};

/// What becomes of the results of a SOAC's body.  Groups consume the body's results in order, and
/// give the statement's results in order.  Reductions, scans and histograms combine in the order of
/// lang/primitives/fold_order.h, whatever the operator is; where it shows, no pass changes it.
///
/// Map: one body result each, any rank → an array with one more dimension in front.
struct MapGroup {};
/// What blocks before the elements have come to (lang/primitives/fold_order.h), where (a bool)
/// there are any: a fold goes on from there.  Scalars.  On the host's level only.
struct Before {
  Operand are_there;
  std::vector<Operand> values; ///< as many as neutral elements
};
/// Reduce: as many body results as neutral elements; → the combined values.  The operator has the
/// left values, then the right values as parameters.  Elements may be arrays.
///
///   next = soac c (part) { … } reduce (0f32) { … } after going (sum)
///
/// gives, in the place of `(block0 op block1) op …`, `((sum op block0) op block1) op …`, if
/// `going`.
struct ReduceGroup {
  std::vector<Operand> neutral;
  Body combine;
  bool is_commutative = false;
  std::vector<Before> before; ///< none, or one
};
struct Post;
/// Scan: inclusive prefixes; → arrays with one more dimension in front, or, with a post, what that
/// makes of them.  What was before stands left of all blocks.
struct ScanGroup {
  std::vector<Operand> neutral;
  Body combine;
  std::vector<Before> before; ///< none, or one
  std::vector<Post> post;     ///< none, or one
};
/// Scatter: the body gives `index_count` i64 indices, then one value (a scalar, or an array if the
/// destination's rank is more than `index_count`); → the destination, consumed, with the values
/// written.  Out of bounds is ignored; the last write in element order stays.
struct ScatterGroup {
  Operand destination;
  std::uint32_t index_count = 1;
};
/// Histogram: the body gives `index_count` i64 indices, then one value for each destination; → the
/// destinations, consumed, with the values combined into the bins.  Out of bounds is ignored.
struct HistogramGroup {
  std::vector<Operand> destinations;
  std::vector<Operand> neutral;
  Body combine;
  std::uint32_t index_count = 1;
};
/// Filter: the body gives a bool, then `value_count` values; → the number of kept elements (i64),
/// then an array for each value, of that many elements, in order.
struct FilterGroup {
  std::uint32_t value_count = 1;
};
/// Partition: the body gives a number (i32) from 0 to below `kinds` (i64, from 1 to `most_kinds`,
/// known before the SOAC), then `value_count` values; → how many elements are of each kind (i64,
/// `kinds` of them), then an array for each value, of all elements: those of kind 0, then those of
/// kind 1, …, each kind's in order.  (A step of a radix sort: Knuth, TAOCP 3, 5.2.5.)
struct PartitionGroup {
  Operand kinds;
  std::uint32_t value_count = 1;
};
inline constexpr std::int64_t most_kinds = 1 << 16;
/// One of the kinds above: the rows of groups.def.
using Group = VariantOf<void
#define SINTER_IR_GROUP(Kind, ...) , Kind##Group
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
                        >;

/// What becomes of a scan's prefixes in place of arrays: a second body runs for each index, on the
/// index (i64), the prefixes there and `value_count` more results of the SOAC's body, which follow
/// those that are scanned; groups take its results as a SOAC's take those of its body, and give the
/// scan's.  All that goes in is scalars; groups are maps of scalars and reductions of scalars.
/// Nothing of it fails.
///
///   r, d = soac n (xs) { (i, x) yield x, x } scan (0i64) { (a, b) c = add a b  yield c }
///     post 1 { (j, s, y) e = sub s y  yield s, e } reduce (0i64) { … } map end
struct Post {
  std::uint32_t value_count = 0;
  Body body;
  std::vector<Group> groups;
};

/// The general second-order operation: for each index below `extent`, runs the body on the index
/// and the elements (arrays of lower rank, for inputs of more dimensions) of the inputs, whose
/// outermost extent is `extent`.  Elements are independent.  An input-less SOAC is a tabulation.
struct Soac {
  Operand extent;
  std::vector<ValueId> inputs;
  Body body; ///< parameters: the index (i64), then one for each input
  std::vector<Group> groups;
};

/// The element (a scalar, or the array of the remaining dimensions: a view).  In bounds: a check
/// stands before it where that is not evident.
struct Index {
  ValueId array;
  std::vector<Operand> indices; ///< i64, 1 … rank of them
};
/// A view: in each dimension `begin`, `begin+stride`, …  The result type's extents are the counts.
struct Slice {
  struct Dimension {
    Operand begin, stride; ///< i64; the stride may be negative or 0
  };
  ValueId array;
  std::vector<Dimension> dimensions; ///< as many as the rank
};
/// Dimension `i` of the result is dimension `permutation[i]` of the array.
struct Transpose {
  ValueId array;
  std::vector<std::uint32_t> permutation;
};
/// The same elements in row-major order under other extents (the result type's), equal in number.
struct Reshape {
  ValueId array;
};
/// The array with the element (or the subarray of the remaining dimensions) at `indices` replaced.
/// In bounds.  Consumes the array.
struct Update {
  ValueId array;
  std::vector<Operand> indices;
  Operand value;
};
/// The array with a slice (as in Slice; counts are `value`'s extents) replaced.  Consumes it.
struct UpdateSlice {
  ValueId array;
  std::vector<Slice::Dimension> dimensions;
  ValueId value;
};
/// Joins arrays along their first dimension.
struct Concat {
  std::vector<ValueId> arrays;
};
/// An array of the given scalars, or of arrays of one shape.
struct ArrayLiteral {
  std::vector<Operand> elements;
};
/// A fresh array with the same elements, which may be consumed.
struct Copy {
  ValueId array;
};
/// A way to fail: an index into Function::failures.
struct FailureId {
  std::uint32_t index = 0;
  friend auto operator<=>(FailureId, FailureId) = default;
};
/// Ends the function with the failure `site` unless the condition holds.  Defines nothing; never
/// removed, moved only to where it would run anyway.
struct Check {
  Operand condition;
  FailureId site;
};

/// One of the operations above: the rows of operations.def.
using Operation = VariantOf<void
#define SINTER_IR_OPERATION(Type, ...) , Type
#include "jit/ir/operations.def"
#undef SINTER_IR_OPERATION
                            >;

struct Statement {
  std::vector<ValueId> results;
  Operation operation;
  Span span; ///< the expression that it comes from, if known
};

// ---- functions ---------------------------------------------------------------------------------

struct ValueInfo {
  Type type;
  std::string name; ///< a hint for readers; need not be unique; may be empty
};

/// A way to fail: what the interpreter would say if it cannot be asked.  Operands are not kept: the
/// interpreter is asked where the inputs are still there.
struct FailureSite {
  FailureKind kind = FailureKind::Program;
  std::string message;
  Span span;
  std::vector<StackFrame> frames;
  std::string_view id; ///< as a RuntimeError's; not part of the text form
};

/// A function.  `body.parameters` are its parameters: extents come before the arrays that have
/// them.  Value semantics: a copy shares nothing.
struct Function {
  std::string name;
  Body body;
  std::vector<ValueInfo> values;
  std::vector<FailureSite> failures;

  const Type& type(ValueId value) const { return values[value.index].type; }
  Type type(const Operand& operand) const {
    return operand.is_constant() ? Type{operand.element(), {}} : type(operand.value());
  }
  ValueId add_value(Type type, std::string name = {}) {
    values.push_back({std::move(type), std::move(name)});
    return {static_cast<std::uint32_t>(values.size() - 1)};
  }
};

} // namespace sinter::ir
