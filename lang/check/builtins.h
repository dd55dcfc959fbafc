// The names that no text defines: primitive types, overloaded operators, `intrinsics`.
#pragma once

#include "lang/check/names/context.h"

namespace sinter::check {

/// The outermost scope of every file, the prelude's included: the primitive types, `&&`-like
/// operators apart the built-in overloaded operators (`primitives::all_operators`), and the module
/// `intrinsics` with its values and its types (`acc`).
Environment builtin_environment(Context& context);

} // namespace sinter::check
