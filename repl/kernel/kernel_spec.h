// How Jupyter finds the kernel, and Pygments its lexer.
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
/// given by its absolute path, and beside it a TextMate grammar for editors.  Returns the folder of
/// the kernel; throws FormatError or std::filesystem::filesystem_error, as the others below do.
std::filesystem::path install_kernel_spec(const std::filesystem::path& jupyter_folder,
                                          const std::filesystem::path& executable);
/// Whether it was there.
bool remove_kernel_spec(const std::filesystem::path& jupyter_folder);

/// Installs a distribution of Python's (a module and what says that it is a lexer, as installers
/// write it, so that pip lists and removes it) into a folder that Python looks into.
void install_lexer(const std::filesystem::path& site_folder);
/// Whether it was there.
bool remove_lexer(const std::filesystem::path& site_folder);

} // namespace sinter::repl
