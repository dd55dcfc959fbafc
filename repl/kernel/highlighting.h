// What editors and Pygments need to colour programs, as texts of the executable: the files of
// `highlighting/`, which `sinter kernel install` puts where they look.
#pragma once

#include <span>
#include <string_view>

namespace sinter::repl::highlighting {

struct File {
  std::string_view name; ///< without its endings: "futhark", "sinter_pygments"
  std::string_view text;
};
std::span<const File> files();

} // namespace sinter::repl::highlighting
