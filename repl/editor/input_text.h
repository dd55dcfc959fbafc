// Inputs of the language and of commands as texts: when one is whole, how it is indented and
// coloured.  For the line editor, which knows nothing of the language.
#pragma once

#include "repl/editor/styles.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// Whether the last entry of an input wants no more lines; see entries.h.
bool is_whole_input(std::string_view text);

/// How far a line after this text is indented: as the last line, and further after what opens
/// something (`=`, `->`, `(`, `then`, …).
std::size_t indentation_after(std::string_view text);

/// The tokens of an input in their styles.  Of the brackets that stand at the cursor, the one
/// before it or else the one after it is shown with its partner; `cursor` beyond the text: none is.
std::vector<StyledRange> highlighted(std::string_view text, std::size_t cursor);

/// The same as escape sequences in the text.
std::string colored(std::string_view text);

} // namespace sinter::repl
