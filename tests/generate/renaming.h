// The same program with other names: it must mean the same.
#pragma once

#include "lang/check/checker.h"

#include <string>

namespace sinter::generate {

enum class Naming {
  /// Every name that a program binds is another one: nothing is shadowed, nothing has by chance
  /// the name of something else.
  Apart,
  /// Values hide each other wherever they can without being what another name means: locals take
  /// the names of the module level, and what is a member of some module is also a top-level number.
  Shadowing,
};

/// The program's text with its values named anew.  Types, modules, fields and entry points keep
/// their names, and so do members whose names other files know.
std::string renamed(const SourceMap& sources, const check::Checker& checker,
                    const check::CheckedFile& file, Naming naming);

} // namespace sinter::generate
