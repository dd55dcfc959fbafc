#include "repl/text/time_text.h"

#include <iomanip>
#include <sstream>

namespace sinter::repl {

std::string time_text(double seconds) {
  std::ostringstream out;
  out << std::setprecision(4);
  if (seconds >= 1)
    out << seconds << " s";
  else if (seconds >= 1e-3)
    out << seconds * 1e3 << " ms";
  else
    out << seconds * 1e6 << " µs";
  return out.str();
}

} // namespace sinter::repl
