// The syntax tree: what the parser makes, the printer prints and the checker annotates.
//
// Nodes are structs in a std::variant inside `Expr`, `Pattern`, `TypeExpr`, …; they live in one
// `Ast` arena per session and point to each other with plain pointers.  The parser fills the
// structure; the checker fills only the members gathered under "annotations".  After checking, the
// tree is immutable.
//
// The tree keeps what was written (parentheses, sections, sugar), so that printing a parsed program
// and parsing it again gives the same tree.
#pragma once

#include "lang/base/arena.h"
#include "lang/base/element_type.h"
#include "lang/base/span.h"
#include "lang/syntax/accelerate_mark.h"
#include "lang/types/type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinter::check {
struct CheckedFile; // lang/check/checker.h
}

namespace sinter::syntax {

struct Expr;
struct Pattern;
struct TypeExpr;
struct Declaration;
struct ModuleExpr;
struct ModuleTypeExpr;
struct Specification;

/// A name points into its source text (or the source map's kept strings).
using Name = std::string_view;

/// `m.n.x`; for an infix operator the name is the symbol, and `x `op` y` marks `backquoted`.
struct QualifiedName {
  std::vector<Name> qualifiers;
  Name name;
  Span span;
  bool backquoted = false;
};

/// An attribute's argument structure: `inline`, `trace(tag)`, `unroll(3)`, `"text"`.
struct Attribute {
  Name name; ///< empty for a number or string atom
  std::optional<std::int64_t> number;
  std::optional<std::string> string;
  std::vector<Attribute> arguments; ///< only with `has_arguments`
  bool has_arguments = false;
  Span span;
};

/// A parameter of a function or type: `[n]`, `'a`, `'~a`, `'^a`.
struct TypeParameter {
  enum class Kind { Size, Type, SizeLifted, FullyLifted };
  Kind kind = Kind::Type;
  Name name;
  Span span;
  // annotations: one of the two, by kind
  const types::TypeName* type_name = nullptr;
  types::Variable* size = nullptr;
};

// ---- expressions ----------------------------------------------------------------------------

/// `42`, `0x1f_u8`, `'c'`: the magnitude; a leading minus is a `Unary`.
struct IntegerLiteral {
  std::string digits_value;          ///< decimal digits of the magnitude (may exceed 64 bits)
  std::uint64_t value = 0;           ///< the magnitude modulo 2^64
  std::optional<ElementType> suffix; ///< may be a float type: `1f32`
};
struct FloatLiteral {
  double value = 0; ///< correctly rounded to f64 (use `text` to round directly to f32 or f16)
  std::string text; ///< without underscores and suffix; decimal or hexadecimal
  std::optional<ElementType> suffix;
};
struct BoolLiteral {
  bool value = false;
};
struct CharLiteral {
  std::uint32_t code_point = 0;
};
struct StringLiteral {
  std::string bytes;
};
struct Hole {};

/// A variable, an operator in parentheses `(+)`, or a path `a.b.c` whose split into module
/// qualifiers and record fields only the checker can know: the parser puts every component but the
/// last into `name.qualifiers`; the checker sets `field_count`.
struct VariableExpr {
  QualifiedName name;
  // annotations
  types::Variable* variable = nullptr; ///< what the name means
  const types::Type* variable_type =
      nullptr; ///< its type as instantiated here (before projections)
  /// How many trailing components (of qualifiers + name) are record field projections: for
  /// `r.x.y` with a value `r` it is 2 (the variable is `r`); for `m.f` it is 0.
  std::uint32_t field_count = 0;
};
struct Parenthesized {
  Expr* inner = nullptr;
};
/// `m.(e)`, `m.n.(e)`
struct LocalOpen {
  QualifiedName module;
  Expr* body = nullptr;
};
struct TupleExpr {
  std::vector<Expr*> elements;
}; ///< also `()`
struct FieldExpr {
  Name name;
  Span name_span;
  Expr* value = nullptr; ///< null: `{x}`
  // annotations, for `{x}`
  types::Variable* variable = nullptr;
  const types::Type* variable_type = nullptr;
};
struct RecordExpr {
  std::vector<FieldExpr> fields;
};
struct ArrayExpr {
  std::vector<Expr*> elements;
};
/// `e.f` where `e` is not a plain name
struct ProjectExpr {
  Expr* record = nullptr;
  Name field;
  Span field_span;
};

/// One index of a slice list: `e` alone is an index, otherwise `[begin]:[end][:stride]`.
struct IndexPart {
  Expr* index = nullptr; ///< set: a plain index; the rest is then unused
  Expr* begin = nullptr;
  Expr* end = nullptr;
  Expr* stride = nullptr;
  Span span;
  bool is_slice() const { return index == nullptr; }
};
struct IndexExpr {
  Expr* array = nullptr;
  std::vector<IndexPart> indices;
};

/// A step of a path in `with`, `let x…=`, and `(.…)`: a field or an index list.
struct PathStep {
  Name field;
  std::vector<IndexPart> indices;
  Span span;
  bool is_field() const { return indices.empty(); }
};

struct LeftSection {
  Expr* left = nullptr;
  QualifiedName op; ///< `(x +)`
  // annotations, as of a VariableExpr
  types::Variable* variable = nullptr;
  const types::Type* variable_type = nullptr;
};
struct RightSection {
  QualifiedName op;
  Expr* right = nullptr; ///< `(+ x)`
  // annotations, as of a VariableExpr
  types::Variable* variable = nullptr;
  const types::Type* variable_type = nullptr;
};
struct PathSection {
  std::vector<PathStep> steps;
}; ///< `(.a.b)`, `(.[i,j])`

struct ApplyExpr {
  Expr* function = nullptr;
  std::vector<Expr*> arguments;
}; ///< at least one
struct BinaryExpr {
  QualifiedName op;
  Expr* left = nullptr;
  Expr* right = nullptr;
  // annotations, as of a VariableExpr; null for `&&` and `||`, which are built in
  types::Variable* variable = nullptr;
  const types::Type* variable_type = nullptr;
};
enum class UnaryOperator { Negate, Not };
struct UnaryExpr {
  UnaryOperator op{};
  Expr* operand = nullptr;
};
struct ConstructorExpr {
  Name name;
  Span name_span;
  std::vector<Expr*> arguments;
};
struct AscribeExpr {
  Expr* value = nullptr;
  TypeExpr* type = nullptr;
}; ///< `e : t`
struct CoerceExpr {
  Expr* value = nullptr;
  TypeExpr* type = nullptr;
};                                               ///< `e :> t`
enum class RangeEnd { Inclusive, UpTo, DownTo }; ///< `...`, `..<`, `..>`
struct RangeExpr {
  Expr* first = nullptr;
  Expr* second = nullptr;
  RangeEnd kind{};
  Expr* end = nullptr;
};
struct IfExpr {
  Expr* condition = nullptr;
  Expr* then_branch = nullptr;
  Expr* else_branch = nullptr;
};

struct SizeBinder {
  Name name;
  Span span;
  types::Variable* variable = nullptr;
}; ///< `[n]` in `let [n] …`
struct LetPatternExpr {
  std::vector<SizeBinder> sizes;
  Pattern* pattern = nullptr;
  Expr* value = nullptr;
  Expr* body = nullptr;
  bool explicit_in = true;
};
struct LetFunctionExpr {
  Name name;
  Span name_span;
  std::vector<TypeParameter> type_parameters;
  std::vector<Pattern*> parameters;
  TypeExpr* result_type = nullptr;
  Expr* value = nullptr;
  Expr* body = nullptr;
  bool explicit_in = true;
  types::Variable* variable = nullptr;
}; // annotation
/// `let x[i].f = v in body`
struct LetWithExpr {
  Name name;
  Span name_span;
  std::vector<PathStep> path;
  Expr* value = nullptr;
  Expr* body = nullptr;
  bool explicit_in = true;
  types::Variable* source = nullptr;
  types::Variable* target = nullptr;
}; // annotations: old and new `x`
struct LambdaExpr {
  std::vector<Pattern*> parameters;
  TypeExpr* result_type = nullptr;
  Expr* body = nullptr;
};

struct ForLess {
  Name name;
  Span name_span;
  Expr* bound = nullptr;
  types::Variable* variable = nullptr;
};
struct ForIn {
  Pattern* pattern = nullptr;
  Expr* array = nullptr;
};
struct While {
  Expr* condition = nullptr;
};
struct LoopExpr {
  Span parallel_mark; ///< of `#[parallel]` in front of it, if that stands there
  std::vector<SizeBinder> sizes;
  Pattern* pattern = nullptr;
  Expr* initial = nullptr; ///< null: the pattern's names are their own initial values
  std::variant<ForLess, ForIn, While> form;
  Expr* body = nullptr;
  /// Annotation, only without `initial`: for each name that the pattern binds, in order, the outer
  /// variable that it starts from.
  std::vector<types::Variable*> implicit_initial;
};

/// `#[accelerate] def f x = e` is `def f x = #[accelerate] e`.
struct AttributedExpr {
  Attribute attribute;
  AccelerateMark mark; ///< of `#[accelerate]`
  Expr* body = nullptr;
};
struct AssertExpr {
  Expr* condition = nullptr;
  Expr* body = nullptr;
};
struct WithExpr {
  Expr* value = nullptr;
  std::vector<PathStep> path;
  Expr* replacement = nullptr;
};
struct MatchCase {
  Pattern* pattern = nullptr;
  Expr* body = nullptr;
  Span span;
};
struct MatchExpr {
  Expr* scrutinee = nullptr;
  std::vector<MatchCase> cases;
};
/// Left by error recovery where no expression could be read; never in a program without errors.
struct ErrorExpr {};

using ExprNode =
    std::variant<IntegerLiteral, FloatLiteral, BoolLiteral, CharLiteral, StringLiteral, Hole,
                 VariableExpr, Parenthesized, LocalOpen, TupleExpr, RecordExpr, ArrayExpr,
                 ProjectExpr, IndexExpr, LeftSection, RightSection, PathSection, ApplyExpr,
                 BinaryExpr, UnaryExpr, ConstructorExpr, AscribeExpr, CoerceExpr, RangeExpr, IfExpr,
                 LetPatternExpr, LetFunctionExpr, LetWithExpr, LambdaExpr, LoopExpr, AttributedExpr,
                 AssertExpr, WithExpr, MatchExpr, ErrorExpr>;

struct Expr {
  ExprNode node;
  Span span;
  // annotations
  const types::Type* type = nullptr; ///< the expression's type, after inference fully resolved
  /// Its evaluation makes sizes that its type shows (existential results of an application, sizes
  /// of a range, slice, branch or loop): they are read off the value's shape.
  bool makes_sizes = false;
};

// ---- patterns ---------------------------------------------------------------------------------

struct NamePattern {
  Name name;
  types::Variable* variable = nullptr;
};
struct WildcardPattern {};
struct LiteralPattern {
  bool negative = false;
  Expr* literal = nullptr;
}; ///< number, char or bool
struct TuplePattern {
  std::vector<Pattern*> elements;
};
struct FieldPattern {
  Name name;
  Span name_span;
  Pattern* pattern = nullptr; ///< null: `{x}`
  types::Variable* variable = nullptr;
};
struct RecordPattern {
  std::vector<FieldPattern> fields;
};
struct ConstructorPattern {
  Name name;
  std::vector<Pattern*> arguments;
};
struct AscribePattern {
  Pattern* pattern = nullptr;
  TypeExpr* type = nullptr;
};
struct ParenthesizedPattern {
  Pattern* inner = nullptr;
};
struct AttributedPattern {
  Attribute attribute;
  Pattern* pattern = nullptr;
};

using PatternNode =
    std::variant<NamePattern, WildcardPattern, LiteralPattern, TuplePattern, RecordPattern,
                 ConstructorPattern, AscribePattern, ParenthesizedPattern, AttributedPattern>;
struct Pattern {
  PatternNode node;
  Span span;
  const types::Type* type = nullptr; // annotation
};

// ---- type expressions -------------------------------------------------------------------------

struct NamedType {
  QualifiedName name;
};
/// One argument of a type application: a type, or `[size]` (`size` null: `[]`).
struct TypeArgument {
  TypeExpr* type = nullptr;
  Expr* size = nullptr;
  bool is_size = false;
  Span span;
};
struct TypeApplication {
  QualifiedName name;
  std::vector<TypeArgument> arguments;
};
struct ArrayType {
  Expr* size = nullptr;
  TypeExpr* element = nullptr;
}; ///< `size` null: `[]t`
struct UniqueType {
  TypeExpr* inner = nullptr;
}; ///< `*t`
struct TupleType {
  std::vector<TypeExpr*> elements;
};
struct FieldType {
  Name name;
  Span name_span;
  TypeExpr* type = nullptr;
};
struct RecordType {
  std::vector<FieldType> fields;
};
struct ConstructorType {
  Name name;
  Span name_span;
  std::vector<TypeExpr*> payload;
};
struct SumType {
  std::vector<ConstructorType> constructors;
};
struct FunctionType {
  Name parameter_name; ///< empty: unnamed
  TypeExpr* parameter = nullptr;
  TypeExpr* result = nullptr;
};
struct ExistentialType {
  std::vector<SizeBinder> sizes;
  TypeExpr* body = nullptr;
}; ///< `?[n].t`
struct ParenthesizedType {
  TypeExpr* inner = nullptr;
};
struct ErrorType {};

using TypeExprNode =
    std::variant<NamedType, TypeApplication, ArrayType, UniqueType, TupleType, RecordType, SumType,
                 FunctionType, ExistentialType, ParenthesizedType, ErrorType>;
struct TypeExpr {
  TypeExprNode node;
  Span span;
  // annotations
  const types::Type* type = nullptr;
  /// The sizes in `type` that it leaves out (`[]`) or binds for all of itself.
  std::vector<const types::Variable*> open_sizes;
};

// ---- modules ------------------------------------------------------------------------------------

struct Documentation {
  std::string text;
  Span span;
}; ///< of a `-- |` block, without the dashes

struct ModuleName {
  QualifiedName name;
};
struct ModuleParenthesized {
  ModuleExpr* inner = nullptr;
};
struct ModuleImport {
  std::string path;
  Span path_span;
  const check::CheckedFile* file = nullptr;
}; // annotation
struct ModuleBody {
  std::vector<Declaration*> declarations;
}; ///< `{ … }`
struct ModuleApply {
  ModuleExpr* functor = nullptr;
  ModuleExpr* argument = nullptr;
  types::ModuleSite site;
}; // annotation: what this application makes
struct ModuleAscribe {
  ModuleExpr* body = nullptr;
  ModuleTypeExpr* type = nullptr;
  types::ModuleSite sealed;
}; // annotation: hidden by `type`
struct ModuleParameter {
  Name name;
  Span name_span;
  ModuleTypeExpr* type = nullptr;
  types::ModuleSite site;
}; // annotation: what `type` leaves open
/// `\(p: S) [: R] -> m`
struct ModuleLambda {
  ModuleParameter parameter;
  ModuleTypeExpr* result_type = nullptr;
  ModuleExpr* body = nullptr;
  types::ModuleSite sealed;
}; // annotation, with `result_type`
struct ErrorModule {};
using ModuleExprNode = std::variant<ModuleName, ModuleParenthesized, ModuleImport, ModuleBody,
                                    ModuleApply, ModuleAscribe, ModuleLambda, ErrorModule>;
struct ModuleExpr {
  ModuleExprNode node;
  Span span;
};

struct ModuleTypeName {
  QualifiedName name;
};
struct ModuleTypeParenthesized {
  ModuleTypeExpr* inner = nullptr;
};
struct ModuleTypeBody {
  std::vector<Specification*> specifications;
  bool is_incomplete = false; ///< there are others, which could not be read
};
/// `S with t [n] 'a = type`
struct ModuleTypeWith {
  ModuleTypeExpr* base = nullptr;
  QualifiedName type_name;
  std::vector<TypeParameter> parameters;
  TypeExpr* type = nullptr;
};
struct ModuleTypeFunction {
  Name parameter_name; ///< empty: unnamed
  ModuleTypeExpr* parameter = nullptr;
  ModuleTypeExpr* result = nullptr;
};
using ModuleTypeExprNode = std::variant<ModuleTypeName, ModuleTypeParenthesized, ModuleTypeBody,
                                        ModuleTypeWith, ModuleTypeFunction>;
struct ModuleTypeExpr {
  ModuleTypeExprNode node;
  Span span;
};

using types::Lifting; ///< `type`, `type~`, `type^`

struct ValueSpecification {
  Name name;
  Span name_span;
  std::vector<TypeParameter> type_parameters;
  TypeExpr* type = nullptr;
};
/// `type t`, or with `definition` the transparent `type t = …`
struct TypeSpecification {
  Name name;
  Span name_span;
  Lifting lifting{};
  std::vector<TypeParameter> parameters;
  TypeExpr* definition = nullptr;
};
struct ModuleSpecification {
  Name name;
  Span name_span;
  ModuleTypeExpr* type = nullptr;
};
struct IncludeSpecification {
  ModuleTypeExpr* type = nullptr;
};
using SpecificationNode =
    std::variant<ValueSpecification, TypeSpecification, ModuleSpecification, IncludeSpecification>;
struct Specification {
  SpecificationNode node;
  Span span;
  std::vector<Attribute> attributes;
  std::optional<Documentation> documentation;
};

// ---- declarations
// -----------------------------------------------------------------------------------

enum class ValueKeyword { Def, Let, Entry };
struct ValueDeclaration {
  ValueKeyword keyword{};
  Name name;
  Span name_span;
  bool infix = false; ///< written `def x + y = …`
  std::vector<TypeParameter> type_parameters;
  std::vector<Pattern*> parameters;
  TypeExpr* result_type = nullptr;
  Expr* body = nullptr;
  /// Of `let (a, b) = e`: the declaration's name is then the pattern's text, which nobody can
  /// write, and for each name of the pattern a declaration that takes it out of the whole follows.
  Pattern* pattern = nullptr;
  bool is_part = false; ///< one of those that follow
  types::Variable* variable = nullptr;
}; // annotation
struct TypeDeclaration {
  Name name;
  Span name_span;
  Lifting lifting{};
  std::vector<TypeParameter> parameters;
  TypeExpr* definition = nullptr;
};
/// `module m (p: S) … [: R] = e`; parameters nest as lambdas
struct ModuleDeclaration {
  Name name;
  Span name_span;
  std::vector<ModuleParameter> parameters;
  ModuleTypeExpr* ascription = nullptr;
  ModuleExpr* body = nullptr;
  types::ModuleSite sealed;
}; // annotation, with `ascription`
struct ModuleTypeDeclaration {
  Name name;
  Span name_span;
  ModuleTypeExpr* type = nullptr;
};
struct OpenDeclaration {
  ModuleExpr* module = nullptr;
};
struct ImportDeclaration {
  std::string path;
  Span path_span;
  const check::CheckedFile* file = nullptr;
}; // annotation
struct LocalDeclaration {
  Declaration* inner = nullptr;
};
struct ErrorDeclaration {};
using DeclarationNode =
    std::variant<ValueDeclaration, TypeDeclaration, ModuleDeclaration, ModuleTypeDeclaration,
                 OpenDeclaration, ImportDeclaration, LocalDeclaration, ErrorDeclaration>;
struct Declaration {
  DeclarationNode node;
  Span span;
  std::vector<Attribute> attributes;
  std::optional<Documentation> documentation;
};

/// A whole file.
struct File {
  FileId id;
  std::vector<Declaration*> declarations;
  std::vector<Span> marks; ///< of the attributes `#[accelerate]` and `#[parallel]`
  std::optional<Documentation> documentation; ///< a `-- |` block at the top, before a blank line
};

/// All nodes of a session.
using Ast = Arena<Expr, Pattern, TypeExpr, ModuleExpr, ModuleTypeExpr, Specification, Declaration>;

} // namespace sinter::syntax
