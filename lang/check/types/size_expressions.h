// Which expressions can be the size of an array in a written type.
#pragma once

#include "lang/syntax/ast.h"
#include "lang/types/type.h"

namespace sinter::check {

/// The size that an i64 expression stands for; null where it cannot be expressed.
const types::Size* size_of(types::TypeArena& arena, const syntax::Expr& expression);
/// Whether a size expression is unknown because of an error.
bool mentions_error(const syntax::Expr& expression);

} // namespace sinter::check
