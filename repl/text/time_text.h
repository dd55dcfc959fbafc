// Durations as a person reads them.
#pragma once

#include <string>

namespace sinter::repl {

/// Four digits in the unit that suits: "1.234 s", "56.7 ms", "8.9 µs".
std::string time_text(double seconds);

} // namespace sinter::repl
