// Which texts are the prelude's: what users wrote is told apart from it.
#pragma once

#include "lang/base/source_map.h"

namespace sinter {

/// Whether the span lies in a file of the prelude; not if it is unknown.
inline bool is_in_prelude(const SourceMap& sources, Span span) {
  return span.is_known() && sources.name(span.file).starts_with("/prelude/");
}

} // namespace sinter
