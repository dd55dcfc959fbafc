// Where a prompt's lines come from: a terminal with editing, history and completion, or any stream.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

class LineEditor {
public:
  virtual ~LineEditor() = default;
  struct Line {
    enum class Kind { Text, Interrupted, End };
    Kind kind = Kind::End;
    std::string text; ///< without the line break
  };
  /// Shows `prompt` and reads a line.
  virtual Line read(const std::string& prompt) = 0;
  /// Adds a whole input to the history.
  virtual void remember(const std::string& input) = 0;
};

/// Candidates for the word before the cursor: full replacements of the last word of `line`.
using Completer = std::function<std::vector<std::string>(std::string_view line)>;

/// An editor on the terminal.  The history lies in `history_file` (none if empty).
std::unique_ptr<LineEditor> make_terminal_editor(const std::string& history_file,
                                                 Completer completer);
/// Reads plain lines.  With `echo`, prompts and lines are written too, so that the output reads
/// like a session.
std::unique_ptr<LineEditor> make_stream_editor(std::istream& in, std::ostream* echo);

/// "$XDG_STATE_HOME/sinter/history" or below ~/.local/state; folders are made.  Empty if there is
/// no home.
std::string history_path();

} // namespace sinter::repl
