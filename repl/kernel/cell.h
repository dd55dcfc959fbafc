// A cell of a notebook is a sequence of inputs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// An input of a cell.
struct CellInput {
  std::string text;
  std::size_t line = 0; ///< lines of the cell before it
};

/// The inputs of a cell in order: commands (lines that begin with `:`), declarations, expressions.
/// An input begins at a line that is not indented, unless the text before it is unfinished (an open
/// bracket, `def f =`, documentation) or the line can only go on (`in`, `else`, `case`, `|>`, `)`).
/// A command takes the indented lines after it.
std::vector<CellInput> split_cell(std::string_view cell);

/// Whether the cell's last input is unfinished, so that Enter should give another line.
bool is_unfinished(std::string_view cell);

} // namespace sinter::repl
