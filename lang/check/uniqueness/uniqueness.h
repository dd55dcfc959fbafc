// Uniqueness: who may overwrite an array, and that nobody looks at it afterwards.
//
// The check is a pass of its own over a definition whose types are known.  It walks expressions in
// the order of evaluation (arguments from right to left), and knows for each value what it may
// share memory with (aliases.h).  Consuming a value marks everything that it shares memory with;
// using something marked is an error.  Consumed may be what the definition owns: its own local
// values and the parameters whose type has a `*`.
#pragma once

#include "lang/check/names/context.h"

namespace sinter::check {

/// Checks a value declaration whose inference has succeeded.  Gives the type of the declared
/// value: where no result type is written, the parts of a function's result that share memory with
/// nothing but consumed parameters are found to be unique.
const types::Type* check_uniqueness(Context& context, const syntax::ValueDeclaration& declaration);

} // namespace sinter::check
