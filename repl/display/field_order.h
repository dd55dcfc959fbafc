// What a checked type knows about the order in which people see fields.
#pragma once

#include "lang/types/type.h"
#include "lang/values/field_order.h"

namespace sinter::repl {

/// As the source has them that gave an expression this type.
FieldOrder field_order(const types::Type* type);

} // namespace sinter::repl
