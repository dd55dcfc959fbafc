// The notebook's kernel, without its wire: a console that is fed cells.
#pragma once

#include "repl/kernel/cell_output.h"
#include "repl/kernel/notebook_presenter.h"

#include "repl/console/console.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// What ended a cell early.
struct CellError {
  std::string summary;            ///< one line without colours: "index 3 out of bounds …"
  std::vector<std::string> lines; ///< the whole message, coloured with terminal escapes
};

/// One way to end the word at the cursor.
struct CellCompletion {
  std::string text;
  std::string type; ///< "f64 -> f64", or a summary; may be empty
};
struct CellCompletions {
  std::size_t begin = 0; ///< the word that they replace, in bytes of the cell
  std::size_t end = 0;
  std::vector<CellCompletion> all;
};

class Kernel {
public:
  /// Values are shown as `options.display` says, in colours if `options.session.color`.
  explicit Kernel(ConsoleOptions options);

  /// Obeys the inputs of a cell in turn, up to the first that fails; nothing if none does.
  std::optional<CellError> execute(std::string_view cell, CellOutput& output);
  /// What the word before `cursor` (a byte of the cell) may become.
  CellCompletions complete(std::string_view cell, std::size_t cursor);
  /// What `:doc` tells about the name at or before `cursor`; nothing if it is none.
  std::optional<std::string> inspect(std::string_view cell, std::size_t cursor);

  /// Ends the session, and with it what compiles in the background: the process may exit.
  void end() { console_.reset(); }

  Console& console() { return *console_; }

private:
  ConsoleOptions with_remarks(ConsoleOptions options);

  std::size_t breaks_ = 0;         ///< that the input has come by
  NotebookPresenter presenter_;    ///< before the console, which writes to it
  std::optional<Console> console_; ///< until the end
};

} // namespace sinter::repl
