#include "repl/editor/styles.h"

namespace sinter::repl {

// The terminal's own sixteen colours: they fit its background, whichever that is.
std::string_view style_begin(Style style) {
  switch (style) {
  case Style::Plain:
    return "";
  case Style::Prompt:
    return "\x1b[1;36m";
  case Style::Keyword:
    return "\x1b[1;34m";
  case Style::Number:
    return "\x1b[35m";
  case Style::String:
    return "\x1b[32m";
  case Style::Comment:
  case Style::Faint:
    return "\x1b[90m";
  case Style::Type:
    return "\x1b[36m";
  case Style::Constructor:
    return "\x1b[33m";
  case Style::Attribute:
    return "\x1b[90m";
  case Style::Command:
    return "\x1b[1;35m";
  case Style::Wrong:
    return "\x1b[31m";
  case Style::Matching:
    return "\x1b[1;7m";
  case Style::Found:
    return "\x1b[7m";
  }
  return "";
}

} // namespace sinter::repl
