// Sessions in files: source and data, not an image of the memory.
//
// FILE has the definitions as one types them, readable and to be edited; results and data whose
// type the binary value format can express lie beside it, one file each in FILE.data/N/, so that
// every bit comes back.  Other results are saved as the expressions that they are the values of.
//
// FILE is a script (see script.h): run as one, it shows the results that it has.
//
// Each save has an N of its own, and FILE, which names its files, is replaced last: whatever
// happens meanwhile, FILE and what it names are those of the save before, or those of this one.
// Only then are the data of former saves removed.
#pragma once

#include "repl/console/console.h"

#include <optional>
#include <string>

namespace sinter::repl {

/// What is wrong if that can't be done.
std::optional<std::string> save_session(Console& console, const std::string& path);
/// Forgets what the prompt has defined, and obeys a saved file; what is wrong in it is shown.
std::optional<std::string> restore_session(Console& console, const std::string& path);
/// Obeys `:value NAME TYPE "FILE"` of a saved file: gives the name to what FILE holds.
std::optional<std::string> restore_value(Console& console, const std::string& argument);

} // namespace sinter::repl
