// gnuplot, run as a program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sinter::repl {

/// A data file that a script reads: the variable that holds its path, and its contents.
using PlotData = std::pair<std::string, std::string>;

/// What a script writes to its standard output.  The user's own settings are not read.  Throws
/// FormatError with gnuplot's words, also where it is not installed, and RuntimeError{Interrupted}
/// when it was stopped by Ctrl-C.
std::string run_gnuplot(const std::string& script, std::span<const PlotData> data = {});

/// A text within single quotes, as a script takes it: nothing in it means anything.
std::string gnuplot_text(std::string_view text);

} // namespace sinter::repl
