// Sizes by their structure.
#pragma once

#include "lang/syntax/ast.h"
#include "lang/types/type.h"

#include <optional>
#include <utility>
#include <vector>

namespace sinter::check {

/// The size that an expression stands for, by its structure; null where it binds names.
const types::Size* structural_size(types::TypeArena& arena, const syntax::Expr& expression);

/// A size's parts where it is made of others; nothing for constants and variables.
std::optional<std::vector<std::pair<const types::Size*, const types::Size*>>>
similar_sizes(const types::Size* a, const types::Size* b);
/// Whether two sizes are equal as they stand.
bool same_size(const types::Size* a, const types::Size* b);

} // namespace sinter::check
