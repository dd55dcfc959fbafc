// Where a prompt's inputs come from: a terminal with editing, history and completion
// (terminal_editor.h), or any stream.
#pragma once

#include <istream>
#include <memory>
#include <ostream>
#include <string>

namespace sinter::repl {

class LineEditor {
public:
  virtual ~LineEditor() = default;
  struct Line {
    enum class Kind {
      Text,  ///< one line; the input may go on in the next
      Whole, ///< an input of any number of lines, with nothing to come
      Interrupted,
      End,
    };
    Kind kind = Kind::End;
    std::string text; ///< without the last line break
  };
  /// Shows `prompt` and reads a line or, with `more` before its further lines, a whole input.
  virtual Line read(const std::string& prompt, const std::string& more) = 0;
  /// Adds a whole input to the history.
  virtual void remember(const std::string& input) = 0;
};

/// What a stream editor writes.
enum class Echo {
  Nothing,
  Prompts, ///< for a terminal without editing, which shows what is typed by itself
  All,     ///< prompts and lines, so that the output reads like a session
};
/// Reads plain lines.
std::unique_ptr<LineEditor> make_stream_editor(std::istream& in, std::ostream& out, Echo echo);

/// "$XDG_STATE_HOME/sinter/inputs" or below ~/.local/state; folders are made.  Empty if there is
/// no home.
std::string history_path();

} // namespace sinter::repl
