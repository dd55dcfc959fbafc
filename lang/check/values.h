// Checking of values: type expressions, expressions, patterns and value declarations.  Knows
// modules only as scopes to look names up in.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/check/scope.h"
#include "lang/syntax/ast.h"
#include "lang/types/type.h"

#include <functional>
#include <memory>

namespace sinter::types {
struct TooLarge;
}

namespace sinter::check {

/// What all parts of the checker share.
struct Context {
  SourceMap& sources;
  syntax::Ast& ast;
  types::TypeArena& types;
  Diagnostics* diagnostics = nullptr;            ///< of the check that is going on
  bool has_errors = false;                       ///< others than those in `diagnostics`
  const types::TypeName* accumulator = nullptr;  ///< the built-in type `acc`, once it is made
  std::shared_ptr<const Module> intrinsics = {}; ///< the module, once it is made
};

/// The error for what is too large to be checked.
void report_too_large(Diagnostics& diagnostics, Span span, const types::TooLarge& too_large);

/// Checks `type t 'a [n] = …`: fills the parameters' annotations and gives the binding.
TypeBinding check_type_declaration(Context& context, const Scope& scope,
                                   syntax::TypeDeclaration& declaration);
/// The parameters and right-hand side of a type specification or `with` refinement; `definition`
/// null gives a binding to a new abstract TypeName shown as `display`.
TypeBinding check_type_binding(Context& context, const Scope& scope, std::string display, Span span,
                               types::Lifting lifting,
                               std::vector<syntax::TypeParameter>& parameters,
                               syntax::TypeExpr* definition);
/// The scheme of `val f 'a [n] : type`: anonymous sizes in parameters become size parameters, in
/// results existentials.
types::Scheme check_value_specification(Context& context, const Scope& scope,
                                        syntax::ValueSpecification& specification);

/// Checks a top-level value declaration and gives its variable (kind Global;
/// `declaration.variable`). With `defer_body`, a declaration whose parameters and result are all
/// annotated gets its scheme from the annotations alone, and `check_deferred_body` does the rest
/// later in the same scope.
types::Variable* check_value_declaration(Context& context, const Scope& scope,
                                         syntax::ValueDeclaration& declaration, bool defer_body);
/// The rules for entry points, for a declaration that has been checked.
void check_entry_point(Context& context, const syntax::ValueDeclaration& declaration);
void check_deferred_body(Context& context, const Scope& scope,
                         syntax::ValueDeclaration& declaration);
/// Checks an expression at the top level of a prompt; see Checker::check_expression.
bool check_toplevel_expression(Context& context, const Scope& scope, syntax::Expr& expression);

/// Replaces type names, size variables and members of modules by what they stand for.  Arguments of
/// a replaced TypeName are applied to the binding's parameters.
struct Substitution {
  std::unordered_map<const types::TypeName*, TypeBinding> types;
  std::unordered_map<const types::Variable*, const types::Size*> sizes;
  std::unordered_map<const types::Variable*, types::Variable*> members;
  /// Is asked for what a size mentions and nothing above has; gives null for what stays as it is.
  std::function<types::Variable*(const types::Variable&)> other_member = {};
};
const types::Type* substitute(Context& context, const types::Type* type,
                              const Substitution& substitution);
types::Scheme substitute(Context& context, const types::Scheme& scheme,
                         const Substitution& substitution);

/// Whether a value of scheme `found` may be used where `wanted` is specified: `found` is at least
/// as polymorphic.  On failure `why` says what differs.
bool matches(Context& context, const types::Scheme& wanted, const types::Scheme& found,
             std::string& why);
/// The same for sizes alone, of schemes whose types match.
bool sizes_match(Context& context, const types::Scheme& wanted, const types::Scheme& found,
                 std::string& why);
/// Whether two closed types are equal (up to names of bound sizes); sizes too if `with_sizes`.
bool equal(const types::Type* a, const types::Type* b, bool with_sizes);

} // namespace sinter::check
