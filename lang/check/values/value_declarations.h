// Checking of value declarations and of expressions at a prompt: inference, then the exact check of
// sizes, then uniqueness.  Knows modules only as scopes to look names up in.
#pragma once

#include "lang/check/names/context.h"

namespace sinter::check {

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

} // namespace sinter::check
