// The resolved program: what the specialiser makes of a checked one, and what the walker walks.
//
// Names are gone: a variable is a slot of its function's frame, a captured value, or a global.
// Modules are gone: parametric modules have been applied.  Polymorphism is gone: each function is
// specialised to the types (not the sizes) that it is used at, so every node's representation is
// known.  Sizes that a function cannot read off its arguments' shapes are passed as leading i64
// parameters.  Overloading is gone: each scalar operation is a row of the primitive table.
// What remains is first-class functions, records, sums, arrays, loops and SOACs.
//
// Nodes live in the Program's arena and are immutable once the specialiser has returned them; a
// redefinition makes new nodes.
#pragma once

#include "lang/base/arena.h"
#include "lang/base/span.h"
#include "lang/core/attributes.h"
#include "lang/primitives/primitives.h"
#include "lang/syntax/ast.h"
#include "lang/values/representation.h"
#include "lang/values/scalar.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::core {

struct Expr;
struct Pattern;
struct Function;
struct Global;

/// Index into a function's frame.
using Slot = std::uint32_t;

/// Where in a value a size can be read: record fields to follow (through arrays of records into
/// their leaves too), then a dimension of the array found there.
struct SizePath {
  std::vector<std::uint32_t> fields;
  std::uint32_t dimension = 0;
};
/// Reads an extent of a value into a slot (as an i64).  Where the path leads into a sum's payload
/// (`constructor_field` steps) it may be absent: the slot then keeps what it has.
struct SizeBinding {
  Slot slot = 0;
  SizePath path;
};
/// Requires that an extent of a value equals an expression's value.
struct SizeCheck {
  SizePath path;
  const Expr* expected = nullptr;
  std::string shape_expected; ///< for the message: "[n][3]"
};

/// A representation with its sizes, for values that must be made without an element to look at
/// (`[]`, `map f []`).  `extents` lists the extents of every array in the representation, in the
/// order of a depth-first walk, outermost dimension first; null where no size could be named (then
/// it is 0).  Evaluated only when needed.
struct SizedType {
  const Representation* representation = nullptr;
  std::vector<const Expr*> extents;
};

// ---- expressions -------------------------------------------------------------------------------

struct Constant {
  Scalar value;
};
struct Bytes {
  std::string bytes;
}; ///< a string literal: [n]u8
/// `is_last_use`: no later use on any path, so the value may be moved out of the slot.
struct Local {
  Slot slot = 0;
  bool is_last_use = false;
};
struct Captured {
  std::uint32_t index = 0;
}; ///< of the running function's captures
struct GlobalValue {
  const Global* global = nullptr;
};
/// A function without captures as a value, or the head of a direct call.
struct FunctionValue {
  const Function* function = nullptr;
};
/// A closure: `captures` are evaluated now.
struct Closure {
  const Function* function = nullptr;
  std::vector<const Expr*> captures;
};
struct Let {
  const Pattern* pattern = nullptr;
  const Expr* value = nullptr;
  const Expr* body = nullptr;
};
/// Evaluates `value`, then reads the sizes off it.
struct BindSizes {
  const Expr* value = nullptr;
  std::vector<SizeBinding> bindings;
};
/// Application; `function` may take fewer (partial application) or more arguments.  Hidden sizes
/// are ordinary leading arguments.  Arguments are evaluated left to right, then the function.
struct Apply {
  const Expr* function = nullptr;
  std::vector<const Expr*> arguments;
};
struct PrimitiveCall {
  const primitives::Primitive* primitive = nullptr;
  std::vector<const Expr*> arguments;
};
/// A saturated array operation.  `result` describes the value's type with sizes; `unsafe` says that
/// checks below are off (`#[unsafe]`).
struct ArrayCall {
  primitives::ArrayOperation operation{};
  std::vector<const Expr*> arguments;
  SizedType result;
};
struct And {
  const Expr* left = nullptr;
  const Expr* right = nullptr;
};
struct Or {
  const Expr* left = nullptr;
  const Expr* right = nullptr;
};
struct If {
  const Expr* condition = nullptr;
  const Expr* then_branch = nullptr;
  const Expr* else_branch = nullptr;
};
struct Case {
  const Pattern* pattern = nullptr;
  const Expr* body = nullptr;
};
struct Match {
  const Expr* scrutinee = nullptr;
  std::vector<Case> cases;
};

struct ForLess {
  Slot slot = 0;
  ElementType type{};
  const Expr* bound = nullptr;
};
struct ForIn {
  const Pattern* pattern = nullptr;
  const Expr* array = nullptr;
};
struct While {
  const Expr* condition = nullptr;
};
/// `#[parallel]`: the user says that a loop's iterations need nothing of each other.
struct ParallelMark {
  Span span;                                       ///< of the attribute
  std::vector<std::pair<Slot, std::string>> names; ///< of the loop's variables
};
struct Loop {
  std::optional<ParallelMark> parallel; ///< counted loops only
  const Pattern* pattern = nullptr;
  const Expr* initial = nullptr;
  std::variant<ForLess, ForIn, While> form;
  const Expr* body = nullptr;
  /// Sizes of the loop parameter, read anew before each iteration.
  std::vector<SizeBinding> sizes;
};

struct Record {
  std::vector<const Expr*> fields;
}; ///< canonical order, evaluated in source order `order`
/// `is_last_use`: where `record` is a variable whose other fields are still needed, that this field
/// is not, so it may be moved out of the record in the slot.
struct Project {
  const Expr* record = nullptr;
  std::uint32_t field = 0;
  bool is_last_use = false;
};
struct Sum {
  std::uint32_t tag = 0;
  std::vector<const Expr*> payload;
};
struct ArrayLiteral {
  std::vector<const Expr*> elements;
  SizedType type;
}; ///< `type` is the array's

