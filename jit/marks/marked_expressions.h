// The marked expressions that a program reaches, with the forms that their inputs will have.
#pragma once

#include "jit/gate/marks.h"
#include "jit/marks/known_values.h"
#include "jit/trace/trace.h"

#include <string>
#include <vector>

namespace sinter::jit {

/// One that is met in a frame, or a call that is taken to be marked.
struct MarkedExpression {
  bool is_loop = false; ///< with `#[parallel]`
  /// Of a loop: a mark around it wants no code that is not.
  bool is_demanded = false;
  syntax::AccelerateMark mark;
  Span mark_span; ///< of the attribute, or an entry point's name
  Span span;      ///< of what is marked
  Target target;
  struct Input {
    const Representation* type = nullptr;
    std::optional<Layout> known; ///< where the type does not tell
    Span name;                   ///< as it is read
  };
  std::vector<Input> inputs; ///< of the target
  /// Of what can only be marked within another mark, which counts: it is not to be looked at.
  bool is_inside = false;
};

/// Each that is reached, once for each form of known functions among its inputs.
std::vector<MarkedExpression> marked_expressions(const MarkQuestion& question);

} // namespace sinter::jit
