// A file after its check.
#pragma once

#include "lang/check/names/environment.h"
#include "lang/syntax/parser.h"

#include <string>

namespace sinter::check {

/// A checked file: its declarations, what it defines, and what it imports.
struct CheckedFile {
  std::string path; ///< canonical; the same file imported by two paths is one module
  syntax::File syntax;
  const Module* module = nullptr; ///< all that the file's users can see
  Environment scope;              ///< all names in scope at its end, the prelude included
};

} // namespace sinter::check