/// An index, or a slice with optional parts.
struct IndexPart {
  const Expr* index = nullptr;
  const Expr* begin = nullptr;
  const Expr* end = nullptr;
  const Expr* stride = nullptr;
  bool is_slice = false;
  Span span;
  ElementType index_type = ElementType::I64;
}; ///< of `index`
struct Index {
  const Expr* array = nullptr;
  std::vector<IndexPart> parts;
};
/// `value with path = replacement`; a path step is a record field or an index list.
struct FieldStep {
  std::uint32_t field = 0;
};
struct IndexStep {
  std::vector<IndexPart> parts;
};
struct Update {
  const Expr* value = nullptr;
  std::vector<std::variant<FieldStep, IndexStep>> path;
  const Expr* replacement = nullptr;
};
struct Range {
  ElementType type{};
  const Expr* first = nullptr;
  const Expr* second = nullptr;
  syntax::RangeEnd kind{};
  const Expr* end = nullptr;
};
/// `:>`, and ascriptions that must be checked while running.
struct Coerce {
  const Expr* value = nullptr;
  std::vector<SizeCheck> checks;
};
struct Assert {
  const Expr* condition = nullptr;
  std::string condition_text;
  const Expr* body = nullptr;
};
struct Attributed {
  Attribute attribute{};
  std::string tag;             ///< of `#[trace(tag)]`
  syntax::AccelerateMark mark; ///< of `#[accelerate]`
  Span attribute_span;
  const Expr* body = nullptr;
};
struct Hole {};
/// A construct that cannot be evaluated (differentiation): raises FailureKind::Unsupported.
struct Unsupported {
  std::string reason;
};

using ExprNode = std::variant<Constant, Bytes, Local, Captured, GlobalValue, FunctionValue, Closure,
                              Let, BindSizes, Apply, PrimitiveCall, ArrayCall, And, Or, If, Match,
                              Loop, Record, Project, Sum, ArrayLiteral, Index, Update, Range,
                              Coerce, Assert, Attributed, Hole, Unsupported>;
struct Expr {
  ExprNode node;
  Span span;
  const Representation* type = nullptr;
};

// ---- patterns
// --------------------------------------------------------------------------------------

struct SlotPattern {
  Slot slot = 0;
};
struct WildcardPattern {};
struct LiteralPattern {
  ElementType type{};
  Scalar value;
}; ///< floats compare with ==
/// Fields by position; all of them are listed.
struct RecordPattern {
  std::vector<const Pattern*> fields;
};
struct SumPattern {
  std::uint32_t tag = 0;
  std::vector<const Pattern*> payload;
};
struct Pattern {
  std::variant<SlotPattern, WildcardPattern, LiteralPattern, RecordPattern, SumPattern> node;
  Span span;
  const Representation* type = nullptr; ///< of the values that it matches
  std::vector<SizeBinding> sizes;       ///< read off the matched value before its parts are bound
};

// ---- functions and globals
// --------------------------------------------------------------------------

/// A function, specialised.  A call makes a frame of `frame_size` slots, matches the parameters'
/// patterns in order, runs the `checks`, then evaluates `body`.
/// What `#[chunked(map)]`, `(reduce)` or `(fold)` before the body of a definition `f` says of its
/// last parameter: that the array there may be cut into chunks that are not empty.
enum class ChunkLaw : std::uint8_t {
  None,
  Map,    ///< `f … (xs ++ ys)` is `f … xs ++ f … ys`
  Reduce, ///< `f op … (xs ++ ys)` is `op (f op … xs) (f op … ys)`; `op` is its first parameter
  Fold,   ///< `f … s (xs ++ ys)` is `f … (f … s xs) ys`
};

struct Function {
  std::string name;                       ///< as the user knows it; "lambda" for anonymous ones
  Span span;                              ///< of the definition
  std::vector<const Pattern*> parameters; ///< hidden sizes first
  std::uint32_t hidden_sizes = 0;
  std::uint32_t frame_size = 0;
  std::uint32_t capture_count = 0;
  std::vector<const Representation*> capture_types;
  struct Check {
    std::uint32_t parameter = 0;
    SizeCheck check;
  };
  std::vector<Check> checks; ///< on entry points' arguments (against their annotations)
  const Expr* body = nullptr;
  const Representation* result = nullptr;
  /// Set where the function is no more than a scalar primitive applied to its parameters in order:
  /// `(+)` as an argument of reduce.
  const primitives::Primitive* primitive = nullptr;
  ChunkLaw chunk_law = ChunkLaw::None; ///< only if its parameters and its result are such
};

/// A top-level constant, specialised; the evaluator computes it once, on first use.
struct Global {
  std::string name;
  Span span;
  std::uint32_t index = 0; ///< unique in the program
  const Expr* body = nullptr;
  std::uint32_t frame_size = 0;
  const Representation* type = nullptr;
};

/// What the specialiser hands to an evaluation: an expression with the frame it needs.
struct Toplevel {
  const Expr* body = nullptr;
  std::uint32_t frame_size = 0;
};

/// Owns everything specialised in a session; grows only.
struct Program {
  Arena<Expr, Pattern, Function, Global> arena;
  std::uint32_t global_count = 0;
};

} // namespace sinter::core
