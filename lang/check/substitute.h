// Applying type abbreviations to arguments.
#pragma once

#include "lang/check/values.h"

namespace sinter::check {

/// What an abbreviation stands for with these arguments.  Its existential sizes are made anew and
/// appended to `made`, unless a function type inside binds them.
const types::Type* expand(Context& context, const TypeBinding& binding,
                          const std::vector<types::TypeArgument>& arguments,
                          std::vector<types::Variable*>& made);

} // namespace sinter::check
