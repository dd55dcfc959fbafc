// Text to tokens, in one pass over the bytes.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/syntax/token.h"

#include <vector>

namespace sinter::syntax {

/// A `-- |` block: it documents the declaration whose first token is `token`.
struct DocumentationBlock {
  std::uint32_t token = 0;       ///< index of the token that follows
  std::uint32_t begin = 0;       ///< offsets of the whole block
  std::uint32_t end = 0;         ///< without the last line break
  bool blank_line_after = false; ///< an empty line separates it from what follows
};

struct TokenStream {
  std::vector<Token> tokens; ///< ends with one EndOfFile
  std::vector<DocumentationBlock> documentation;
  /// For each opening bracket the index of its closing one, 0 where there is none; brackets never
  /// match across the start of a declaration outside of braces.
  std::vector<std::uint32_t> closing;
};

/// Never fails: what is no token becomes a diagnostic and an Error token.
TokenStream tokenize(const SourceMap& sources, FileId file, Diagnostics& diagnostics);

} // namespace sinter::syntax
