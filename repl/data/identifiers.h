// Names of the language for what files call otherwise.
#pragma once

#include <string>
#include <string_view>

namespace sinter::repl {

/// An identifier for a file's name of a column or a member.  The language's letters are those of
/// ASCII: Latin, Greek and Cyrillic ones are written with these (`Größe` is `Groesse`, `Δt` is
/// `Delta_t`), others by their number (`年` is `u5e74`), raised and lowered digits as digits; what
/// is neither letter nor digit separates.  Different names may have one identifier.
std::string identifier_for(std::string_view text);

} // namespace sinter::repl
