// Symbolic values in the places of a layout (layout.h): parameters and results of a traced
// function.
#pragma once

#include "jit/trace/code.h"
#include "jit/trace/layout.h"

namespace sinter::jit {

/// The operands of a value in the order of a layout's places; its layout.
Layout take_layout(Code& code, const SymbolicValue& value, std::vector<ir::Operand>& places);
/// The value of a layout over new parameters of the innermost body.  `constant`, if it is not null,
/// has this layout and is what the parameters are always going to be: extents are taken from there.
SymbolicValue parameters(Code& code, const Layout& layout, const Value* constant = nullptr);
/// A value of the program, if it holds no arrays, else nothing.
std::optional<SymbolicValue> constant_value(Code& code, const Value& value,
                                            const Representation* type);
/// An array of the program that is a small table of numbers, as a literal of the innermost body,
/// else nothing.
std::optional<SymbolicValue> table_value(Code& code, const Value& value,
                                         const Representation* type);

} // namespace sinter::jit
