// The program state: all of a session that refers to checked programs.
#pragma once

#include "lang/check/checker.h"
#include "lang/core/specialise.h"
#include "lang/eval/evaluator.h"
#include "repl/session/definitions.h"

#include <optional>
#include <string_view>

namespace sinter::repl {

/// Programs live in arenas from which nothing is ever freed, as closures, compiled code and other
/// programs point into them.  So that a session may last, it begins a new program state from time
/// to time, which takes over what is still needed, and lets the old one go as a whole.
struct ProgramState {
  check::Checker checker;
  core::Program program;
  core::Specialiser specialiser;
  Evaluator evaluator;

  ProgramState(SourceMap& sources, Representations& representations, EvaluationContext context)
      : checker(sources), specialiser(checker, representations, program),
        evaluator(program, std::move(context)) {}

  /// The global that a constant is kept in, specialised if that has not been done; null for what is
  /// computed at each use, and for what has no such name.
  const core::Global* global_of(check::Checker::PromptScope& scope, std::string_view name,
                                Span span);
};

/// The global whose value an expression is, sizes read off it or not.
const core::Global* global_in(const core::Expr& expr);

/// Definitions of a former program state in a new one, with all values that were computed, but for
/// those that hold functions: they are computed anew when they are needed.  Nothing if
/// something does not come out as it was.
std::optional<Definitions> taken_over(const Definitions& definitions, ProgramState& former,
                                      ProgramState& present);

} // namespace sinter::repl
