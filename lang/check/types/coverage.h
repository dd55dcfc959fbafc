// Exhaustiveness of patterns.
#pragma once

#include "lang/syntax/ast.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter::check {

/// A value, written as a pattern, that none of the (typed) patterns matches; nullopt if they match
/// every value of their type.
///
/// After L. Maranget, "Warnings for pattern matching", 2007: the rows of a matrix are specialised
/// to each constructor of the first column's type in turn.
std::optional<std::string> find_unmatched(const std::vector<const syntax::Pattern*>& patterns);

} // namespace sinter::check
