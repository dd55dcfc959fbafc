// What directives show: values, pictures, sounds.
// Source of the notation: the manual page futhark-literate(1).
#pragma once

#include "repl/pictures/media.h"
#include "repl/scripts/script.h"

#include <optional>
#include <string>

namespace sinter::repl {

/// A directive's result.
struct Performed {
  Outcome outcome;            ///< with its value, or what was wrong
  std::optional<Media> media; ///< what there is to see or to hear, unless it is the value
};

/// Evaluates the directive's expression and makes of it what its command says: `:img`, `:plot2d`
/// (also `:plot`), `:gnuplot`, `:video`, `:audio`.  Throws nothing.
Performed perform(Session& session, const std::string& path, const Directive& directive);

/// Whether the directive is one of those; else it is an expression, or its command is one of the
/// prompt's.  Pictures with options (`:plot --log y xs`) are the prompt's too.
bool makes_media(const Directive& directive);

} // namespace sinter::repl
