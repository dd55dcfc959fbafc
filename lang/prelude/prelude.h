// The prelude: what every program may use without importing it, written in the language itself.
//
// The `.fut` files beside this header (and those that `embed.cmake` makes of the templates, one for
// each element type) become part of the executable as text.  `prelude` is the one whose members are
// in scope everywhere; it opens the others by `import`, as does `import "/prelude/soacs"`.
// The files stand on the module `intrinsics` alone (`lang/primitives`).  Every definition says its
// parameters' and its result's types, so that a body need not be read before it is used.
#pragma once

#include <span>
#include <string_view>

namespace sinter::prelude {

struct File {
  std::string_view name; ///< without folder and extension: "soacs"
  std::string_view text;
};

/// All files of the prelude, by name.
std::span<const File> files();

} // namespace sinter::prelude
