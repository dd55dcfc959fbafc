// What must hold of every function, after every pass: types, sizes, scoping, single definition,
// consumption.
//
// Sizes are equal if they are the same operand, or if a check (`eq n m`, alone or in a conjunction)
// or the branch says so on every path to where they are compared.  Counts of slices, of filters'
// results, of concatenations and of reshaped arrays are taken as they are, except where all are
// constants: they are values of the program.
#pragma once

#include "jit/ir/ir.h"

#include <optional>
#include <string>

namespace sinter::ir {

/// The first violation in words with the statement's text, or nothing.
std::optional<std::string> verify(const Function& function);

} // namespace sinter::ir
