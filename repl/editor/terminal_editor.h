// The line editor on a terminal.
#pragma once

#include "repl/editor/editor.h"
#include "repl/editor/line_editor.h"

#include <memory>
#include <string>

namespace sinter::repl {

/// An editor on standard input and output, which `Terminal::is_capable`.  The history lies in
/// `history_file` (none if empty).
std::unique_ptr<LineEditor> make_terminal_editor(const std::string& history_file,
                                                 EditorHooks hooks);

} // namespace sinter::repl
