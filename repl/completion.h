// What a half-written name may become.
#pragma once

#include "lang/check/environment.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// The name that ends at the end of `line`: letters, digits, `_`, `'`, and dots of qualifiers.
std::string_view last_word(std::string_view line);

/// Names of values, types and modules that start with `prefix`, sorted, without duplicates; in
/// `names` first, then in `outer`.  After "m.n." the members of that module, qualified as written.
std::vector<std::string> names_starting_with(const check::Environment& names,
                                             const check::Environment& outer,
                                             std::string_view prefix);

} // namespace sinter::repl
