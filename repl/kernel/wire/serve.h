// The door between the executable and the plugin that knows Jupyter's messages.
#pragma once

#include "repl/kernel/kernel.h"

#include <string>

namespace sinter::repl {

/// Serves `kernel` over the sockets that a connection file of Jupyter's names, until it is told to
/// shut down.  SIGINT interrupts the cell that runs and is ignored between cells.  Throws
/// std::exception if the file or the sockets can't be used.
using ServeKernel = void(Kernel& kernel, const std::string& connection_file);

inline constexpr const char* serve_kernel_library = "sinter_kernel";
inline constexpr const char* serve_kernel_symbol = "sinter_serve_kernel";

} // namespace sinter::repl
