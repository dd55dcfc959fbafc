// Types as the checker reasons about them: with size expressions, uniqueness, abstract names and
// inference variables.  (What values look like while running is `values/representation.h`.)
#pragma once

#include "lang/base/arena.h"
#include "lang/base/element_type.h"
#include "lang/base/span.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinter::syntax {
struct Expr;
struct ValueDeclaration;
} // namespace sinter::syntax

namespace sinter::primitives {
struct Intrinsic;
}

namespace sinter::types {

struct Type;
struct Size;
struct Variable;
struct Member;
using Name = std::string_view;

// ---- names of types -----------------------------------------------------------------------------

enum class Lifting { None, SizeLifted, FullyLifted };

/// A type known by name only: a type parameter, an abstract type of a module, or a built-in one
/// without structure (`acc`).  Identity is the address.
struct TypeName {
  enum class Kind { Parameter, Abstract, Builtin };
  Kind kind = Kind::Parameter;
  std::string display; ///< as the user wrote it, with qualifiers: "m.t"
  Span span;
  Lifting lifting = Lifting::None;
  std::vector<bool> parameter_is_size; ///< one entry for each parameter that it takes
};

/// An abstract type that a module expression introduces, and where the module that implements it
/// has the definition: `path` is the way through sub-modules to the type's name.  Functor
/// parameters, sealing and functor applications all use it; the specialiser looks `path` up in the
/// module that was really supplied.  Where a functor application makes a type to which no name
/// leads, the path is empty; `inner` is then the only way: the name that the type has in the
/// functor's body.
struct AbstractType {
  std::vector<Name> path;
  const TypeName* name = nullptr;
  const TypeName* inner = nullptr; ///< of an application only
};

/// A place where a module expression gives what a module has identities of its own: a parameter of
/// a parametric module, sealing, an application.
struct ModuleSite {
  std::vector<AbstractType> types;
};
/// What a value is that a ModuleSite gave an identity, as AbstractType says it of types.
struct Member {
  const ModuleSite* site = nullptr;
  /// To the value's name, itself included; empty where no name leads to it.
  std::vector<Name> path;
  /// Of an application: the variable in the parametric module's body.
  const Variable* inner = nullptr;
};

// ---- sizes
// ----------------------------------------------------------------------------------------

struct ConstantSize {
  std::int64_t value = 0;
};
/// A size parameter, an i64 variable in scope, or an unknown size.
struct VariableSize {
  const Variable* variable = nullptr;
};
enum class SizeOperator { Add, Subtract, Multiply, Divide, Remainder };
struct OperationSize {
  SizeOperator op{};
  const Size* left = nullptr;
  const Size* right = nullptr;
};
/// Any other expression of type i64, with what its free size variables stand for here.
struct ExpressionSize {
  const syntax::Expr* expression = nullptr;
  std::vector<std::pair<const Variable*, const Size*>> substitution;
};
/// The same by its structure, as exact checking compares sizes: two are equal where they are of one
/// kind, have one head, and their arguments are equal; opaque ones if they are from one place.
struct TermSize {
  enum class Kind {
    Apply,       ///< the function and its arguments
    Infix,       ///< head: the operator; the operator's own size where it has one, both operands
    Prefix,      ///< head: the operator
    Project,     ///< head: the field
    Index,       ///< the array and its indices
    Tuple,       ///< the components
    Array,       ///< the elements
    Constructor, ///< head: its name; the payload
    Literal,     ///< head: its text
    Opaque,      ///< any other `expression`; what it mentions
  };
  Kind kind{};
  Name head;
  std::vector<const Size*> arguments;
  const syntax::Expr* expression = nullptr; ///< where it is from; null for a part of a name
};
/// A size that nobody knows yet: what inference leaves to the exact check.
struct AnonymousSize {};
using SizeNode = std::variant<ConstantSize, VariableSize, OperationSize, ExpressionSize, TermSize,
                              AnonymousSize>;
struct Size {
  SizeNode node;
};

// ---- types
// ------------------------------------------------------------------------------------------

struct PrimitiveType {
  ElementType element{};
};
struct TypeArgument {
  const Type* type = nullptr;
  const Size* size = nullptr;
}; ///< exactly one is set
struct NamedType {
  const TypeName* name = nullptr;
  std::vector<TypeArgument> arguments;
};
struct ArrayType {
  const Size* size = nullptr;
  const Type* element = nullptr;
};
struct Field {
  Name name;
  const Type* type = nullptr;
};
/// Fields in canonical order: numeric names by number, then the others by bytes.  A tuple is a
/// record with the fields 0, 1, …; `()` has none.
struct RecordType {
  std::vector<Field> fields;
  /// In which order people see the fields, as the source has them: positions in `fields`; empty: in
  /// the canonical one.  It is no part of what type this is.
  std::vector<std::uint32_t> shown;
};
struct Constructor {
  Name name;
  std::vector<const Type*> payload;
};
struct SumType {
  std::vector<Constructor> constructors;
}; ///< by name
/// One argument at a time.  `parameter_variable` (if named) may occur in the result's sizes;
/// `existentials` are sizes that each full application makes anew.
struct FunctionType {
  const Variable* parameter_variable = nullptr;
  const Type* parameter = nullptr;
  std::vector<const Variable*> existentials;
  const Type* result = nullptr;
};
/// `*t`, in parameters (consumed) and results (free of aliases); unification looks through it.
struct UniqueType {
  const Type* inner = nullptr;
};
/// What the operands of an overloaded operator may be.
enum class Constraint { None, Number, Integer, Float, Primitive, Equality };
/// An inference variable, and what is known of it so far: a set of primitive types, or a record
/// with at least these fields, or a sum with at least these constructors, or nothing.
struct MetaType {
  std::uint32_t id = 0;
  std::uint32_t level = 0;
  std::uint16_t elements = 0; ///< a bit for each ElementType that it may be; 0: not only primitives
  Lifting lifting = Lifting::FullyLifted;
  std::vector<Field> fields;
  std::vector<Constructor> constructors;
  /// Set once it is solved; `resolve` shortens chains of them, which no one can tell.
  mutable const Type* link = nullptr;
  Span origin; ///< for messages
};
/// After an error, compatible with everything, so that one mistake is reported once.
struct ErrorType {};
using TypeNode = std::variant<PrimitiveType, NamedType, ArrayType, RecordType, SumType,
                              FunctionType, UniqueType, MetaType, ErrorType>;
struct Type {
  TypeNode node;
};

/// `type_parameters` and `size_parameters` are bound in `type`.
/// A constant of a type with existential sizes has them as `size_parameters` of kind UnknownSize:
/// each occurrence makes them anew.
struct Scheme {
  std::vector<const TypeName*> type_parameters;
  std::vector<const Variable*> size_parameters;
  const Type* type = nullptr;
};

// ---- variables
// ----------------------------------------------------------------------------------------

/// Anything that a value name can mean.  Identity is the address.
struct Variable {
  enum class Kind {
    Local,         ///< bound by a pattern, loop, local function or `let`
    SizeParameter, ///< `[n]` of a function or `let [n]`
    UnknownSize,   ///< made by an expression (see `Expr::makes_sizes`) or an existential
    Global,        ///< a member of a module (or of the file)
    Intrinsic,     ///< a row of the intrinsics table
    Overloaded,    ///< a built-in operator (`+`, `<`, …): its row depends on the operand type
  };
  Kind kind = Kind::Local;
  Name name;
  Span span;
  Scheme scheme;
  /// While checking: how deep the scope that binds it is nested (0: module level); `out_of_scope`
  /// once that scope has ended.  Sizes may only mention variables of enclosing scopes.
  std::uint32_t level = 0;
  static constexpr std::uint32_t out_of_scope = UINT32_MAX;
  /// Sizes did not fit in its definition, or may not: those of the scheme tell nothing.
  bool has_unknown_sizes = false;
  const syntax::ValueDeclaration* declaration = nullptr; ///< of a Global, where it has one
  const Member* member = nullptr;                        ///< of a Global that a ModuleSite made
  std::uint32_t module_level = 0; ///< of a Global: that of the module that it was made in
  const primitives::Intrinsic* intrinsic = nullptr; ///< of an Intrinsic
};

/// All types of a session.  Solving a meta is the only change that is ever made to one.
using TypeArena = Arena<Type, Size, Variable, TypeName, Member>;

/// Follows solved metas (and nothing else).
const Type* resolve(const Type* type);
/// As the user would write it: "[n]i32 -> *[n](f32, bool)"; unknown sizes as "[d₀]"-like names.
std::string print(const Type* type);
std::string print(const Size* size);
std::string print(const Scheme& scheme);
/// To standard error, for a debugger (`call sinter::types::dump(type)`).
void dump(const Type* type);
void dump(const Size* size);
/// The same where several types and sizes stand in one message: a size without a name of the user's
/// has one number in all of them.
struct NumberedNames {
  std::map<std::uint32_t, std::size_t> metas;
  std::map<const Variable*, std::size_t> variables;
  /// Fields stand in canonical order, as where types are compared by their texts.
  bool is_canonical = false;
};
std::string print(const Type* type, NumberedNames& names);
std::string print(const Size* size, NumberedNames& names);

} // namespace sinter::types
