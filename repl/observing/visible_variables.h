// The variables that a running call can see, by their names in the source: for who looks around
// where an evaluation has stopped.
#pragma once

#include "lang/base/source_map.h"
#include "lang/eval/evaluator.h"
#include "lang/values/representation.h"

#include <string>
#include <vector>

namespace sinter::repl {

/// A record of the variables in scope at a place of a call's body; inner ones hide outer ones.
struct VisibleVariables {
  Value variables;
  const Representation* type = nullptr;
  std::vector<std::string> lost; ///< those without a value any more, as nothing needs it
};
VisibleVariables visible_variables(const SourceMap& sources, Representations& representations,
                                   const RunningCall& call, Span place);

} // namespace sinter::repl
