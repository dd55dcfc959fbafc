// A literate script as a sequence of blocks.
#pragma once

#include "repl/scripts/script.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

struct Block {
  enum class Kind { Prose, Code, Directive };
  Kind kind = Kind::Prose;
  std::size_t line = 0; ///< lines of the script before it
  std::string text; ///< prose without its dashes; code as it is; a directive's lines behind `-- `
  Directive directive; ///< of Kind::Directive
};

/// Prose is what top-level comments say that follow an empty line (or prose); a documentation
/// comment (`-- |`) belongs to the code behind it, and test blocks (`-- ==`) are left out.
std::vector<Block> blocks_of(std::string_view text);

} // namespace sinter::repl
