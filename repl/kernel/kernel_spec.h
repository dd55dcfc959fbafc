// How Jupyter finds the kernel.
#pragma once

#include <filesystem>
#include <string>

namespace sinter::repl {

/// Where Jupyter looks for the data of this user: $JUPYTER_DATA_DIR, $XDG_DATA_HOME/jupyter or
/// ~/.local/share/jupyter; empty if there is no home.
std::filesystem::path jupyter_user_folder();
/// Where a Jupyter installed under `prefix` looks.
std::filesystem::path jupyter_folder_under(const std::filesystem::path& prefix);

/// Writes `kernels/sinter/kernel.json` under a folder of Jupyter's, for the executable that is
/// given by its absolute path, and beside it what highlights programs: a TextMate grammar for
/// editors and a Pygments lexer.  Returns the folder of the kernel; throws FormatError or
/// std::filesystem::filesystem_error.
std::filesystem::path install_kernel_spec(const std::filesystem::path& jupyter_folder,
                                          const std::filesystem::path& executable);

} // namespace sinter::repl
