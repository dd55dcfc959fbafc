// The registry of the ids of all diagnostics of lexer, parser, checker and loader, and of errors
// while a program runs: `Diagnostics::report` and RuntimeError accept no others.  It is made from
// the help pages (lang/check/help/ID.md): to register an id is to write its page.  An id is stable:
// people look its page up and scripts match on it.
#pragma once

#include <span>
#include <string_view>

namespace sinter {

struct DiagnosticId {
  std::string_view id;
  std::string_view meaning; ///< one sentence, without a full stop
};

/// All registered ids, by the parts of the front end, alphabetically within a part.
std::span<const DiagnosticId> diagnostic_ids();

/// Null if the id is not registered.
const DiagnosticId* find_diagnostic_id(std::string_view id);

} // namespace sinter
