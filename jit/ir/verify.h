// What must hold of every function, after every pass: types, sizes, scoping, single definition,
// consumption.
#pragma once

#include "jit/ir/ir.h"

#include <optional>
#include <string>

namespace sinter::ir {

/// The first violation in words with the statement's text, or nothing.
std::optional<std::string> verify(const Function& function);

} // namespace sinter::ir
