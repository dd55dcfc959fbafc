// Values and applications as one would write them in the language: for sentences about what a
// program did.
#pragma once

#include "lang/primitives/primitives.h"
#include "lang/values/concrete.h"

#include <span>
#include <string>
#include <string_view>

namespace sinter::eval {

/// A value without types of numbers: "(1, -2.5)", "[1, 2, …, 9]", "#some 3".  Long arrays are
/// elided.
std::string witness_text(const Value& value, const Representation* type);

/// The overloaded operator that a primitive of two operands is: "-"; empty if it is none.
std::string_view operator_symbol(const primitives::Primitive& primitive);

/// An operator as it stands between two operands: "-"; "`f`" of a function with a name; "⊕" of one
/// without.
std::string infix_text(const Value& function);

/// The same with brackets around it where it stands beside an operator: "(-1)".
std::string operand_text(std::string_view text);

} // namespace sinter::eval
