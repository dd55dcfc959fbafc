// Names that a type expression binds: parameters of function types and existential sizes.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/syntax/ast.h"

namespace sinter::check {

/// Reports a name that is bound again where it is bound already, as in `(n: i64) -> (n: i64) -> t`.
void check_binder_names(const syntax::TypeExpr& type, Diagnostics& diagnostics);

} // namespace sinter::check
