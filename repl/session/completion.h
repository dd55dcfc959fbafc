// Names that a half-written input may go on with: variables, types, modules and their members,
// record fields, constructors, files.
#pragma once

#include "lang/check/names/environment.h"
#include "repl/text/completions.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// The name that ends at the end of `line`: letters, digits, `_`, `'`, and dots of qualifiers.
std::string_view last_word(std::string_view line);

/// What may stand at the end of `text` instead of its last word, sorted, without duplicates:
///
/// - after `m.n.` the members of that module, after `x.y.` the fields of that record;
/// - after `#` the constructors of the types in scope;
/// - inside of a string literal paths of files; to import, those of the library too;
/// - else values, types and modules of `names` and `outer`, keywords, and words of `text` itself,
///   which may be names that it is about to bind.
///
/// Nothing after an empty word, and nothing inside of a comment.
Completions complete_names(const check::Environment& names, const check::Environment& outer,
                           std::string_view text);

/// Paths that start with `prefix`: folders, and files whose names end with `ending`.
std::vector<Completion> complete_path(const std::string& prefix, std::string_view ending);

} // namespace sinter::repl
