// Parts of the program that are opened only when something needs them.
#pragma once

#include <string>

namespace sinter {

/// The function `symbol` of the library `name`.so, which lies beside the executable.  The library
/// stays open: what it made may live as long as the process.  Throws std::runtime_error with the
/// system's words if either is not there.
void* open_plugin(const std::string& name, const char* symbol);

} // namespace sinter
